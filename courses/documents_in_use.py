"""Which documents courses use: asked by the apps below, which do not know courses."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from courses.models import Course, CourseDocument, CourseStatus
from documents.access import Reader
from skillnet.models import Membership


def of_reader(reader: Reader) -> QuerySet[Any, Any]:
    """Ids of the documents of published courses that a reader is enrolled in."""
    return CourseDocument.objects.filter(
        course__enrolments__user=reader.user_id, course__status=CourseStatus.PUBLISHED
    ).values_list("document_id", flat=True)


def course_named(organization_id: UUID, slug: str, membership: Membership | None) -> int | None:
    """The id of an organization's course; None when there is no such course or `membership` may not open it."""
    courses = Course.objects.for_organization(organization_id)
    if membership is not None:
        courses = courses.open_to(membership)
    course: Course | None = courses.filter(slug=slug).first()
    return None if course is None else course.pk


def of_course(organization_id: UUID, course_id: int) -> QuerySet[Any, Any]:
    """Ids of the documents of one course."""
    return CourseDocument.objects.filter(organization_id=organization_id, course_id=course_id).values_list(
        "document_id", flat=True
    )


def title_of(organization_id: UUID, course_id: int) -> str | None:
    """The title of one course; None when the organization has no such course."""
    title: str | None = (
        Course.objects.for_organization(organization_id).filter(pk=course_id).values_list("title", flat=True).first()
    )
    return title
