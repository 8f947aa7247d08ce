"""Tables whose rows stand on shaded and on white ground in turn: only the shaded ones have edges. Pure."""

from collections.abc import Sequence

from documents.parsing.pdf_edges import SNAP, Edge
from documents.parsing.pdf_grid import Grid, PageTable, slot
from documents.parsing.pdf_lines import Box
from documents.parsing.pdf_words import Word, word_lines

_LONG_WORD = 25  # letters: an address too long for its cell
_STRIPE = 320.0  # points: the highest row on white ground between two shaded ones


def joined_stripes(grids: list[Grid], words: Sequence[Word]) -> list[Grid]:
    """Grids with those made one whose shaded rows alternate with rows on white ground."""
    joined: list[Grid] = []
    for grid in grids:
        above = joined[-1] if joined else None
        if above is not None and _goes_on(above, grid, words):
            joined[-1] = _joined(above, grid)
        else:
            joined.append(grid)
    return [_with_outer_rows(grid, words) if grid.is_striped else grid for grid in joined]


def rest_of(above: PageTable, first: Grid | None, words: Sequence[Word]) -> Grid | None:
    """The white rows at a page's top that carry on a shaded table of the page before."""
    stretch = _stretch(words, above.columns, down_from=-1e9)
    if first is not None:
        stretch = [word for word in stretch if word.middle[1] < first.ys[0]]
    if not stretch:
        return None
    top, bottom = min(word.box[1] for word in stretch) - 1, max(word.box[3] for word in stretch) + 1
    left, right = above.columns[0], above.columns[-1]
    grid = Grid(
        [Edge(top, left, right), Edge(bottom, left, right)],
        [Edge(x, top, bottom) for x in above.columns],
        is_striped=True,
    )
    return grid if _fits(grid, stretch) else None


def same_columns(one: Sequence[float], other: Sequence[float]) -> bool:
    return len(one) == len(other) and all(abs(a - b) <= SNAP for a, b in zip(one, other, strict=True))


def _stretch(
    words: Sequence[Word], xs: Sequence[float], *, up_from: float | None = None, down_from: float | None = None
) -> list[Word]:
    """Words in lines that respect the columns, from a height upwards or downwards to the first that does not."""
    if up_from is not None:
        lines = word_lines([word for word in words if word.middle[1] < up_from])[::-1]
    else:
        lines = word_lines([word for word in words if down_from is None or word.middle[1] >= down_from])
    found: list[Word] = []
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


def _goes_on(above: Grid, below: Grid, words: Sequence[Word]) -> bool:
    """Whether the words between two grids fill the columns both have."""
    if not same_columns(above.xs, below.xs):
        return False
    top, bottom = above.ys[-1], below.ys[0]
    between = [
        word for word in words if top <= word.middle[1] < bottom and above.xs[0] <= word.middle[0] <= above.xs[-1]
    ]
    if not 0 <= bottom - top <= _STRIPE or (not between and bottom - top > SNAP):
        return False
    return not between or _fits(above, between)


def _fits(grid: Grid, words: Sequence[Word]) -> bool:
    """Whether words stand in several of the columns, hardly any over a border (long addresses do)."""
    crossing = sum(any(word.box[0] < x - 2 and word.box[2] > x + 2 for x in grid.xs) for word in words)
    inside = all(grid.xs[0] - 1 <= word.middle[0] <= grid.xs[-1] + 1 for word in words)
    columns = {slot(grid.xs, word.middle[0]) for word in words}
    return inside and crossing <= max(1, 0.05 * len(words)) and len(columns) >= 2 and 0 in columns


def _with_outer_rows(grid: Grid, words: Sequence[Word]) -> Grid:
    """The grid with the white rows that stand right above and below its shaded ones."""
    for outer in (_stretch(words, grid.xs, up_from=grid.ys[0]), _stretch(words, grid.xs, down_from=grid.ys[-1])):
        if outer and _fits(grid, outer):
            edge = min(word.box[1] for word in outer) - 1
            at = grid.ys[0]
            if edge >= grid.ys[-1] - SNAP - 1:
                edge, at = max(word.box[3] for word in outer) + 1, grid.ys[-1]
            sides = [Edge(x, min(edge, at), max(edge, at)) for x in grid.xs]
            rows = [*grid.rows, Edge(edge, grid.xs[0], grid.xs[-1])]
            grid = Grid(rows, [*grid.columns, *sides], is_striped=True)
    return grid


def _joined(above: Grid, below: Grid) -> Grid:
    sides = [Edge(x, above.ys[-1], below.ys[0]) for x in above.xs]
    return Grid([*above.rows, *below.rows], [*above.columns, *below.columns, *sides], is_striped=True)
