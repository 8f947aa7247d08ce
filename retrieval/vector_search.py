"""The semantic leg's SQL: the chunks whose vectors lie nearest to a question's."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from django.db import connection

from documents.vector_indexes import name_prefix
from skillnet.backends.protocols import Vector

# A search through an index looks at more than it returns, in the index's half precision; the order is then made anew
# from the full vectors.
WIDENING = 2
# Of HNSW: candidates kept on the way. Of IVFFlat: the share of its lists that is read.
EF_SEARCH = 100
PROBED_SHARE = 0.25

Method = Literal["exact", "hnsw", "ivfflat"]


@dataclass(frozen=True, slots=True)
class Space:
    """The vectors of one organization that one model made, and the index they have."""

    organization_id: UUID
    model_id: int
    index: Method  # exact: none
    lists: int  # of an IVFFlat index


@dataclass(frozen=True, slots=True)
class Near:
    """A chunk and its distance (1 - cosine) from the question."""

    chunk_id: int
    version_id: int
    distance: float


def space_of(organization_id: UUID, model: str, dimensions: int) -> Space | None:
    """Where vectors of that model are searched; None when nothing was ever embedded with it."""
    sql = """
        SELECT model.id, coalesce(access.amname, 'exact'),
            coalesce((SELECT option_value FROM pg_options_to_table(i.reloptions) WHERE option_name = 'lists'), '1')
        FROM documents_embeddingmodel AS model
        LEFT JOIN pg_index AS x ON x.indexrelid = to_regclass('public.' || %s || model.id) AND x.indisvalid
        LEFT JOIN pg_class AS i ON i.oid = x.indexrelid
        LEFT JOIN pg_am AS access ON access.oid = i.relam
        WHERE model.name = %s AND model.dimensions = %s
    """
    rows = _rows(sql, [name_prefix(organization_id), model, dimensions])
    if not rows:
        return None
    [(model_id, method, lists)] = rows
    return Space(organization_id, model_id, method, int(lists))


def nearest(space: Space, question: Vector, version_ids: Sequence[int], *, limit: int, is_large: bool) -> list[Near]:
    """The `limit` chunks of those versions nearest to the question, nearest first; ties go to the lower chunk id.

    `is_large` says whether the versions hold so many chunks that an index pays. Where there is one it is used, unless
    it finds fewer chunks than asked for; else every vector is compared.
    """
    literal = "[" + ",".join(map(str, question.tolist())) + "]"
    if is_large and space.index != "exact":
        found = _through_index(space, literal, len(question), version_ids, limit)
        if len(found) == limit:
            return found
    sql = """
        SELECT chunk_id, version_id, vector <=> %s::vector AS distance
        FROM documents_chunkembedding
        WHERE organization_id = %s AND model_id = %s AND version_id = ANY (%s::bigint[])
        ORDER BY distance, chunk_id LIMIT %s
    """
    parameters = [literal, space.organization_id, space.model_id, list(version_ids), limit]
    return [Near(*row) for row in _rows(sql, parameters)]


def _through_index(space: Space, question: str, dimensions: int, version_ids: Sequence[int], limit: int) -> list[Near]:
    # The policy and the readable versions filter what the index gives: it goes on until enough is left. The settings
    # end with the transaction.
    probes = max(1, round(space.lists * PROBED_SHARE))
    chosen: dict[str, object] = (
        {"hnsw.iterative_scan": "relaxed_order", "hnsw.ef_search": EF_SEARCH}
        if space.index == "hnsw"
        else {"ivfflat.iterative_scan": "relaxed_order", "ivfflat.probes": probes}
    )
    _rows(
        "SELECT " + ", ".join(["set_config(%s, %s, true)"] * len(chosen)),
        [part for name, value in chosen.items() for part in (name, str(value))],
    )
    sql = f"""
        WITH near AS MATERIALIZED (
            SELECT chunk_id, version_id, vector
            FROM documents_chunkembedding
            WHERE organization_id = %s AND model_id = %s AND version_id IS NOT NULL
              AND version_id = ANY (%s::bigint[])
            ORDER BY vector::halfvec({dimensions}) <=> %s::halfvec({dimensions}) LIMIT %s
        )
        SELECT chunk_id, version_id, vector <=> %s::vector AS distance FROM near
        ORDER BY distance, chunk_id LIMIT %s
    """
    parameters = [
        space.organization_id,
        space.model_id,
        list(version_ids),
        question,
        limit * WIDENING,
        question,
        limit,
    ]
    return [Near(*row) for row in _rows(sql, parameters)]


def _rows(sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
