"""Blocks of a document and the chunks made of them, counted in words, for tests."""

from documents.chunking import ChunkSettings, chunk_blocks
from documents.parsing.types import Block, BlockKind


def count_words(text: str) -> int:
    """A tokenizer of words, with two tokens a model adds to every passage."""
    return 2 + len(text.split())


def words(count: int, name: str = "palabra") -> str:
    return " ".join(f"{name}{number}" for number in range(count))


def sentence(name: str, count: int = 10) -> str:
    return f"Frase {words(count - 1, name)}."


def heading(*path: str, **kwargs) -> Block:
    return Block(BlockKind.HEADING, path[-1], level=len(path), heading_path=path, **kwargs)


def paragraph(text: str, *path: str, kind: BlockKind = BlockKind.PARAGRAPH, **kwargs) -> Block:
    return Block(kind, text, heading_path=path, **kwargs)


def item(text: str, *path: str, **kwargs) -> Block:
    return paragraph(text, *path, kind=BlockKind.LIST_ITEM, **kwargs)


def table(*rows: tuple[str, ...], path: tuple[str, ...] = (), **kwargs) -> Block:
    return Block(BlockKind.TABLE, "tabla", heading_path=path, rows=rows, header_rows=1, **kwargs)


def chunk(blocks, *, title="Manual", **settings):
    return chunk_blocks(
        blocks, title=title, language="es", count_tokens=count_words, settings=ChunkSettings(**settings)
    )


def texts(chunks):
    return [found.text for found in chunks]
