"""Headings that are no words of their document: a logo read as letters, a word cut off, cells of a table run together.

Text recognition reads a mark at the head of each page now so, now so: «Mlaborali», «Mmaborali». No running text has
such a word, and another heading ends like it. A table's head read as one line, «Problema Potecial CONSIDERACIONES DE
PRÁCTICAS», mixes capitals and misspells what the running text spells right. Pure functions.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

from courses.drafting.legibility import is_recognized
from courses.drafting.titles import Casing
from documents.parsing.types import Block, BlockKind

LIKE_LETTERS = 6  # at the end of two marks, from which they are one mark read twice
OTHER_LETTERS = 2  # at most, at the beginning
CUT_LETTERS = 5  # a cut-off word has no more
LOST_LETTERS = 3  # and lacks at least so many
SPELT_LETTERS = 6  # from which on a word one letter off another is that one misread
CELL_WORDS = 2  # in capitals and not, at least so many each, where cells of a table run together

_MARKED = re.compile(r"^[^\w\s¿¡«“\"'(\[]|^['´`]\W")  # a bullet or rule read as letters
_WORD = re.compile(r"[^\W\d_]+")


def misread_headings(blocks: Sequence[Block]) -> frozenset[str]:
    """The texts of the headings that are misread marks or pieces of words."""
    headings = [block.text for block in blocks if block.kind is BlockKind.HEADING]
    running = _words(block.text for block in blocks if block.kind is not BlockKind.HEADING)
    garbled = {text for text in headings if _is_garbled(text, running)}
    lone = [text for text in headings if len(_WORD.findall(text)) == 1]
    known = running | _words(text for text in headings if len(_WORD.findall(text)) > 1)
    strange = {text: word for text in lone if (word := _WORD.findall(text)[0].lower()) not in known}
    words = set(strange.values())
    marks = {text for text, word in strange.items() if _is_mark(word, words) or _is_cut(word, known)}
    return frozenset(garbled | marks)


def casing_of(*documents: Sequence[Block]) -> Casing:
    """How documents write words in running text, and which of their headings are none."""
    texts = (block.text for blocks in documents for block in blocks if block.kind is not BlockKind.HEADING)
    misread = frozenset().union(*map(misread_headings, documents))
    return Casing(list(texts), misread, recognized=any(map(is_recognized, documents)))


def _words(texts: Iterable[str]) -> set[str]:
    return {word.lower() for text in texts for word in _WORD.findall(text)}


def _is_garbled(heading: str, running: set[str]) -> bool:
    """Whether a heading is several cells, or a marked line of a cell, with a word that nothing else spells so."""
    words = _WORD.findall(heading)
    long = [word.lower() for word in words if len(word) >= SPELT_LETTERS]
    unknown = [word for word in long if word not in running]
    if _MARKED.match(heading):
        is_joined = any(_is_joined(word, running, 2) for word in unknown)
        return is_joined or any(_is_joined(word, running, 4) for word in long) or len(words) == len(unknown) == 1
    shouted = sum(word.isupper() and len(word) > 3 for word in words)
    told = sum(not word.isupper() and word[0].isupper() for word in words)
    return min(shouted, told) >= CELL_WORDS and any(_is_misspelt(word, running) for word in unknown)


def _is_joined(word: str, known: set[str], shortest: int) -> bool:
    """Whether a word is two known ones of so many letters without the space between them."""
    return any(word[:at] in known and word[at:] in known for at in range(shortest, len(word) - shortest + 1))


def _is_misspelt(word: str, known: set[str]) -> bool:
    """Whether a letter more makes a known word of it."""
    lacking = {one for one in known if len(one) == len(word) + 1}
    return any(one[:at] + one[at + 1 :] == word for one in lacking for at in range(len(one)))


def _is_mark(word: str, others: Iterable[str]) -> bool:
    return any(other != word and _is_same_mark(word, other) for other in others)


def _is_same_mark(word: str, other: str) -> bool:
    pairs = zip(reversed(word), reversed(other), strict=False)
    alike = sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return alike >= LIKE_LETTERS and max(len(word), len(other)) - alike <= OTHER_LETTERS


def _is_cut(word: str, known: Iterable[str]) -> bool:
    return len(word) <= CUT_LETTERS and any(
        other.startswith(word) and len(other) >= len(word) + LOST_LETTERS for other in known
    )
