"""How well passages answer a question, token by token (pure).

Source: Khattab and Zaharia, "ColBERT", SIGIR 2020; here with the token vectors of the embedder itself, untrained.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from skillnet.backends.protocols import Vector

WEAKEST = 3  # one in so many of the question's tokens: those that the passage answers to least


@dataclass(frozen=True, slots=True)
class Interaction:
    """A passage against a question, in cosines.

    `score` is the mean over the question's tokens of the best cosine among the passage's; `weakest` the same over the
    third of them that fared worst. A near miss speaks of the same things but for one: that one is in the third.
    """

    score: float
    weakest: float


def interactions(question: Vector, passages: Sequence[Vector]) -> list[Interaction | None]:
    """Each passage against the question, in order; None where there are no tokens to compare.

    All are unit vectors, shape (tokens, dimensions).
    """
    if not len(question):
        return [None] * len(passages)
    return [_interaction(question, passage) if len(passage) else None for passage in passages]


def _interaction(question: Vector, passage: Vector) -> Interaction:
    best = np.sort((question @ passage.T).max(axis=1))
    return Interaction(float(best.mean()), float(best[: max(1, len(best) // WEAKEST)].mean()))
