"""Whether a hit is the passage that a person said holds the answer (pure).

A place is named by document, section, page and words, never by a chunk: it stays right however documents are cut.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from retrieval.folding import folded
from retrieval.types import Passage

RIGHT = "right"  # the one relevant entry of a judged ranking
SHARED = 0.6  # of the shorter one's word triples, from which two texts are the same place
ENOUGH_WORDS = 0.7
_WORD = re.compile(r"\w+")
_DENIALS = frozenset(
    ("no", "ni", "nunca", "jamas", "sin", "tampoco", "ningun", "ninguna", "ninguno", "nadie", "not", "nao")
)


@dataclass(frozen=True, slots=True)
class Expected:
    """Where an answer stands. What is empty is not asked for; the words decide before section and page do."""

    document_id: int
    heading_path: tuple[str, ...] = ()
    page: int | None = None
    passage: str = ""
    words: str = field(default="", repr=False)  # what an answer has to say

    def is_in(self, hit: Passage, document_id: int | None = None) -> bool:
        """Whether a hit holds it. `document_id`: the hit's document, where the one searched is a copy."""
        if (hit.document_id if document_id is None else document_id) != self.document_id:
            return False
        if self.passage:
            return overlap(self.passage, hit.text) >= SHARED
        if self.heading_path:
            return hit.heading_path[: len(self.heading_path)] == self.heading_path
        if self.page is not None and hit.page_start is not None:
            return hit.page_start <= self.page <= (hit.page_end or hit.page_start)
        return True


def overlap(one: str, other: str) -> float:
    """The share of the shorter text's word triples that the other text holds too, in [0, 1]."""
    first, second = _triples(one), _triples(other)
    shorter = min(len(first), len(second))
    return len(first & second) / shorter if shorter else 0.0


def holds_words(text: str, wanted: str) -> bool:
    """Whether a text has enough of the words that an answer must have, and all their numbers and denials, whatever
    their order, case and accents.
    """
    words, found = set(_WORD.findall(folded(wanted))), set(_WORD.findall(folded(text)))
    needed = {word for word in words if word in _DENIALS or any(character.isdigit() for character in word)}
    return bool(words) and needed <= found and len(words & found) >= ENOUGH_WORDS * len(words)


def judged_ranking(is_right: Sequence[bool], names: Sequence[str]) -> list[str]:
    """A ranking with its first right hit named RIGHT and further right ones left out: a section cut in three counts
    once, as one that was left whole.
    """
    ranking: list[str] = []
    for right, name in zip(is_right, names, strict=True):
        if not right:
            ranking.append(name)
        elif RIGHT not in ranking:
            ranking.append(RIGHT)
    return ranking


def _triples(text: str) -> set[tuple[str, ...]]:
    words = [word.casefold() for word in _WORD.findall(text)]
    size = min(3, len(words))
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)} if words else set()
