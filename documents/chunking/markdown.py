"""A document's blocks as one Markdown text, and where each block stands in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from documents.parsing.types import Block, BlockKind

_NUMBERED = re.compile(r"\d{1,9}[.)]\s")
_BULLET = re.compile(r"[•·▪◦‣]\s*(?=\S)")
INDENT = "  "  # of a list item, for each level above its own
_FENCES = re.compile(r"`{3,}")


@dataclass(frozen=True, slots=True)
class PlacedBlock:
    """A block in the normalized text: its Markdown from `start` to `end`; its `words` begin at `body`.

    A table has no verbatim body: `rows` holds the span of each of its rows instead.
    """

    start: int
    end: int
    body: int
    words: str
    rows: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """The normalized text with the place of every block, in the blocks' order."""

    text: str
    blocks: tuple[PlacedBlock, ...]


def normalized_text(blocks: Sequence[Block]) -> str:
    """The whole document as Markdown: `#` headings, `-` lists, tables (bars in cells are escaped)."""
    return lay_out(blocks).text


def block_spans(blocks: Sequence[Block]) -> list[tuple[int, int]]:
    """Where each block's Markdown stands in `normalized_text(blocks)`, in characters, end exclusive."""
    return [(placed.start, placed.end) for placed in lay_out(blocks).blocks]


def is_blank(block: Block) -> bool:
    """Whether there is nothing to read in it."""
    if block.kind is BlockKind.TABLE and block.rows:
        return not any(cell.strip() for row in block.rows for cell in row)
    return not block.text.strip()


def lay_out(blocks: Sequence[Block]) -> Layout:
    """Write the blocks one after another, a blank line between them, none between list items.

    Blank blocks leave no trace and have an empty span.
    """
    parts: list[str] = []
    placed: list[PlacedBlock] = []
    position = 0
    before: Block | None = None
    for block in blocks:
        if is_blank(block):
            placed.append(PlacedBlock(position, position, position, ""))
            continue
        if before is not None:
            both_items = block.kind is before.kind is BlockKind.LIST_ITEM
            parts.append("\n" if both_items else "\n\n")
            position += len(parts[-1])
        before = block
        markdown, body, words, rows = _write(block)
        placed.append(
            PlacedBlock(
                position,
                position + len(markdown),
                position + body,
                words,
                tuple((position + start, position + end) for start, end in rows),
            )
        )
        parts.append(markdown)
        position += len(markdown)
    return Layout("".join(parts), tuple(placed))


def _write(block: Block) -> tuple[str, int, str, list[tuple[int, int]]]:
    """A block's Markdown, where its words begin in it, those words, and for tables the span of each row."""
    if block.kind is BlockKind.TABLE and block.rows:
        markdown, rows = _write_table(block.rows, block.header_rows)
        return markdown, 0, markdown, rows
    if block.kind is BlockKind.HEADING:
        words = " ".join(block.text.split())
        marks = "#" * min(6, max(1, block.level or 1)) + " "
        return marks + words, len(marks), words, []
    if block.kind is BlockKind.LIST_ITEM:
        indent = INDENT * (max(1, block.level or 1) - 1)
        text = block.text.strip()
        if bullet := _BULLET.match(text):
            text = text[bullet.end() :]
        words = text if _NUMBERED.match(text) else f"- {text}"
        return indent + words, len(indent), words, []
    if block.kind is BlockKind.CODE:
        longest = max((len(run) for run in _FENCES.findall(block.text)), default=2)
        fence = "`" * (longest + 1)
        return f"{fence}\n{block.text}\n{fence}", len(fence) + 1, block.text, []
    words = block.text.strip()
    return words, 0, words, []


def _write_table(rows: Sequence[Sequence[str]], header_rows: int) -> tuple[str, list[tuple[int, int]]]:
    width = max(map(len, rows))
    rule = "|" + " --- |" * width
    lines: list[str] = []
    spans: list[tuple[int, int]] = []
    position = 0

    def write(line: str) -> None:
        nonlocal position
        lines.append(line)
        position += len(line) + 1

    if not header_rows:  # Markdown knows no table without a header
        write("|" + "  |" * width)
        write(rule)
    for number, row in enumerate(rows, start=1):
        cells = [" ".join(cell.replace("|", "\\|").split()) for cell in row]
        line = "| " + " | ".join(cells + [""] * (width - len(row))) + " |"
        spans.append((position, position + len(line)))
        write(line)
        if number == 1 and header_rows:
            write(rule)
    return "\n".join(lines), spans
