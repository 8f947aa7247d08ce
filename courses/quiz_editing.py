"""Questions of a lesson, approved by a person. What is put to employees rests on a passage of its lesson."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from courses.draft_writing import blocks_read
from courses.grading import fold
from courses.models import Lesson, LessonSource, QuizItem, QuizKind
from courses.passages import holds, texts_by_section
from courses.sources import Source
from documents.diffing import Path
from documents.models import Document, DocumentQuerySet
from skillnet.errors import SkillNetError

FEWEST_OPTIONS = 2
MOST_OPTIONS = 8


class UnsoundQuestion(SkillNetError):
    """A question without exactly one right answer, or whose passage is not in its lesson's own sources."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A section of a lesson's sources that questions may rest on, as its document has it now."""

    document: Document
    heading_path: Path
    page: int | None
    lines: Sequence[str]

    @property
    def name(self) -> str:
        """What people call it: its headings, or its document where it has none."""
        return " › ".join(self.heading_path) or self.document.title


def passages_of(lesson: Lesson, documents: DocumentQuerySet) -> list[Passage]:
    """The sections a lesson rests on in these documents, with their text, in reading order of each document."""
    places: dict[int, list[Source]] = {}
    known: dict[int, Document] = {}
    sources = lesson.sources.filter(document__in=documents).select_related("document")
    for source in sources.order_by("pk"):
        known.setdefault(source.document_id, source.document)
        places.setdefault(source.document_id, []).append(source.place)
    found: list[Passage] = []
    for document_id, document in known.items():
        blocks = blocks_read(document.active_version_id) if document.active_version_id else []
        pages = {block.heading_path: block.page for block in reversed(blocks)}
        found += [
            Passage(document, path, pages.get(path), lines)
            for path, lines in texts_by_section(blocks, places[document_id]).items()
        ]
    return found


def check(item: QuizItem, passages: Sequence[Passage]) -> None:
    """Refuse what has not exactly one right answer or no passage among those its lesson teaches.

    Raises: UnsoundQuestion, whose message says what to mend.
    """
    check_answer(item)
    here = _section(item, passages)
    if not here:
        raise UnsoundQuestion(
            user_message=_("La pregunta se basa en una sección que no está entre las fuentes de la lección.")
        )
    if not any(holds(passage.lines, item.quote) for passage in here):
        raise UnsoundQuestion(
            user_message=_("El pasaje no está, palabra por palabra, en esa sección. Cópialo tal como aparece.")
        )


def is_gone(item: QuizItem, passages: Sequence[Passage], sources: Iterable[LessonSource]) -> bool:
    """Whether the document holds no longer what a question rests on, although its lesson still teaches that section.

    `passages` and `sources` are those of its lesson.
    """
    here = _section(item, passages)
    if here:
        return bool(item.quote.strip()) and not any(holds(passage.lines, item.quote) for passage in here)
    path = tuple(item.heading_path)
    return any(source.document_id == item.document_id and source.place.covers(path) for source in sources)


def _section(item: QuizItem, passages: Sequence[Passage]) -> list[Passage]:
    """The section a question names, where it is among these."""
    return [
        passage
        for passage in passages
        if passage.document.pk == item.document_id and list(passage.heading_path) == list(item.heading_path)
    ]


def check_answer(item: QuizItem) -> None:
    """Refuse what has not exactly one right answer. Raises: UnsoundQuestion."""
    folded = [fold(str(option)) for option in item.options]
    if item.kind == QuizKind.FILL:
        if not any(fold(str(spelling)) for spelling in item.answer):
            raise UnsoundQuestion(user_message=_("Escribe al menos una respuesta correcta."))
        return
    if not FEWEST_OPTIONS <= len(folded) <= MOST_OPTIONS:
        raise UnsoundQuestion(user_message=_("Hacen falta entre 2 y 8 opciones."))
    if not all(folded) or len(set(folded)) < len(folded):
        raise UnsoundQuestion(user_message=_("Dos opciones dicen lo mismo: solo una respuesta puede ser la correcta."))
    if item.kind == QuizKind.SINGLE_CHOICE and (
        len(item.answer) != 1 or not isinstance(item.answer[0], int) or not 0 <= item.answer[0] < len(folded)
    ):
        raise UnsoundQuestion(user_message=_("Marca cuál es la respuesta correcta."))


def approve(item: QuizItem, passages: Sequence[Passage]) -> None:
    """Let a question be put to employees. Raises: UnsoundQuestion."""
    check(item, passages)
    item.is_reviewed = True
    item.save(update_fields=["is_reviewed"])


def waiting_in(lesson: Lesson, passages: Sequence[Passage]) -> tuple[list[QuizItem], list[tuple[QuizItem, str]]]:
    """What waits for review in a lesson: what can be approved, and what has to be mended first, with why."""
    sound: list[QuizItem] = []
    unsound: list[tuple[QuizItem, str]] = []
    for item in lesson.quiz_items.filter(is_reviewed=False).order_by("position", "pk"):
        try:
            check(item, passages)
        except UnsoundQuestion as error:
            unsound.append((item, str(error.user_message)))
        else:
            sound.append(item)
    return sound, unsound


def approve_all(lesson: Lesson, passages: Sequence[Passage]) -> tuple[int, int]:
    """Approve what waits for review in a lesson; returns how many were, and how many have something to mend first."""
    sound, unsound = waiting_in(lesson, passages)
    for item in sound:
        item.is_reviewed = True
        item.save(update_fields=["is_reviewed"])
    return len(sound), len(unsound)


def take_back_unsound(lesson: Lesson) -> int:
    """Send approved questions back to review that the lesson's sources hold no longer; returns how many."""
    passages = passages_of(lesson, Document.objects.for_organization(lesson.organization_id))
    taken = 0
    for item in lesson.quiz_items.asked():
        try:
            check(item, passages)
        except UnsoundQuestion:
            item.is_reviewed = False
            item.save(update_fields=["is_reviewed"])
            taken += 1
    return taken
