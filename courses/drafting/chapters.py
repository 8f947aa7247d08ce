"""The chapters of a document, to choose from what a course is to be made of. Pure functions."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from courses.drafting.misreadings import casing_of
from courses.drafting.titles import clean_title
from courses.drafting.tree import Node, main_nodes, tree_of
from documents.parsing.types import Block

KEY_LETTERS = 12


@dataclass(frozen=True, slots=True)
class Chapter:
    """A top-level section with all below it; `title` is empty for the text before the first heading.

    `key` names it by its headings alone, so that it is found again in another version of the document.
    """

    key: str
    title: str
    words: int
    first_page: int | None
    last_page: int | None


def chapters_of(blocks: Sequence[Block]) -> list[Chapter]:
    """The chapters that have text, in reading order; sections of the same headings are one chapter."""
    casing = casing_of(blocks)
    found: dict[str, list[Node]] = {}
    for node in main_nodes(tree_of(blocks)):
        if node.words:
            found.setdefault(key_of(node), []).append(node)
    return [
        Chapter(
            key,
            clean_title(nodes[0].heading, casing) if nodes[0].heading else "",
            sum(node.words for node in nodes),
            *_pages(blocks, nodes),
        )
        for key, nodes in found.items()
    ]


def key_of(node: Node) -> str:
    """A chapter's name in forms and stored choices."""
    return sha256("\n".join(node.path).encode()).hexdigest()[:KEY_LETTERS]


def _pages(blocks: Sequence[Block], nodes: Sequence[Node]) -> tuple[int | None, int | None]:
    pages = [
        page
        for chapter in nodes
        for node in chapter.walk()
        for block in blocks[node.first : node.last]
        if (page := block.page) is not None
    ]
    return (min(pages), max(pages)) if pages else (None, None)
