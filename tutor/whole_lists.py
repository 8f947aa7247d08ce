"""The list, table or steps that answer as a whole, from the first item to the last. Pure."""

import math
from collections.abc import Sequence
from itertools import accumulate

from tutor.asking import asks_for_all
from tutor.choices import LIST_WORDS, MAX_ROWS, MAX_WORDS, Choices, group_of, is_of_named_section
from tutor.drafting import Part
from tutor.headings_above import BELOW_TITLE
from tutor.price_lists import is_priced
from tutor.scoring import Choice
from tutor.units import Unit, UnitKind
from tutor.wording import asks_how, asks_how_made, asks_what_to_do, word_key

MAX_STEPS = 12

# On the scale of a unit's score: how far below the best a step may lie, or what is shown below a list.
HOW_MARGIN = 5.0
HOW_MARGIN_ELSEWHERE = 3.0
BESIDE_LIST_MARGIN = 1.0
NAMES_LIST = 0.6  # share of what the question's words tell that names a list or table asked for as a whole

_PRICED = -1  # in place of the number of a list or table: the names with prices of a passage


def whole_list(choices: Choices, best: Choice) -> Part | None:
    """The list to show from its first item to its last, if one is: its lead-in scored best, or the question wants
    the steps that it holds.
    """
    wants_all = asks_for_all(choices.question)
    items = []
    if asks_how(choices.question):
        items = _list_of_chapter(choices, best) or _best_steps(choices, best)
    if not items and wants_all:
        items = _enumeration(choices)
        if items and items[0].unit.kind is UnitKind.ITEM and not is_priced(items[0].unit.words):
            items = choices.list_of(items[0])
    if (
        not items and best.signals.get("is_timetable") and not best.signals["own"]
    ):  # else the row of the day asked about
        items = choices.list_of(best) if best.unit.kind is UnitKind.ROW else []
    if not items and is_of_named_section(best) and not best.signals["rules"]:
        items = _only_list(choices, best)
    if not items and best.unit.may_answer:
        led = [one for one in choices.scored if one.passage == best.passage and one.unit.lead == best.index]
        items = choices.list_of(led[0]) if led and led[0].unit.kind is UnitKind.ITEM else led
    if not items and _lead_alone_answers(choices.scored, best):
        items = choices.list_of(best)
    if not items:
        return None
    top = max(items, key=lambda choice: choice.score)
    if wants_all:  # who wants all of them begins to read with the first
        top = items[0]
    units = _fitting(choices, _window(items, top, MAX_ROWS if wants_all else MAX_STEPS), top)
    first = next(one for one in items if one.unit == units[0])
    return Part(
        top.passage,
        units,
        top.unit,
        choices.lead_of(first),
        outer_leads=choices.outer_leads_of(first),
        in_steps=bool(top.unit.marker),
        begins_before=units[0] != items[0].unit,
        goes_on=units[-1] != items[-1].unit,
    )


def beside_list(choices: Choices, whole: Part, best: Choice) -> list[Part]:
    """Where it is hardly better than something else, what is shown below a list: one more place to look."""
    of_list = [one for one in choices.scored if one.passage == whole.passage and one.unit in whole.all_units]
    room = MAX_WORDS - sum(1 + choices.listed_word_count(unit, len(whole.units)) for unit in whole.all_units)
    least = best.score - BESIDE_LIST_MARGIN
    for choice in choices.ranked():
        if group_of(choice) != group_of(of_list[-1]) and choices.adds(choice, of_list, least=least, room=room):
            return [choices.part(choice)]
    return []


def _best_steps(choices: Choices, best: Choice) -> list[Choice]:
    """The steps that come near the best sentence: those of its own passage, else, when something has happened or is to
    be made, those of its document, because signs and what to do about them often have a section each, as have what a
    dish keeps and how it is made.
    """
    own = _steps([one for one in choices.scored if one.passage == best.passage], best.score - HOW_MARGIN)
    is_made = asks_how_made(choices.question)
    if own or not (is_made or asks_what_to_do(choices.question)):
        return own
    document = choices.document_of(best)
    others = [one for one in choices.scored if choices.document_of(one) == document]
    return _steps(others, best.score - (HOW_MARGIN if is_made else HOW_MARGIN_ELSEWHERE))


def _list_of_chapter(choices: Choices, best: Choice) -> list[Choice]:
    """The steps, else the list or table, that come nearest in the sections below the heading that the question repeats:
    who asks by the name of a chapter wants what it says to do, not the one sentence of it with the most of those words.
    """
    if best.signals.get("is_titled") != BELOW_TITLE:
        return []
    below = [one for one in choices.scored if one.signals["is_titled"] == BELOW_TITLE]
    listed = [one for one in below if one.unit.kind is not UnitKind.SENTENCE]
    return _steps(below, -math.inf) or _only_list(choices, max(listed, key=lambda one: one.score, default=best))


def _steps(choices: Sequence[Choice], least: float) -> list[Choice]:
    """The best list of steps with one that scores enough: a numbered list, or else one that a line introduces
    («Solución:»).
    """
    items = [one for one in choices if one.unit.kind is UnitKind.ITEM]
    steps = [one for one in items if one.unit.marker] or [one for one in items if one.unit.lead is not None]
    top = max(steps, key=lambda choice: choice.score, default=None)
    if top is None or top.score < least:
        return []
    block = [one for one in steps if (one.passage, one.unit.block) == (top.passage, top.unit.block)]
    if block[0].unit.lead is None:  # clauses of an article: those that one introduces stand by themselves
        block = [one for one in block if one.unit.lead == top.unit.lead]
    found: list[Choice] = []
    for one in items:
        is_introduced = any((one.passage, one.unit.lead) == (it.passage, it.index) for it in found)
        if one in block or is_introduced:
            found.append(one)
    return found if len(found) > 1 else []


def _enumeration(choices: Choices) -> list[Choice]:
    """The list or table that the question names best, by its headings and what introduces it; of equals the one whose
    lead stands word for word in the question: «faltas graves» are not the «muy graves».
    """
    blocks: dict[tuple[int, int, int | None], list[Choice]] = {}
    for choice in choices.scored:
        if choice.unit.kind is not UnitKind.ROW and is_priced(choice.unit.words):  # of a menu
            blocks.setdefault((choice.passage, _PRICED, None), []).append(choice)
        elif choice.unit.kind in (UnitKind.ROW, UnitKind.ITEM):
            blocks.setdefault((choice.passage, choice.unit.block, choice.unit.lead), []).append(choice)
    named = {
        key: min(choice.signals["introduced"] for choice in block)
        for key, block in blocks.items()
        if len(block) > 1
        and not any(choice.signals["holds_avoided"] for choice in block)
        and not all(choice.signals["off_subject"] for choice in block)
    }
    question = word_key(choices.question)

    def rank(key: tuple[int, int, int | None]) -> tuple[float, bool, int]:
        lead = choices.lead_of(blocks[key][0])
        return named[key], lead is not None and _stands_in(word_key(lead.text), question), len(blocks[key])

    best = max(named, key=rank, default=None)
    return [] if best is None or named[best] < NAMES_LIST else blocks[best]


def _only_list(choices: Choices, best: Choice) -> list[Choice]:
    """The one list or table of the best one's passage, where there is room for both; none where an amount or a diet
    decides between its rows.
    """
    kinds = (UnitKind.ROW, UnitKind.ITEM)
    listed = [one for one in choices.scored if one.passage == best.passage and one.unit.kind in kinds]
    if len(listed) < 2 or len({one.unit.block for one in listed}) > 1:
        return []
    words = sum(1 + choices.listed_word_count(one.unit, len(listed)) for one in listed)
    has_room = best in listed or words + choices.word_count(best) <= MAX_WORDS
    is_decided = any(one.signals["is_for"] or one.signals["of_diet"] for one in listed)
    return listed if has_room and not is_decided else []


def _stands_in(words: str, question: str) -> bool:
    return bool(words) and f" {words} " in f" {question} "


def _lead_alone_answers(choices: Sequence[Choice], best: Choice) -> bool:
    """Whether an item is best only for its lead-in: it adds none of the question's words, nor what is asked for."""
    if best.unit.lead is None or best.signals["type"]:
        return False
    leads = (one for one in choices if (one.passage, one.index) == (best.passage, best.unit.lead))
    return any(0 < best.signals["coverage"] <= lead.signals["coverage"] for lead in leads)


def _window(items: Sequence[Choice], top: Choice, size: int) -> list[Choice]:
    """Up to `size` items in a row: from the first when they all fit, else around the best."""
    if len(items) <= size:
        return list(items)
    position = items.index(top)
    first = min(max(0, position - size // 3), len(items) - size)
    first = _introducing(items, first)
    return list(items[first : first + size] if position < first + size else items[position : position + size])


def _introducing(items: Sequence[Choice], at: int) -> int:
    """Where to begin so that an item is shown with those that introduce it."""
    while (above := next((it for it in range(at) if items[it].index == items[at].unit.lead), None)) is not None:
        at = above
    return at


def _fitting(choices: Choices, items: Sequence[Choice], top: Choice) -> tuple[Unit, ...]:
    """The items as far as they fit in order; from the best one on when it would be left out."""
    room = LIST_WORDS - choices.lead_word_count(items[0])
    lengths = [1 + choices.listed_word_count(item.unit, len(items)) for item in items]
    at = items.index(top)
    starts = (0, _introducing(items, at), at)
    first = next((one for one in starts if sum(lengths[one : at + 1]) <= room), at)
    count = sum(length <= room for length in accumulate(lengths[first:]))
    return tuple(item.unit for item in items[first : first + max(1, count)])
