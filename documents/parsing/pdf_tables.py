"""Tables of a PDF page that are drawn with lines or filled cells."""

from typing import Any

from documents.parsing.hyphens import Hyphenator
from documents.parsing.pdf_edges import SNAP, components, drawn_edges
from documents.parsing.pdf_grid import Grid, PageTable
from documents.parsing.pdf_lines import PageText
from documents.parsing.pdf_stripes import joined_stripes, rest_of, same_columns
from documents.parsing.pdf_words import visible_words

_MAX_PATHS = 6000
_MAX_EDGES = 1600
_MIN_PATHS = 4


def ruled_tables(page: Any, text: PageText, hyphenator: Hyphenator, above: PageTable | None = None) -> list[PageTable]:
    """The page's drawn tables, top to bottom, filled with the words of the lines that `text` still has.

    `above` is the table the page before ends with, if it does.
    """
    paths = page.get_cdrawings()
    if not _MIN_PATHS <= len(paths) <= _MAX_PATHS and not any(len(path["items"]) >= _MIN_PATHS for path in paths):
        return []
    horizontal, vertical = drawn_edges(paths, text)
    if len(horizontal) < 2 or len(vertical) < 1 or len(horizontal) + len(vertical) > _MAX_EDGES:
        return []
    grids = [Grid(rows, columns) for rows, columns in components(horizontal, vertical)]
    grids = [grid for grid in grids if grid.column_count >= 2]
    carries_on = above is not None and above.is_striped and above.page == text.number - 1
    if not grids and not carries_on:
        return []
    words = visible_words(page, text)
    tables: list[PageTable] = []
    if above is not None and carries_on and grids and same_columns(above.columns, grids[0].xs):
        grids[0].is_striped = True
    grids = joined_stripes(grids, words)
    rest = rest_of(above, grids[0] if grids else None, words) if above is not None and carries_on else None
    for grid in [rest, *grids] if rest is not None else grids:
        table = grid.table(words, text.number, hyphenator)
        if table is not None:
            tables.append(table)
    return _outermost(tables)


def _outermost(tables: list[PageTable]) -> list[PageTable]:
    """Tables that lie in no other one."""
    return [
        table
        for table in tables
        if not any(
            other is not table
            and other.x0 - SNAP <= table.x0
            and other.y0 - SNAP <= table.y0
            and other.x1 + SNAP >= table.x1
            and other.y1 + SNAP >= table.y1
            for other in tables
        )
    ]
