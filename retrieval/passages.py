"""Hits with their texts: what is shown and cited."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from documents.models import Chunk, DocumentVersion
from retrieval.allowed import Part
from retrieval.diversity import Body, maximal_marginal_relevance, without_near_duplicates
from retrieval.ranking import Ranked
from retrieval.statements import array, rows_of_prepared
from retrieval.trace import Trace
from retrieval.types import Hit, Passage, SearchConfig, SearchScope

SPARE = 10  # hits read beyond those wanted, to take the place of near-duplicates


@dataclass(frozen=True, slots=True)
class Read:
    """A passage as it is stored, before it is known how it was found."""

    passage: Passage
    content_hash: str


def passages_of(ranked: Ranked, scope: SearchScope, config: SearchConfig, trace: Trace) -> list[Passage]:
    """The best hits with their texts, best first. What the reader may not (or no longer) see is left out."""
    readable = ranked.allowed.still_readable if ranked.allowed else None
    read = readable_passages(scope, readable, [hit.chunk_id for hit in ranked.hits[: _looked_at(config)]])
    hits = [hit for hit in ranked.hits if hit.chunk_id in read]
    if config.drops_duplicates or config.diversity:
        hits = _diverse(hits, read, config, trace)
    return [_found(read[hit.chunk_id].passage, hit, ranked) for hit in hits[: config.top_k]]


def readable_passages(scope: SearchScope, readable: Part | None, chunk_ids: Sequence[int]) -> dict[int, Read]:
    """Those of the organization's chunks that meet a condition on documents_chunk, by id; none for no condition."""
    if readable is None or not chunk_ids:
        return {}
    sql = f"""
        SELECT documents_chunk.id, document.id, document.title, version.id, version.number, documents_chunk.position,
            kind, text, heading_path, page_start, page_end, locator::text, rows::text, documents_chunk.language,
            content_hash
        FROM documents_chunk
        JOIN documents_documentversion AS version ON version.id = version_id
        JOIN documents_document AS document ON document.id = version.document_id
        WHERE documents_chunk.id = ANY (%s::bigint[]) AND documents_chunk.organization_id = %s AND {readable.sql}
    """
    found = rows_of_prepared(sql, [array(chunk_ids), scope.organization_id, *readable.parameters])
    return {row[0]: Read(_passage(*row[:-1]), row[-1]) for row in found}


def _passage(
    chunk_id: int,
    document_id: int,
    document_title: str,
    version_id: int,
    version_number: int,
    position: int,
    kind: str,
    text: str,
    heading_path: Sequence[str],
    page_start: int | None,
    page_end: int | None,
    locator: str,
    rows: str | None,
    language: str,
) -> Passage:
    return Passage(
        chunk_id=chunk_id,
        document_id=document_id,
        document_title=document_title,
        version_id=version_id,
        version_number=version_number,
        position=position,
        kind=kind,
        text=text,
        heading_path=tuple(heading_path),
        page_start=page_start,
        page_end=page_end,
        locator=json.loads(locator),
        rows=_rows(None if rows is None else json.loads(rows)),
        language=language,
        score=0.0,
        legs=frozenset(),
    )


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
        rows=_rows(chunk.rows),
        language=chunk.language,
        score=score,
        legs=frozenset(),
    )


def _rows(stored: Sequence[Sequence[str]] | None) -> tuple[tuple[str, ...], ...] | None:
    return None if stored is None else tuple(tuple(row) for row in stored)


def _looked_at(config: SearchConfig) -> int:
    if config.diversity:
        return max(config.reranked, config.top_k)
    return config.top_k + SPARE if config.drops_duplicates else config.top_k


def _diverse(hits: Sequence[Hit], read: Mapping[int, Read], config: SearchConfig, trace: Trace) -> list[Hit]:
    bodies = [Body.of(hit.place[0], read[hit.chunk_id].content_hash, read[hit.chunk_id].passage.text) for hit in hits]
    kept, kept_bodies = list(hits), bodies
    if len({body.document_id for body in bodies}) > 1:  # one document's own repetitions stand there for a reason
        kept, kept_bodies = without_near_duplicates(hits, bodies)
        trace.notes["near_duplicates"] = len(hits) - len(kept)
    return maximal_marginal_relevance(kept, kept_bodies, limit=config.top_k) if config.diversity else kept


def _found(passage: Passage, hit: Hit, ranked: Ranked) -> Passage:
    chunk_id = hit.chunk_id
    words = ranked.words.scores.get(chunk_id) if ranked.words else None
    signals = {"cosine": ranked.cosines[chunk_id]} if chunk_id in ranked.cosines else {}
    if words is not None:
        signals |= {"bm25": words.bm25, "coverage": words.coverage}
    return replace(passage, score=hit.score, legs=hit.legs, signals=signals, tokens=ranked.tokens.get(chunk_id))
