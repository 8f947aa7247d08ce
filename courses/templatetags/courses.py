"""What course pages look up."""

from typing import Any

from django import template

from courses.models import CourseStatus, Lesson, LessonProgress, UpdateNotice
from courses.overview import StudiedLesson, Study
from skillnet.models import Membership
from skillnet.tenancy import organization_scope

register = template.Library()


@register.filter
def lesson_of(study: Study, lesson: Lesson) -> StudiedLesson | None:
    """How far someone is with a lesson of their course."""
    return next((one for one in study.lessons if one.lesson.pk == lesson.pk), None)


@register.inclusion_tag("courses/_waiting.html")
def waiting_in_courses(membership: Membership) -> dict[str, Any]:
    """How much waits for a member: notices to review for those who manage courses, else lessons to read again."""
    with organization_scope(membership.organization_id):  # open already, but around the pages of one's account
        return {"manages": membership.manages, "waiting": _waiting_count(membership)}


def _waiting_count(membership: Membership) -> int:
    if membership.manages:
        notices = UpdateNotice.objects.for_organization(membership.organization_id).open()
        return int(notices.open_to(membership).count())
    return LessonProgress.objects.filter(
        organization=membership.organization_id,
        enrolment__user=membership.user_id,
        enrolment__course__status=CourseStatus.PUBLISHED,
        reread_asked_at__isnull=False,
    ).count()
