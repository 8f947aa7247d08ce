"""What courses tell the lowest app when it asks."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from courses.models import Completion, Enrolment, GroupAssignment, QuizAttempt
from skillnet.group_uses import GroupUse
from skillnet.models import Group, User


def uses_of_group(group: Group) -> list[GroupUse]:
    """Courses that a group takes."""
    assignments = GroupAssignment.objects.filter(group=group).select_related("course").order_by("course__title")
    consequence = _("dejará de asignarse a quien entre; quien ya está inscrito sigue")
    return [GroupUse(_("Curso"), assignment.course.title, consequence) for assignment in assignments]


def erase_learning(user: User) -> None:
    """Delete what a person studied, and how. That somebody finished a course stays, in the end without a name."""
    QuizAttempt.objects.filter(user=user).delete()
    Enrolment.objects.filter(user=user).delete()


def learning_of(user: User) -> dict[str, Any]:
    """What a person studied, for their own data."""
    enrolments = Enrolment.objects.filter(user=user).select_related("course").prefetch_related("progress__lesson")
    return {
        "enrolments": [
            {
                "course": enrolment.course.title,
                "enrolled_at": enrolment.created_at,
                "due_on": enrolment.due_on,
                "completed_at": enrolment.completed_at,
                "lessons_done": [
                    {"lesson": done.lesson.title, "done_at": done.done_at} for done in enrolment.progress.all()
                ],
            }
            for enrolment in enrolments.order_by("created_at")
        ],
        "completions": list(
            Completion.objects.filter(user=user).values("course_title", "completed_at", "expires_on", "percent")
        ),
        "quiz_attempts": [
            {
                "lesson": attempt.lesson.title,
                "percent": attempt.percent,
                "is_passed": attempt.is_passed,
                "taken_at": attempt.taken_at,
                "answers": attempt.answers,
            }
            for attempt in QuizAttempt.objects.filter(user=user).select_related("lesson")
        ],
    }
