"""One question ranked: both legs, fused, looked at again, and how sure the outcome is."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.core.exceptions import ImproperlyConfigured

from documents.token_vectors import TokenVectors
from retrieval.allowed import Allowed, allowed_chunks
from retrieval.calibration import calibration_for
from retrieval.fusion import Ranking, reciprocal_rank_fusion
from retrieval.legs import Asked, Meaning, Words, by_meaning, by_words
from retrieval.question import shifted_alpha
from retrieval.reranking import LateInteraction, ModelScores, Reranked, Reranker
from retrieval.signals import signals_of
from retrieval.trace import Trace
from retrieval.types import Hit
from skillnet.backends.rerankers import get_passage_scorer
from skillnet.errors import BackendUnavailable

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ranked:
    """The hits in their final order, and what was learned of them by chunk id."""

    hits: Sequence[Hit] = ()
    allowed: Allowed | None = None  # None when there was nothing to search
    words: Words | None = None
    cosines: Mapping[int, float] = field(default_factory=dict)
    tokens: Mapping[int, TokenVectors] = field(default_factory=dict)
    signals: Mapping[str, float] = field(default_factory=dict)
    confidence: float = 0.0  # calibrated, in [0, 1]
    threshold: float = 1.0  # the confidence from which on an answer is worth giving

    @property
    def has_evidence(self) -> bool:
        return bool(self.hits) and self.confidence >= self.threshold


def rank(asked: Asked, trace: Trace) -> Ranked:
    """Rank the chunks that the scope allows by how well they answer."""
    allowed = allowed_chunks(asked.scope) if asked.question else None
    if allowed is None:
        return Ranked()
    meaning = by_meaning(asked, allowed, trace)
    words = by_words(asked, allowed, meaning, trace)
    with trace.stage("fusion"):
        fused = _fused(asked, meaning, words, trace)
    with trace.stage("rerank"):
        reranked = _reranked(asked, fused, meaning, trace)
    signals = signals_of(
        meaning.hits, words.hits, reranked.hits, words.scores, words.terms, words.corpus, reranked.interactions
    )
    calibration = calibration_for(meaning.model_id, _kind(asked, meaning, words, signals))
    return Ranked(
        hits=reranked.hits,
        allowed=allowed,
        words=words,
        cosines={hit.chunk_id: hit.score for hit in meaning.hits},
        tokens=reranked.tokens,
        signals=signals,
        confidence=calibration.confidence(signals) if reranked.hits else 0.0,
        threshold=min(max(calibration.threshold + asked.config.confidence_offset, 0.0), 1.0),
    )


def _fused(asked: Asked, meaning: Meaning, words: Words, trace: Trace) -> list[Hit]:
    config = asked.config
    has_code = any(term.is_code for term in words.terms)
    alpha = shifted_alpha(config.alpha, asked.question, has_code=has_code, is_foreign=words.is_foreign)
    trace.notes["alpha"] = alpha
    rankings = [Ranking("semantic", alpha, meaning.hits), Ranking("keyword", 1 - alpha, words.hits)]
    return reciprocal_rank_fusion(
        [ranking for ranking in rankings if ranking.hits], k=config.rrf_k, strength=config.rrf_strength
    )


def _reranked(asked: Asked, fused: list[Hit], meaning: Meaning, trace: Trace) -> Reranked:
    """The fused order with its head looked at again; as it is where that cannot be done."""
    head, tail = fused[: asked.config.reranked], fused[asked.config.reranked :]
    try:
        reranker = _reranker(asked, meaning) if head else None
        if reranker is None:
            return Reranked(fused)
        reranked = reranker.rerank(head)
    except (BackendUnavailable, ImproperlyConfigured) as error:
        logger.warning("search goes on in the fused order: %s", error)
        trace.notes["reranker"] = getattr(error, "code", "not_configured")
        return Reranked(fused)
    hits = list(reranked.hits)
    scale = hits[-1].score / head[-1].score if hits else 1.0
    return replace(reranked, hits=hits + [replace(hit, score=hit.score * scale) for hit in tail])


def _reranker(asked: Asked, meaning: Meaning) -> Reranker | None:
    config, organization_id = asked.config, asked.scope.organization_id
    if config.rerank == "none" or config.advanced:
        return None
    if config.rerank != "late_interaction":
        return ModelScores(organization_id, get_passage_scorer(config.rerank), asked.question)
    if meaning.question_tokens is None or meaning.model_id is None:
        return None
    return LateInteraction(organization_id, meaning.model_id, meaning.question_tokens, weight=config.rerank_weight)


def _kind(asked: Asked, meaning: Meaning, words: Words, signals: Mapping[str, float]) -> str:
    """What the result rests on, as calibrations are named."""
    if not meaning.hits:
        return "keyword"
    if words.is_foreign:
        return "meaning"
    if "late_interaction" in signals:
        return "late_interaction"
    return "vector" if asked.config.mode == "vector" else "hybrid"
