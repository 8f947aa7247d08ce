"""A passage cut into what an answer can be made of; each unit with what introduces it or the question before it that
it answers. Pure.
"""

import re
from collections.abc import Iterator, Sequence

from retrieval.types import Passage
from tutor.announced_lines import with_announced
from tutor.list_levels import add_items
from tutor.own_questions import with_questions
from tutor.price_lists import is_priced
from tutor.priced_units import joined, spans_with_prices
from tutor.sections import headings_of
from tutor.text_blocks import ITEM_MARK, Line, blocks
from tutor.units import Unit, UnitKind, split_cells

_TABLE_RULE = re.compile(r"[\s|:\-–]+")


def cut_units(text: str, *, headings: Sequence[str] = ()) -> tuple[Unit, ...]:
    """The units of a passage in order. Lines that repeat one of `headings` become headings, which answer nothing;
    unless they name a price.
    """
    units: list[Unit] = []
    known = {heading.strip() for heading in headings if not is_priced(heading)}
    for block, lines in enumerate(blocks(text)):
        while lines and lines[0].text.lstrip("# ").strip() in known:
            units.append(_unit(UnitKind.HEADING, text, lines[0].start, lines[0].end, block))
            lines = lines[1:]
        if not lines:
            continue
        if _is_table(lines):
            units.extend(_rows(lines, block))
        elif ITEM_MARK.match(lines[0].text):
            add_items(units, text, lines, block)
        else:
            for sentence in _sentences(text, lines[0].start, lines[-1].end, block):
                if units and (whole := joined(text, units[-1], sentence)):
                    units[-1] = whole
                else:
                    units.append(sentence)
    return tuple(with_questions(with_announced(text, units)))


def passage_units(passage: Passage) -> tuple[Unit, ...]:
    """The units of a passage, in the order in which their matches are given."""
    return cut_units(passage.text, headings=headings_of(passage))


def _is_table(lines: Sequence[Line]) -> bool:
    return all(" | " in line.text for line in lines)


def _rows(lines: Sequence[Line], block: int) -> Iterator[Unit]:
    lines = [line for line in lines if not _TABLE_RULE.fullmatch(line.text)]
    header = _header([split_cells(line.text) for line in lines])
    support = (lines[0].start, lines[0].end) if header else None
    for line in lines[1:] if header else lines:
        span = (line.start, line.end)
        yield Unit(UnitKind.ROW, line.text, *span, block, span, header=header, support=support)


def _header(rows: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The first row, when it can name the columns of those below it; empty when it cannot."""
    if len(rows) < 2:
        return ()
    first = rows[0]
    names = [cell for cell in first if cell]
    looks_like_names = len(set(names)) == len(names) > 1 and all(
        len(name) <= 80 and any(char.isalpha() for char in name) for name in names
    )
    return first if looks_like_names else ()


def _sentences(text: str, start: int, end: int, block: int) -> Iterator[Unit]:
    for first, last in spans_with_prices(text[start:end]):
        yield Unit(
            UnitKind.SENTENCE,
            text[start + first : start + last],
            start + first,
            start + last,
            block,
            (start, end),
        )


def _unit(kind: UnitKind, text: str, start: int, end: int, block: int) -> Unit:
    return Unit(kind, text[start:end], start, end, block, (start, end))
