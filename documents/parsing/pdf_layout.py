"""Reading order of a page: columns by the gaps between them, bands by the lines over the full width. Pure."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from documents.parsing.pdf_lines import Line, join_row

_NARROWEST_GUTTER = 4.0  # points
_FEWEST_LINES = 4  # on each side of a gutter
_PROSE = 17  # characters a line of a text column has on average; less is a list of names and figures
_MAX_DEPTH = 6


class Placed(Protocol):
    """Something with a box: a line or a table."""

    @property
    def x0(self) -> float: ...
    @property
    def y0(self) -> float: ...
    @property
    def x1(self) -> float: ...
    @property
    def y1(self) -> float: ...


T = TypeVar("T", bound=Placed)


def reading_order(items: Sequence[T], depth: int = 0) -> list[list[T]]:
    """Items as runs, each run one column of one band from top to bottom, in the order a person reads them."""
    items = sorted(items, key=lambda item: (item.y0, item.x0))
    gutter = find_gutter(items) if depth < _MAX_DEPTH else None
    if gutter is None:
        return [list(items)] if items else []
    runs: list[list[T]] = []
    left: list[T] = []
    right: list[T] = []

    def close_band() -> None:
        for column in (left, right):
            runs.extend(reading_order(column, depth + 1))
            column.clear()

    for item in items:
        if item.x1 <= gutter + 1:
            left.append(item)
        elif item.x0 >= gutter - 1:
            right.append(item)
        else:
            close_band()
            if runs and len(runs[-1]) and _spans(runs[-1][-1], gutter):
                runs[-1].append(item)
            else:
                runs.append([item])
    close_band()
    return runs


def _spans(item: Placed, gutter: float) -> bool:
    return item.x0 < gutter - 1 and item.x1 > gutter + 1


def find_gutter(items: Sequence[Placed]) -> float | None:
    """The x in the middle of a gap between two columns of text, None where the text is one column."""
    if len(items) < 2 * _FEWEST_LINES:
        return None
    start, end = min(item.x0 for item in items), max(item.x1 for item in items)
    width = end - start
    if width < 100:
        return None
    first, last = start + 0.15 * width, end - 0.15 * width
    best: tuple[int, float, float] | None = None
    for low, high, crossing in _gaps(items, first, last):
        middle = (low + high) / 2
        if high - low >= _NARROWEST_GUTTER and _separates(items, middle):
            candidate = (-crossing, high - low, middle)
            best = candidate if best is None else max(best, candidate)
    return None if best is None else best[2]


def _gaps(items: Sequence[Placed], first: float, last: float) -> list[tuple[float, float, int]]:
    """Stretches of x that few items cross: (from, to, items crossing)."""
    lowest, highest = int(first), int(last) + 1
    cover = [0] * (highest - lowest + 2)
    for item in items:
        a, b = max(int(item.x0 + 0.5), lowest), min(int(item.x1 + 0.5), highest)
        if a < b:
            cover[a - lowest] += 1
            cover[b - lowest] -= 1
    gaps: list[tuple[float, float, int]] = []
    running, begin, limit = 0, None, 0.45 * len(items)
    current = -1
    for offset, change in enumerate(cover):
        running += change
        x = float(lowest + offset)
        if begin is not None and running != current:
            gaps.append((begin, x, current))
            begin = None
        if begin is None and running <= limit:
            begin, current = x, running
    return gaps


def _separates(items: Sequence[Placed], gutter: float) -> bool:
    """Whether text columns stand on both sides of `gutter`, beside each other."""
    left = [item for item in items if item.x1 <= gutter + 1]
    right = [item for item in items if item.x0 >= gutter - 1]
    if len(left) < _FEWEST_LINES or len(right) < _FEWEST_LINES:
        return False
    if not (_is_prose(left) and _is_prose(right)) or _is_form(left, right):
        return False
    top, bottom = max(left[0].y0, right[0].y0), min(left[-1].y1, right[-1].y1)
    shorter = min(left[-1].y1 - left[0].y0, right[-1].y1 - right[0].y0)
    return bottom - top >= 0.3 * shorter


def _is_prose(items: Sequence[Placed]) -> bool:
    """Whether the lines are on average as long as those of running text in a narrow column."""
    texts = [item.text for item in items if isinstance(item, Line)]
    if not texts:
        return False
    return sum(map(len, texts)) / len(texts) >= _PROSE


def _is_form(left: Sequence[Placed], right: Sequence[Placed]) -> bool:
    """Labels with their values beside them: each line has its partner, and lines end where they like."""
    partners = sum(any(abs(item.y0 - other.y0) < 2.5 for other in right) for item in left)
    if partners < 0.7 * len(left):
        return False
    start, end = min(item.x0 for item in left), max(item.x1 for item in left)
    full = sum(item.x1 >= start + 0.85 * (end - start) for item in left)
    return full < 0.5 * len(left)


def join_rows(items: Sequence[Line]) -> list[Line]:
    """Lines of one run with those on the same baseline joined into one."""
    rows: list[list[Line]] = []
    for item in sorted(items, key=lambda item: (item.y0 + item.y1) / 2):
        row = rows[-1] if rows else None
        if row is not None and _belongs(item, row):
            row.append(item)
        else:
            rows.append([item])
    return [join_row(row) for row in rows]


def _belongs(item: Line, row: Sequence[Line]) -> bool:
    """Whether a line stands on the row's baseline, beside all it holds."""
    beside = all(item.x0 >= other.x1 - 2 or other.x0 >= item.x1 - 2 for other in row)
    return beside and any(_level_with(item, other) for other in row)


def _level_with(one: Line, other: Line) -> bool:
    lower = min(one.height, other.height)
    overlap = min(one.y1, other.y1) - max(one.y0, other.y0)
    middles = abs((one.y0 + one.y1) - (other.y0 + other.y1)) / 2
    return overlap >= 0.55 * lower and middles <= 0.6 * lower
