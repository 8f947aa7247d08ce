"""Courses drafted from documents: an outline to look over, then lessons written one after another by a worker."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy

from courses import jobs
from courses.draft_writing import blocks_read, planned
from courses.drafting.outline import SourceDocument, as_json, outline
from courses.models import Course, CourseDocument, CourseDraft, DraftStatus
from courses.slugs import free_slug
from documents.models import Document
from skillnet.errors import SkillNetError
from skillnet.models import Organization, User


class NothingToDraft(SkillNetError):
    """None of the chosen documents has text to make lessons of."""

    user_message = gettext_lazy("Estos documentos no tienen texto del que hacer un curso. Elige otros.")


@transaction.atomic
def propose(
    *, organization: Organization, title: str, documents: Sequence[Document], created_by: User | None
) -> CourseDraft:
    """A new course, still a draft and without lessons, with a proposed outline of the documents in the order given.

    Raises: NothingToDraft.
    """
    sources = [source for document in documents if (source := source_document(document)) is not None]
    modules = outline(sources)
    if not modules:
        raise NothingToDraft
    course = Course.objects.create(
        organization=organization, title=title, slug=free_slug(organization, title), created_by=created_by
    )
    CourseDocument.objects.bulk_create(
        [CourseDocument(organization=organization, course=course, document=document) for document in documents]
    )
    return CourseDraft.objects.create(
        organization=organization, course=course, outline=as_json(modules), created_by=created_by
    )


@transaction.atomic
def start(draft: CourseDraft) -> None:
    """Have the lessons of an outline written, from where it stands. Starting what runs or is done changes nothing."""
    found = CourseDraft.objects.select_for_update(no_key=True).get(pk=draft.pk)
    if found.status not in (DraftStatus.OUTLINED, DraftStatus.FAILED):
        return
    found.status, found.attempt_count, found.error_message = DraftStatus.QUEUED, 0, ""
    found.progress_total = sum(1 for _lesson in planned(found.outline))
    found.save(update_fields=["status", "attempt_count", "error_message", "progress_total"])
    jobs.enqueue_on_commit(found.organization_id, found.pk)
    draft.refresh_from_db()


def source_document(document: Document) -> SourceDocument | None:
    """A document as it is served now, with its blocks; None when none of its versions is."""
    version = document.active_version
    if version is None:
        return None
    return SourceDocument(document.pk, version.pk, document.title, blocks_read(version.pk))
