"""How near each unit of a passage is to a question, by the embedder."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from documents.token_vectors import TokenVectors
from retrieval.types import Passage, SearchResult
from skillnet.backends.protocols import Embedder, Vector
from tutor.extractive import passage_units
from tutor.units import Unit

# Passages without stored tokens cost some 50 to 120 ms each on two cores.
READ_PASSAGES = 3


def unit_similarities(question: str, passages: Sequence[Passage], embedder: Embedder) -> list[list[float]]:
    """For each passage, the similarity in [0, 1] of each of its units to the question.

    With token vectors: late interaction over the unit's tokens, read inside their passage; those that search has
    read are used, others made. Without any: the cosine of the unit alone.
    Raises: BackendUnavailable, InvalidEmbedding.
    Source: Khattab and Zaharia, "ColBERT", SIGIR 2020; here with the embedder's own token vectors.
    """
    cut = [passage_units(passage) for passage in passages]
    if not passages:
        return []
    if embedder.supports_tokens:
        asked = embedder.embed_query_with_tokens(question)
        return [_by_tokens(asked.tokens, one, units) for one, units in zip(_read(passages, embedder), cut, strict=True)]
    vector = embedder.embed_query(question)
    similarities = []
    for units in cut:
        if units:
            cosines = embedder.embed_passages([unit.text for unit in units]) @ vector
            similarities.append([float(value) for value in np.clip(cosines, 0, 1)])
        else:
            similarities.append([])
    return similarities


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


def _by_tokens(asked: Vector, read: TokenVectors, units: Sequence[Unit]) -> list[float]:
    if not len(asked) or not len(read.vectors):
        return [0.0] * len(units)
    cosines = asked @ read.vectors.T
    return [_late_interaction(cosines, read.spans, unit) for unit in units]


def _late_interaction(cosines: NDArray[np.float32], spans: NDArray[np.int32], unit: Unit) -> float:
    """The mean over the question's tokens of the best cosine among the tokens of the unit and of its lead-in
    or header.
    """
    inside = _inside(spans, unit.start, unit.end)
    if not inside.any():  # past what the embedder sees
        return 0.0
    if unit.support is not None:
        inside |= _inside(spans, *unit.support)
    return float(np.clip(cosines[:, inside].max(axis=1).mean(), 0, 1))


def _inside(spans: NDArray[np.int32], start: int, end: int) -> NDArray[np.bool_]:
    # By where they begin: a stored vector may stand for two tokens, the second of the next unit.
    return (spans[:, 0] >= start) & (spans[:, 0] < end) & (spans[:, 0] < spans[:, 1])
