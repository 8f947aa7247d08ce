"""The headings of a document, for a person to choose one from. Pure functions."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from documents.diffing import Path
from documents.parsing.types import Block, BlockKind

INDENT = "\u2003"  # browsers fold common spaces at the start of an option


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with those above it, and the page it stands on."""

    path: Path
    page: int | None

    @property
    def value(self) -> str:
        """The heading's path as forms carry it."""
        return as_value(self.path)

    @property
    def label(self) -> str:
        return INDENT * (len(self.path) - 1) + self.path[-1]


def as_value(path: Sequence[str]) -> str:
    """A heading's path as forms carry it: empty for the whole document."""
    return json.dumps(list(path), ensure_ascii=False) if path else ""


def sections_of(blocks: Sequence[Block]) -> list[Section]:
    """The headings in reading order; of several with the same path, the first."""
    found: dict[Path, Section] = {}
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            path = block.heading_path or (block.text,)
            found.setdefault(path, Section(path, block.page))
    return list(found.values())
