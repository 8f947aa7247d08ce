"""The tree of a course, and which of its lessons speak of a question by their words (pure).

Words count by how few lessons hold them, and in how many of a lesson's parts. Kin are known by their beginnings, as in
truncating stemmers.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

BEGINNING = 5  # letters that a Spanish word mostly shares with its inflected forms
TITLE, MODULE, TEXT = 1.0, 1.0, 2.0  # what a word says of a lesson by where it stands

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Branch:
    """A lesson as the tree shows it: where it stands, from 1, and what is said of it and of its module."""

    lesson_id: int
    module: int
    place: int  # within the module
    module_title: str
    module_text: str  # its summary and goals
    title: str
    summary: str

    @property
    def number(self) -> str:
        """As a table of contents would have it: «2.3»."""
        return f"{self.module}.{self.place}"


def nearest_lessons(
    question: str, tree: Sequence[Branch], contents: Mapping[int, str] | None = None, *, limit: int
) -> list[int]:
    """Ids of the lessons that say most of a question, best first; none where no word of it names any.

    `contents` are the texts of lessons by id, where they are at hand. Equal lessons keep the order of the course.
    """
    asked = _beginnings(question)
    fields = [_fields(branch, (contents or {}).get(branch.lesson_id, "")) for branch in tree]
    held = Counter(word for lesson in fields for word in set().union(*(words for words, _weight in lesson)) & asked)
    telling = {word: math.log(1 + len(tree) / count) for word, count in held.items()}
    scores = [
        sum(weight * telling[word] for words, weight in lesson for word in words & telling.keys()) for lesson in fields
    ]
    order = sorted(range(len(tree)), key=lambda at: (-scores[at], at))
    return [tree[at].lesson_id for at in order[:limit] if scores[at] > 0]


def _fields(branch: Branch, content: str) -> list[tuple[frozenset[str], float]]:
    return [
        (_beginnings(branch.title), TITLE),
        (_beginnings(f"{branch.module_title} {branch.module_text}"), MODULE),
        (_beginnings(f"{branch.summary} {content}"), TEXT),
    ]


@lru_cache(2_000)  # the same few lessons, question after question
def _beginnings(text: str) -> frozenset[str]:
    decomposed = unicodedata.normalize("NFD", text.casefold())
    plain = "".join(character for character in decomposed if not unicodedata.combining(character))
    return frozenset(word[:BEGINNING] for word in _WORD.findall(plain))
