"""The best sentence, item or row, and others that answer beside it. Pure."""

import math
import re
from collections.abc import Sequence

from tutor.choices import (
    MAX_SENTENCES,
    MAX_WORDS,
    OTHER_PASSAGE_MARGIN,
    SAME_PASSAGE_MARGIN,
    SOURCES_A_DOCUMENT,
    Choices,
    group_of,
    is_among,
    is_of_named_section,
)
from tutor.labels import MAX_LABEL_WORDS
from tutor.leaning import follows_from, leans_back
from tutor.price_lists import is_priced
from tutor.scoring import Choice
from tutor.units import Unit, UnitKind
from tutor.wording import stems, word_count

MAX_LEANT_ON = 2  # in all, beside the three: those that they make no sense without
CONTEXT_WORDS = range(4, 46)  # of a sentence shown because the next one leans on it
BELOW = 1e-6  # so that its source is cited for the sentence that answers

# On the scale of a unit's score: how far below the best an item or row of its passage may lie.
LIST_MARGIN = 2.0
NAMED_SECTION_MARGIN = 10.0
NAMED_MARGIN = math.inf  # of the second of two things that a question names

_SENTENCE_ENDS = frozenset(".!?…:»”)")
_JOINED = re.compile(
    r"\b(\w+)\s+(?:y|e|o|u|ni)\s+(?:(?:a|al|de|del|el|la|los|las|un|una|unos|unas)\s+)*(\w+)", re.IGNORECASE
)


def selected(choices: Choices, best: Choice) -> list[Choice]:
    """The best unit and others that answer nearly as well and say something else; three in all, each with what it
    makes no sense without. One that would lean on more than there is room for is left out.
    """
    return _Selection(choices, best).chosen()


class _Selection:
    def __init__(self, choices: Choices, best: Choice) -> None:
        self._choices = choices
        self._best = best
        pairs = _JOINED.findall(choices.question)
        self._joined = stems(" ".join(" ".join(pair) for pair in pairs))  # «el ceviche y el flan»

    def chosen(self) -> list[Choice]:
        best = self._best
        chosen = [best, *said_with(self._choices, best)]
        count = len(chosen) if best.unit.text.endswith(":") else 1
        leant_on = len(chosen) - count
        room = MAX_WORDS - sum(map(self._choices.word_count, chosen))
        for choice in self._choices.ranked():
            if count >= MAX_SENTENCES:
                break
            if (
                self._choices.adds(choice, chosen, least=best.score - self._margin(choice), room=room)
                and not self._is_other_row(choice)
                and self._has_room_for_source(choice, chosen)
                and len(before := self._new_before(choice, chosen)) <= MAX_LEANT_ON - leant_on
            ):
                chosen.append(choice)
                count += 1
                room -= self._choices.word_count(choice)
                for one in before:
                    words = self._choices.word_count(one)
                    if words <= room:
                        chosen.append(one)
                        leant_on += 1
                        room -= words
        return chosen + self._between(chosen, room)

    def _between(self, chosen: Sequence[Choice], room: int) -> list[Choice]:
        """The items of a list between two chosen ones, where all fit: with a gap it would read as a whole list."""
        lists: dict[tuple[int, int, int | None], list[Choice]] = {}
        for one in chosen:
            if one.unit.kind is UnitKind.ITEM:
                lists.setdefault((one.passage, one.unit.block, one.unit.lead), []).append(one)
        missing = [
            one
            for of_list in lists.values()
            for one in self._choices.list_of(of_list[0])
            if min(it.index for it in of_list) < one.index < max(it.index for it in of_list)
            and not is_among(one, chosen)
        ]
        return missing if sum(map(self._choices.word_count, missing)) <= room else []

    def _margin(self, choice: Choice) -> float:
        """How far below the best a unit may score and still be shown beside it."""
        if choice.passage != self._best.passage:
            return OTHER_PASSAGE_MARGIN
        if self._is_asked_as_well(choice):
            return NAMED_MARGIN
        if is_of_named_section(choice):
            return NAMED_SECTION_MARGIN
        return SAME_PASSAGE_MARGIN if choice.unit.kind is UnitKind.SENTENCE else LIST_MARGIN

    def _is_asked_as_well(self, choice: Choice) -> bool:
        """Whether a question about several things («el ceviche y el flan») names the one that a row is about, which the
        best is not about.
        """
        return bool(self._joined & stems(_name_of(choice.unit)) - stems(self._best.unit.text))

    def _is_other_row(self, choice: Choice) -> bool:
        """Whether it is a row of the best one's table, or another thing with its price, that is about something else:
        the one that decides stands alone.
        """
        best = self._best
        is_beside = (choice.passage, choice.unit.block) == (best.passage, best.unit.block)
        is_row = choice.unit.kind is UnitKind.ROW and is_beside
        if not is_row and not (is_priced(choice.unit.text) and is_priced(best.unit.text)):
            return False
        if self._is_asked_as_well(choice):
            return False
        return bool(choice.signals["is_for_other"]) or choice.signals["own"] < best.signals["own"]

    def _has_room_for_source(self, choice: Choice, chosen: Sequence[Choice]) -> bool:
        document = self._choices.document_of(choice)
        cited = {group_of(one) for one in (*chosen, choice) if self._choices.document_of(one) == document}
        return len(cited) <= SOURCES_A_DOCUMENT

    def _new_before(self, choice: Choice, chosen: Sequence[Choice]) -> list[Choice]:
        """What a sentence leans on that is not chosen yet."""
        return [one for one in said_with(self._choices, choice) if not is_among(one, chosen)]


def said_with(choices: Choices, choice: Choice) -> list[Choice]:
    """What a sentence makes no sense without: the ones before that it leans on, what follows from it or what it
    announces.
    """
    announced = [one for one in choices.scored if _is_announced(one, choice)]
    if announced or _introduces(choice.unit):
        return announced
    units = choices.units[choice.passage]
    return [
        Choice(choice.passage, index, units[index], choice.score - BELOW, {})
        for index in (*_leant_on(units, choice.index), *_following(units, choice.index))
    ]


def _is_announced(choice: Choice, other: Choice) -> bool:
    """Whether a unit is an item of the list that another announces, or stands behind the colon of a sentence."""
    is_led = choice.unit.kind is UnitKind.ITEM and choice.unit.lead == other.index
    is_behind = _introduces(other.unit) and choice.index == other.index + 1
    return choice.passage == other.passage and (is_led or is_behind)


def _introduces(unit: Unit) -> bool:
    """Whether a sentence ends with a colon: by itself it says nothing, even where nothing behind it may be shown."""
    return unit.kind is UnitKind.SENTENCE and unit.text.endswith(":")


def _leant_on(units: Sequence[Unit], index: int) -> list[int]:
    """The indexes of the sentences before, of the same paragraph, that say what one is about; at most two."""
    paragraph = units[index].paragraph
    found: list[int] = []
    while len(found) < MAX_LEANT_ON and index > 0 and leans_back(units[index].text):
        before = units[index - 1]
        if before.paragraph != paragraph or not before.may_answer or not _says_something(before):
            break
        index -= 1
        found.append(index)
    return found


def _following(units: Sequence[Unit], index: int) -> list[int]:
    """The index of the next sentence of the same paragraph, where it says what follows from one."""
    at = index + 1
    is_beside = at < len(units) and units[at].paragraph == units[index].paragraph
    return [at] if is_beside and follows_from(units[at].text) and _says_something(units[at]) else []


def _says_something(unit: Unit) -> bool:
    """Whether a unit may be shown beside one that leans on it or that it follows from: a sentence, neither a heading
    nor a long one.
    """
    return unit.text[-1] in _SENTENCE_ENDS and word_count(unit.text) in CONTEXT_WORDS


def _name_of(unit: Unit) -> str:
    """What says which thing a row, or a line with a price, is about: its short cells, of which several rows may
    share the first («Taller | Noche»), or its first line.
    """
    if unit.kind is UnitKind.ROW:
        return " ".join(cell for cell in unit.cells if word_count(cell) <= MAX_LABEL_WORDS)
    return unit.text.partition("\n")[0] if is_priced(unit.text) else ""
