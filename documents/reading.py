"""A version's parsed blocks, arranged for a person to read in parts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

BLOCKS_A_PART = 200
OUTLINE_LEVELS = 3


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A heading and where to find it: its part (from 1) and its anchor there."""

    text: str
    level: int
    page: int | None
    part: int
    anchor: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Something to show: a page mark, or one or more blocks that belong together.

    `kind` is "page", "place" or a block kind; list items in a row are one piece. `tag_level` is a heading's
    level in the page it is shown on.
    """

    kind: str
    anchor: str = ""
    text: str = ""
    tag_level: int = 0
    page: int | None = None
    place: dict[str, Any] | None = None  # sheet, slide or time, where it changes
    items: tuple[str, ...] = ()
    header_rows: tuple[tuple[str, ...], ...] = ()
    rows: tuple[tuple[tuple[str, str], ...], ...] = ()  # cells as (column's header, text)
    index: int | None = None  # of its block, where pieces are single blocks
    marks: tuple[str, ...] = ()  # words to mark where they stand, folded (documents.finding)


def part_count(blocks: Sequence[dict[str, Any]]) -> int:
    """How many parts the blocks fill; at least 1."""
    return max(1, -(-len(blocks) // BLOCKS_A_PART))


def part_of_page(blocks: Sequence[dict[str, Any]], page: int) -> int:
    """The part in which page `page` starts, or the nearest page before it that has text."""
    last = 0
    for index, block in enumerate(blocks):
        if block.get("page") is not None and block["page"] > page:
            break
        if block.get("page") is not None and (last == 0 or blocks[last].get("page") != block["page"]):
            last = index
    return last // BLOCKS_A_PART + 1


def page_with_text(blocks: Sequence[dict[str, Any]], page: int) -> int | None:
    """Page `page`, or the nearest before it that has text, else the first that has; None where nothing has a page."""
    pages = [block["page"] for block in blocks if block.get("page") is not None]
    return max((one for one in pages if one <= page), default=min(pages, default=None))


def outline(blocks: Sequence[dict[str, Any]]) -> list[OutlineEntry]:
    """The upper headings in reading order."""
    return [
        OutlineEntry(block["text"], block.get("level") or 1, block.get("page"), index // BLOCKS_A_PART + 1, f"b{index}")
        for index, block in enumerate(blocks)
        if block["kind"] == "heading" and (block.get("level") or 1) <= OUTLINE_LEVELS
    ]


def pieces(blocks: Sequence[dict[str, Any]], part: int, *, are_single: bool = False) -> list[Piece]:
    """Part `part` (from 1) of the blocks, with a mark wherever a page, sheet, slide or moment begins.

    `are_single`: every block is a piece of its own, list items too, and knows its index.
    """
    start = (part - 1) * BLOCKS_A_PART
    shown: list[Piece] = []
    page: int | None = None
    place: dict[str, Any] | None = None
    for index, block in enumerate(blocks[start : start + BLOCKS_A_PART], start):
        if block.get("page") not in (None, page):
            page = block["page"]
            shown.append(Piece("page", anchor=f"pagina-{page}", page=page))
        here = _place(block)
        if here and here != place:
            place = here
            shown.append(Piece("place", place=place))
        if are_single:
            shown.append(replace(_piece(block, f"b{index}"), index=index))
        elif block["kind"] == "list_item" and shown and shown[-1].kind == "list_item":
            last = shown.pop()
            shown.append(Piece("list_item", anchor=last.anchor, items=(*last.items, block["text"])))
        else:
            shown.append(_piece(block, f"b{index}"))
    return shown


def page_text(blocks: Sequence[dict[str, Any]], page: int) -> list[Piece]:
    """What was read on one page."""
    return [
        piece
        for piece in pieces_of([block for block in blocks if block.get("page") == page])
        if piece.kind not in ("page", "place")
    ]


def pieces_of(blocks: Sequence[dict[str, Any]]) -> list[Piece]:
    """All `blocks`, however many parts they would fill."""
    return [piece for part in range(1, part_count(blocks) + 1) for piece in pieces(blocks, part)]


def _place(block: dict[str, Any]) -> dict[str, Any] | None:
    locator = block.get("locator") or {}
    return {key: locator[key] for key in ("sheet", "slide", "time") if key in locator} or None


def _piece(block: dict[str, Any], anchor: str) -> Piece:
    kind, text = block["kind"], block["text"]
    if kind == "heading":
        # The page's own title is the first level.
        return Piece(kind, anchor, text, tag_level=min((block.get("level") or 1) + 1, 6))
    if kind == "list_item":
        return Piece(kind, anchor, items=(text,))
    if kind == "table" and block.get("rows"):
        rows = tuple(tuple(row) for row in block["rows"])
        header = block.get("header_rows", 0)
        labels = rows[header - 1] if header else ()
        body = tuple(tuple(zip_longest(labels[: len(row)], row, fillvalue="")) for row in rows[header:])
        return Piece(kind, anchor, header_rows=rows[:header], rows=body)
    return Piece(kind, anchor, text)
