"""The lessons of a draft, written one a transaction from its outline."""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from courses import registry, telling
from courses.composing import ComposedLesson, Piece, compose
from courses.models import CourseDraft, DraftStatus, Lesson, LessonSource, Module, QuizItem
from documents.models import ParsedContent
from documents.parsing.types import Block
from skillnet.backends import get_language_model
from skillnet.tenancy import organization_scope

MAX_TRIES = 3


@dataclass(frozen=True, slots=True)
class PlannedLesson:
    """A lesson of an outline and where it goes, both counted from 0."""

    module: dict[str, Any]
    module_position: int
    lesson: dict[str, Any]
    lesson_position: int


@dataclass(frozen=True, slots=True)
class Material:
    """What a lesson is written from: its number in the outline, counted from 0, its title and pieces."""

    number: int
    title: str
    pieces: list[Piece]


def planned(plan: dict[str, Any]) -> Iterator[PlannedLesson]:
    """The lessons of a stored outline in their order."""
    for module_position, module in enumerate(plan.get("modules", [])):
        for lesson_position, lesson in enumerate(module.get("lessons", [])):
            yield PlannedLesson(module, module_position, lesson, lesson_position)


def run(organization_id: UUID, draft_id: UUID, *, seconds: float = math.inf) -> bool:
    """Write lessons of a draft, each in a transaction of its own, and say whether more are to come after `seconds`."""
    deadline = time.monotonic() + seconds
    with organization_scope(organization_id):
        count_try(draft_id)
    more = True
    while more and time.monotonic() < deadline:
        with organization_scope(organization_id):
            planned_lesson = next_lesson(draft_id)
        # No transaction is open while a language model writes.
        composed = composed_of(planned_lesson) if planned_lesson is not None else None
        with organization_scope(organization_id):
            more = store(draft_id, composed)
    return more


def write_next(draft_id: UUID) -> bool:
    """Write the next lesson of a draft and say whether more are to come. Call inside the organization's scope."""
    planned_lesson = next_lesson(draft_id)
    return store(draft_id, composed_of(planned_lesson) if planned_lesson is not None else None)


def next_lesson(draft_id: UUID) -> Material | None:
    """The next lesson to be written, with what it is written from; None where there is none."""
    draft = CourseDraft.objects.due().filter(pk=draft_id).first()
    lessons = list(planned(draft.outline)) if draft is not None else []
    if draft is None or draft.progress_done >= len(lessons):
        return None
    plan = lessons[draft.progress_done].lesson
    read = {version_id: blocks_read(version_id) for _document, version_id, _first, _last in plan["ranges"]}
    pieces = [
        Piece(document_id, read[version_id][first:last], read[version_id])
        for document_id, version_id, first, last in plan["ranges"]
    ]
    return Material(draft.progress_done, plan["title"], pieces)


def composed_of(material: Material) -> tuple[int, ComposedLesson]:
    """The lesson's number and text. Needs no database, and may take as long as a language model does."""
    return material.number, compose(material.title, material.pieces, get_language_model())


@transaction.atomic
def store(draft_id: UUID, composed: tuple[int, ComposedLesson] | None) -> bool:
    """Keep a lesson and say whether more are to come.

    Lessons and their count are saved together, so that a worker cut off half-way, or two at once, write none twice.
    """
    draft = CourseDraft.objects.select_for_update(no_key=True).select_related("course").get(pk=draft_id)
    if composed is not None:
        registry.count_tokens(draft.organization_id, composed[1].tokens)
    if draft.status not in (DraftStatus.QUEUED, DraftStatus.WRITING):
        return False
    lessons = list(planned(draft.outline))
    if composed is not None and composed[0] == draft.progress_done:
        _write(draft, lessons[draft.progress_done], composed[1])
        draft.progress_done += 1
    is_done = draft.progress_done >= len(lessons)
    draft.status = DraftStatus.DONE if is_done else DraftStatus.WRITING
    draft.attempt_count, draft.step_at = 0, timezone.now()
    draft.save(update_fields=["progress_done", "status", "attempt_count", "step_at"])
    if is_done:
        telling.tell_of_draft(draft)
    return not is_done


@transaction.atomic
def count_try(draft_id: UUID) -> None:
    """Note that another try at a draft begins; after the third that came to nothing it is closed as failed."""
    draft = CourseDraft.objects.due().filter(pk=draft_id)
    draft.update(attempt_count=F("attempt_count") + 1)
    for failed in draft.filter(attempt_count__gt=MAX_TRIES).select_related("course", "organization"):
        failed.status = DraftStatus.FAILED
        failed.error_message = _("La escritura se interrumpió varias veces. Vuelve a intentarlo.")
        failed.save(update_fields=["status", "error_message"])
        telling.tell_of_draft(failed)


def _write(draft: CourseDraft, planned_lesson: PlannedLesson, composed: ComposedLesson) -> None:
    module, _created = Module.objects.get_or_create(
        course=draft.course,
        position=planned_lesson.module_position,
        defaults={
            "organization_id": draft.organization_id,
            "title": planned_lesson.module["title"][:200],
            "summary": planned_lesson.module.get("summary", ""),
            "goals": planned_lesson.module.get("goals", []),
        },
    )
    plan = planned_lesson.lesson
    lesson = Lesson.objects.create(
        organization_id=draft.organization_id,
        module=module,
        title=plan["title"][:200],
        summary=composed.summary,
        content=composed.content,
        composed=composed.content,
        position=planned_lesson.lesson_position,
    )
    LessonSource.objects.bulk_create(
        [LessonSource(organization_id=draft.organization_id, lesson=lesson, **source) for source in plan["sources"]]
    )
    QuizItem.objects.bulk_create(
        [
            QuizItem(organization_id=draft.organization_id, lesson=lesson, position=position, **item)
            for position, item in enumerate(composed.items)
        ]
    )


def blocks_read(version_id: int) -> list[Block]:
    """What was read in a version; empty when nothing was kept of it."""
    stored = ParsedContent.objects.filter(version=version_id).values_list("blocks", flat=True).first()
    return [Block.from_json(data) for data in stored or []]
