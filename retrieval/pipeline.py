"""A question in, ranked passages out: the stages of a search, in order, with a trace."""

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, cast

from django.core.exceptions import ImproperlyConfigured

from documents.models import Chunk, DocumentVersion
from documents.token_vectors import TokenVectors
from retrieval import candidates
from retrieval.calibration import calibration_for
from retrieval.candidates import Allowed
from retrieval.diversity import Body, maximal_marginal_relevance, without_near_duplicates
from retrieval.fusion import Ranking, reciprocal_rank_fusion
from retrieval.keywords import Corpus, KeywordScore, Term, expression_query
from retrieval.question import MAX_CHARACTERS, parse_expression, shifted_alpha
from retrieval.reranking import LateInteraction, ModelScores, Reranked, Reranker
from retrieval.signals import signals_of
from retrieval.types import Hit, Leg, Passage, SearchConfig, SearchResult, SearchScope
from skillnet.backends import get_embedder
from skillnet.backends.language import detect_language
from skillnet.backends.protocols import Embedder, Vector
from skillnet.backends.rerankers import get_passage_scorer
from skillnet.errors import BackendUnavailable, InvalidEmbedding

logger = logging.getLogger(__name__)


def search(
    question: str, scope: SearchScope, config: SearchConfig | None = None, *, history: Sequence[str] = ()
) -> SearchResult:
    """The passages that answer a question best, best first, and how sure that is.

    `history` holds the conversation's earlier questions, oldest first.

    Call inside the organization's scope. The same question and data give the same order. When the embedder cannot
    be reached the search goes on with words alone and the trace says so.
    """
    config = config or SearchConfig()
    trace = Trace()
    question = question[:MAX_CHARACTERS].strip()
    with trace.stage("language"):
        language = detect_language(question)
    run = _Search(question, scope, config, language, trace)
    hits = run.ranked() if question else []
    with trace.stage("passages"):
        passages = _passages(hits, scope, run)
    signals = run.signals
    calibration = calibration_for(run.model_id, run.kind)
    confidence = calibration.confidence(signals) if passages else 0.0
    trace.notes["signals"] = dict(signals)
    return SearchResult(
        question=question,
        passages=tuple(passages),
        confidence=confidence,
        evidence=bool(passages) and confidence >= calibration.threshold,
        language=language,
        rung="chunks" if passages else "none",
        trace=trace.as_dict(),
        searched=question,
    )


class Trace:
    """The time of each stage in ms, how many candidates it left, and what was out of the ordinary."""

    def __init__(self) -> None:
        self.timings_ms: dict[str, float] = {}
        self.candidates: dict[str, int] = {}
        self.notes: dict[str, Any] = {}
        self._started = time.perf_counter()

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self.timings_ms[name] = self.timings_ms.get(name, 0.0) + (time.perf_counter() - started) * 1000

    def as_dict(self) -> dict[str, Any]:
        total = (time.perf_counter() - self._started) * 1000
        timings = {name: round(value, 2) for name, value in {**self.timings_ms, "total": total}.items()}
        return {**self.notes, "timings_ms": timings, "candidates": self.candidates}


class _Search:
    """One search while it runs."""

    def __init__(self, question: str, scope: SearchScope, config: SearchConfig, language: str, trace: Trace) -> None:
        self.question = question
        self.scope = scope
        self.config = config
        self.language = language
        self.trace = trace
        self.model_id: str | None = None
        self.semantic: list[Hit] = []
        self.keyword: list[Hit] = []
        self.keyword_scores: Mapping[int, KeywordScore] = {}
        self.question_tokens: Vector | None = None
        self.reranked: Reranked | None = None
        self.signals: Mapping[str, float] = {}
        self.is_foreign = False  # whether no document is written in the question's language

    @property
    def kind(self) -> str:
        """What the result rests on, as calibrations are named."""
        if not self.semantic:
            return "keyword"
        if self.is_foreign:
            return "meaning"
        if "late_interaction" in self.signals:
            return "late_interaction"
        return "vector" if self.config.mode == "vector" else "hybrid"

    def ranked(self) -> list[Hit]:
        allowed = candidates.allowed_versions(self.scope)
        if allowed is None:
            return []
        if self.config.mode != "keyword" and not self.config.advanced:
            self._find_by_meaning(allowed)
        with self.trace.stage("keyword"):
            corpus = candidates.corpus_of(self.scope.organization_id)
            self.is_foreign = bool(corpus.languages) and self.language not in corpus.languages
            terms, pool = self._keyword_pool(allowed, corpus)
            # Chunks found by meaning are scored as well: how many of the question's words they hold tells how sure
            # the answer is, but only what the words found is ranked by them.
            scored = dict.fromkeys([*pool, *(hit.chunk_id for hit in self.semantic)])
            by_words, self.keyword_scores = candidates.keyword_scores(self.scope, allowed, terms, corpus, list(scored))
            if self.config.mode != "vector":
                found = set(pool)
                self.keyword = [hit for hit in by_words if hit.chunk_id in found][: self.config.candidates]
        self.trace.candidates |= {"pool": len(pool), "semantic": len(self.semantic), "keyword": len(self.keyword)}
        with self.trace.stage("fusion"):
            fused = self._fused(terms)
        hits = self._reranked(fused)
        self.signals = signals_of(
            self.semantic,
            self.keyword,
            hits,
            self.keyword_scores,
            terms,
            corpus,
            self.reranked.interactions if self.reranked else {},
        )
        return hits

    def _reranked(self, fused: list[Hit]) -> list[Hit]:
        """The fused order with its head looked at again; as it is where that cannot be done."""
        head, tail = fused[: self.config.reranked], fused[self.config.reranked :]
        try:
            with self.trace.stage("rerank"):
                reranker = self._reranker() if head else None
                if reranker is None:
                    return fused
                self.reranked = reranker.rerank(head)
        except (BackendUnavailable, ImproperlyConfigured) as error:
            logger.warning("search goes on in the fused order: %s", error)
            self.trace.notes["reranker"] = getattr(error, "code", "not_configured")
            return fused
        hits = list(self.reranked.hits)
        scale = hits[-1].score / head[-1].score if hits else 1.0
        return hits + [replace(hit, score=hit.score * scale) for hit in tail]

    def _reranker(self) -> Reranker | None:
        kind, organization_id = self.config.rerank, self.scope.organization_id
        if kind == "none" or self.config.advanced:
            return None
        if kind != "late_interaction":
            return ModelScores(organization_id, get_passage_scorer(kind), self.question)
        if self.question_tokens is None or self.model_id is None:
            return None
        weight = self.config.rerank_weight
        return LateInteraction(organization_id, self.model_id, self.question_tokens, weight=weight)

    def _find_by_meaning(self, allowed: Allowed) -> None:
        vector = self._embedded()
        if vector is None or self.model_id is None:
            return
        with self.trace.stage("semantic"):
            self.semantic = candidates.semantic_hits(
                self.scope, allowed, vector, model_id=self.model_id, limit=self.config.candidates
            )
            passed_over = candidates.documents_of_other_models(self.scope, self.model_id)
        if passed_over:
            self.trace.notes["mismatch"] = passed_over

    def _embedded(self) -> Vector | None:
        embedder = get_embedder()
        try:
            with self.trace.stage("embedding"):
                vector = self._vector(embedder)
        except (BackendUnavailable, InvalidEmbedding) as error:
            logger.warning("search goes on without vectors: %s", error)
            self.trace.notes["embedder"] = error.code
            return None
        self.model_id = embedder.model_id
        return vector

    def _vector(self, embedder: Embedder) -> Vector:
        if self.config.rerank != "late_interaction" or not embedder.supports_tokens:
            return embedder.embed_query(self.question)
        embedding = embedder.embed_query_with_tokens(self.question)
        self.question_tokens = embedding.tokens
        return embedding.vector

    def _keyword_pool(self, allowed: Allowed, corpus: Corpus) -> tuple[list[Term], list[int]]:
        languages = list(dict.fromkeys([self.language, *corpus.languages]))
        organization_id = self.scope.organization_id
        if self.config.advanced:
            expression = parse_expression(self.question)
            pieces = [piece for alternative in expression for piece in alternative]
            terms = candidates.terms_of(organization_id, languages, [piece.text for piece in pieces])
            query = expression_query(expression, terms)
            wanted = [term for term in terms if not pieces[term.piece].is_excluded]
            return wanted, candidates.matching(self.scope, allowed, query) if query else []
        terms = candidates.terms_of(organization_id, languages, [self.question])
        return terms, candidates.keyword_pool(self.scope, allowed, terms, enough=self.config.candidates)

    def _fused(self, terms: Sequence[Term]) -> list[Hit]:
        alpha = shifted_alpha(self.config.alpha, self.question, has_code=any(term.is_code for term in terms))
        self.trace.notes["alpha"] = alpha
        legs: tuple[tuple[Leg, float, list[Hit]], ...] = (
            ("semantic", alpha, self.semantic),
            ("keyword", 1 - alpha, self.keyword),
        )
        return reciprocal_rank_fusion(
            [Ranking(*leg) for leg in legs if leg[2]],
            k=self.config.rrf_k,
            strength=self.config.rrf_strength,
        )


def _passages(hits: Sequence[Hit], scope: SearchScope, run: _Search) -> list[Passage]:
    """The best hits with their texts. What the reader may not (or no longer) see is left out."""
    config = run.config
    hits = hits[: max(config.reranked, config.top_k) if config.diversity else config.top_k]
    documents = candidates.readable_documents(scope).order_by()
    chunks = {
        chunk.pk: chunk
        for chunk in Chunk.objects.for_organization(scope.organization_id)
        .filter(pk__in=[hit.chunk_id for hit in hits], version__document_where_active__in=documents)
        .select_related("version__document")
        .defer("meaning_text", "search_vector", "heading_vector")
    }
    hits = [hit for hit in hits if hit.chunk_id in chunks]
    if config.diversity:
        hits = _diverse(hits, chunks, run)
    cosine = {hit.chunk_id: hit.score for hit in run.semantic}
    tokens = run.reranked.tokens if run.reranked else {}
    return [
        _passage(
            chunks[hit.chunk_id],
            hit,
            cosine.get(hit.chunk_id),
            run.keyword_scores.get(hit.chunk_id),
            tokens.get(hit.chunk_id),
        )
        for hit in hits
    ]


def _diverse(hits: Sequence[Hit], chunks: Mapping[int, Chunk], run: _Search) -> list[Hit]:
    bodies = [Body.of(hit.place[0], chunks[hit.chunk_id].content_hash, chunks[hit.chunk_id].text) for hit in hits]
    kept, kept_bodies = without_near_duplicates(hits, bodies)
    run.trace.notes["near_duplicates"] = len(hits) - len(kept)
    return maximal_marginal_relevance(kept, kept_bodies, limit=run.config.top_k)


def _passage(
    chunk: Chunk, hit: Hit, cosine: float | None, words: KeywordScore | None, tokens: TokenVectors | None
) -> Passage:
    version = cast(DocumentVersion, chunk.version)  # drafts, which have none, are in no allowed version
    signals = {} if cosine is None else {"cosine": cosine}
    if words is not None:
        signals |= {"bm25": words.bm25, "coverage": words.coverage}
    return Passage(
        chunk_id=chunk.pk,
        document_id=version.document_id,
        document_title=version.document.title,
        version_id=version.pk,
        version_number=version.number,
        position=chunk.position,
        kind=chunk.kind,
        text=chunk.text,
        heading_path=tuple(chunk.heading_path),
        page_start=chunk.page_start,
        page_end=chunk.page_end,
        locator=chunk.locator,
        rows=None if chunk.rows is None else tuple(tuple(row) for row in chunk.rows),
        language=chunk.language,
        score=hit.score,
        legs=hit.legs,
        signals=signals,
        tokens=tokens,
    )
