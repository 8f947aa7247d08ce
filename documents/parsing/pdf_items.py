"""Items of a PDF's lists that a row alone does not tell: numbers without a stop, and rows beside their mark. Pure."""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence

from documents.parsing.pdf_elements import BodyLook, Element
from documents.parsing.wording import list_marker

_BARE_NUMBER = re.compile(r"(\d{1,2}) (?=[A-ZÁÉÍÓÚÜÑ¿¡«\"“(])")
_FEWEST = 3  # items that count on from 1: fewer rows also begin so by chance
_INDENT = 2.0  # points: a row that much further in stands beside the mark above it
_SHIFT = 0.7  # times the size: numbers of two digits may stand further out than those of one


class ListRows:
    """What the lists of a document tell of their rows."""

    def __init__(self, flow: Sequence[object], body: BodyLook, footnotes: Collection[int]) -> None:
        self._body = body
        self._numbered: set[int] = set()
        self._hanging: set[int] = set()
        for rows in _stretches(flow, footnotes):
            self._numbered.update(id(rows[at]) for run in self._runs(rows) for at in run)
            self._find_hanging(rows)

    def is_numbered(self, row: Element) -> bool:
        """Whether a row opens an item whose number no sign follows: "4 Encender el control"."""
        return id(row) in self._numbered

    def opens_item(self, row: Element) -> bool:
        return self.is_numbered(row) or bool(list_marker(row.line.text))

    def is_behind(self, item: Element, row: Element) -> bool:
        """Whether a row of the same column stands below an item's mark, in a list whose rows stand beside theirs."""
        return id(item) in self._hanging and not _is_beside(item, row)

    def text_of(self, row: Element, text: str) -> str:
        """An item's text with a stop behind its number."""
        return _BARE_NUMBER.sub(r"\1. ", text, count=1) if self.is_numbered(row) else text

    def _runs(self, rows: Sequence[Element]) -> list[list[int]]:
        """Places of rows that count on from 1 at the same edge, with nothing but the items' own rows between them."""
        runs: list[list[int]] = []
        run: list[int] = []
        for at, row in enumerate(rows):
            found = _BARE_NUMBER.match(row.line.text)
            number = found.group(1) if found else ""
            if run and number == str(len(run) + 1) and _is_below(rows[run[0]], row):
                run.append(at)
            elif number == "1":
                run = [at]
                runs.append(run)
            elif run and not (_is_beside(rows[run[-1]], row) or self._is_near(row)):
                run = []
        return [run for run in runs if len(run) >= _FEWEST]

    def _find_hanging(self, rows: Sequence[Element]) -> None:
        """Remember the items of lists of which most items of several rows have them beside the mark."""
        items = {at for at, row in enumerate(rows) if self.opens_item(row)}
        beside: defaultdict[int, list[bool]] = defaultdict(list)
        for at in items:
            if at + 1 < len(rows) and at + 1 not in items and self._is_near(rows[at + 1]):
                beside[_edge(rows[at])].append(_is_beside(rows[at], rows[at + 1]))
        self._hanging.update(id(rows[at]) for at in items if 2 * sum(found := beside[_edge(rows[at])]) > len(found))

    def _is_near(self, row: Element) -> bool:
        """Whether a row stands as close to the one above as the rows of a paragraph do."""
        return row.gap_above <= self._body.gap + 0.2 * row.line.size


def _stretches(flow: Sequence[object], footnotes: Collection[int]) -> list[list[Element]]:
    """The rows of text between headings and tables."""
    found: list[list[Element]] = [[]]
    for item in flow:
        if not isinstance(item, Element) or item.level:
            found.append([])
        elif id(item) not in footnotes:
            found[-1].append(item)
    return found


def _is_beside(item: Element, row: Element) -> bool:
    return _offset(row) > _offset(item) + _INDENT


def _is_below(item: Element, other: Element) -> bool:
    return abs(_offset(item) - _offset(other)) <= _SHIFT * other.line.size


def _edge(row: Element) -> int:
    return round(_offset(row) / _INDENT)


def _offset(row: Element) -> float:
    """How far from its column's edge a row begins: the next column stands elsewhere."""
    return row.line.x0 - row.column_left
