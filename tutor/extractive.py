"""Answers made of the documents' own words: the sentences, rows or steps of the best passages that answer.
Pure.
"""

import math
import re
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate

from retrieval.types import Passage
from tutor.asking import asks_for_all
from tutor.dishes import dish_parts, within_sources
from tutor.drafting import Draft, DraftWriter, Part, shortened
from tutor.leaning import leans_back
from tutor.price_lists import is_priced
from tutor.scoring import Choice, passage_units
from tutor.units import Unit, UnitKind
from tutor.wording import asks_how, asks_what_to_do, stems, word_count

MAX_SENTENCES = 3
MAX_STEPS = 12
MAX_ROWS = 20  # of a list or table that was asked for as a whole
MAX_WORDS = 150  # of sentences and rows; with their markers and dashes an answer stays within 160
MAX_LEANT_ON = 2  # in all, beside the three: those that they make no sense without
PRICED = -1  # in place of the number of a list or table: the names with prices of a passage
CONTEXT_WORDS = range(4, 46)  # of a sentence shown because the next one leans on it
BELOW = 1e-6  # so that its source is cited for the sentence that answers
LIST_WORDS = 155  # of a whole list, its numbers or dashes counted; it has one marker
SOURCES_A_DOCUMENT = 2

# On the scale of a unit's score, see tutor.scoring.
SAME_PASSAGE_MARGIN = 4.0  # how far below the best a second sentence may lie
OTHER_PASSAGE_MARGIN = 4.0
LIST_MARGIN = 2.0
NAMED_MARGIN = math.inf  # of the second of two things that a question names
HOW_MARGIN = 5.0
HOW_MARGIN_ELSEWHERE = 3.0
BESIDE_LIST_MARGIN = 1.0
NAMES_LIST = 0.6  # share of what the question's words tell that names a list or table asked for as a whole

_SENTENCE_ENDS = frozenset(".!?…:»”)")
_JOINED = re.compile(
    r"\b(\w+)\s+(?:y|e|o|u|ni)\s+(?:(?:a|al|de|del|el|la|los|las|un|una|unos|unas)\s+)*(\w+)", re.IGNORECASE
)


def compose(
    question: str, passages: Sequence[Passage], choices: Sequence[Choice], relevances: Sequence[float]
) -> Draft:
    """Answer from the passages, best first, with the best of their units, as scored.

    At most three sentences or rows, with two more that they make no sense without, or the steps of one procedure; at
    most 150 words; in reading order, each followed by its marker. `relevances` are those of the passages.
    """
    return _Composer(question, passages, choices, relevances).draft()


def _says_something(unit: Unit) -> bool:
    """Whether a unit may be shown because the next one leans on it: a sentence, neither a heading nor a long one."""
    return unit.text[-1] in _SENTENCE_ENDS and word_count(unit.text) in CONTEXT_WORDS


def _name_of(unit: Unit) -> str:
    """What says which thing a row, or a line with a price, is about: its first cell, or its first line."""
    if unit.kind is UnitKind.ROW:
        return next(filter(None, unit.cells), "")
    return unit.text.partition("\n")[0] if is_priced(unit.text) else ""


def _named(choice: Choice) -> float:
    """How far the headings and the introduction of an item or row, without itself, hold the question's words."""
    return choice.signals["coverage"] - choice.signals["own"] + choice.signals["coverage_of_headings"]


class _Composer:
    def __init__(
        self,
        question: str,
        passages: Sequence[Passage],
        choices: Sequence[Choice],
        relevances: Sequence[float],
    ) -> None:
        self._question = question
        self._passages = passages
        self._writer = DraftWriter(question, passages, relevances)
        self._units = [passage_units(passage) for passage in passages]
        self._choices = choices

    @cached_property
    def _asks_how(self) -> bool:
        return asks_how(self._question)

    @cached_property
    def _joined(self) -> frozenset[str]:
        """The stems of words that the question joins: «el ceviche y el flan»."""
        return stems(" ".join(" ".join(pair) for pair in _JOINED.findall(self._question)))

    @cached_property
    def _asks_for_all(self) -> bool:
        return asks_for_all(self._question)

    def draft(self) -> Draft:
        if not self._choices:
            return Draft("", ())
        best = max(self._choices, key=lambda choice: (choice.score, -choice.passage, -choice.index))
        dish = max((one for one in self._choices if one.signals["of_diet"]), key=lambda one: one.score, default=None)
        if dish is not None and dish.score >= best.score - OTHER_PASSAGE_MARGIN:
            return self._writer.write(self._dishes(dish))
        whole = self._whole_list(best)
        if whole is None:
            return self._writer.write(self._parts(self._chosen(best), best))
        return self._writer.write([whole, *self._beside(whole, best)])

    def _beside(self, whole: Part, best: Choice) -> list[Part]:
        """Where it is hardly better than something else, what is shown below a list: one more place to look."""
        of_list = [one for one in self._choices if one.passage == whole.passage and one.unit in whole.all_units]
        room = MAX_WORDS - sum(1 + self._shown_word_count(unit, len(whole.units)) for unit in whole.all_units)
        for choice in self._ranked():
            if (
                self._group(choice) != self._group(of_list[-1])
                and choice.score >= best.score - BESIDE_LIST_MARGIN
                and not choice.unit.text.endswith(":")
                and self._word_count(choice) <= room
                and not self._repeats(choice, of_list)
            ):
                return [Part(choice.passage, (choice.unit,), choice.unit, self._lead(choice))]
        return []

    def _ranked(self) -> list[Choice]:
        return sorted(self._choices, key=lambda choice: (-choice.score, choice.passage, choice.index))

    def _in_block(self, passage: int, block: int) -> list[Choice]:
        return [one for one in self._choices if one.passage == passage and one.unit.block == block]

    def _whole_list(self, best: Choice) -> Part | None:
        """The list to show from its first item to its last, if one is: its lead-in scored best, or the question wants
        the steps that it holds."""
        items = self._best_steps(best) if self._asks_how else []
        if not items and self._asks_for_all:
            items = self._enumeration()
        if not items and best.unit.kind is UnitKind.SENTENCE:
            items = self._introduced_by(best)
        if not items and self._lead_alone_answers(best):
            items = self._in_block(best.passage, best.unit.block)
        if not items:
            return None
        top = max(items, key=lambda choice: choice.score)
        units = self._fitting(self._window(items, top, MAX_ROWS if self._asks_for_all else MAX_STEPS), top)
        return Part(
            top.passage,
            units,
            top.unit,
            self._lead(top),
            in_steps=bool(top.unit.marker),
            begins_before=units[0] != items[0].unit,
            goes_on=units[-1] != items[-1].unit,
        )

    def _dishes(self, best: Choice) -> list[Part]:
        """The rows that are asked for by what dishes have or lack, all of them: who reads some takes the others for
        what they are not. The best one's table comes first; what else is said of it, be it of traces, last.
        """
        parts = dish_parts(
            self._choices, best, self._writer, words=LIST_WORDS, rows=MAX_ROWS, margin=OTHER_PASSAGE_MARGIN
        )
        documents = [passage.document_id for passage in self._passages]
        parts = within_sources(parts, documents, sources=SOURCES_A_DOCUMENT)
        cited = [documents[part.passage] for part in parts]
        room = MAX_WORDS - sum(
            1 + word_count(self._writer.row(unit, is_brief=part.is_brief)) for part in parts for unit in part.units
        )
        said: list[Choice] = []
        for choice in self._ranked():
            if (
                len(said) < MAX_SENTENCES - 1
                and choice.unit.kind is not UnitKind.ROW
                and not choice.signals["off_subject"]
                and choice.score >= best.score - SAME_PASSAGE_MARGIN
                and not choice.unit.text.endswith(":")
                and (words := self._word_count(choice)) <= room
                and not self._repeats(choice, said)
                and cited.count(documents[choice.passage]) < SOURCES_A_DOCUMENT
            ):
                said.append(choice)
                cited.append(documents[choice.passage])
                room -= words
        return [*parts, *(Part(one.passage, (one.unit,), one.unit, self._lead(one)) for one in said)]

    def _lead(self, choice: Choice) -> Unit | None:
        return None if choice.unit.lead is None else self._units[choice.passage][choice.unit.lead]

    def _lead_alone_answers(self, best: Choice) -> bool:
        """Whether an item is best only for its lead-in: it adds none of the question's words, nor what is asked for."""
        if best.unit.lead is None or best.signals["type"]:
            return False
        leads = (one for one in self._choices if (one.passage, one.index) == (best.passage, best.unit.lead))
        return any(0 < best.signals["coverage"] <= lead.signals["coverage"] for lead in leads)

    def _enumeration(self) -> list[Choice]:
        """The list or table that the question names best, by its headings and what introduces it."""
        blocks: dict[tuple[int, int], list[Choice]] = {}
        for choice in self._choices:
            if choice.unit.kind in (UnitKind.ROW, UnitKind.ITEM):
                blocks.setdefault((choice.passage, choice.unit.block), []).append(choice)
            elif is_priced(choice.unit.text):  # of a menu
                blocks.setdefault((choice.passage, PRICED), []).append(choice)
        named = {
            key: min(map(_named, block))
            for key, block in blocks.items()
            if len(block) > 1
            and not any(choice.signals["holds_avoided"] for choice in block)
            and not all(choice.signals["off_subject"] for choice in block)
        }
        best = max(named, key=lambda key: (named[key], len(blocks[key])), default=None)
        return [] if best is None or named[best] < NAMES_LIST else blocks[best]

    def _introduced_by(self, best: Choice) -> list[Choice]:
        return [choice for choice in self._choices if choice.passage == best.passage and choice.unit.lead == best.index]

    def _best_steps(self, best: Choice) -> list[Choice]:
        """The steps that come near the best sentence: those of its own passage, else, when something has happened,
        those of its document, because signs and what to do about them often have a section each."""
        own = self._steps([one for one in self._choices if one.passage == best.passage], best.score - HOW_MARGIN)
        if own or not asks_what_to_do(self._question):
            return own
        document = self._passages[best.passage].document_id
        others = [one for one in self._choices if self._passages[one.passage].document_id == document]
        return self._steps(others, best.score - HOW_MARGIN_ELSEWHERE)

    @staticmethod
    def _steps(choices: Sequence[Choice], least: float) -> list[Choice]:
        """The best list of steps with one that scores enough: a numbered list, or else one that a line introduces
        («Solución:»)."""
        items = [one for one in choices if one.unit.kind is UnitKind.ITEM]
        steps = [one for one in items if one.unit.marker] or [one for one in items if one.unit.lead is not None]
        top = max(steps, key=lambda choice: choice.score, default=None)
        if top is None or top.score < least:
            return []
        block = [one for one in steps if (one.passage, one.unit.block) == (top.passage, top.unit.block)]
        return block if len(block) > 1 else []

    @staticmethod
    def _window(items: Sequence[Choice], top: Choice, size: int) -> list[Choice]:
        """Up to `size` items in a row: from the first when they all fit, else around the best."""
        if len(items) <= size:
            return list(items)
        position = items.index(top)
        first = min(max(0, position - size // 3), len(items) - size)
        return list(items[first : first + size])

    def _fitting(self, items: Sequence[Choice], top: Choice) -> tuple[Unit, ...]:
        """The items as far as they fit in order; from the best one on when it would be left out."""
        lead = self._lead(top)
        room = LIST_WORDS - (0 if lead is None else word_count(lead.text))
        for first in (0, items.index(top)):
            units = tuple(choice.unit for choice in items[first:])
            lengths = accumulate(1 + self._shown_word_count(unit, len(items)) for unit in units)
            kept = units[: max(1, sum(length <= room for length in lengths))]
            if top.unit in kept:
                return kept
        return (top.unit,)

    def _shown_word_count(self, unit: Unit, count: int) -> int:
        is_row = unit.kind is UnitKind.ROW
        return word_count(self._writer.shown(unit, count) if is_row else shortened(unit.words))

    def _chosen(self, best: Choice) -> list[Choice]:
        """The best unit and others that answer nearly as well and say something else; three in all, each with what it
        makes no sense without. One that would lean on more than there is room for is left out.
        """
        chosen = [best, *self._said_with(best)]
        count = len(chosen) if best.unit.text.endswith(":") else 1
        leant_on = len(chosen) - count
        room = MAX_WORDS - sum(self._word_count(choice) for choice in chosen)
        for choice in self._ranked():
            if count >= MAX_SENTENCES:
                break
            words = self._word_count(choice)
            if (
                choice.score >= best.score - self._margin(choice, best)
                and not self._is_other_row(choice, best)
                and not choice.unit.text.endswith(":")
                and words <= room
                and not self._repeats(choice, chosen)
                and self._has_room_for_source(choice, chosen)
                and len(before := self._new_before(choice, chosen)) <= MAX_LEANT_ON - leant_on
            ):
                chosen.append(choice)
                count += 1
                room -= words
                for one in before:
                    words = self._word_count(one)
                    if words <= room:
                        chosen.append(one)
                        leant_on += 1
                        room -= words
        return chosen + self._between(chosen, room)

    def _between(self, chosen: Sequence[Choice], room: int) -> list[Choice]:
        """The items of a list between two chosen ones, where all fit: with a gap it would read as a whole list."""
        lists: dict[tuple[int, int], list[int]] = {}
        for one in chosen:
            if one.unit.kind is UnitKind.ITEM:
                lists.setdefault((one.passage, one.unit.block), []).append(one.index)
        missing = [
            one
            for (passage, block), at in lists.items()
            for one in self._in_block(passage, block)
            if min(at) < one.index < max(at) and not self._is_among(one, chosen)
        ]
        return missing if sum(self._word_count(one) for one in missing) <= room else []

    def _margin(self, choice: Choice, best: Choice) -> float:
        """How far below the best a unit may score and still be shown beside it."""
        if choice.passage != best.passage:
            return OTHER_PASSAGE_MARGIN
        if self._is_asked_as_well(choice, best):
            return NAMED_MARGIN
        return SAME_PASSAGE_MARGIN if choice.unit.kind is UnitKind.SENTENCE else LIST_MARGIN

    def _is_asked_as_well(self, choice: Choice, best: Choice) -> bool:
        """Whether a question about several things («el ceviche y el flan») names the one that a row is about, which the
        best is not about."""
        return bool(self._joined & stems(_name_of(choice.unit)) - stems(best.unit.text))

    def _is_other_row(self, choice: Choice, best: Choice) -> bool:
        """Whether it is a row of the best one's table, or another thing with its price, that is about something else:
        the one that decides stands alone."""
        is_row = choice.unit.kind is UnitKind.ROW and (choice.passage, choice.unit.block) == (
            best.passage,
            best.unit.block,
        )
        if not is_row and not (is_priced(choice.unit.text) and is_priced(best.unit.text)):
            return False
        if self._is_asked_as_well(choice, best):
            return False
        return bool(choice.signals["is_for_other"]) or choice.signals["own"] < best.signals["own"]

    def _word_count(self, choice: Choice) -> int:
        if choice.unit.kind is UnitKind.ROW:
            return word_count(self._writer.row(choice.unit))
        return word_count(shortened(choice.unit.text)) + (word_count(lead.text) if (lead := self._lead(choice)) else 0)

    def _said_with(self, choice: Choice) -> list[Choice]:
        """What a sentence makes no sense without: the ones before that it leans on, the one behind its colon."""
        if choice.unit.kind is UnitKind.SENTENCE and choice.unit.text.endswith(":"):
            behind = (one for one in self._choices if (one.passage, one.index) == (choice.passage, choice.index + 1))
            return list(behind)
        return [
            Choice(choice.passage, index, self._units[choice.passage][index], choice.score - BELOW, {})
            for index in self._leant_on(choice)
        ]

    def _new_before(self, choice: Choice, chosen: Sequence[Choice]) -> list[Choice]:
        """What a sentence leans on that is not chosen yet."""
        return [one for one in self._said_with(choice) if not self._is_among(one, chosen)]

    def _leant_on(self, choice: Choice) -> list[int]:
        """The indexes of the sentences before, of the same paragraph, that say what one is about; at most two."""
        units, index = self._units[choice.passage], choice.index
        found: list[int] = []
        while len(found) < MAX_LEANT_ON and index > 0 and leans_back(units[index].text):
            before = units[index - 1]
            if before.paragraph != choice.unit.paragraph or not _says_something(before):
                break
            index -= 1
            found.append(index)
        return found

    @staticmethod
    def _is_among(choice: Choice, chosen: Sequence[Choice]) -> bool:
        return any((choice.passage, choice.index) == (one.passage, one.index) for one in chosen)

    @staticmethod
    def _repeats(choice: Choice, chosen: Sequence[Choice]) -> bool:
        if _Composer._is_among(choice, chosen):
            return True
        words = stems(choice.unit.text)
        for other in chosen:
            if choice.unit.kind is UnitKind.ROW and choice.unit.block == other.unit.block:
                continue  # rows of a table are alike by nature
            theirs = stems(other.unit.text)
            if words and len(words & theirs) >= 0.7 * min(len(words), len(theirs) or 1):
                return True
        return False

    def _has_room_for_source(self, choice: Choice, chosen: Sequence[Choice]) -> bool:
        document = self._passages[choice.passage].document_id
        sources = {self._group(one) for one in (*chosen, choice) if self._passages[one.passage].document_id == document}
        return len(sources) <= SOURCES_A_DOCUMENT

    @staticmethod
    def _group(choice: Choice) -> tuple[int, int, int]:
        """What is shown and cited as one: a passage's list or table, or one of its paragraphs."""
        unit = choice.unit
        return (choice.passage, unit.block, -1 if unit.kind is not UnitKind.SENTENCE else unit.paragraph[0])

    def _parts(self, chosen: Sequence[Choice], best: Choice) -> list[Part]:
        """The chosen units by source: the best one's passage first, each passage in reading order."""
        groups: dict[tuple[int, int, int], list[Choice]] = {}
        for choice in sorted(chosen, key=lambda one: (one.passage != best.passage, one.passage, one.index)):
            groups.setdefault(self._group(choice), []).append(choice)
        parts = []
        for choices in groups.values():
            top = max(choices, key=lambda choice: choice.score)
            parts.append(Part(top.passage, tuple(choice.unit for choice in choices), top.unit, self._lead(top)))
        return parts
