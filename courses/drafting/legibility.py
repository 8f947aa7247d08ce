"""Pages that nobody could read in a lesson: tables in pictures that text recognition tore into pieces. Pure functions.

On such a page paragraphs begin in the middle of a sentence or with a mark that stands for no letter. Its text is left
out of lessons; what stands there instead says on which page to look, and the lesson keeps it among its sources.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from documents.parsing.types import Block, BlockKind

FEWEST_BLOCKS = 6  # on a page with fewer nothing can be told
TORN_SHARE = 0.3  # of a page's blocks that begin in the middle of a sentence
UNREADABLE_SHARE = 0.55  # of them that do so or begin with a mark

MISREAD_BULLETS = 3  # in a document that was read in pictures
MOST_PAGES = 0.5  # of a document: where more are so, that is how it was written

_MARK = re.compile(r"^['‘’]?[«»]?[=+|»~_\\\\]")
_BULLET = re.compile(r"^['‘’]?(?:[«»]?[=+»][e=]?|«e?)\s+(?=[\w¿])")
_RUNS_ON = re.compile(r"\b(?:del?|la|las|los|el|en|con|que|y|por|para|al?|un|una)$", re.IGNORECASE)
_WORDS = re.compile(r"[^\W\d_]{2,}")
_UNREAD = "unread_pages"  # in the locator of a block that stands for pages left out


def illegible_pages(document: Sequence[Block]) -> frozenset[int]:
    """The pages, counted from 1, whose text is in pieces while the document's is not."""
    pages: dict[int, list[Block]] = {}
    for block in document:
        if block.page is not None and block.kind not in (BlockKind.HEADING, BlockKind.CODE):
            pages.setdefault(block.page, []).append(block)
    found = frozenset(page for page, blocks in pages.items() if _is_illegible(blocks))
    return found if len(found) <= MOST_PAGES * len(pages) else frozenset()


def legible(pieces: Iterable[Block], pages: frozenset[int]) -> list[Block]:
    """The blocks without those of illegible pages, a note in the place of each run of them.

    Elsewhere bullets that were misread as marks are bullets again, and a paragraph taken for a table is one again.
    """
    kept: list[Block] = []
    for block in pieces:
        if block.page not in pages:
            kept.append(_mended(block))
        elif kept and is_note(kept[-1]):
            kept[-1] = _note(kept[-1].locator[_UNREAD][0], block.page or 0, block)
        else:
            kept.append(_note(block.page or 0, block.page or 0, block))
    return kept


def is_recognized(document: Sequence[Block]) -> bool:
    """Whether some of a document was read in pictures, where bullets are taken for marks again and again."""
    return sum(map(_has_misread_bullet, document)) >= MISREAD_BULLETS


def is_note(block: Block) -> bool:
    """Whether a block only says which pages were left out."""
    return _UNREAD in block.locator


def _note(first: int, last: int, block: Block) -> Block:
    where = (
        f"La página {first} del documento es" if first == last else f"Las páginas {first} a {last} del documento son"
    )
    text = f"{where} una tabla o una imagen que no se lee bien como texto. Ábrela en las fuentes de la lección."
    return Block(BlockKind.PARAGRAPH, text, None, first, {_UNREAD: [first, last]}, block.heading_path)


def _mended(block: Block) -> Block:
    if block.page is None:
        return block
    if block.kind is BlockKind.TABLE and _is_running(block):
        text = " ".join(_cells(block))
        return replace(block, kind=BlockKind.PARAGRAPH, text=text, rows=None, header_rows=0)
    if not _has_misread_bullet(block):
        return block
    return replace(block, kind=BlockKind.LIST_ITEM, text=_BULLET.sub("", block.text), level=1)


def _has_misread_bullet(block: Block) -> bool:
    return block.kind is BlockKind.PARAGRAPH and _BULLET.match(block.text) is not None


def _is_running(table: Block) -> bool:
    """Whether the cells are pieces of sentences that run on from each to the next."""
    cells = list(_cells(table))
    return len(cells) > 1 and cells[0][0].islower() and _is_torn(table) and any(map(_RUNS_ON.search, cells[:-1]))


def _is_illegible(blocks: Sequence[Block]) -> bool:
    torn = sum(map(_is_torn, blocks))
    marked = sum(_MARK.match(block.text) is not None and not _is_torn(block) for block in blocks)
    return (
        len(blocks) >= FEWEST_BLOCKS
        and torn >= TORN_SHARE * len(blocks)
        and torn + marked >= UNREADABLE_SHARE * len(blocks)
    )


def _is_torn(block: Block) -> bool:
    if block.kind is BlockKind.TABLE:
        cells = list(_cells(block))
        return sum(not cell[0].isupper() and not cell[0].isdigit() for cell in cells) > len(cells) / 3
    if block.kind is not BlockKind.PARAGRAPH or _BULLET.match(block.text):
        return False
    text = block.text.strip()
    return bool(text) and (text[0].islower() or not (_WORDS.search(text) or any(map(str.isdigit, text))))


def _cells(block: Block) -> Iterator[str]:
    return (cell.strip() for row in block.rows or () for cell in row if cell.strip())
