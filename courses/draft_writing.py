"""The lessons of a draft, written one a transaction from its outline."""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from courses.drafting.misreadings import casing_of
from courses.drafting.quizzes import MAX_ITEMS, DraftedItem, draft_items
from courses.drafting.titles import Casing
from courses.drafting.writing import write_lesson
from courses.models import CourseDraft, DraftStatus, Lesson, LessonSource, Module, QuizItem
from documents.models import ParsedContent
from documents.parsing.types import Block
from skillnet.tenancy import organization_scope

MAX_TRIES = 3


@dataclass(frozen=True, slots=True)
class PlannedLesson:
    """A lesson of an outline and where it goes, both counted from 0."""

    module: dict[str, Any]
    module_position: int
    lesson: dict[str, Any]
    lesson_position: int


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
            more = write_next(draft_id)
    return more


@transaction.atomic
def write_next(draft_id: UUID) -> bool:
    """Write the next lesson of a draft and say whether more are to come. Call inside the organization's scope.

    Lessons and their count are saved together, so that a worker cut off half-way writes none twice.
    """
    draft = CourseDraft.objects.select_for_update(no_key=True).select_related("course").get(pk=draft_id)
    if draft.status not in (DraftStatus.QUEUED, DraftStatus.WRITING):
        return False
    lessons = list(planned(draft.outline))
    if draft.progress_done < len(lessons):
        _write(draft, lessons[draft.progress_done])
        draft.progress_done += 1
    is_done = draft.progress_done >= len(lessons)
    draft.status = DraftStatus.DONE if is_done else DraftStatus.WRITING
    draft.attempt_count, draft.step_at = 0, timezone.now()
    draft.save(update_fields=["progress_done", "status", "attempt_count", "step_at"])
    return not is_done


@transaction.atomic
def count_try(draft_id: UUID) -> None:
    """Note that another try at a draft begins; after the third that came to nothing it is closed as failed."""
    draft = CourseDraft.objects.due().filter(pk=draft_id)
    draft.update(attempt_count=F("attempt_count") + 1)
    draft.filter(attempt_count__gt=MAX_TRIES).update(
        status=DraftStatus.FAILED,
        error_message=_("La escritura se interrumpió varias veces. Vuelve a intentarlo."),
    )


def _write(draft: CourseDraft, planned_lesson: PlannedLesson) -> None:
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
    pieces, casing = _pieces(plan["ranges"])
    written = write_lesson(plan["title"], pieces, casing)
    lesson = Lesson.objects.create(
        organization_id=draft.organization_id,
        module=module,
        title=plan["title"][:200],
        summary=written.summary,
        content=written.content,
        position=planned_lesson.lesson_position,
    )
    LessonSource.objects.bulk_create(
        [LessonSource(organization_id=draft.organization_id, lesson=lesson, **source) for source in plan["sources"]]
    )
    QuizItem.objects.bulk_create(
        [
            QuizItem(organization_id=draft.organization_id, lesson=lesson, position=position, **item)
            for position, item in enumerate(_quiz_items(plan["ranges"]))
        ]
    )


def _quiz_items(ranges: Sequence[Sequence[int]]) -> list[dict[str, Any]]:
    """Fields of the items drafted on each piece of a lesson, at most three in all. A person reviews them."""
    items: list[dict[str, Any]] = []
    for document_id, version_id, first, last in ranges:
        blocks = blocks_read(version_id)
        drafted = draft_items(blocks[first:last], blocks, limit=MAX_ITEMS - len(items))
        items += [{**item_fields(item), "document_id": document_id} for item in drafted]
    return items


def item_fields(item: DraftedItem) -> dict[str, Any]:
    """A drafted item as fields of a stored one, in plain JSON types."""
    fields = asdict(item)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}


def _pieces(ranges: Sequence[Sequence[int]]) -> tuple[list[list[Block]], Casing]:
    blocks = {version_id: blocks_read(version_id) for _document, version_id, _first, _last in ranges}
    pieces = [blocks[version_id][first:last] for _document, version_id, first, last in ranges]
    return pieces, casing_of(*blocks.values())


def blocks_read(version_id: int) -> list[Block]:
    """What was read in a version; empty when nothing was kept of it."""
    stored = ParsedContent.objects.filter(version=version_id).values_list("blocks", flat=True).first()
    return [Block.from_json(data) for data in stored or []]
