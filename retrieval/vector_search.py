"""The semantic leg's SQL: the chunks whose vectors lie nearest to a question's."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from documents.vector_indexes import name_prefix
from retrieval.allowed import Allowed
from retrieval.statements import Row, rows, rows_of_prepared
from retrieval.types import Hit, SearchScope
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
    """The `limit` allowed chunks nearest to a question, by one model's vectors."""

    organization_id: UUID
    model: str
    question: Vector
    allowed: Allowed
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


def semantic_hits(
    scope: SearchScope, allowed: Allowed, question: Vector, *, model_id: str, limit: int, exact_chunks: int
) -> list[Hit]:
    """The chunks nearest in meaning, best first; scores are cosines. Only vectors of that model are compared.

    Up to `exact_chunks` chunks all of them are compared; above, the organization's index is used where it has one.
    """
    wanted = Wanted(scope.organization_id, model_id, question, allowed, limit)
    if allowed.chunk_count > exact_chunks:
        found = through_index(wanted)
        if len(found) == limit:  # else what the reader may see is too thinly spread among what the index gives
            return found
    return of_all(wanted)


def of_all(wanted: Wanted) -> list[Hit]:
    """What is wanted, nearest first, by comparing every vector; equal cosines go by document and position."""
    allowed = wanted.allowed
    nearest = f"""
        SELECT chunk_id, version_id, vector <=> %s::vector AS distance
        FROM documents_chunkembedding
        WHERE organization_id = %s AND version_id = ANY (%s::bigint[]) AND {allowed.embeddings}
          AND model_id = (SELECT id FROM documents_embeddingmodel WHERE name = %s AND dimensions = %s)
        ORDER BY distance, chunk_id LIMIT %s
    """
    of_versions = [wanted.organization_id, allowed.versions, *allowed.parameters]
    parameters = [wanted.literal, *of_versions, wanted.model, wanted.dimensions, wanted.limit]
    return _hits(allowed.rows(_placed(nearest), parameters))


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
    rows(
        "SELECT " + ", ".join(["set_config(%s, %s, true)"] * len(chosen)),
        [part for name, value in chosen.items() for part in (name, str(value))],
    )
    nearest = f"""
        SELECT chunk_id, version_id, vector <=> %s::vector AS distance
        FROM (
            SELECT chunk_id, version_id, vector
            FROM documents_chunkembedding
            WHERE organization_id = %s AND model_id = %s AND version_id IS NOT NULL AND {wanted.allowed.embeddings}
            ORDER BY vector::halfvec(%s) <=> %s::halfvec(%s) LIMIT %s
        ) AS indexed
        ORDER BY distance, chunk_id LIMIT %s
    """
    literal, dimensions = wanted.literal, wanted.dimensions
    widened = [dimensions, literal, dimensions, wanted.limit * WIDENING, wanted.limit]
    parameters = [literal, wanted.organization_id, index.model_id, *wanted.allowed.parameters, *widened]
    return _hits(rows(_placed(nearest), parameters))


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
    found = rows_of_prepared(sql, [name_prefix(wanted.organization_id), wanted.model, wanted.dimensions])
    return _Index(found[0][0], found[0][1], int(found[0][2])) if found else None


def _placed(nearest: str) -> str:
    return f"""
        WITH near AS MATERIALIZED ({nearest})
        SELECT near.chunk_id, 1 - near.distance, document.id, chunk.position
        FROM near
        JOIN documents_document AS document ON document.active_version_id = near.version_id
        JOIN documents_chunk AS chunk ON chunk.id = near.chunk_id
        ORDER BY near.distance, document.id, chunk.position
    """


def _hits(found: Sequence[Row]) -> list[Hit]:
    return [Hit(chunk_id, cosine, (document_id, position)) for chunk_id, cosine, document_id, position in found]
