"""Which collections a question is probably about: those whose middle, the mean of their vectors, lies nearest to it.

Off unless SearchConfig.route_collections says otherwise: what routing saves is time, and what it costs is recall.
Call inside the organization's scope.
"""

import logging
from typing import Any, Final
from uuid import UUID

import django_rq
from django.db import close_old_connections, connection, transaction
from redis.exceptions import RedisError

from skillnet.backends.protocols import Vector
from skillnet.embedded.weights import MODEL_NAME
from skillnet.tenancy import organization_scope

logger = logging.getLogger(__name__)

COLLECTIONS: Final = 3  # looked in
# Cosine with a middle; a question under it with all of them is about none.
MINIMUM: Final = 0.80
MINIMUMS: Final = {MODEL_NAME: 0.60}  # its vectors lie further apart than other models'
QUEUE: Final = "ingestion"

# What a collection serves now, in one line: another one when a document is published, moved or deleted.
_STATE = """
    SELECT collection_id, md5(string_agg(active_version_id::text, ',' ORDER BY active_version_id)) AS state
    FROM documents_document
    WHERE organization_id = %s AND collection_id IS NOT NULL AND active_version_id IS NOT NULL
    GROUP BY collection_id
"""


def nearest_collections(organization_id: UUID, question: Vector, model_id: str) -> tuple[int, ...]:
    """Ids of the collections to look in, nearest first; none when everything is to be searched.

    A collection whose documents have changed since its middle was measured is always among them, and is measured
    anew by a job.
    """
    vector = "[" + ",".join(map(str, question.tolist())) + "]"
    sql = f"""
        WITH served AS ({_STATE})
        SELECT served.collection_id, 1 - (middle.vector <=> %s::vector)
        FROM served LEFT JOIN retrieval_collectioncentroid AS middle
            ON middle.organization_id = %s AND middle.collection_id = served.collection_id
            AND middle.state = served.state
            AND middle.model_id = (SELECT id FROM documents_embeddingmodel WHERE name = %s AND dimensions = %s)
        ORDER BY 2 DESC NULLS LAST, 1
    """  # noqa: S608 - our own parts
    rows = _rows(sql, [organization_id, vector, organization_id, model_id, len(question)])
    changed = [pk for pk, cosine in rows if cosine is None]
    if changed:
        transaction.on_commit(lambda: _enqueue(organization_id, model_id))
    near = [pk for pk, cosine in rows if cosine is not None and cosine >= MINIMUMS.get(model_id, MINIMUM)][:COLLECTIONS]
    return (*near, *changed) if near else ()


def measure(organization_id: UUID, model_id: str) -> int:
    """Measure the middles of collections anew whose documents have changed. Returns how many were."""
    sql = f"""
        WITH served AS ({_STATE}), model AS (SELECT id FROM documents_embeddingmodel WHERE name = %s)
        INSERT INTO retrieval_collectioncentroid AS middle (organization_id, collection_id, model_id, vector, state)
        SELECT %s, served.collection_id, model.id, avg(embedding.vector), served.state
        FROM model CROSS JOIN served
        JOIN documents_document AS document ON document.collection_id = served.collection_id
        JOIN documents_chunkembedding AS embedding
            ON embedding.version_id = document.active_version_id AND embedding.model_id = model.id
        WHERE NOT EXISTS (
            SELECT FROM retrieval_collectioncentroid AS known
            WHERE known.collection_id = served.collection_id AND known.model_id = model.id
                AND known.state = served.state
        )
        GROUP BY served.collection_id, model.id, served.state
        ON CONFLICT (collection_id, model_id) DO UPDATE SET vector = excluded.vector, state = excluded.state
        RETURNING 1
    """  # noqa: S608 - our own parts
    return len(_rows(sql, [organization_id, model_id, organization_id]))


def measure_later(organization_id: UUID, model_id: str) -> None:
    """The job of measuring. Safe to run twice."""
    close_old_connections()
    with organization_scope(organization_id):
        measure(organization_id, model_id)


def _enqueue(organization_id: UUID, model_id: str) -> None:
    try:
        queue = django_rq.get_queue(QUEUE)
        queue.enqueue(measure_later, organization_id, model_id, job_id=f"collections-{organization_id}", result_ttl=0)
    except RedisError as error:
        logger.warning("queue not reached, the next search will ask again: %s", error)


def _rows(sql: str, parameters: list[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
