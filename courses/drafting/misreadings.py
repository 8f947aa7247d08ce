"""Headings that are no words of their document: a logo read as letters, a word cut off. Pure functions.

Text recognition reads a mark at the head of each page now so, now so: «Mlaborali», «Mmaborali». No running text has
such a word, and another heading ends like it.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

from courses.drafting.titles import Casing
from documents.parsing.types import Block, BlockKind

LIKE_LETTERS = 6  # at the end of two marks, from which they are one mark read twice
OTHER_LETTERS = 2  # at most, at the beginning
CUT_LETTERS = 5  # a cut-off word has no more
LOST_LETTERS = 3  # and lacks at least so many

_WORD = re.compile(r"[^\W\d_]+")


def misread_headings(blocks: Sequence[Block]) -> frozenset[str]:
    """The texts of the headings that are misread marks or pieces of words."""
    headings = [block.text for block in blocks if block.kind is BlockKind.HEADING]
    lone = [text for text in headings if len(_WORD.findall(text)) == 1]
    if not lone:
        return frozenset()
    several = (text for text in headings if len(_WORD.findall(text)) > 1)
    known = _words([*(block.text for block in blocks if block.kind is not BlockKind.HEADING), *several])
    strange = {text: word for text in lone if (word := _WORD.findall(text)[0].lower()) not in known}
    words = set(strange.values())
    return frozenset(text for text, word in strange.items() if _is_mark(word, words) or _is_cut(word, known))


def casing_of(*documents: Sequence[Block]) -> Casing:
    """How documents write words in running text, and which of their headings are none."""
    texts = (block.text for blocks in documents for block in blocks if block.kind is not BlockKind.HEADING)
    return Casing(list(texts), frozenset().union(*map(misread_headings, documents)))


def _words(texts: Iterable[str]) -> set[str]:
    return {word.lower() for text in texts for word in _WORD.findall(text)}


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
