"""Tables of a PDF page that are drawn with lines or filled cells."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from documents.cleaning import clean_characters
from documents.parsing.hyphens import Hyphenator
from documents.parsing.pdf_lines import Box, PageText

_THIN = 3.0  # points: a rectangle thinner than this is a line
_SNAP = 3.0  # edges nearer than this are one
_MAX_PATHS = 6000
_MAX_EDGES = 1600
_MIN_PATHS = 4
_LONG_WORD = 25  # letters: an address too long for its cell
_STRIPE = 320.0  # points: the highest row on white ground between two shaded ones
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


@dataclass(slots=True)
class _Edge:
    """A drawn line: at `at`, from `start` to `end` along the other axis."""

    at: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class _Word:
    box: Box
    text: str

    @property
    def middle(self) -> tuple[float, float]:
        return ((self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2)


def ruled_tables(page: Any, text: PageText, hyphenator: Hyphenator, above: PageTable | None = None) -> list[PageTable]:
    """The page's drawn tables, top to bottom, filled with the words of the lines that `text` still has.

    `above` is the table the page before ends with, if it does.
    """
    paths = page.get_cdrawings()
    if not _MIN_PATHS <= len(paths) <= _MAX_PATHS and not any(len(path["items"]) >= _MIN_PATHS for path in paths):
        return []
    horizontal, vertical = _edges(paths, text)
    if len(horizontal) < 2 or len(vertical) < 1 or len(horizontal) + len(vertical) > _MAX_EDGES:
        return []
    grids = [_Grid(rows, columns) for rows, columns in _components(horizontal, vertical)]
    grids = [grid for grid in grids if grid.column_count >= 2]
    carries_on = above is not None and above.is_striped and above.page == text.number - 1
    if not grids and not carries_on:
        return []
    words = _visible_words(page, text)
    tables: list[PageTable] = []
    if above is not None and carries_on and grids and _same_columns(above.columns, grids[0].xs):
        grids[0].is_striped = True
    grids = _striped(grids, words)
    rest = _rest_of(above, grids[0] if grids else None, words) if above is not None and carries_on else None
    for grid in [rest, *grids] if rest is not None else grids:
        table = grid.table(words, text.number, hyphenator)
        if table is not None:
            tables.append(table)
    return _outermost(tables)


def _edges(paths: Sequence[dict[str, Any]], text: PageText) -> tuple[list[_Edge], list[_Edge]]:
    horizontal: list[_Edge] = []
    vertical: list[_Edge] = []
    page_width, page_height = text.frame[2] - text.frame[0], text.frame[3] - text.frame[1]

    def add(box: Box) -> None:
        x0, y0, x1, y1 = text.upright.apply(box)
        if y1 - y0 <= _THIN and x1 - x0 > _THIN:
            horizontal.append(_Edge((y0 + y1) / 2, x0, x1))
        elif x1 - x0 <= _THIN and y1 - y0 > _THIN:
            vertical.append(_Edge((x0 + x1) / 2, y0, y1))

    def add_sides(box: Box) -> None:
        x0, y0, x1, y1 = box
        if y1 - y0 <= _THIN or x1 - x0 <= _THIN:
            add(box)
            return
        for side in ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)):
            add(side)

    for path in paths:
        fill, is_stroked = path.get("fill"), "s" in (path.get("type") or "s")
        is_white = fill is not None and min(fill) > 0.97
        if is_stroked and (path.get("stroke_opacity") == 0 or (path.get("color") and min(path["color"]) > 0.97)):
            is_stroked = False
        for item in path["items"]:
            if item[0] == "l" and is_stroked:
                (ax, ay), (bx, by) = item[1], item[2]
                add((min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)))
            elif item[0] in ("re", "qu"):
                box = _box(item)
                covers_page = box[2] - box[0] > 0.95 * page_width and box[3] - box[1] > 0.9 * page_height
                thin = min(box[2] - box[0], box[3] - box[1]) <= _THIN
                if not covers_page and (is_stroked or (fill is not None and (thin or not is_white))):
                    add_sides(box)
        if fill is not None and not is_stroked and not is_white and all(item[0] == "l" for item in path["items"]):
            rect = tuple(path["rect"])
            if min(rect[2] - rect[0], rect[3] - rect[1]) <= _THIN:
                add(rect)
    return _merged(horizontal), _merged(vertical)


def _box(item: tuple[Any, ...]) -> Box:
    if item[0] == "re":
        x0, y0, x1, y1 = item[1]
        return (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
    xs, ys = [point[0] for point in item[1]], [point[1] for point in item[1]]
    return (min(xs), min(ys), max(xs), max(ys))


def _merged(edges: list[_Edge]) -> list[_Edge]:
    """Edges on one line joined where they touch, lines that hardly differ made one."""
    lines: list[list[_Edge]] = []
    for edge in sorted(edges, key=lambda edge: edge.at):
        if lines and edge.at - lines[-1][0].at <= _SNAP:
            lines[-1].append(edge)
        else:
            lines.append([edge])
    merged: list[_Edge] = []
    for line in lines:
        at = sum(edge.at for edge in line) / len(line)
        open_edge: _Edge | None = None
        for edge in sorted(line, key=lambda edge: edge.start):
            if open_edge is not None and edge.start <= open_edge.end + _SNAP:
                open_edge.end = max(open_edge.end, edge.end)
            else:
                open_edge = _Edge(at, edge.start, edge.end)
                merged.append(open_edge)
    return merged


def _components(horizontal: list[_Edge], vertical: list[_Edge]) -> list[tuple[list[_Edge], list[_Edge]]]:
    """Groups of edges that touch each other: one group a table."""
    parent = list(range(len(horizontal) + len(vertical)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    for i, row in enumerate(horizontal):
        for j, column in enumerate(vertical):
            if (
                row.start - _SNAP <= column.at <= row.end + _SNAP
                and column.start - _SNAP <= row.at <= column.end + _SNAP
            ):
                parent[root(i)] = root(len(horizontal) + j)
    groups: defaultdict[int, tuple[list[_Edge], list[_Edge]]] = defaultdict(lambda: ([], []))
    for i, row in enumerate(horizontal):
        groups[root(i)][0].append(row)
    for j, column in enumerate(vertical):
        groups[root(len(horizontal) + j)][1].append(column)
    found = [group for group in groups.values() if len(group[0]) >= 2 and len(group[1]) >= 1]
    return sorted(found, key=lambda group: min(edge.at for edge in group[0]))


def _striped(grids: list["_Grid"], words: Sequence[_Word]) -> list["_Grid"]:
    """Grids with those made one whose shaded rows alternate with rows on white ground."""
    joined: list[_Grid] = []
    for grid in grids:
        above = joined[-1] if joined else None
        if above is not None and above.goes_on_with(grid, words):
            joined[-1] = above.joined_with(grid)
        else:
            joined.append(grid)
    return [grid.with_outer_rows(words) if grid.is_striped else grid for grid in joined]


def _rest_of(above: PageTable, first: "_Grid | None", words: Sequence[_Word]) -> "_Grid | None":
    """The white rows at a page's top that carry on a shaded table of the page before."""
    stretch = _stretch(words, above.columns, down_from=-1e9)
    if first is not None:
        stretch = [word for word in stretch if word.middle[1] < first.ys[0]]
    if not stretch:
        return None
    top, bottom = min(word.box[1] for word in stretch) - 1, max(word.box[3] for word in stretch) + 1
    left, right = above.columns[0], above.columns[-1]
    grid = _Grid(
        [_Edge(top, left, right), _Edge(bottom, left, right)],
        [_Edge(x, top, bottom) for x in above.columns],
        is_striped=True,
    )
    return grid if grid.fits(stretch) else None


def _same_columns(one: Sequence[float], other: Sequence[float]) -> bool:
    return len(one) == len(other) and all(abs(a - b) <= _SNAP for a, b in zip(one, other, strict=True))


def _stretch(
    words: Sequence[_Word], xs: Sequence[float], *, up_from: float | None = None, down_from: float | None = None
) -> list[_Word]:
    """Words in lines that respect the columns, from a height upwards or downwards to the first that does not."""
    if up_from is not None:
        lines = _word_lines([word for word in words if word.middle[1] < up_from])[::-1]
    else:
        lines = _word_lines([word for word in words if down_from is None or word.middle[1] >= down_from])
    found: list[_Word] = []
    last: Box | None = None
    for line in lines:
        box = (0.0, min(word.box[1] for word in line), 0.0, max(word.box[3] for word in line))
        if any(word.box[0] < xs[0] - 2 or word.box[0] > xs[-1] for word in line):
            break
        crosses = any(word.box[0] < x - 2 and word.box[2] > x + 2 for word in line for x in xs)
        if crosses and (len(line) > 2 or len(line[0].text) < _LONG_WORD):
            break
        if last is not None and box[3] - box[1] > 1.25 * (last[3] - last[1]):  # a heading
            break
        if last is not None and max(box[1] - last[3], last[1] - box[3]) > 0.9 * (box[3] - box[1]):
            break
        found.extend(line)
        last = box
    return found


class _Grid:
    """The cells between the edges of one table; cells without an edge between them are one."""

    def __init__(self, rows: list[_Edge], columns: list[_Edge], *, is_striped: bool = False) -> None:
        self.is_striped = is_striped
        left, right = min(edge.start for edge in rows), max(edge.end for edge in rows)
        self._rows, self._columns = rows, list(columns)
        xs = _positions(columns)
        top, bottom = min(edge.at for edge in rows), max(edge.at for edge in rows)
        for side in (left, right):  # tables are often open at the sides
            if all(abs(side - x) > 2 * _SNAP for x in xs):
                self._columns.append(_Edge(side, top, bottom))
        self.xs, self.ys = _positions(self._columns), _positions(rows)
        self.row_count, self.column_count = len(self.ys) - 1, len(self.xs) - 1
        self._root: dict[tuple[int, int], tuple[int, int]] = {}

    def goes_on_with(self, below: "_Grid", words: Sequence[_Word]) -> bool:
        """Whether the words between two grids fill the columns both have."""
        if not _same_columns(self.xs, below.xs):
            return False
        top, bottom = self.ys[-1], below.ys[0]
        between = [
            word for word in words if top <= word.middle[1] < bottom and self.xs[0] <= word.middle[0] <= self.xs[-1]
        ]
        if not 0 <= bottom - top <= _STRIPE or (not between and bottom - top > _SNAP):
            return False
        return not between or self.fits(between)

    def fits(self, words: Sequence[_Word]) -> bool:
        """Whether words stand in several of the columns, hardly any over a border (long addresses do)."""
        crossing = sum(any(word.box[0] < x - 2 and word.box[2] > x + 2 for x in self.xs) for word in words)
        inside = all(self.xs[0] - 1 <= word.middle[0] <= self.xs[-1] + 1 for word in words)
        columns = {_slot(self.xs, word.middle[0]) for word in words}
        return inside and crossing <= max(1, 0.05 * len(words)) and len(columns) >= 2 and 0 in columns

    def with_outer_rows(self, words: Sequence[_Word]) -> "_Grid":
        """The grid with the white rows that stand right above and below its shaded ones."""
        grid = self
        for outer in (_stretch(words, self.xs, up_from=self.ys[0]), _stretch(words, self.xs, down_from=self.ys[-1])):
            if outer and grid.fits(outer):
                edge = min(word.box[1] for word in outer) - 1
                at = grid.ys[0]
                if edge >= self.ys[-1] - _SNAP - 1:
                    edge, at = max(word.box[3] for word in outer) + 1, grid.ys[-1]
                sides = [_Edge(x, min(edge, at), max(edge, at)) for x in grid.xs]
                rows = [*grid._rows, _Edge(edge, grid.xs[0], grid.xs[-1])]
                grid = _Grid(rows, [*grid._columns, *sides], is_striped=True)
        return grid

    def joined_with(self, below: "_Grid") -> "_Grid":
        sides = [_Edge(x, self.ys[-1], below.ys[0]) for x in self.xs]
        return _Grid([*self._rows, *below._rows], [*self._columns, *below._columns, *sides], is_striped=True)

    def table(self, words: Sequence[_Word], page: int, hyphenator: Hyphenator) -> PageTable | None:
        """The filled table, None when there is too little in it to be one."""
        self._unite()
        inside: defaultdict[tuple[int, int], list[_Word]] = defaultdict(list)
        for word in words:
            x, y = word.middle
            row, column = _slot(self.ys, y), _slot(self.xs, x)
            if row is not None and column is not None:
                inside[self._root[row, column]].append(word)
        texts = {cell: hyphenator.join(_lines(found)) for cell, found in inside.items()}
        rows = [
            [self._text(texts, row, column) for column in range(self.column_count)] for row in range(self.row_count)
        ]
        if not self._is_table(rows, texts):
            return None
        shown = [row for row in rows if any(row)]
        return PageTable(
            page,
            self.xs[0],
            self.ys[0],
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
                if not _crosses(self._columns, self.xs[column + 1], middle):
                    self._join((row, column), (row, column + 1))
        for column in range(self.column_count):
            middle = (self.xs[column] + self.xs[column + 1]) / 2
            for row in range(self.row_count - 1):
                if not _crosses(self._rows, self.ys[row + 1], middle):
                    self._join((row, column), (row + 1, column))

    def _join(self, one: tuple[int, int], other: tuple[int, int]) -> None:
        first, second = sorted((self._root[one], self._root[other]))
        if first != second:
            top_left = (min(first[0], second[0]), min(first[1], second[1]))
            for cell, root in self._root.items():
                if root in (first, second):
                    self._root[cell] = top_left


def _positions(edges: Sequence[_Edge]) -> list[float]:
    positions: list[float] = []
    for at in sorted(edge.at for edge in edges):
        if not positions or at - positions[-1] > _SNAP:
            positions.append(at)
    return positions


def _crosses(edges: Sequence[_Edge], at: float, middle: float) -> bool:
    return any(abs(edge.at - at) <= _SNAP and edge.start - 1 <= middle <= edge.end + 1 for edge in edges)


def _slot(borders: Sequence[float], value: float) -> int | None:
    for index in range(len(borders) - 1):
        if borders[index] <= value < borders[index + 1]:
            return index
    return None


def _visible_words(page: Any, text: PageText) -> list[_Word]:
    """The page's words that lie in lines still counted: no running header, nothing hidden."""
    boxes = [line.box for line in text.lines]
    words = []
    for x0, y0, x1, y1, word, *_ in page.get_text("words"):
        found = _Word(text.upright.apply((x0, y0, x1, y1)), clean_characters(word))
        x, y = found.middle
        if found.text and any(a - 1 <= x <= c + 1 and b - 1 <= y <= d + 1 for a, b, c, d in boxes):
            words.append(found)
    return words


def _lines(words: list[_Word]) -> list[str]:
    """A cell's words as lines of text, top to bottom."""
    return [" ".join(word.text for word in line) for line in _word_lines(words)]


def _word_lines(words: Sequence[_Word]) -> list[list[_Word]]:
    """Words by line, top to bottom, left to right."""
    lines: list[list[_Word]] = []
    for word in sorted(words, key=lambda word: word.middle[1]):
        height = word.box[3] - word.box[1]
        if lines and abs(word.middle[1] - lines[-1][0].middle[1]) <= 0.45 * height:
            lines[-1].append(word)
        else:
            lines.append([word])
    return [sorted(line, key=lambda word: word.box[0]) for line in lines]


def _header_rows(rows: list[list[str]]) -> int:
    """Two where a title over the whole width stands above the header, else one."""
    if len(rows) > 2 and len(rows[0]) > 2 and sum(map(bool, rows[0])) == 1 and sum(map(bool, rows[1])) > 1:
        return 2
    return 1


def _outermost(tables: list[PageTable]) -> list[PageTable]:
    """Tables that lie in no other one."""
    return [
        table
        for table in tables
        if not any(
            other is not table
            and other.x0 - _SNAP <= table.x0
            and other.y0 - _SNAP <= table.y0
            and other.x1 + _SNAP >= table.x1
            and other.y1 + _SNAP >= table.y1
            for other in tables
        )
    ]
