"""What course pages look up."""

from collections.abc import Iterable
from typing import Any

from django import template
from django.urls import reverse

from courses.models import Course, CourseStatus, Lesson, LessonProgress, LessonSource, UpdateNotice
from courses.overview import StudiedLesson, Study
from documents.models import Document
from skillnet.models import Membership
from skillnet.tenancy import organization_scope

register = template.Library()


@register.filter
def lesson_of(study: Study, lesson: Lesson) -> StudiedLesson | None:
    """How far someone is with a lesson of their course."""
    return next((one for one in study.lessons if one.lesson.pk == lesson.pk), None)


@register.filter
def by_document(sources: Iterable[LessonSource]) -> list[tuple[Document, list[LessonSource]]]:
    """Each document that a lesson rests on, once, with its sections; none of them twice."""
    places: dict[Document, dict[object, LessonSource]] = {}
    for source in sources:
        places.setdefault(source.document, {}).setdefault((tuple(source.heading_path), source.page), source)
    return [(document, list(sections.values())) for document, sections in places.items()]


@register.filter
def address_of(source: LessonSource, slug: str) -> str:
    """Where a section that a lesson rests on is read: its page, or without pages its heading."""
    if source.page:
        return (
            f"{reverse('documents:detail', args=[slug, source.document_id])}?pagina={source.page}#pagina-{source.page}"
        )
    return reverse("courses:source", args=[slug, source.pk])


@register.inclusion_tag("courses/_waiting.html")
def waiting_in_courses(membership: Membership) -> dict[str, Any]:
    """How much waits for a member: sources to review for those who manage courses, else lessons to read again."""
    with organization_scope(membership.organization_id):  # open already, but around the pages of one's account
        return {"manages": membership.manages, "waiting": _waiting_count(membership)}


def _waiting_count(membership: Membership) -> int:
    if membership.manages:
        organization = membership.organization_id
        changed = UpdateNotice.objects.for_organization(organization).open().open_to(membership)
        withdrawn = Course.objects.for_organization(organization).having_lost_a_source()
        rows = changed.order_by().values("pk").union(withdrawn.order_by().values("pk"), all=True)
        return int(rows.count())
    return LessonProgress.objects.filter(
        organization=membership.organization_id,
        enrolment__user=membership.user_id,
        enrolment__course__status=CourseStatus.PUBLISHED,
        reread_asked_at__isnull=False,
    ).count()
