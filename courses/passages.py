"""The passages that questions may rest on: the text of the sections that a lesson has for sources. Pure functions."""

import re
from collections.abc import Iterable, Sequence

from courses.sources import Source, ranges_of
from documents.diffing import Path
from documents.parsing.types import Block, BlockKind

_SPACE = re.compile(r"\s+")


def texts_by_section(blocks: Sequence[Block], sources: Iterable[Source]) -> dict[Path, list[str]]:
    """The lines right under each heading that the sources reach, in reading order; a table's rows are a line each."""
    inside = sorted(
        {at for source in sources for first, last in ranges_of(blocks, source) for at in range(first, last)}
    )
    found: dict[Path, list[str]] = {}
    for at in inside:
        block = blocks[at]
        is_heading = block.kind is BlockKind.HEADING
        path = (block.heading_path or (block.text,)) if is_heading else block.heading_path
        found.setdefault(path, []).extend(lines_of(block))
    return found


def lines_of(block: Block) -> list[str]:
    """A block's text with plain white space: one line, or one for each of a table's rows."""
    if block.rows is None:
        return [_plain(block.text)]
    return [_plain(" ".join(cell for cell in row if cell.strip())) for row in block.rows]


def holds(lines: Sequence[str], quote: str) -> bool:
    """Whether a quote stands word for word in a section's text; only white space may differ."""
    wanted = _plain(quote)
    return bool(wanted) and wanted in " ".join(lines)


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text).strip()
