"""The items of a list, and of those inside its items, each with what introduces it. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from documents.sentences import sentence_spans
from tutor.announcing import leads_to_list
from tutor.text_blocks import ITEM_MARK, Line
from tutor.units import Unit, UnitKind
from tutor.wording import word_count

LONGEST_ITEM = 60  # words: a longer one is taken sentence by sentence
LONGEST_SUPPORT = 10  # words of an item that is weighed with those that it introduces


@dataclass(slots=True)
class _Level:
    """A list that is being read, or one inside an item of another: the sort of its marks, and what introduces it."""

    sort: str
    lead: int | None
    indent: int = 0
    is_in_one: bool = False  # its items run on in one sentence: «- Pan; - Vino.»
    is_over: bool = False


def add_items(units: list[Unit], text: str, lines: Sequence[Line], block: int) -> None:
    """Add the items of a list, each with what introduces it: an item that ends with a colon introduces those behind it
    until its own list goes on, by the sort of its marks or by its number. Where both lists have the same dashes, that
    is until their sentence ends, or the next item that introduces some. Where items are indented nothing is guessed
    from dashes: an item introduces those further in.
    """
    is_indented = len({line.indent for line in lines if ITEM_MARK.match(line.text)}) > 1
    levels: list[_Level] = []
    begun: tuple[int, int] | None = None
    for sort, indent, item in _items(text, lines, block):
        if item.paragraph != begun:
            begun = item.paragraph
            is_led = _introduces(units, item, is_first=not levels)
            is_further_in = bool(levels) and indent > levels[-1].indent
            is_back = bool(levels) and indent < levels[-1].indent
            levels = [level for level in levels if level.indent <= indent]
            is_beside = is_indented and bool(levels) and levels[-1].sort == sort
            introduced = is_led and not (is_back or is_beside)
            if is_further_in or (introduced and not (levels and _is_sister(levels[-1], sort, item))):
                levels.append(_Level(sort, len(units) - 1, indent))
            else:
                levels = _levels_of(levels, sort, indent, item)
        level = levels[-1]
        units.append(replace(item, lead=level.lead, support=support_below(units, level.lead)))
        level.is_over = level.is_in_one and item.text.endswith(".")
        level.is_in_one = item.text.endswith((";", ","))


def support_below(units: Sequence[Unit], lead: int | None) -> tuple[int, int] | None:
    """What is weighed with an item as its lead: instead of a long item what introduces that one's list, for all that a
    clause says would count for each of those that it introduces.
    """
    if lead is None:
        return None
    above = units[lead]
    is_clause = above.kind is UnitKind.ITEM and word_count(above.words) > LONGEST_SUPPORT
    return above.support if is_clause else (above.start, above.end)


def _introduces(units: Sequence[Unit], item: Unit, *, is_first: bool) -> bool:
    """Whether the last sentence or item so far introduces an item: it ends with a colon, or announces or breaks off
    before the first of a list, and its number is not the one before.
    """
    is_led = bool(units) and (leads_to_list(units[-1]) if is_first else _ends_with_colon(units[-1]))
    if not is_led:
        return False
    before = units[-1].marker
    return not (item.marker and before and _rank(item.marker) == _rank(before) + 1)


def _ends_with_colon(unit: Unit) -> bool:
    return unit.kind in (UnitKind.SENTENCE, UnitKind.ITEM) and unit.text.endswith(":")


def _is_sister(level: _Level, sort: str, item: Unit) -> bool:
    """Whether an item stands beside the one before, that introduces some: so does it, with the same mark."""
    return level.sort == sort and item.text.endswith(":")


def _levels_of(levels: Sequence[_Level], sort: str, indent: int, item: Unit) -> list[_Level]:
    """The lists that an item is in, outermost first; a new one where none has its sort of mark."""
    at = next((at for at in reversed(range(len(levels))) if levels[at].sort == sort), None)
    if at is None:
        is_first = _rank(item.marker) <= 1
        lead = levels[-1].lead if levels else None
        return [*levels, _Level(sort, lead, indent)] if levels and is_first else [_Level(sort, None, indent)]
    is_doubtful = not item.marker and at > 0 and levels[at - 1].sort == sort
    return list(levels[: at if is_doubtful and (levels[at].is_over or item.text.endswith(":")) else at + 1])


def _rank(marker: str) -> int:
    """The place in its list that an item's number or letter says; 0 without any."""
    if not marker:
        return 0
    return int(marker) if marker.isdigit() else ord(marker[-1].lower()) - ord("a") + 1


def _items(text: str, lines: Sequence[Line], block: int) -> Iterator[tuple[str, int, Unit]]:
    """The items of a list, each with the sort of its mark and its indent."""
    marks = [(at, mark) for at, line in enumerate(lines) if (mark := ITEM_MARK.match(line.text))]
    afters = [*(at for at, _ in marks[1:]), len(lines)]
    for (first, mark), after in zip(marks, afters, strict=True):
        start, end, indent = lines[first].start, lines[after - 1].end, lines[first].indent
        number = mark["number"] or ""
        body = start + (mark.start("number") if number else mark.end())  # a number belongs to the step, a dash does not
        if text[body - 1 : body] == "(" and number:
            body -= 1
        sort = " " * indent + re.sub(r"\d+", "1", re.sub(r"[^\W\d_]+", "a", mark[0].strip()))
        if word_count(text[body:end]) <= LONGEST_ITEM:
            yield sort, indent, Unit(UnitKind.ITEM, text[body:end], body, end, block, (body, end), marker=number)
        else:
            for sentence_start, sentence_end in sentence_spans(text[body:end]):
                span = (body + sentence_start, body + sentence_end)
                yield (
                    sort,
                    indent,
                    Unit(UnitKind.ITEM, text[span[0] : span[1]], *span, block, (body, end), marker=number),
                )
