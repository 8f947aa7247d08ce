"""Which answers to a quiz are right. Pure functions."""

import random
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["single_choice", "order", "fill"]

GAP = "____"
_SIGNS = '.,;:!?»«"()'


@dataclass(frozen=True, slots=True)
class Question:
    """A quiz item as it is graded; fields as in the stored one."""

    kind: str
    options: Sequence[str]
    answer: Sequence[Any]
    text: str = ""  # with a gap where a word or figure is to be filled in

    @property
    def expected(self) -> list[str]:
        """The right answer in words: one option, all of them in order, or the first accepted spelling."""
        if self.kind == "single_choice":
            return [self.options[self.answer[0]]]
        return list(self.options) if self.kind == "order" else [str(self.answer[0])]


def is_right(question: Question, given: Sequence[str]) -> bool:
    """Whether an answer, given in words as `Question.expected` has them, is right. Nothing given is wrong."""
    if question.kind == "fill":
        return len(given) == 1 and any(_fills(question.text, str(one), given[0]) for one in question.answer)
    return list(given) == question.expected


def _fills(text: str, spelling: str, given: str) -> bool:
    """Whether what is given is an accepted spelling, alone or with what follows the gap: «48 horas» for «48»."""
    _before, gap, after = text.partition(GAP)
    answer, written = fold(spelling), fold(given)
    following = [fold(word).strip(_SIGNS) for word in after.split()] if gap else []
    endings = {"".join(following[:count]) for count in range(len(following) + 1)}
    return any(written == answer + ending for ending in endings)


def shuffled(options: Sequence[str], *, seed: str, solved: Sequence[str] = ()) -> list[str]:
    """Options in another order, always the same for a seed; never in that of `solved`, where they have another."""
    chance = random.Random(seed)  # noqa: S311 - an order to show, no secret
    order = list(options)
    chance.shuffle(order)
    while order == list(solved) and len(set(order)) > 1:
        chance.shuffle(order)
    return order


def fold(text: str) -> str:
    """Text as it compares: without case, accents, spaces, or dots that part thousands."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    return re.sub(r"\s+|(?<=\d)\.(?=\d{3}(?!\d))", "", plain)


def percent(right: int, total: int) -> int:
    """The share of right answers, rounded down: 99 % is not 100 %."""
    return 100 * right // total if total else 100
