"""What of the courses the person asking may open."""

from django.db.models import Count, Q
from django.shortcuts import get_object_or_404

from courses.models import Course, CourseQuerySet, Enrolment, Lesson, Resolution, UpdateNoticeQuerySet
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


def open_notices(request: OrganizationRequest, course: Course) -> UpdateNoticeQuerySet:
    """What is to be reviewed of a course, about documents that the person asking may read.

    With `lesson_count`: how many lessons are still to be decided on.
    """
    found: UpdateNoticeQuerySet = course.notices.open().open_to(request.membership).select_related("document")
    undecided = Count("touched_lessons", filter=Q(touched_lessons__resolution=Resolution.OPEN))
    annotated: UpdateNoticeQuerySet = found.annotate(lesson_count=undecided)
    return annotated
