"""The head of the fused order, looked at again more closely."""

import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol
from uuid import UUID

from documents.models import Chunk, ChunkEmbedding, Collection
from documents.token_vectors import TokenVectors, decode
from retrieval.late_interaction import Interaction, interactions
from retrieval.spread import mean_and_deviation
from retrieval.types import Hit
from skillnet.backends.protocols import Vector
from skillnet.backends.rerankers import PassageScorer

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Reranked:
    """Hits in their new order, and what was learned of them by chunk id."""

    hits: Sequence[Hit]
    interactions: Mapping[int, Interaction] = field(default_factory=dict)
    tokens: Mapping[int, TokenVectors] = field(default_factory=dict)


class Reranker(Protocol):
    def rerank(self, hits: Sequence[Hit]) -> Reranked:
        """Put some hits, best first, in a better order. Scores stay above 0. Raises: BackendUnavailable."""
        ...


class LateInteraction:
    """Mixes late interaction, with the chunks' stored token vectors, into the fused scores.

    A chunk without stored tokens (its collection does without, or another model made them) keeps its fused score.
    """

    def __init__(self, organization_id: UUID, model_id: str, question: Vector, *, weight: float) -> None:
        self._organization_id = organization_id
        self._model_id = model_id
        self._question = question
        self._weight = weight

    def rerank(self, hits: Sequence[Hit]) -> Reranked:
        tokens = self._stored([hit.chunk_id for hit in hits])
        measured = interactions(self._question, [kept.vectors for kept in tokens.values()])
        found = {chunk_id: one for chunk_id, one in zip(tokens, measured, strict=True) if one is not None}
        scores = {chunk_id: one.score for chunk_id, one in found.items()}
        return Reranked(blended(hits, scores, weight=self._weight), found, tokens)

    def _stored(self, chunk_ids: Sequence[int]) -> dict[int, TokenVectors]:
        without = Collection.objects.for_organization(self._organization_id).filter(late_interaction=False)
        rows = (
            ChunkEmbedding.objects.for_organization(self._organization_id)
            .filter(
                chunk_id__in=chunk_ids,
                model__name=self._model_id,
                model__dimensions=self._question.shape[1],
                tokens__isnull=False,
            )
            .exclude(version__document__collection__in=without)
            .values_list("chunk_id", "tokens")
        )
        dimensions = self._question.shape[1]
        return {chunk_id: decode(bytes(stored), dimensions) for chunk_id, stored in rows}


class ModelScores:
    """Orders by the scores of a model that reads question and passage together."""

    def __init__(self, organization_id: UUID, scorer: PassageScorer, question: str) -> None:
        self._organization_id = organization_id
        self._scorer = scorer
        self._question = question

    def rerank(self, hits: Sequence[Hit]) -> Reranked:
        texts = dict(
            Chunk.objects.for_organization(self._organization_id)
            .filter(pk__in=[hit.chunk_id for hit in hits])
            .values_list("pk", "meaning_text")
        )
        known = [hit for hit in hits if hit.chunk_id in texts]
        scores = self._scorer.scores(self._question, [texts[hit.chunk_id] for hit in known])
        return Reranked(ordered(known, scores))


def blended(hits: Sequence[Hit], scores: Mapping[int, float], *, weight: float) -> list[Hit]:
    """Hits by (1 - weight) of their own score and `weight` of the other, brought to mean and spread of the own scores
    of the same hits. A hit without the other keeps its own: it neither wins nor loses by what nobody measured.

    The new scores run from just above 0 to 1. Ties keep their order.
    """
    if not hits or not scores:
        return list(hits)
    own = dict(zip((hit.chunk_id for hit in hits), _standardized([hit.score for hit in hits]), strict=True))
    measured = [own[chunk_id] for chunk_id in scores]
    mean, deviation = mean_and_deviation(measured)
    others = {
        chunk_id: mean + deviation * value
        for chunk_id, value in zip(scores, _standardized(list(scores.values())), strict=True)
    }
    mixed = [(1 - weight) * own[hit.chunk_id] + weight * others.get(hit.chunk_id, own[hit.chunk_id]) for hit in hits]
    return _sorted(hits, [_above_zero(value) for value in mixed])


def ordered(hits: Sequence[Hit], scores: Sequence[float]) -> list[Hit]:
    """Hits by a model's scores, whatever their scale. The new scores lie between 0 and 1. Ties keep their order."""
    return _sorted(hits, [_above_zero(value) for value in _standardized(scores)])


def _sorted(hits: Sequence[Hit], scores: Sequence[float]) -> list[Hit]:
    rescored = [replace(hit, score=score) for hit, score in zip(hits, scores, strict=True)]
    return sorted(rescored, key=lambda hit: -hit.score)


def _standardized(values: Sequence[float]) -> list[float]:
    if not values:
        return []
    mean, deviation = mean_and_deviation(values)
    return [(value - mean) / deviation for value in values]


def _above_zero(value: float) -> float:
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, value))))
