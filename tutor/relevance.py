"""How near each unit of a passage is to a question, by the embedder."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from documents.token_vectors import TokenVectors
from retrieval.embedding import question_with_tokens, text_vectors
from retrieval.types import Passage, SearchResult
from skillnet.backends.protocols import Embedder, Vector
from tutor.cutting import passage_units
from tutor.scoring import Choice, Match
from tutor.sections import heading_path_at
from tutor.units import Unit

READ_PASSAGES = 10
UNSTORED_PASSAGES = 3  # without stored tokens they cost some 50 to 120 ms each on two cores
WEAKEST = 3  # one in so many of the question's tokens
HEADINGS_READ = 2  # the lowest ones above a unit: they say what it is about
WORDS_READ = 60  # of a unit by itself: time grows with them


def read_passages(passages: Sequence[Passage]) -> Sequence[Passage]:
    """The first passages, as many as are read closely enough to answer from."""
    stored = next((at for at, passage in enumerate(passages) if passage.tokens is None), len(passages))
    return passages[: min(READ_PASSAGES, max(stored, UNSTORED_PASSAGES))]


def unit_matches(question: str, passages: Sequence[Passage], embedder: Embedder) -> list[list[Match]]:
    """For each passage, how near each of its units is to the question.

    With token vectors: late interaction over the unit's tokens, read inside their passage; those that search has
    read are used, others made. Without any: the cosine of the unit alone.
    Raises: BackendUnavailable, InvalidEmbedding.
    Source: Khattab and Zaharia, "ColBERT", SIGIR 2020; here with the embedder's own token vectors.
    """
    cut = [passage_units(passage) for passage in passages]
    if not passages:
        return []
    if embedder.supports_tokens:
        asked = question_with_tokens(embedder, question)
        return [_by_tokens(asked.tokens, one, units) for one, units in zip(_read(passages, embedder), cut, strict=True)]
    vector = embedder.embed_query(question)
    return [_by_cosine(vector, embedder, units) for units in cut]


def _by_cosine(vector: Vector, embedder: Embedder, units: Sequence[Unit]) -> list[Match]:
    if not units:
        return []
    cosines = np.clip(embedder.embed_passages([unit.text for unit in units]) @ vector, 0, 1)
    return [Match(value, value, value) for value in map(float, cosines)]


def cosines_alone(
    question: str, passages: Sequence[Passage], choices: Sequence[Choice], embedder: Embedder
) -> list[float]:
    """How near each choice's meaning is to the question's when it is embedded by itself, below its document's title and
    its headings: cosines, in [0, 1]. What stands around a unit in its passage has no part in it, nor has the end of a
    long one.

    Raises: BackendUnavailable, InvalidEmbedding.
    """
    texts = tuple(_under_headings(passages[choice.passage], choice.unit) for choice in choices)
    if not texts:
        return []
    cosines = text_vectors(embedder, texts) @ question_with_tokens(embedder, question).vector
    return [float(cosine) for cosine in np.clip(cosines, 0, 1)]


def _under_headings(passage: Passage, unit: Unit) -> str:
    above = heading_path_at(passage, unit.start)[-HEADINGS_READ:]
    return " > ".join((passage.document_title, *above)) + "\n" + " ".join(unit.text.split()[:WORDS_READ])


def passage_relevances(result: SearchResult) -> list[float]:
    """How sure the search is, in [0, 1], that each passage answers: the result's confidence for the best one,
    less for those behind it by their score.
    """
    best = max((passage.score for passage in result.passages), default=0.0)
    if best <= 0:
        return [result.confidence] * len(result.passages)
    return [round(result.confidence * max(0.0, passage.score / best), 4) for passage in result.passages]


def _read(passages: Sequence[Passage], embedder: Embedder) -> list[TokenVectors]:
    """The token vectors of each passage's text, stored ones where there are any."""
    missing = [passage for passage in passages if passage.tokens is None]
    made = iter(embedder.embed_passages_with_tokens([passage.text for passage in missing]) if missing else [])
    read = []
    for passage in passages:
        if passage.tokens is None:
            one = next(made)
            read.append(TokenVectors(one.tokens, one.spans))
        else:
            read.append(passage.tokens)
    return read


def _by_tokens(asked: Vector, read: TokenVectors, units: Sequence[Unit]) -> list[Match]:
    if not len(asked) or not len(read.vectors):
        return [Match()] * len(units)
    cosines = asked @ read.vectors.T
    inside = [_inside_unit(read.spans, unit) for unit in units]
    return [_match(cosines, inside, index) for index in range(len(units))]


def _match(cosines: NDArray[np.float32], inside: Sequence[NDArray[np.bool_]], index: int) -> Match:
    """Late interaction with a unit's tokens, and with those of its neighbours as well."""
    if not inside[index].any():  # past what the embedder sees
        return Match()
    alone = np.sort(cosines[:, inside[index]].max(axis=1))
    together = cosines[:, np.logical_or.reduce(inside[max(0, index - 1) : index + 2])].max(axis=1)
    third = max(1, len(alone) // WEAKEST)
    means = (alone.mean(), alone[:third].mean(), together.mean())
    return Match(*(float(np.clip(mean, 0, 1)) for mean in means))


def _inside_unit(spans: NDArray[np.int32], unit: Unit) -> NDArray[np.bool_]:
    """The tokens of a unit and, where it has any of its own, of its lead-in or header."""
    inside = _inside(spans, unit.start, unit.end)
    if unit.support is not None and inside.any():
        inside |= _inside(spans, *unit.support)
    return inside


def _inside(spans: NDArray[np.int32], start: int, end: int) -> NDArray[np.bool_]:
    # By where they begin: a stored vector may stand for two tokens, the second of the next unit.
    return (spans[:, 0] >= start) & (spans[:, 0] < end) & (spans[:, 0] < spans[:, 1])
