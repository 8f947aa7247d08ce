"""Tables of a PDF that have no drawn lines: rows whose pieces stand under each other. Pure."""

from collections.abc import Sequence
from itertools import pairwise

from documents.parsing.hyphens import Hyphenator
from documents.parsing.pdf_grid import PageTable
from documents.parsing.pdf_lines import Line, join_row
from documents.parsing.wording import list_marker

_FEWEST_ROWS = 3
_GAP = 1.1  # of the letter size: what separates cells, not words
_COLUMN_GAP = 5.0  # points free of text between two columns over the whole table
_ROW_DISTANCE = 2.6  # of the row height: rows farther apart belong to different tables
_LONGEST_CELL = 160  # characters of one piece


def aligned_tables(rows: Sequence[Line], hyphenator: Hyphenator) -> list[Line | PageTable]:
    """`rows` in order, those that make a table replaced by it."""
    result: list[Line | PageTable] = []
    index = 0
    while index < len(rows):
        end = _stretch_end(rows, index)
        table = _table(rows[index:end], hyphenator) if end - index >= _FEWEST_ROWS else None
        if table is None:
            result.append(rows[index])
            index += 1
        else:
            result.append(table)
            index = end
    return result


def cells(row: Line) -> list[Line]:
    """The pieces of a row that stand clearly apart."""
    if not row.pieces:
        return [row]
    groups: list[list[Line]] = [[row.pieces[0]]]
    for left, right in pairwise(row.pieces):
        if right.x0 - left.x1 >= _GAP * max(left.size, right.size):
            groups.append([right])
        else:
            groups[-1].append(right)
    return [join_row(group) for group in groups]


def _is_tabular(row: Line) -> bool:
    pieces = cells(row)
    if len(pieces) < 2 or any(len(piece.text) > _LONGEST_CELL for piece in pieces):
        return False
    lone_marker = len(pieces) == 2 and list_marker(pieces[0].text + " x") == pieces[0].text
    return not lone_marker


def _stretch_end(rows: Sequence[Line], start: int) -> int:
    """End of the stretch of rows from `start` that may make one table: cells side by side, wrapped cells between."""
    if not _is_tabular(rows[start]):
        return start
    end = start + 1
    starts = [piece.x0 for piece in cells(rows[start])]
    wrapped = 0
    last_tabular = end
    while end < len(rows):
        row, before = rows[end], rows[end - 1]
        if row.y0 - before.y1 > _ROW_DISTANCE * before.height:
            break
        if _is_tabular(row):
            starts.extend(piece.x0 for piece in cells(row))
            wrapped, last_tabular = 0, end + 1
        else:
            wrapped += 1
            if wrapped > 4 or not any(abs(row.x0 - x) < 4 for x in starts) or len(row.text) > _LONGEST_CELL:
                break
        end += 1
    while last_tabular < end and _wraps(rows[last_tabular], rows[last_tabular - 1]):
        last_tabular += 1
    return last_tabular


def _wraps(row: Line, before: Line) -> bool:
    """Whether a single piece carries on a cell of the row before: under a column that is not the first."""
    return row.x0 > before.x0 + 4 and row.y0 - before.y1 < 0.8 * before.height


def _table(rows: Sequence[Line], hyphenator: Hyphenator) -> PageTable | None:
    tabular = [row for row in rows if _is_tabular(row)]
    if len(tabular) < _FEWEST_ROWS:
        return None
    columns = _columns([piece for row in tabular for piece in cells(row)])
    if len(columns) < 2:
        return None
    grid: list[list[list[str]]] = []
    for row in rows:
        pieces = cells(row)
        line: list[list[str]] = [[] for _ in columns]
        for piece in pieces:
            middle = (piece.x0 + piece.x1) / 2
            index = min(range(len(columns)), key=lambda i: _distance(columns[i], middle))
            line[index].append(piece.text)
        if len(pieces) == 1 and grid and not line[0]:
            for index, words in enumerate(line):
                grid[-1][index].extend(words)
        else:
            grid.append(line)
    filled = [sum(bool(line[index]) for line in grid) for index in range(len(columns))]
    if sorted(filled)[-2] < 0.6 * len(grid) or len(grid) < _FEWEST_ROWS:
        return None
    return PageTable(
        rows[0].page,
        min(row.x0 for row in rows),
        rows[0].y0,
        max(row.x1 for row in rows),
        rows[-1].y1,
        [[hyphenator.join(words) for words in line] for line in grid],
        [column[0] for column in columns],
    )


def _columns(pieces: Sequence[Line]) -> list[tuple[float, float]]:
    """Stretches of x that hold text, with nothing between them in any row."""
    columns: list[tuple[float, float]] = []
    for piece in sorted(pieces, key=lambda piece: piece.x0):
        if columns and piece.x0 < columns[-1][1] + _COLUMN_GAP:
            columns[-1] = (columns[-1][0], max(columns[-1][1], piece.x1))
        else:
            columns.append((piece.x0, piece.x1))
    return columns


def _distance(column: tuple[float, float], x: float) -> float:
    return 0.0 if column[0] <= x <= column[1] else min(abs(column[0] - x), abs(column[1] - x))
