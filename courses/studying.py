"""How far a person is in a course, the quizzes they take, and the record they get at the end.

The rule, which the course page shows: a lesson is done when its reader says so, and, where it has a quiz, has passed
it; the course is finished when every lesson is done and none is to be read again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from dateutil.relativedelta import relativedelta
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from courses import telling
from courses.grading import Question, is_right, percent
from courses.models import (
    Completion,
    Course,
    Enrolment,
    Lesson,
    LessonProgress,
    QuizAttempt,
    QuizItem,
    UpdateNotice,
)
from documents.models import DocumentVersion
from skillnet.errors import SkillNetError
from skillnet.models import User


class QuizNotPassed(SkillNetError):
    """A lesson with a quiz cannot be done before the quiz is passed."""

    user_message = _("Antes de marcar la lección como hecha, supera su cuestionario.")


class NoQuiz(SkillNetError):
    """The lesson asks nothing (any more)."""

    user_message = _("Esta lección ya no tiene cuestionario. Vuelve a la lección.")


@dataclass(frozen=True, slots=True)
class Progress:
    """Lessons done, of how many, and how many of those done are to be read again."""

    done: int
    total: int
    to_reread: int = 0

    @property
    def current(self) -> int:
        """Lessons done that are not to be read again."""
        return self.done - self.to_reread

    @property
    def percent(self) -> int:
        return percent(self.current, self.total) if self.total else 0

    @property
    def is_complete(self) -> bool:
        return 0 < self.total == self.done and not self.to_reread


def progress_of(enrolment: Enrolment) -> Progress:
    """How far someone is. Lessons since removed from the course count no more."""
    total = Lesson.objects.filter(module__course=enrolment.course_id).count()
    done = enrolment.progress.filter(lesson__module__course=enrolment.course_id)
    return Progress(done.count(), total, done.filter(reread_asked_at__isnull=False).count())


@transaction.atomic
def mark_done(*, enrolment: Enrolment, lesson: Lesson) -> Progress:
    """Note that someone has done a lesson, or read it again, and finish the course with the last one.

    Raises: QuizNotPassed.
    """
    enrolment = Enrolment.objects.select_for_update(no_key=True).select_related("course", "user").get(pk=enrolment.pk)
    if not has_passed(lesson, enrolment):
        raise QuizNotPassed
    LessonProgress.objects.update_or_create(
        enrolment=enrolment,
        lesson=lesson,
        defaults={"organization_id": enrolment.organization_id, "done_at": timezone.now(), "reread_asked_at": None},
    )
    progress = progress_of(enrolment)
    if progress.is_complete:
        telling.settle_course(enrolment.course, enrolment.user_id)
        if enrolment.completed_at is None:
            _complete(enrolment)
    return progress


def has_passed(lesson: Lesson, enrolment: Enrolment) -> bool:
    """Whether someone has passed a lesson's quiz; true where it asks nothing.

    What was passed before the lesson last changed, or before they began to repeat the course, counts no more.
    """
    if not lesson.quiz_items.asked().exists():
        return True
    attempts = QuizAttempt.objects.filter(lesson=lesson, user=enrolment.user_id, is_passed=True)
    return attempts.filter(taken_at__gte=counted_since(lesson, enrolment)).exists()


def counted_since(lesson: Lesson, enrolment: Enrolment) -> datetime:
    """From when on tries at a lesson's quiz count for someone."""
    return max(lesson.changed_at, enrolment.restarted_at or lesson.changed_at)


@transaction.atomic
def take_quiz(*, lesson: Lesson, user: User, given: Mapping[int, Sequence[str]]) -> QuizAttempt:
    """Grade the answers to a lesson's quiz, by item id, each in words. Unanswered questions count as wrong.

    Raises: NoQuiz.
    """
    items: list[QuizItem] = list(lesson.quiz_items.asked().order_by("position", "pk"))
    if not items:
        raise NoQuiz
    graded = []
    for item in items:
        question = Question(item.kind, item.options, item.answer, item.question)
        answer = list(given.get(item.pk, []))
        graded.append(
            {
                "item": item.pk,
                "question": item.question,
                "given": answer,
                "expected": question.expected,
                "is_right": is_right(question, answer),
            }
        )
    share = percent(sum(bool(one["is_right"]) for one in graded), len(graded))
    course = Course.objects.get(modules__lessons=lesson)
    return QuizAttempt.objects.create(
        organization_id=lesson.organization_id,
        lesson=lesson,
        user=user,
        answers=graded,
        percent=share,
        is_passed=share >= course.pass_percent,
    )


@transaction.atomic
def ask_to_reread(lesson: Lesson) -> list[int]:
    """Ask everyone who has done a lesson to read it again. Returns the ids of their enrolments.

    In a course that is repeated when it changes, those who had finished it have to finish it anew.
    """
    done = LessonProgress.objects.filter(lesson=lesson)
    done.update(reread_asked_at=timezone.now())
    course = Course.objects.get(modules__lessons=lesson)
    if course.recertify_on_change:
        course.enrolments.filter(progress__in=done, completed_at__isnull=False).update(
            completed_at=None, expires_on=None, due_on=None, due_reminder_days=None
        )
    return list(done.order_by("enrolment_id").values_list("enrolment_id", flat=True))


@transaction.atomic
def restart(enrolment: Enrolment) -> None:
    """Let someone take a course again from the first lesson, as after their certificate has expired.

    The date by which they had to finish it belonged to the time before.
    """
    enrolment.progress.all().delete()
    enrolment.restarted_at = timezone.now()
    enrolment.completed_at = enrolment.expires_on = enrolment.due_on = None
    enrolment.due_reminder_days = enrolment.expiry_reminded_at = None
    enrolment.save(
        update_fields=[
            "restarted_at", "completed_at", "expires_on", "due_on", "due_reminder_days", "expiry_reminded_at",
        ]
    )  # fmt: skip


def is_expired(enrolment: Enrolment, today: date | None = None) -> bool:
    """Whether a finished course is to be taken again."""
    return enrolment.expires_on is not None and enrolment.expires_on <= (today or timezone.localdate())


def _complete(enrolment: Enrolment) -> None:
    """Close a course for someone, with the lasting record of what was taught."""
    course, now = enrolment.course, timezone.now()
    enrolment.completed_at = now
    if course.recertify_months:
        enrolment.expires_on = timezone.localdate(now) + relativedelta(months=course.recertify_months)
    enrolment.expiry_reminded_at = None
    enrolment.save(update_fields=["completed_at", "expires_on", "expiry_reminded_at"])
    Completion.objects.create(
        organization_id=enrolment.organization_id,
        course=course,
        user=enrolment.user,
        course_title=course.title,
        completed_at=now,
        expires_on=enrolment.expires_on,
        percent=_average(enrolment),
        documents=_taught(course),
    )


def _average(enrolment: Enrolment) -> int | None:
    attempts = QuizAttempt.objects.filter(lesson__module__course=enrolment.course_id, user=enrolment.user_id)
    if enrolment.restarted_at is not None:
        attempts = attempts.filter(taken_at__gte=enrolment.restarted_at)
    best = attempts.values("lesson").annotate(best=Max("percent")).values_list("best", flat=True)
    shares = list(best)
    return sum(shares) // len(shares) if shares else None


def _taught(course: Course) -> list[dict[str, object]]:
    """The documents of a course in the versions that its lessons teach: what its certificate names.

    While a newer version waits to be reviewed, the lessons still say what the one before it said.
    """
    served = (
        DocumentVersion.objects.filter(document_where_active__course_documents__course=course)
        .select_related("document")
        .order_by("document__title", "pk")
    )
    waiting = UpdateNotice.objects.open().filter(course=course).select_related("from_version__document")
    before = {notice.document_id: notice.from_version for notice in waiting}
    versions = [before.get(version.document_id, version) for version in served]
    return [
        {
            "title": version.document.title,
            "version": version.number,
            "published_at": timezone.localtime(version.uploaded_at).date().isoformat(),
        }
        for version in versions
    ]
