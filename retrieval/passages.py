"""Hits with their texts: what is shown and cited."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from documents.models import Chunk, DocumentVersion
from retrieval import candidates
from retrieval.diversity import Body, maximal_marginal_relevance, without_near_duplicates
from retrieval.ranking import Ranked
from retrieval.trace import Trace
from retrieval.types import Hit, Passage, SearchConfig, SearchScope

SPARE = 10  # hits read beyond those wanted, to take the place of near-duplicates


def passages_of(ranked: Ranked, scope: SearchScope, config: SearchConfig, trace: Trace) -> list[Passage]:
    """The best hits with their texts, best first. What the reader may not (or no longer) see is left out."""
    chunks = candidates.readable_chunks(scope, [hit.chunk_id for hit in ranked.hits[: _looked_at(config)]])
    hits = [hit for hit in ranked.hits if hit.chunk_id in chunks]
    if config.drops_duplicates or config.diversity:
        hits = _diverse(hits, chunks, config, trace)
    return [_found(chunks[hit.chunk_id], hit, ranked) for hit in hits[: config.top_k]]


def _looked_at(config: SearchConfig) -> int:
    if config.diversity:
        return max(config.reranked, config.top_k)
    return config.top_k + SPARE if config.drops_duplicates else config.top_k


def _diverse(hits: Sequence[Hit], chunks: Mapping[int, Chunk], config: SearchConfig, trace: Trace) -> list[Hit]:
    bodies = [Body.of(hit.place[0], chunks[hit.chunk_id].content_hash, chunks[hit.chunk_id].text) for hit in hits]
    kept, kept_bodies = list(hits), bodies
    if len({body.document_id for body in bodies}) > 1:  # one document's own repetitions stand there for a reason
        kept, kept_bodies = without_near_duplicates(hits, bodies)
        trace.notes["near_duplicates"] = len(hits) - len(kept)
    return maximal_marginal_relevance(kept, kept_bodies, limit=config.top_k) if config.diversity else kept


def passage_of(chunk: Chunk, score: float) -> Passage:
    """A served chunk, its version and document at hand, as no leg of a search found it."""
    version = cast(DocumentVersion, chunk.version)  # drafts, which have none, are in no allowed version
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
        score=score,
        legs=frozenset(),
    )


def _found(chunk: Chunk, hit: Hit, ranked: Ranked) -> Passage:
    words = ranked.words.scores.get(chunk.pk) if ranked.words else None
    signals = {"cosine": ranked.cosines[chunk.pk]} if chunk.pk in ranked.cosines else {}
    if words is not None:
        signals |= {"bm25": words.bm25, "coverage": words.coverage}
    passage = passage_of(chunk, hit.score)
    return replace(passage, legs=hit.legs, signals=signals, tokens=ranked.tokens.get(chunk.pk))
