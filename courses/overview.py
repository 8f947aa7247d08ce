"""How far people are in their courses, read for many at once in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import TextChoices
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from courses.models import Completion, Enrolment, Lesson, LessonProgress
from courses.studying import Progress, is_expired


class Stage(TextChoices):
    NOT_BEGUN = "sin-empezar", _("Sin empezar")
    UNDERWAY = "en-curso", _("En curso")
    OVERDUE = "vencido", _("Fuera de plazo")
    FINISHED = "terminado", _("Terminado")
    EXPIRED = "caducado", _("Caducado")


@dataclass(frozen=True, slots=True)
class StudiedLesson:
    """A lesson of someone's course, without its text."""

    lesson: Lesson
    done_at: datetime | None
    reread_asked_at: datetime | None

    @property
    def is_done(self) -> bool:
        return self.done_at is not None and self.reread_asked_at is None

    @property
    def has_changed(self) -> bool:
        """Whether it teaches something else than when it was done."""
        return self.done_at is not None and self.lesson.changed_at > self.done_at


@dataclass(frozen=True, slots=True)
class Study:
    """One person's course: its lessons in their order, and the last certificate they got for it."""

    enrolment: Enrolment
    lessons: tuple[StudiedLesson, ...]
    completion: Completion | None
    today: date

    @property
    def progress(self) -> Progress:
        done = [one for one in self.lessons if one.done_at is not None]
        return Progress(len(done), len(self.lessons), sum(one.reread_asked_at is not None for one in done))

    @property
    def next_lesson(self) -> Lesson | None:
        """Where they go on: the first lesson that is not done, or is to be read again."""
        return next((one.lesson for one in self.lessons if not one.is_done), None)

    @property
    def changed_count(self) -> int:
        """How many lessons changed since they were done, whether or not they were asked to read them again."""
        return sum(one.has_changed and one.reread_asked_at is None for one in self.lessons)

    @property
    def stage(self) -> Stage:
        enrolment = self.enrolment
        if is_expired(enrolment, self.today):
            return Stage.EXPIRED
        if enrolment.completed_at is not None:
            return Stage.FINISHED
        if enrolment.due_on is not None and enrolment.due_on < self.today:
            return Stage.OVERDUE
        return Stage.UNDERWAY if any(one.done_at is not None for one in self.lessons) else Stage.NOT_BEGUN

    @property
    def is_overdue(self) -> bool:
        return self.stage is Stage.OVERDUE

    @property
    def is_expired(self) -> bool:
        return self.stage is Stage.EXPIRED

    @property
    def is_finished(self) -> bool:
        return self.stage is Stage.FINISHED

    @property
    def is_pending(self) -> bool:
        """Whether there is something left for them to do."""
        return not self.is_finished or self.progress.to_reread > 0

    @property
    def is_begun(self) -> bool:
        return any(one.done_at is not None for one in self.lessons)


def studies_of(enrolments: Iterable[Enrolment]) -> list[Study]:
    """How far each enrolment is, in the order given. Three queries, however many there are."""
    enrolments = list(enrolments)
    lessons = _lessons({one.course_id for one in enrolments})
    done: defaultdict[int, dict[int, LessonProgress]] = defaultdict(dict)
    for progress in LessonProgress.objects.filter(enrolment__in=[one.pk for one in enrolments]):
        done[progress.enrolment_id][progress.lesson_id] = progress
    completions = _last_completions(enrolments)
    today = timezone.localdate()
    return [
        Study(
            enrolment,
            tuple(_studied(lesson, done[enrolment.pk]) for lesson in lessons[enrolment.course_id]),
            completions.get((enrolment.course_id, enrolment.user_id)),
            today,
        )
        for enrolment in enrolments
    ]


def _studied(lesson: Lesson, done: dict[int, LessonProgress]) -> StudiedLesson:
    progress = done.get(lesson.pk)
    if progress is None:
        return StudiedLesson(lesson, None, None)
    return StudiedLesson(lesson, progress.done_at, progress.reread_asked_at)


def _lessons(course_ids: Collection[int]) -> defaultdict[int, list[Lesson]]:
    found = (
        Lesson.objects.filter(module__course__in=course_ids)
        .select_related("module")
        .defer("content", "composed", "summary")
        .order_by("module__position", "module_id", "position", "pk")
    )
    lessons: defaultdict[int, list[Lesson]] = defaultdict(list)
    for lesson in found:
        lessons[lesson.module.course_id].append(lesson)
    return lessons


def _last_completions(enrolments: Sequence[Enrolment]) -> dict[tuple[int, int], Completion]:
    found = Completion.objects.filter(
        course__in={one.course_id for one in enrolments}, user__in={one.user_id for one in enrolments}
    ).order_by("completed_at")
    return {(one.course_id, one.user_id): one for one in found if one.course_id is not None}
