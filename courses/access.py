"""What of the courses the person asking may open."""

from django.shortcuts import get_object_or_404

from courses.models import Course, CourseQuerySet, Enrolment, Lesson
from skillnet.access import OrganizationRequest


def open_courses(request: OrganizationRequest) -> CourseQuerySet:
    """The courses that the person asking may open."""
    courses: CourseQuerySet = Course.objects.for_organization(request.organization)
    return courses.open_to(request.membership)


def open_lesson(request: OrganizationRequest, lesson_id: int) -> Lesson:
    """A lesson of one of those courses, with its module and course. Raises: Http404."""
    found: Lesson = get_object_or_404(
        Lesson.objects.for_organization(request.organization).select_related("module__course"),
        pk=lesson_id,
        module__course__in=open_courses(request),
    )
    return found


def enrolment_in(request: OrganizationRequest, course: Course) -> Enrolment | None:
    """The enrolment of the person asking; None when they do not take the course."""
    found: Enrolment | None = (
        Enrolment.objects.for_organization(request.organization)
        .filter(course=course, user=request.membership.user_id)
        .select_related("course")
        .first()
    )
    return found
