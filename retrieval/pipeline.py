"""A question in, ranked passages out: the stages of a search, in order, with a trace."""

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, cast

from documents.models import Chunk, DocumentVersion
from retrieval import candidates
from retrieval.calibration import calibration_for
from retrieval.candidates import Allowed
from retrieval.fusion import Ranking, reciprocal_rank_fusion
from retrieval.keywords import Corpus, KeywordScore, Term, expression_query
from retrieval.question import MAX_CHARACTERS, parse_expression, shifted_alpha
from retrieval.signals import signals_of
from retrieval.types import Hit, Leg, Passage, SearchConfig, SearchResult, SearchScope
from skillnet.backends import get_embedder
from skillnet.backends.language import detect_language
from skillnet.backends.protocols import Vector
from skillnet.errors import BackendUnavailable, InvalidEmbedding

logger = logging.getLogger(__name__)


def search(question: str, scope: SearchScope, config: SearchConfig | None = None) -> SearchResult:
    """The passages that answer a question best, best first, and how sure that is.

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
        passages = _passages(hits[: config.top_k], scope, run)
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
        self.signals: Mapping[str, float] = {}
        self.is_foreign = False  # whether no document is written in the question's language

    @property
    def kind(self) -> str:
        """What the result rests on, as calibrations are named."""
        if not self.semantic:
            return "keyword"
        if self.is_foreign:
            return "meaning"
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
        self.signals = signals_of(self.semantic, self.keyword, fused, self.keyword_scores, terms, corpus)
        return fused

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
                vector = embedder.embed_query(self.question)
        except (BackendUnavailable, InvalidEmbedding) as error:
            logger.warning("search goes on without vectors: %s", error)
            self.trace.notes["embedder"] = error.code
            return None
        self.model_id = embedder.model_id
        return vector

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
    """The hits with their texts. What the reader may not (or no longer) see is left out."""
    documents = candidates.readable_documents(scope).order_by()
    chunks = {
        chunk.pk: chunk
        for chunk in Chunk.objects.for_organization(scope.organization_id)
        .filter(pk__in=[hit.chunk_id for hit in hits], version__document_where_active__in=documents)
        .select_related("version__document")
        .defer("meaning_text", "search_vector", "heading_vector")
    }
    cosine = {hit.chunk_id: hit.score for hit in run.semantic}
    return [
        _passage(chunks[hit.chunk_id], hit, cosine.get(hit.chunk_id), run.keyword_scores.get(hit.chunk_id))
        for hit in hits
        if hit.chunk_id in chunks
    ]


def _passage(chunk: Chunk, hit: Hit, cosine: float | None, words: KeywordScore | None) -> Passage:
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
    )
