"""Changing the text of stored blocks, and finding the same text in another version. Pure functions.

Blocks are plain JSON (see documents.parsing.types.Block.to_json). None is ever added or removed, so that a place stays
the same place after any number of corrections.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from documents.cleaning import clean_code, clean_line, clean_text
from documents.parsing.assembly import table_text

Blocks = Sequence[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Place:
    """A block by its index, or one cell of a table; all from 0."""

    block: int
    row: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        return f"{self.block}" if self.row is None else f"{self.block}:{self.row}:{self.column}"


@dataclass(frozen=True, slots=True)
class Correction:
    """A text at a place, under the headings it stood under, and what it should say."""

    place: Place
    before: str
    after: str
    heading_path: tuple[str, ...] = ()


class TextDiffers(ValueError):
    """The text to correct is not there, or the new one cannot stand there."""


def text_at(blocks: Blocks, place: Place) -> str | None:
    """The text at a place; None where there is no such place."""
    if not 0 <= place.block < len(blocks):
        return None
    block = blocks[place.block]
    if place.row is None or place.column is None:
        return None if block.get("rows") else str(block["text"])
    rows = block.get("rows") or []
    if not (0 <= place.row < len(rows) and 0 <= place.column < len(rows[place.row])):
        return None
    return str(rows[place.row][place.column])


def cleaned(blocks: Blocks, place: Place, text: str) -> str:
    """`text` as the parsers would have left it at this place."""
    kind = blocks[place.block]["kind"]
    if place.row is not None or kind == "heading":
        return clean_line(text)
    return clean_code(text) if kind == "code" else clean_text(text)


def corrected(blocks: Blocks, place: Place, *, before: str, after: str) -> list[dict[str, Any]]:
    """The blocks with one text changed; a heading's new name also stands in the paths of what is under it.

    Raises: TextDiffers when the text there is not `before`, or a heading would be left without words.
    """
    if text_at(blocks, place) != before or (not after and blocks[place.block]["kind"] == "heading"):
        raise TextDiffers(str(place))
    changed = list(blocks)
    block = dict(changed[place.block])
    changed[place.block] = block
    if place.row is not None and place.column is not None:
        rows = [list(row) for row in block["rows"]]
        rows[place.row][place.column] = after
        block["rows"], block["text"] = rows, table_text(rows)
        return changed
    block["text"] = after
    if block["kind"] == "heading":
        _rename(changed, place.block, before, after)
    return changed


def _rename(blocks: list[dict[str, Any]], start: int, before: str, after: str) -> None:
    path = blocks[start]["heading_path"]
    if not path or path[-1] != before:
        return
    for index in range(start, len(blocks)):
        below = blocks[index]["heading_path"]
        if below[: len(path)] != path:
            return
        blocks[index] = blocks[index] | {"heading_path": [*path[:-1], after, *below[len(path) :]]}


def reapplied(blocks: Blocks, corrections: Iterable[Correction]) -> list[dict[str, Any]]:
    """Blocks read again, with the corrections made in them before, in order, wherever their text is still found."""
    changed = list(blocks)
    for correction in corrections:
        is_there = text_at(changed, correction.place) == correction.before
        place = correction.place if is_there else find(changed, correction)
        if place is not None:
            changed = corrected(changed, place, before=correction.before, after=correction.after)
    return changed


def combined(corrections: Iterable[Correction]) -> list[Correction]:
    """One correction a place: from what was read to what was said last. Those taken back are left out."""
    by_place: dict[Place, Correction] = {}
    for correction in corrections:
        first = by_place.get(correction.place, correction)
        by_place[correction.place] = Correction(first.place, first.before, correction.after, first.heading_path)
    return [correction for correction in by_place.values() if correction.before != correction.after]


def find(blocks: Blocks, correction: Correction, renamed: frozenset[tuple[str, str]] = frozenset()) -> Place | None:
    """Where a correction's text stands in other blocks, under the same headings; None when it does not, or not surely.

    `renamed`: headings that corrections changed (before, after); either name counts as the same.
    """
    place = correction.place
    for index, block in enumerate(blocks):
        if not _same_path(block.get("heading_path") or [], correction.heading_path, renamed):
            continue
        if place.row is None:
            if not block.get("rows") and block["text"] == correction.before:
                return Place(index)
        elif (found := _find_cell(block, index, correction)) is not None:
            return found
    return None


def _same_path(one: Sequence[str], other: Sequence[str], renamed: frozenset[tuple[str, str]]) -> bool:
    return len(one) == len(other) and all(
        a == b or (a, b) in renamed or (b, a) in renamed for a, b in zip(one, other, strict=True)
    )


def _find_cell(block: dict[str, Any], index: int, correction: Correction) -> Place | None:
    column = correction.place.column
    if column is None:
        return None
    rows = [
        at for at, row in enumerate(block.get("rows") or []) if column < len(row) and row[column] == correction.before
    ]
    if correction.place.row in rows:
        return Place(index, correction.place.row, column)
    return Place(index, rows[0], column) if len(rows) == 1 else None
