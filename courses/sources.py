"""What lessons rest on, without the database: a section of a document, and the blocks it stands for. Pure functions."""

from collections.abc import Sequence
from dataclasses import dataclass

from courses.drafting.outline import cut_evenly
from documents.diffing import Path
from documents.parsing.types import Block, BlockKind


@dataclass(frozen=True, slots=True)
class Source:
    """A section, with or without those below it. A page without a heading path names what stands on that page.

    `part` of `part_count`: of a heading's own text that is too long for one lesson.
    """

    heading_path: Path
    with_subsections: bool = True
    page: int | None = None
    part: int = 1
    part_count: int = 1

    @property
    def is_page(self) -> bool:
        """Whether it is known by its page alone."""
        return not self.heading_path and self.with_subsections and self.page is not None

    def covers(self, path: Path) -> bool:
        """Whether a section lies in reach: at the heading, or below it where those count too."""
        return path == self.heading_path or (
            self.with_subsections and path[: len(self.heading_path)] == self.heading_path
        )


def ranges_of(blocks: Sequence[Block], source: Source) -> list[tuple[int, int]]:
    """The runs of blocks under a source's headings, end exclusive, in reading order; empty when they are gone.

    Of a heading's text that was cut for several lessons, only the named part.
    """
    if source.is_page:
        inside = [block.page == source.page for block in blocks]
    else:
        inside = [source.covers(_section(block)) for block in blocks]
    runs = _runs(inside)
    if source.part_count <= 1 or not runs:
        return runs
    first, last = runs[0]
    bounds = [*cut_evenly(blocks, first, last, source.part_count), last]
    at = min(source.part, len(bounds) - 1)
    return [(bounds[at - 1], bounds[at])]


def _section(block: Block) -> tuple[str, ...]:
    if block.kind is BlockKind.HEADING:
        return block.heading_path or (block.text,)
    return block.heading_path


def _runs(inside: Sequence[bool]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for at, is_inside in enumerate(inside):
        if is_inside and runs and runs[-1][1] == at:
            runs[-1] = (runs[-1][0], at + 1)
        elif is_inside:
            runs.append((at, at + 1))
    return runs
