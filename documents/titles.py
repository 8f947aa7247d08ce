"""Whether what a file calls its first heading is what the document is called. Pure."""

from collections.abc import Sequence

from documents.parsing.types import Block, BlockKind

SECTIONS = 3  # headings of one rank that make the first of them a section like the others


def names_a_section(title: str, blocks: Sequence[Block]) -> bool:
    """Whether a title is merely that of the first of several sections, as ENTRADAS is in a restaurant's menu.

    A heading that stands alone, above others of its rank, is a title all the same: nothing is written under it.
    """
    headings = [(at, block) for at, block in enumerate(blocks) if block.kind == BlockKind.HEADING]
    highest = min((block.level or 1 for _at, block in headings), default=1)
    peers = [(at, block) for at, block in headings if (block.level or 1) == highest]
    if len(peers) < SECTIONS or peers[0][1].text != title:
        return False
    (first, _title), (second, _section) = peers[:2]
    return any(block.kind != BlockKind.HEADING for block in blocks[first:second])
