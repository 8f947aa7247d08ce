"""What a document is called: whether its first heading says it, and what of a heading's path says more. Pure."""

import re
from collections.abc import Sequence

from documents.parsing.types import Block, BlockKind

SECTIONS = 3  # headings of one rank that make the first of them a section like the others
MOST_WORDS = 3  # of a section's name: titles say more
_NUMBERED = re.compile(r"(?:\d+|[ivx]+)(?:\.\d+)*\s*[.):\-–]?\s+\S", re.I)
_ADDRESS = re.compile(r"https?://|\bwww\.", re.I)
# Names that a section of any document may bear: they tell neither what a document nor what a section is about.
ANY_SECTION = (
    r"(?:[íi]ndice|(?:tabla de )?contenidos?|introducci[óo]n?|introduction|introdução|introduzione|einleitung"
    r"|presentaci[óo]n|pr[óo]logo|prefacio|pre[áa]mbulo|objetivos?|objeto|alcance|[áa]mbito de aplicaci[óo]n"
    r"|antecedentes|generalidades|(?:disposiciones|consideraciones) generales|definiciones|glosario|descripci[óo]n"
    r"|requisitos|resumen|observaciones|notas?|conclusi[óo]n(?:es)?|referencias|bibliograf[íi]a|anexos?)"
)
_SECTION = re.compile(rf"{ANY_SECTION}$", re.I)
# Whose letterhead it may be. Shops and departments name sections too, «gobierno» what is governed: they are left out.
_INSTITUTION = re.compile(
    r"(?:universidad|universitat|university|universidade|instituto|institut|institute|ministerio|ministry|minist[ée]rio"
    r"|ayuntamiento|ajuntament|facultad|facultat|faculdade)\b(?:\W+(?:del?|d|da|do|dos|la|el|los|las|of|the)\b)*\W+",
    re.I,
)
_NO_NAME = re.compile(r"(?:borrador|draft|rascunho|esborrany|copia|confidencial)$", re.I)
_WORD = re.compile(r"[^\W\d_]{3}|\d")
LETTERHEAD_BLOCKS = 6  # within which the title follows
LETTERHEAD_LINE = 60  # letters of a line between them: a place, a date


def below_letterhead(title: str, blocks: Sequence[Block]) -> str:
    """The title that stands below an institution's letterhead; `title` itself where it is none."""
    if not _is_letterhead(title):
        return title
    at = next((at for at, block in enumerate(blocks) if block.kind == BlockKind.HEADING), len(blocks))
    if at == len(blocks) or blocks[at].text != title:
        return title
    for below, block in enumerate(blocks[at + 1 : at + LETTERHEAD_BLOCKS], at + 1):
        if block.kind != BlockKind.HEADING:
            if len(block.text) > LETTERHEAD_LINE:
                return title
        elif (block.level or 1) <= (blocks[at].level or 1) and not _names_nothing(block.text):
            return title if names_a_section(block.text, blocks[below:]) else block.text
    return title


def section_words(path: Sequence[str], title: str) -> list[str]:
    """Of a heading's path what says more than the document's title: not the title again, a letterhead, or what text
    recognition made of a logo.
    """
    words: list[str] = []
    for at, heading in enumerate(path):
        is_last = at == len(path) - 1
        says_nothing = not _WORD.search(heading)
        is_repeated = heading.casefold() in (title.casefold(), words[-1].casefold() if words else "")
        if not is_repeated and (is_last or not says_nothing) and (is_last or words or not _is_letterhead(heading)):
            words.append(heading)
    return words


def _is_letterhead(text: str) -> bool:
    """Whether it is an institution's own name, «Universidad de Jaén», not a kind of one, «universidad corporativa»."""
    institution = _INSTITUTION.match(text)
    name = text[institution.end() :] if institution else ""
    return bool(name) and not name[0].islower() and ":" not in name


def _names_nothing(text: str) -> bool:
    return _is_letterhead(text) or _NO_NAME.match(text) is not None


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
