"""Whether what a file calls its first heading is what the document is called. Pure."""

import re
from collections.abc import Sequence

from documents.parsing.types import Block, BlockKind

SECTIONS = 3  # headings of one rank that make the first of them a section like the others
MOST_WORDS = 3  # of a section's name: titles say more
# How sections begin that no document is named after, in the languages documents come in.
_NUMBERED = re.compile(r"(?:\d+|[ivx]+)(?:\.\d+)*\s*[.):\-–]?\s+\S", re.I)
_ADDRESS = re.compile(r"https?://|\bwww\.", re.I)
_SECTION = re.compile(
    r"(?:introducci[óo]n?|introduction|introdução|introduzione|einleitung|objetivos?|objeto|alcance|presentaci[óo]n"
    r"|antecedentes|pr[óo]logo|prefacio|resumen)$",
    re.I,
)


def is_no_title(title: str, blocks: Sequence[Block]) -> bool:
    """Whether a title is plainly none: an address in the web, or the name of the first of several sections."""
    return _ADDRESS.search(title) is not None or names_a_section(title, blocks)


def names_a_section(title: str, blocks: Sequence[Block]) -> bool:
    """Whether a title is merely that of the first of several sections, as ENTRADAS is in a restaurant's menu.

    Many writers give a title the rank of its chapters, so rank alone says nothing: the first heading is a section
    where it is short and has parts of its own, is numbered, or bears a name that sections bear.
    """
    headings = [block for block in blocks if block.kind == BlockKind.HEADING]
    highest = min((block.level or 1 for block in headings), default=1)
    peers = [at for at, block in enumerate(headings) if (block.level or 1) == highest]
    if len(peers) < SECTIONS or headings[peers[0]].text != title:
        return False
    has_parts = peers[1] > peers[0] + 1 and len(title.split()) <= MOST_WORDS
    return has_parts or bool(_NUMBERED.match(title) or _SECTION.match(title))
