"""The part of a text that speaks of what was asked, with the asked words marked (pure)."""

import re
from dataclasses import dataclass

from retrieval.folding import folded

LENGTH = 320  # characters
BEFORE = 80  # of them, those before the first word found
SHARED = 4  # letters at the beginning that make two short words one, whatever their endings
LONGEST_ROOT = 7  # the same of long ones

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    is_marked: bool = False


def excerpt(text: str, question: str) -> list[Piece]:
    """A few lines of a text around the first of the question's words, in pieces; from its beginning where none is."""
    text = " ".join(text.split())
    asked = {_root(word) for word in _WORD.findall(question) if len(word) >= SHARED or any(map(str.isdigit, word))}
    found = [word.span() for word in _WORD.finditer(text) if _root(word.group()) in asked]
    start = max(0, found[0][0] - BEFORE) if found else 0
    start = text.find(" ", start) + 1 if start else 0
    end = start + LENGTH
    if end < len(text):
        end = max(text.rfind(" ", start, end), start + 1)
    pieces = [Piece("…")] if start else []
    place = start
    for first, last in found:
        if start <= first and last <= end:
            pieces += [Piece(text[place:first]), Piece(text[first:last], is_marked=True)]
            place = last
    return [piece for piece in [*pieces, Piece(text[place:end] + ("…" if end < len(text) else ""))] if piece.text]


def _root(word: str) -> str:
    same = folded(word)
    return same if any(map(str.isdigit, same)) else same[: min(LONGEST_ROOT, max(SHARED, len(same) - 3))]
