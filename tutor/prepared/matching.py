"""Whether a question is the same as one that has an answer: what must agree does, and likeness reaches a calibrated
threshold.

`python benchmarks/faq_pairs.py --fit` chooses the threshold on the tuning pairs and writes calibration.json.
Each belongs to one embedding model; where another is in use, or none, only questions of the same words are the same.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from skillnet.backends.protocols import PassageEmbedding, Vector
from tutor.prepared.agreement import agree
from tutor.prepared.likeness import likeness
from tutor.signs import word_key_with_signs as word_key

FILE = Path(__file__).with_name("calibration.json")
SAME_WORDS = 1.0
KEY_CHARACTERS = 500  # what its column holds; an index takes no text of any length


@dataclass(frozen=True)
class Asked:
    """A question and how to get its vectors: the same words are recognized without."""

    text: str
    model_id: str
    embed: Callable[[], PassageEmbedding | None]

    @cached_property
    def embedding(self) -> PassageEmbedding | None:
        """Its vectors, made when they are first needed; None while there is no embedder."""
        return self.embed()

    @property
    def key(self) -> str:
        return question_key(self.text)


@dataclass(frozen=True, slots=True)
class Calibration:
    """How alike questions are in one model's space. `threshold` was learned; distances are cosine distances, set by
    hand: up to which a wording has to do with a question (unrelated ones lie beyond), two groups of questions are
    answered by one text, and are about one topic.
    """

    threshold: float | None = None  # of the mean token likeness, in cosines; None: only the same words are the same
    related_distance: float = 0.13
    same_answer_distance: float = 0.06
    same_topic_distance: float = 0.12


UNKNOWN = Calibration()


def question_key(text: str) -> str:
    """The words of a question, folded: questions of equal keys are the same to a reader. One too long to be kept whole
    ends with a digest of all its words: a story that begins alike may end in another question.
    """
    words = word_key(text)
    if len(words) <= KEY_CHARACTERS:
        return words
    digest = hashlib.sha256(words.encode()).hexdigest()
    return f"{words[: KEY_CHARACTERS - len(digest) - 1]} {digest}"


def same_question(asked: Asked, text: str, vector: Vector | None, tokens: Vector | None) -> float:
    """How surely `text`, whose vectors are of the asker's model, asks what is asked: in [0, 1]; 0 when it is not the
    same.
    """
    agreement = agree(asked.text, text)
    if agreement.conflicts:
        return 0.0
    if asked.key and asked.key == question_key(text):
        return SAME_WORDS
    threshold = calibration_of(asked.model_id).threshold
    if threshold is None or not agreement.is_full or asked.embedding is None or vector is None:
        return 0.0
    found = likeness(asked.embedding, vector, np.empty((0, len(vector)), np.float32) if tokens is None else tokens)
    return found if found >= threshold else 0.0


def calibration_of(model_id: str) -> Calibration:
    """What is known of a model's questions."""
    return calibrations().get(model_id, UNKNOWN)


@cache
def calibrations() -> Mapping[str, Calibration]:
    content = json.loads(FILE.read_text(encoding="utf-8"))
    return {model_id: Calibration(**learned) for model_id, learned in content.items()}
