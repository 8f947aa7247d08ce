"""A document as a tree of headings with the text right under each. Pure functions."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from courses.drafting.legibility import illegible_pages
from courses.drafting.misreadings import misread_headings
from courses.drafting.titles import is_contents, is_noise
from documents.parsing.types import Block, BlockKind

_DIVISION = re.compile(
    r"^\s*(m[oó]dulo|unidad|tema|parte|bloque|cap[ií]tulo|t[ií]tulo)\s+(?:\d+|[ivxlc]+)\b", re.IGNORECASE
)
_ENTRY = re.compile(r"[.…\s]\d+\s*$")


@dataclass(slots=True)
class Node:
    """A heading, the blocks right under it (`first` to `last`, the heading itself included, as a half-open range),
    and the headings below it. `strays` are the headings left out of the tree whose text it took, each with its page.
    """

    heading: str
    path: tuple[str, ...]
    level: int
    first: int
    last: int
    page: int | None = None
    own_words: int = 0
    strays: dict[tuple[str, ...], int | None] = field(default_factory=dict)
    children: list["Node"] = field(default_factory=list)

    @property
    def words(self) -> int:
        """How many words stand under this heading and all those below it."""
        return self.own_words + sum(child.words for child in self.children)

    def walk(self) -> Iterator["Node"]:
        yield self
        for child in self.children:
            yield from child.walk()


def tree_of(blocks: Sequence[Block]) -> Node:
    """The document's headings as a tree under a root without heading, which holds the text before the first one.

    Tables of contents are left out. «Módulo 1», «Módulo 2»… stand at one level, whatever their looks. A heading that
    is no words, or none of the document's, gives its text to the section before it. So does an illegible page, which
    counts as one word: none of its text is kept, and the note that stands for it is.
    """
    root = Node("", (), 0, 0, 0)
    stack = [root]
    levels = _levels_of_divisions(blocks)
    misread = misread_headings(blocks)
    unread = illegible_pages(blocks)
    noted: set[int | None] = set()
    skipping: int | None = None  # the level of the contents heading whose text is left out
    for at, block in enumerate(blocks):
        if block.page in unread:
            _take(stack[-1], at, block, words=int(block.page not in noted))
            noted.add(block.page)
            continue
        if block.kind is not BlockKind.HEADING or is_noise(block.text) or block.text in misread:
            if skipping is None:
                _take(stack[-1], at, block, words=len(block.text.split()))
            continue
        level = _level(block, levels)
        if is_contents(block.text) and _lists_contents(blocks, at + 1):
            skipping = level
            continue
        skipping = None
        while stack[-1].level >= level:
            stack.pop()
        node = Node(block.text, block.heading_path or (block.text,), level, at, at + 1, block.page)
        stack[-1].children.append(node)
        stack.append(node)
    return root


def _lists_contents(blocks: Sequence[Block], start: int) -> bool:
    """Whether what stands under a heading named «Índice» is a list of headings: short entries, or with page numbers."""
    under = list(takewhile(lambda block: block.kind is not BlockKind.HEADING, blocks[start:]))
    lines = [line for block in under for line in (block.text.splitlines() or [""])]
    entries = sum(bool(_ENTRY.search(line)) or len(line.split()) <= 8 for line in lines)
    return entries >= 0.8 * len(lines)


def _take(node: Node, at: int, block: Block, *, words: int) -> None:
    if not node.path and not node.own_words:
        node.first, node.page = at, block.page
    node.last = at + 1
    node.own_words += words
    path = block.heading_path
    if path not in (node.path, ()):
        node.strays.setdefault(path, block.page)


def _level(block: Block, levels: dict[str, int]) -> int:
    division = _DIVISION.match(block.text)
    level = block.level or len(block.heading_path) or 1
    return levels.get(division[1].lower(), level) if division else level


def _levels_of_divisions(blocks: Sequence[Block]) -> dict[str, int]:
    """The outermost level at which each kind of numbered division was found."""
    levels: dict[str, int] = {}
    for block in blocks:
        if block.kind is BlockKind.HEADING and (division := _DIVISION.match(block.text)):
            name = division[1].lower()
            levels[name] = min(levels.get(name, 99), block.level or len(block.heading_path) or 1)
    return levels


def main_nodes(root: Node) -> list[Node]:
    """The document's chapters: the outermost headings, or those below a single heading that holds them all.

    A heading that holds them all and has text of its own comes first, with that text alone.
    """
    nodes = [node for node in root.children if node.words]
    lead = [_alone(root)] if root.own_words else []
    while len(nodes) == 1 and any(child.words for child in nodes[0].children):
        only = nodes[0]
        if only.own_words:
            lead.append(_alone(only))
        nodes = [node for node in only.children if node.words]
    return [*lead, *nodes]


def _alone(node: Node) -> Node:
    return Node(node.heading, node.path, node.level, node.first, node.last, node.page, node.own_words, node.strays)
