"""Courses drafted from documents: an outline to look over, then lessons written one after another by a worker."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy

from courses import jobs
from courses.draft_writing import blocks_read, planned
from courses.drafting.editing import edition
from courses.drafting.outline import SourceDocument, as_json, outline
from courses.models import Course, CourseDocument, CourseDraft, DraftStatus
from courses.slugs import free_slug
from documents.models import Document
from skillnet.errors import SkillNetError
from skillnet.models import Organization, User


class NothingToDraft(SkillNetError):
    """None of the chosen documents has text to make lessons of."""

    user_message = gettext_lazy("Estos documentos no tienen texto del que hacer un curso. Elige otros.")


class OutlineChanged(SkillNetError):
    """The outline is no longer the one that the person saw, or its lessons are being written."""

    user_message = gettext_lazy("El índice ha cambiado mientras tanto. Míralo y repite lo que querías hacer.")


@transaction.atomic
def propose(
    *,
    organization: Organization,
    title: str,
    documents: Sequence[Document],
    created_by: User | None,
    chapters: Mapping[str, Sequence[str]] | None = None,
) -> CourseDraft:
    """A new course, still a draft and without lessons, with a proposed outline of the documents in the order given.

    `chapters`: keys of those chosen by the document's id as text; all of a document that is not named.

    Raises: NothingToDraft.
    """
    plan = proposed_outline(documents, chapters)
    course = Course.objects.create(
        organization=organization, title=title, slug=free_slug(organization, title), created_by=created_by
    )
    CourseDocument.objects.bulk_create(
        [CourseDocument(organization=organization, course=course, document=document) for document in documents]
    )
    return CourseDraft.objects.create(
        organization=organization, course=course, outline=plan, chapters=chapters or {}, created_by=created_by
    )


@transaction.atomic
def change_outline(
    *, draft: CourseDraft, seen: str, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> dict[str, Any]:
    """Change a proposed outline that still is as the person saw it (`editing.edition`). Returns the new one.

    Raises: OutlineChanged.
    """
    found = CourseDraft.objects.select_for_update(no_key=True).get(pk=draft.pk)
    if found.status != DraftStatus.OUTLINED or edition(found.outline) != seen:
        raise OutlineChanged
    found.outline = change(found.outline)
    found.save(update_fields=["outline"])
    draft.refresh_from_db()
    outlined: dict[str, Any] = draft.outline
    return outlined


def proposed_outline(
    documents: Sequence[Document], chapters: Mapping[str, Sequence[str]] | None = None
) -> dict[str, Any]:
    """What the documents, or the `chapters` chosen of them, would be cut into, to be stored and edited.

    Raises: NothingToDraft.
    """
    read = [source for document in documents if (source := source_document(document)) is not None]
    chosen = {int(document): frozenset(keys) for document, keys in (chapters or {}).items()}
    sources = [replace(source, chapters=chosen.get(source.document_id)) for source in read]
    modules = outline(sources)
    if not modules:
        raise NothingToDraft
    return as_json(modules)


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
