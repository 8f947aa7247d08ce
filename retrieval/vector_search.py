"""The semantic leg's SQL: the chunks whose vectors lie nearest to a question's."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection

from documents.vector_indexes import name_prefix
from retrieval.types import Hit
from skillnet.backends.protocols import Vector

# A search through an index looks at more than it returns, in the index's half precision; the order is then made anew
# from the full vectors.
WIDENING = 2
# Of HNSW: candidates kept on the way; with fewer, now and then a whole neighbourhood is not come upon. Of IVFFlat: the
# share of its lists that is read.
EF_SEARCH = 400
PROBED_SHARE = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """The `limit` chunks of some versions nearest to a question that meet a condition, by one model's vectors."""

    organization_id: UUID
    model: str
    question: Vector
    version_ids: Sequence[int]
    condition: str  # on documents_chunkembedding; says as well that it is of those versions
    parameters: tuple[Any, ...]  # of the condition
    limit: int

    @property
    def literal(self) -> str:
        """The question's vector as PostgreSQL reads it."""
        return "[" + ",".join(map(str, self.question.tolist())) + "]"

    @property
    def dimensions(self) -> int:
        return len(self.question)


@dataclass(frozen=True, slots=True)
class _Index:
    model_id: int
    kind: str
    lists: int  # of IVFFlat


def of_all(wanted: Wanted) -> list[Hit]:
    """What is wanted, nearest first, by comparing every vector; equal cosines go by document and position."""
    candidates = f"""
        SELECT chunk_id, version_id, vector <=> %s::vector AS distance
        FROM documents_chunkembedding
        WHERE organization_id = %s AND version_id = ANY (%s::bigint[]) AND {wanted.condition}
          AND model_id = (SELECT id FROM documents_embeddingmodel WHERE name = %s AND dimensions = %s)
        ORDER BY distance, chunk_id LIMIT %s
    """
    of_versions = [wanted.organization_id, list(wanted.version_ids), *wanted.parameters]
    return _placed(candidates, [wanted.literal, *of_versions, wanted.model, wanted.dimensions, wanted.limit])


def through_index(wanted: Wanted) -> list[Hit]:
    """What is wanted, nearest first, by way of the organization's index; nothing where it has none.

    Fewer than wanted, where few of the chunks that the index gives meet the condition.
    """
    index = _index_of(wanted)
    if index is None:
        return []
    # The policy and the condition filter what the index gives: it goes on until enough is left. The settings end with
    # the transaction. Organization and model stand in the statement as they do in the index's own condition.
    chosen: dict[str, object] = (
        {"hnsw.iterative_scan": "relaxed_order", "hnsw.ef_search": EF_SEARCH}
        if index.kind == "hnsw"
        else {
            "ivfflat.iterative_scan": "relaxed_order",
            "ivfflat.probes": max(1, round(index.lists * PROBED_SHARE)),
        }
    )
    _rows(
        "SELECT " + ", ".join(["set_config(%s, %s, true)"] * len(chosen)),
        [part for name, value in chosen.items() for part in (name, str(value))],
    )
    candidates = f"""
        SELECT chunk_id, version_id, vector <=> %s::vector AS distance
        FROM (
            SELECT chunk_id, version_id, vector
            FROM documents_chunkembedding
            WHERE organization_id = %s AND model_id = %s AND version_id IS NOT NULL AND {wanted.condition}
            ORDER BY vector::halfvec(%s) <=> %s::halfvec(%s) LIMIT %s
        ) AS indexed
        ORDER BY distance, chunk_id LIMIT %s
    """
    literal, dimensions = wanted.literal, wanted.dimensions
    widened = [dimensions, literal, dimensions, wanted.limit * WIDENING, wanted.limit]
    return _placed(candidates, [literal, wanted.organization_id, index.model_id, *wanted.parameters, *widened])


def _index_of(wanted: Wanted) -> _Index | None:
    sql = """
        SELECT model.id, access.amname,
            coalesce((SELECT option_value FROM pg_options_to_table(i.reloptions) WHERE option_name = 'lists'), '1')
        FROM documents_embeddingmodel AS model
        JOIN pg_index AS x ON x.indexrelid = to_regclass('public.' || %s || model.id) AND x.indisvalid
        JOIN pg_class AS i ON i.oid = x.indexrelid
        JOIN pg_am AS access ON access.oid = i.relam
        WHERE model.name = %s AND model.dimensions = %s
    """
    rows = _rows(sql, [name_prefix(wanted.organization_id), wanted.model, wanted.dimensions])
    return _Index(rows[0][0], rows[0][1], int(rows[0][2])) if rows else None


def _placed(candidates: str, parameters: Sequence[Any]) -> list[Hit]:
    sql = f"""
        WITH near AS MATERIALIZED ({candidates})
        SELECT near.chunk_id, 1 - near.distance, document.id, chunk.position
        FROM near
        JOIN documents_document AS document ON document.active_version_id = near.version_id
        JOIN documents_chunk AS chunk ON chunk.id = near.chunk_id
        ORDER BY near.distance, document.id, chunk.position
    """
    return [
        Hit(chunk_id, cosine, (document_id, position))
        for chunk_id, cosine, document_id, position in _rows(sql, parameters)
    ]


def _rows(sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
