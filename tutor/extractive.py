"""Answers made of the documents' own words: the sentences, rows or steps of the best passages that answer.
Pure.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from retrieval.types import Passage
from tutor.drafting import Draft, DraftWriter, Part, shortened
from tutor.units import Unit, UnitKind, cut_units
from tutor.wording import asks_how, compact, stems, word_count

MAX_SENTENCES = 3
MAX_STEPS = 12
MAX_WORDS = 150  # of sentences and rows; with their markers and dashes an answer stays within 160
LIST_WORDS = 155  # of a whole list, its numbers or dashes counted; it has one marker
SOURCES_A_DOCUMENT = 2

# On the scale of a unit's score: ten times a similarity that lies between 0 and 1, plus a coverage in [0, 1].
SIMILARITY_WEIGHT = 10.0
CONTEXT_COVERAGE = 0.5  # what a question word counts when only the section's headings have it
RANK_STEP = 0.12  # what each place further down the search's ranking costs
SAME_PASSAGE_MARGIN = 0.75  # how far below the best a second sentence may lie
OTHER_PASSAGE_MARGIN = 0.25
LIST_MARGIN = 0.5
HOW_MARGIN = 0.9
CUT_COST = 0.3  # a sentence without its end, as page breaks and pictures leave behind

_SENTENCE_ENDS = frozenset('.!?…:;»”")]')
_POINTS_BACK = """
    este esta estos estas esto ese esa esos esas eso ello ademas tambien asimismo entonces asi tampoco
    igualmente despues luego aquel aquella dicho dicha dichos dichas
"""
_BACK_REFERENCES = frozenset(_POINTS_BACK.split())


@dataclass(frozen=True, slots=True)
class _Choice:
    """A unit that may go into the answer: `passage` and `index` say which, `score` how well it answers."""

    passage: int
    index: int
    unit: Unit
    score: float


def passage_units(passage: Passage) -> tuple[Unit, ...]:
    """The units of a passage, in the order in which `compose` takes their similarities."""
    return cut_units(passage.text, headings=passage.heading_path)


def compose(
    question: str,
    passages: Sequence[Passage],
    similarities: Sequence[Sequence[float]],
    relevances: Sequence[float],
) -> Draft:
    """Answer from the passages, best first.

    `similarities` says for each unit of each passage how near its meaning is to the question's, in [0, 1]. At
    most three sentences or rows, or the steps of one procedure; at most 150 words; in reading order, each
    followed by its marker. `relevances` are those of the passages.
    """
    return _Composer(question, passages, similarities, relevances).draft()


class _Composer:
    def __init__(
        self,
        question: str,
        passages: Sequence[Passage],
        similarities: Sequence[Sequence[float]],
        relevances: Sequence[float],
    ) -> None:
        self._question = question
        self._passages = passages
        self._writer = DraftWriter(question, passages, relevances)
        self._units = [passage_units(passage) for passage in passages]
        self._choices = self._score(similarities)

    @cached_property
    def _asks_how(self) -> bool:
        return asks_how(self._question)

    def draft(self) -> Draft:
        if not self._choices:
            return Draft("", ())
        best = max(self._choices, key=lambda choice: (choice.score, -choice.passage, -choice.index))
        whole = self._whole_list(best)
        return self._writer.write([whole] if whole is not None else self._parts(self._chosen(best), best))

    def _score(self, similarities: Sequence[Sequence[float]]) -> list[_Choice]:
        wanted = self._word_weights()
        choices = []
        for rank, (passage, units, values) in enumerate(zip(self._passages, self._units, similarities, strict=True)):
            context = stems(" ".join((passage.document_title, *passage.heading_path)))
            for index, (unit, similarity) in enumerate(zip(units, values, strict=True)):
                if unit.kind is UnitKind.HEADING:
                    continue
                words = stems(self._with_support(passage, unit))
                found = sum(
                    weight if word in words else CONTEXT_COVERAGE * weight if word in context else 0.0
                    for word, weight in wanted.items()
                )
                score = SIMILARITY_WEIGHT * similarity + found - RANK_STEP * rank
                if unit.kind is UnitKind.SENTENCE and unit.text[-1] not in _SENTENCE_ENDS:
                    score -= CUT_COST
                choices.append(_Choice(rank, index, unit, score))
        return choices

    def _word_weights(self) -> dict[str, float]:
        """The question's words, rarer ones heavier, weights summing to 1."""
        words = stems(self._question)
        texts = [stems(unit.text) for units in self._units for unit in units]
        rarity = {word: math.log(1 + (len(texts) + 1) / (1 + sum(word in text for text in texts))) for word in words}
        total = sum(rarity.values())
        return {word: value / total for word, value in rarity.items()} if total else {}

    @staticmethod
    def _with_support(passage: Passage, unit: Unit) -> str:
        support = "" if unit.support is None else passage.text[slice(*unit.support)] + " "
        return support + unit.text

    def _in_block(self, passage: int, block: int) -> list[_Choice]:
        return [one for one in self._choices if one.passage == passage and one.unit.block == block]

    def _whole_list(self, best: _Choice) -> Part | None:
        """The list to show from its first item to its last, if one is: its lead-in scored best, or the question wants
        the steps that it holds."""
        if best.unit.kind is UnitKind.SENTENCE:
            items = self._introduced_by(best) or (self._best_steps(best) if self._asks_how else [])
        elif best.unit.kind is UnitKind.ITEM and best.unit.marker and self._asks_how:
            items = self._in_block(best.passage, best.unit.block)
        else:
            items = []
        if not items:
            return None
        top = max(items, key=lambda choice: choice.score)
        units = self._fitting(self._window(items, top, MAX_STEPS), top)
        return Part(
            top.passage,
            units,
            top.unit,
            self._lead(top),
            in_steps=bool(top.unit.marker),
            goes_on=units[-1] != items[-1].unit,
        )

    def _lead(self, choice: _Choice) -> Unit | None:
        return None if choice.unit.lead is None else self._units[choice.passage][choice.unit.lead]

    def _introduced_by(self, best: _Choice) -> list[_Choice]:
        return [choice for choice in self._choices if choice.passage == best.passage and choice.unit.lead == best.index]

    def _best_steps(self, best: _Choice) -> list[_Choice]:
        """The numbered steps of the best passage, when one of them comes near the best sentence."""
        steps = [
            choice
            for choice in self._choices
            if choice.passage == best.passage and choice.unit.kind is UnitKind.ITEM and choice.unit.marker
        ]
        if not steps:
            return []
        top = max(steps, key=lambda choice: choice.score)
        block = [choice for choice in steps if choice.unit.block == top.unit.block]
        return block if len(block) > 1 and top.score >= best.score - HOW_MARGIN else []

    @staticmethod
    def _window(items: Sequence[_Choice], top: _Choice, size: int) -> list[_Choice]:
        """Up to `size` items in a row: from the first when they all fit, else around the best."""
        if len(items) <= size:
            return list(items)
        position = items.index(top)
        first = min(max(0, position - size // 3), len(items) - size)
        return list(items[first : first + size])

    def _fitting(self, items: Sequence[_Choice], top: _Choice) -> tuple[Unit, ...]:
        """The items as far as they fit in order; from the best one on when it would be left out."""
        lead = self._lead(top)
        room = LIST_WORDS - (0 if lead is None else word_count(lead.text))
        for first in (0, items.index(top)):
            units = tuple(choice.unit for choice in items[first:])
            lengths = accumulate(1 + word_count(shortened(unit.words)) for unit in units)
            kept = units[: max(1, sum(length <= room for length in lengths))]
            if top.unit in kept:
                return kept
        return (top.unit,)

    def _chosen(self, best: _Choice) -> list[_Choice]:
        """The best unit and up to two others that answer nearly as well and say something else."""
        chosen = [best, *self._referred_to(best)]
        room = MAX_WORDS - sum(self._word_count(choice) for choice in chosen)
        for choice in sorted(self._choices, key=lambda choice: (-choice.score, choice.passage, choice.index)):
            if len(chosen) >= MAX_SENTENCES:
                break
            words = self._word_count(choice)
            if (
                choice.score >= best.score - self._margin(choice, best)
                and not choice.unit.text.endswith(":")
                and words <= room
                and not self._repeats(choice, chosen)
                and self._has_room_for_source(choice, chosen)
            ):
                chosen.append(choice)
                room -= words
        return chosen

    @staticmethod
    def _margin(choice: _Choice, best: _Choice) -> float:
        """How far below the best a unit may score and still be shown beside it."""
        if choice.passage != best.passage:
            return OTHER_PASSAGE_MARGIN
        return SAME_PASSAGE_MARGIN if choice.unit.kind is UnitKind.SENTENCE else LIST_MARGIN

    def _word_count(self, choice: _Choice) -> int:
        if choice.unit.kind is UnitKind.ROW:
            return word_count(self._writer.row(choice.unit))
        return word_count(shortened(choice.unit.text)) + (word_count(lead.text) if (lead := self._lead(choice)) else 0)

    def _referred_to(self, best: _Choice) -> list[_Choice]:
        """The sentence before, when the best one begins by pointing back at it."""
        first = next((word for word in compact(best.unit.text).split()), "").strip('«"“,.')
        if first not in _BACK_REFERENCES or best.index == 0:
            return []
        before = self._units[best.passage][best.index - 1]
        if before.paragraph != best.unit.paragraph:
            return []
        return [_Choice(best.passage, best.index - 1, before, best.score)]

    @staticmethod
    def _repeats(choice: _Choice, chosen: Sequence[_Choice]) -> bool:
        words = stems(choice.unit.text)
        for other in chosen:
            if (choice.passage, choice.index) == (other.passage, other.index):
                return True
            if choice.unit.kind is UnitKind.ROW and choice.unit.block == other.unit.block:
                continue  # rows of a table are alike by nature
            theirs = stems(other.unit.text)
            if words and len(words & theirs) >= 0.7 * min(len(words), len(theirs) or 1):
                return True
        return False

    def _has_room_for_source(self, choice: _Choice, chosen: Sequence[_Choice]) -> bool:
        document = self._passages[choice.passage].document_id
        sources = {self._group(one) for one in (*chosen, choice) if self._passages[one.passage].document_id == document}
        return len(sources) <= SOURCES_A_DOCUMENT

    @staticmethod
    def _group(choice: _Choice) -> tuple[int, int, int]:
        """What is shown and cited as one: a passage's list or table, or one of its paragraphs."""
        unit = choice.unit
        return (choice.passage, unit.block, -1 if unit.kind is not UnitKind.SENTENCE else unit.paragraph[0])

    def _parts(self, chosen: Sequence[_Choice], best: _Choice) -> list[Part]:
        """The chosen units by source: the best one's passage first, each passage in reading order."""
        groups: dict[tuple[int, int, int], list[_Choice]] = {}
        for choice in sorted(chosen, key=lambda one: (one.passage != best.passage, one.passage, one.index)):
            groups.setdefault(self._group(choice), []).append(choice)
        parts = []
        for choices in groups.values():
            top = max(choices, key=lambda choice: choice.score)
            parts.append(Part(top.passage, tuple(choice.unit for choice in choices), top.unit, self._lead(top)))
        return parts
