"""A course shown to the people enrolled in it, or taken back to a draft."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count

from courses import telling
from courses.models import Course, CourseDraft, CourseStatus, DraftStatus, Enrolment, Lesson, QuizItem
from skillnet.models import Membership


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a person should know before publishing: what is unfinished, and how many people will be told."""

    lessons: int
    waiting_questions: int
    empty_lessons: int
    empty_modules: int
    is_being_written: bool
    open_notices: int
    told: int

    @property
    def is_unfinished(self) -> bool:
        """Whether something of the course is still to be written or reviewed."""
        counted = (self.waiting_questions, self.empty_lessons, self.empty_modules, self.open_notices)
        return self.is_being_written or any(counted)

    @property
    def asks(self) -> bool:
        """Whether publishing is to be confirmed."""
        return self.is_unfinished or self.told > 0


def outlook(course: Course, membership: Membership) -> Outlook:
    """How a course stands, as far as a member may know. Call inside the organization's scope."""
    lessons = Lesson.objects.filter(module__course=course)
    draft = CourseDraft.objects.filter(course=course).exclude(status=DraftStatus.DONE)
    return Outlook(
        lessons=lessons.count(),
        waiting_questions=QuizItem.objects.filter(lesson__module__course=course, is_reviewed=False).count(),
        empty_lessons=lessons.filter(content__regex=r"^\s*$").count(),
        empty_modules=course.modules.annotate(lesson_count=Count("lessons")).filter(lesson_count=0).count(),
        is_being_written=draft.exists(),
        open_notices=Course.objects.filter(pk=course.pk).with_open_notices(membership).get().open_notice_count,
        told=len(to_be_told(course)),
    )


def to_be_told(course: Course) -> list[int]:
    """The ids of the people to whom a course is new: enrolled, still members, not begun, and told nothing of it yet."""
    members = Membership.objects.active().filter(organization=course.organization_id).values("user_id")
    new = Enrolment.objects.filter(
        course=course, completed_at__isnull=True, progress__isnull=True, user__in=members
    ).exclude(user__in=telling.people_told(course))
    return list(new.order_by("user_id").values_list("user_id", flat=True))


@transaction.atomic
def publish(course: Course) -> int:
    """Show a course to those enrolled. Returns how many were told of it under the bell: those to whom it is new."""
    course.status = CourseStatus.PUBLISHED
    course.save(update_fields=["status"])
    told = to_be_told(course)
    telling.tell_assigned(course, told)
    return len(told)


@transaction.atomic
def take_back(course: Course) -> None:
    """Make a course a draft again; nobody is sent to it any more."""
    course.status = CourseStatus.DRAFT
    course.save(update_fields=["status"])
    telling.settle_course(course)
