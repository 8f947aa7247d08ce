"""The scored units that one answer may be made of: how long each is when shown, and what is cited as one. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from retrieval.types import Passage
from tutor.contradictions import is_denied
from tutor.cutting import passage_units
from tutor.drafting import DraftWriter, Part, shortened
from tutor.scoring import Choice
from tutor.units import Unit, UnitKind
from tutor.wording import stems, word_count

MAX_SENTENCES = 3
MAX_ROWS = 20  # of a list or table that was asked for as a whole
MAX_WORDS = 148  # of sentences and rows; each of four parts has three more, marker and dash: 160 at most
LIST_WORDS = 155  # of a whole list, its numbers or dashes counted; it has one marker
SOURCES_A_DOCUMENT = 2

# On the scale of a unit's score, see tutor.scoring: how far below the best a second sentence may lie.
SAME_PASSAGE_MARGIN = 4.0
OTHER_PASSAGE_MARGIN = 4.0

NAMES_SECTION = 0.95  # from this share of a question's words on, their section's heading is what is asked for

ALIKE = 0.7  # share of the shorter one's words by which two units say the same


class Choices:
    """The units of a question's passages as `score_units` gives them, in reading order."""

    def __init__(
        self, question: str, passages: Sequence[Passage], scored: Sequence[Choice], writer: DraftWriter
    ) -> None:
        self.question = question
        self.scored = scored
        self.documents = [passage.document_id for passage in passages]
        self.units = [passage_units(passage) for passage in passages]  # those that have no score, too: headings
        self.writer = writer

    def ranked(self) -> list[Choice]:
        return sorted(self.scored, key=lambda choice: (-choice.score, choice.passage, choice.index))

    def in_block(self, passage: int, block: int) -> list[Choice]:
        return [one for one in self.scored if one.passage == passage and one.unit.block == block]

    def lead_of(self, choice: Choice) -> Unit | None:
        """The sentence or item that introduces an item's list, or the question that a unit answers."""
        return None if choice.unit.lead is None else self.units[choice.passage][choice.unit.lead]

    def outer_leads_of(self, choice: Choice) -> tuple[Unit, ...]:
        """What introduces an item's lead, where that is an item itself; the outermost first."""
        units = self.units[choice.passage]
        return tuple(units[at] for at in _above(units, choice.unit) if at is not None)[::-1]

    def list_of(self, choice: Choice) -> list[Choice]:
        """The items of a choice's list, with those that they introduce, or the rows of its table."""
        units = self.units[choice.passage]
        return [
            one
            for one in self.in_block(choice.passage, choice.unit.block)
            if choice.unit.lead in (one.unit.lead, *_above(units, one.unit))
        ]

    def document_of(self, choice: Choice) -> int:
        return self.documents[choice.passage]

    def word_count(self, choice: Choice) -> int:
        """The words of a choice that is shown by itself, with what introduces it."""
        if choice.unit.kind is UnitKind.ROW:
            return word_count(self.writer.row(choice.unit))
        return word_count(shortened(choice.unit.text)) + self.lead_word_count(choice)

    def lead_word_count(self, choice: Choice) -> int:
        """The words of all that introduces a choice."""
        lead = self.lead_of(choice)
        leads = self.outer_leads_of(choice) + (() if lead is None else (lead,))
        ruled = self.writer.ruled_by(choice.passage, choice.unit, leads)
        return word_count(ruled) + sum(word_count(one.text) for one in leads)

    def listed_word_count(self, unit: Unit, count: int) -> int:
        """The words of an item or row that is shown among so many."""
        is_row = unit.kind is UnitKind.ROW
        return word_count(self.writer.shown(unit, count) if is_row else shortened(unit.words))

    def adds(self, choice: Choice, said: Sequence[Choice], *, least: float, room: int) -> bool:
        """Whether a choice may be shown beside what is said: it scores so much at least, is no mere introduction, takes
        no more than so many words, and says something else.
        """
        return (
            choice.score >= least
            and not choice.unit.text.endswith(":")
            and self.word_count(choice) <= room
            and not repeats(choice, said)
        )

    def part(self, choice: Choice) -> Part:
        """A choice that is shown and cited by itself."""
        return self._part((choice,), choice)

    def parts(self, chosen: Sequence[Choice], best: Choice) -> list[Part]:
        """The chosen units by source: the best one's passage first, each passage in reading order."""
        groups: dict[tuple[int, int, int], list[Choice]] = {}
        leads = {(one.passage, one.unit.lead) for one in chosen if one.unit.kind is UnitKind.ITEM}
        alone = [one for one in chosen if (one.passage, one.index) not in leads]
        for choice in sorted(alone, key=lambda one: (one.passage != best.passage, one.passage, one.index)):
            groups.setdefault(group_of(choice), []).append(choice)
        parts = []
        for choices in groups.values():
            top = max(choices, key=lambda choice: choice.score)
            parts.append(self._part(choices, top))
        return parts

    def _part(self, choices: Sequence[Choice], top: Choice) -> Part:
        """The choices as one part. Items of a list that introduce others are shown among them, unless one introduces
        all: then that stands above them.
        """
        if top.unit.kind is UnitKind.ITEM and len({one.unit.lead for one in choices}) > 1:
            above = [unit for one in choices for unit in (*self.outer_leads_of(one), self.lead_of(one))]
            shown = {one.index: one for one in choices} | {
                self.units[top.passage].index(unit): replace(top, unit=unit)
                for unit in above
                if unit is not None and unit.kind is UnitKind.ITEM and unit.block == top.unit.block
            }
            choices = [shown[at] for at in sorted(shown)]
        first, lead = choices[0], self.lead_of(choices[0])
        units = tuple(choice.unit for choice in choices)
        is_list = (
            lead is not None and lead.kind is not UnitKind.QUESTION and len({unit.paragraph for unit in units}) > 1
        )
        left_out = is_list and any(one.unit not in units for one in self.list_of(first))
        return Part(top.passage, units, top.unit, lead, outer_leads=self.outer_leads_of(first), goes_on=left_out)


def is_of_named_section(choice: Choice) -> bool:
    """Whether the question names the section that a unit is from: all of it answers."""
    return choice.signals.get("section", 0.0) >= NAMES_SECTION


def group_of(choice: Choice) -> tuple[int, int, int]:
    """What is shown and cited as one: a passage's list or table, or one of its paragraphs."""
    unit = choice.unit
    return (choice.passage, unit.block, -1 if unit.kind is not UnitKind.SENTENCE else unit.paragraph[0])


def _above(units: Sequence[Unit], unit: Unit) -> Iterator[int | None]:
    """The leads of what introduces a unit, from the nearest on; None behind the outermost."""
    lead = unit.lead
    while lead is not None:
        lead = units[lead].lead
        yield lead


def is_among(choice: Choice, chosen: Sequence[Choice]) -> bool:
    return any((choice.passage, choice.index) == (one.passage, one.index) for one in chosen)


def repeats(choice: Choice, chosen: Sequence[Choice]) -> bool:
    """Whether a choice is one of those chosen, or says what one of them does."""
    if is_among(choice, chosen):
        return True
    words = stems(choice.unit.text)
    for other in chosen:
        if choice.unit.kind is UnitKind.ROW and choice.unit.block == other.unit.block:
            continue  # rows of a table are alike by nature
        if choice.unit.kind is UnitKind.ITEM and _is_of_other_list(choice, other):
            continue  # «3. Pescado: aceitunas rellenas» beside «1. Cereales: aceitunas rellenas»
        if is_denied(choice.unit.text) != is_denied(other.unit.text):
            continue  # «el personal en prácticas no puede abrir la caja» beside «la encargada puede»
        theirs = stems(other.unit.text)
        if words and len(words & theirs) >= ALIKE * min(len(words), len(theirs) or 1):
            return True
    return False


def _is_of_other_list(choice: Choice, other: Choice) -> bool:
    """Whether two items stand in one list and are introduced by different items of it."""
    is_beside = (choice.passage, choice.unit.block) == (other.passage, other.unit.block)
    return is_beside and choice.unit.lead != other.unit.lead
