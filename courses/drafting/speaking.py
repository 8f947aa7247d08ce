"""What a speaker says beside the slides, told apart from what stands on them. Pure functions."""

from collections.abc import Sequence
from dataclasses import replace

from documents.parsing.types import Block, BlockKind

LEAD = "**Notas del ponente:** "  # Markdown


def marked_notes(blocks: Sequence[Block]) -> list[Block]:
    """The blocks, ready to be set as Markdown, with the first of each slide's speaker's notes introduced as such."""
    marked = []
    for at, block in enumerate(blocks):
        begins = _is_said(block) and not (at and _is_said(blocks[at - 1]) and _slide(blocks[at - 1]) == _slide(block))
        marked.append(replace(block, text=LEAD + block.text) if begins else block)
    return marked


def _is_said(block: Block) -> bool:
    return block.kind is BlockKind.PARAGRAPH and bool(block.locator.get("notes")) and bool(block.text.strip())


def _slide(block: Block) -> object:
    return block.locator.get("slide")
