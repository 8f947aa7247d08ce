"""Lines drawn on a PDF page, and which of them belong to one table."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from documents.parsing.pdf_lines import Box, PageText

_THIN = 3.0  # points: a rectangle thinner than this is a line
SNAP = 3.0  # points: edges nearer than this are one
_HIGHLIGHT = 24.0  # points: the highest ground behind single words
_MOST_GROUNDS = 600  # of a page: each is compared with all


@dataclass(slots=True)
class Edge:
    """A drawn line: at `at`, from `start` to `end` along the other axis."""

    at: float
    start: float
    end: float


def drawn_edges(paths: Sequence[dict[str, Any]], text: PageText) -> tuple[list[Edge], list[Edge]]:
    horizontal: list[Edge] = []
    vertical: list[Edge] = []
    shaded: list[Box] = []
    white: list[Box] = []
    page_width, page_height = text.frame[2] - text.frame[0], text.frame[3] - text.frame[1]

    def add(box: Box) -> None:
        x0, y0, x1, y1 = box
        if y1 - y0 <= _THIN and x1 - x0 > _THIN:
            horizontal.append(Edge((y0 + y1) / 2, x0, x1))
        elif x1 - x0 <= _THIN and y1 - y0 > _THIN:
            vertical.append(Edge((x0 + x1) / 2, y0, y1))

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
                add(text.upright.apply((min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))))
            elif item[0] in ("re", "qu"):
                box = text.upright.apply(_box(item))
                if box[2] - box[0] > 0.95 * page_width and box[3] - box[1] > 0.9 * page_height:
                    continue
                if is_stroked or (fill is not None and min(box[2] - box[0], box[3] - box[1]) <= _THIN):
                    add_sides(box)
                elif fill is not None:
                    (white if is_white else shaded).append(box)
        if fill is not None and not is_stroked and not is_white and all(item[0] == "l" for item in path["items"]):
            rect = text.upright.apply(tuple(path["rect"]))
            if min(rect[2] - rect[0], rect[3] - rect[1]) <= _THIN:
                add(rect)
    if len(shaded) + len(white) <= _MOST_GROUNDS:
        shaded = _without_highlights(shaded, white) + _white_cells(white, shaded)
    for box in shaded:
        add_sides(box)
    return _merged(horizontal), _merged(vertical)


def _without_highlights(shaded: list[Box], white: list[Box]) -> list[Box]:
    """Grounds without those of single words: alone inside another ground, no higher than a line."""
    grounds = [*shaded, *white]

    def is_highlight(box: Box) -> bool:
        if box[3] - box[1] > _HIGHLIGHT or not any(_is_inside(box, other) for other in grounds):
            return False
        return not any(other != box and not _is_inside(box, other) and _touch(box, other) for other in grounds)

    return [box for box in shaded if not is_highlight(box)]


def _white_cells(white: list[Box], shaded: Sequence[Box]) -> list[Box]:
    """White grounds that stand side by side, each right above or below a shaded cell, or another of them, as wide."""
    found: list[Box] = []
    waiting = [box for box in white if any(_beside(box, other) for other in white) and box not in shaded]
    cells = [*shaded]
    while cells:
        joined = [box for box in waiting if any(_stacked(box, cell) for cell in cells)]
        waiting = [box for box in waiting if box not in joined]
        found += joined
        cells = joined
    return found


def _is_inside(box: Box, other: Box) -> bool:
    return other[0] < box[0] and other[1] < box[1] and other[2] > box[2] and other[3] > box[3]


def _touch(one: Box, other: Box) -> bool:
    return one[0] <= other[2] + 1 and other[0] <= one[2] + 1 and one[1] <= other[3] + 1 and other[1] <= one[3] + 1


def _beside(one: Box, other: Box) -> bool:
    same_row = abs(one[1] - other[1]) <= 1 and abs(one[3] - other[3]) <= 1
    return same_row and (abs(one[2] - other[0]) <= 1 or abs(one[0] - other[2]) <= 1)


def _stacked(one: Box, other: Box) -> bool:
    same_column = abs(one[0] - other[0]) <= 1 and abs(one[2] - other[2]) <= 1
    return same_column and (abs(one[3] - other[1]) <= 1 or abs(one[1] - other[3]) <= 1)


def _box(item: tuple[Any, ...]) -> Box:
    if item[0] == "re":
        x0, y0, x1, y1 = item[1]
        return (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
    xs, ys = [point[0] for point in item[1]], [point[1] for point in item[1]]
    return (min(xs), min(ys), max(xs), max(ys))


def _merged(edges: list[Edge]) -> list[Edge]:
    """Edges on one line joined where they touch, lines that hardly differ made one."""
    lines: list[list[Edge]] = []
    for edge in sorted(edges, key=lambda edge: edge.at):
        if lines and edge.at - lines[-1][0].at <= SNAP:
            lines[-1].append(edge)
        else:
            lines.append([edge])
    merged: list[Edge] = []
    for line in lines:
        at = sum(edge.at for edge in line) / len(line)
        open_edge: Edge | None = None
        for edge in sorted(line, key=lambda edge: edge.start):
            if open_edge is not None and edge.start <= open_edge.end + SNAP:
                open_edge.end = max(open_edge.end, edge.end)
            else:
                open_edge = Edge(at, edge.start, edge.end)
                merged.append(open_edge)
    return merged


def components(horizontal: list[Edge], vertical: list[Edge]) -> list[tuple[list[Edge], list[Edge]]]:
    """Groups of edges that touch each other: one group a table."""
    parent = list(range(len(horizontal) + len(vertical)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    for i, row in enumerate(horizontal):
        for j, column in enumerate(vertical):
            if row.start - SNAP <= column.at <= row.end + SNAP and column.start - SNAP <= row.at <= column.end + SNAP:
                parent[root(i)] = root(len(horizontal) + j)
    groups: defaultdict[int, tuple[list[Edge], list[Edge]]] = defaultdict(lambda: ([], []))
    for i, row in enumerate(horizontal):
        groups[root(i)][0].append(row)
    for j, column in enumerate(vertical):
        groups[root(len(horizontal) + j)][1].append(column)
    found = [group for group in groups.values() if len(group[0]) >= 2 and len(group[1]) >= 1]
    return sorted(found, key=lambda group: min(edge.at for edge in group[0]))


def positions(edges: Sequence[Edge]) -> list[float]:
    positions: list[float] = []
    for at in sorted(edge.at for edge in edges):
        if not positions or at - positions[-1] > SNAP:
            positions.append(at)
    return positions


def crosses(edges: Sequence[Edge], at: float, middle: float) -> bool:
    return any(abs(edge.at - at) <= SNAP and edge.start - 1 <= middle <= edge.end + 1 for edge in edges)
