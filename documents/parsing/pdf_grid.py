"""A table's cells between its drawn edges, and the words in them. Pure."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from documents.parsing.hyphens import Hyphenator
from documents.parsing.pdf_edges import SNAP, Edge, crosses, positions
from documents.parsing.pdf_lines import Box
from documents.parsing.pdf_words import Word, cell_lines
from documents.parsing.wording import legal_rank

_LAYOUT_CELL = 1200  # characters: a single row of cells this long places text on a page, it is no table


@dataclass(slots=True)
class PageTable:
    """A table on one page. `columns` are the x of its column borders, in upright coordinates like the box."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    rows: list[list[str]]
    columns: list[float] = field(default_factory=list)
    header_rows: int = 1
    is_striped: bool = False  # rows on shaded and on white ground in turn

    @property
    def box(self) -> Box:
        return (self.x0, self.y0, self.x1, self.y1)


class Grid:
    """The cells between the edges of one table; cells without an edge between them are one."""

    def __init__(self, rows: list[Edge], columns: list[Edge], *, is_striped: bool = False) -> None:
        self.is_striped = is_striped
        left, right = min(edge.start for edge in rows), max(edge.end for edge in rows)
        self.rows, self.columns = rows, list(columns)
        xs = positions(columns)
        top, bottom = min(edge.at for edge in rows), max(edge.at for edge in rows)
        for side in (left, right):  # tables are often open at the sides
            if all(abs(side - x) > 2 * SNAP for x in xs):
                self.columns.append(Edge(side, top, bottom))
        self.xs, self.ys = positions(self.columns), positions(rows)
        self.row_count, self.column_count = len(self.ys) - 1, len(self.xs) - 1
        self._root: dict[tuple[int, int], tuple[int, int]] = {}

    def table(self, words: Sequence[Word], page: int, hyphenator: Hyphenator) -> PageTable | None:
        """The filled table, None when there is too little in it to be one."""
        self._unite()
        inside: defaultdict[tuple[int, int], list[Word]] = defaultdict(list)
        for word in words:
            x, y = word.middle
            row, column = slot(self.ys, y), slot(self.xs, x)
            if row is not None and column is not None:
                inside[self._root[row, column]].append(word)
        texts = {cell: hyphenator.join(cell_lines(found)) for cell, found in inside.items()}
        rows = [
            [self._text(texts, row, column) for column in range(self.column_count)] for row in range(self.row_count)
        ]
        if not self._is_table(rows, texts):
            return None
        top = int(self._is_headed(rows))
        shown = [row for row in rows[top:] if any(row)]
        return PageTable(
            page,
            self.xs[0],
            self.ys[top],
            self.xs[-1],
            self.ys[-1],
            shown,
            columns=list(self.xs),
            header_rows=_header_rows(shown),
            is_striped=self.is_striped,
        )

    def _is_table(self, rows: list[list[str]], texts: dict[tuple[int, int], str]) -> bool:
        filled = sum(1 for text in texts.values() if text)
        cells = len(set(self._root.values()))
        columns = sum(any(row[index] for row in rows) for index in range(self.column_count))
        if filled < 2 or columns < 2 or filled < 0.12 * cells:
            return False
        return not (sum(any(row) for row in rows) == 1 and max(map(len, texts.values())) > _LAYOUT_CELL)

    def _is_headed(self, rows: list[list[str]]) -> bool:
        """Whether the first row is one cell that names a section: a heading, printed in the form's box."""
        spans = all(self._root[0, column] == (0, 0) for column in range(self.column_count))
        return spans and legal_rank(rows[0][0]) > 0 and sum(map(any, rows)) > 1

    def _text(self, texts: dict[tuple[int, int], str], row: int, column: int) -> str:
        """A cell's words: of one that spans rows in each of them, of one that spans columns in the first."""
        root = self._root[row, column]
        return texts.get(root, "") if root[1] == column else ""

    def _unite(self) -> None:
        for row in range(self.row_count):
            for column in range(self.column_count):
                self._root[row, column] = (row, column)
        for row in range(self.row_count):
            middle = (self.ys[row] + self.ys[row + 1]) / 2
            for column in range(self.column_count - 1):
                if not crosses(self.columns, self.xs[column + 1], middle):
                    self._join((row, column), (row, column + 1))
        for column in range(self.column_count):
            middle = (self.xs[column] + self.xs[column + 1]) / 2
            for row in range(self.row_count - 1):
                if not crosses(self.rows, self.ys[row + 1], middle):
                    self._join((row, column), (row + 1, column))

    def _join(self, one: tuple[int, int], other: tuple[int, int]) -> None:
        first, second = sorted((self._root[one], self._root[other]))
        if first != second:
            top_left = (min(first[0], second[0]), min(first[1], second[1]))
            for cell, root in self._root.items():
                if root in (first, second):
                    self._root[cell] = top_left


def slot(borders: Sequence[float], value: float) -> int | None:
    for index in range(len(borders) - 1):
        if borders[index] <= value < borders[index + 1]:
            return index
    return None


def _header_rows(rows: list[list[str]]) -> int:
    """Two where a title over the whole width stands above the header, else one."""
    if len(rows) > 2 and len(rows[0]) > 2 and sum(map(bool, rows[0])) == 1 and sum(map(bool, rows[1])) > 1:
        return 2
    return 1
