"""Where in a document's page a section or a passage is shown. Pure functions."""

from collections.abc import Sequence
from typing import Any

from documents.reading import BLOCKS_A_PART


def place_of(
    blocks: Sequence[dict[str, Any]], heading_path: Sequence[str], *, page: int | None = None, quote: str = ""
) -> str:
    """The end of a document's address that leads to a passage under a heading, or to the heading, or to its page.

    Empty, and thus the document's beginning, when the version at hand has none of them.
    """
    path = list(heading_path)
    under = [at for at, block in enumerate(blocks) if path and block.get("heading_path", [])[: len(path)] == path]
    words = " ".join(quote.split())
    quoted = [at for at in (under or range(len(blocks))) if words and words in " ".join(blocks[at]["text"].split())]
    at = next(iter([*quoted, *under]), None)
    if at is not None:
        return f"?parte={at // BLOCKS_A_PART + 1}#b{at}"
    return f"?pagina={page}#pagina-{page}" if page else ""
