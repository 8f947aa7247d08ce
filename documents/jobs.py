"""The ingestion queue's way in.

PostgreSQL knows what there is to do; a queued job only wakes a worker up. So a lost queue loses nothing, a job that
runs twice does nothing twice, and the dispatcher below, not the order of arrival, decides whose turn it is.
"""

import logging
import time
from uuid import UUID

import django_rq
from django.db import close_old_connections, connection, transaction
from django_rq import job
from redis.exceptions import RedisError

from documents import ingestion, reindexing, token_upkeep
from skillnet.memory import return_free_memory

logger = logging.getLogger(__name__)

QUEUE = "ingestion"
# After this long a job hands over to a new one: a worker asked to stop is heard between jobs.
SECONDS_A_JOB = 20.0


def enqueue() -> None:
    """Wake a worker up. When the queue cannot be reached the sweeper of a running worker finds the work anyway."""
    try:
        django_rq.get_queue(QUEUE).enqueue(work, result_ttl=0, failure_ttl=86_400)
    except RedisError as error:
        logger.warning("queue not reached, the sweeper will find the work: %s", error)


def is_idle() -> bool:
    """Whether nothing waits in the queue, so that another wake-up would not pile up behind."""
    return bool(django_rq.get_queue(QUEUE).is_empty())


def enqueue_on_commit() -> None:
    """Wake a worker up once the present transaction has committed."""
    transaction.on_commit(enqueue)


@job(QUEUE)
def work() -> None:
    """Do ingestion steps, an organization's turn after another's, until nothing is due; then see to token vectors."""
    close_old_connections()
    deadline = time.monotonic() + SECONDS_A_JOB
    try:
        while _one_step():
            if time.monotonic() > deadline:
                enqueue()
                return
    finally:
        return_free_memory()


def _one_step() -> bool:
    due = next_due()
    if due is None:
        return token_upkeep.advance() or reindexing.advance()
    ingestion.step(*due)
    return True


def next_due() -> tuple[UUID, int] | None:
    """The organization and version whose turn it is: of the organization served longest ago, its oldest version.

    Versions that another worker holds, or that wait for a later try, are passed over; the one returned is held by this
    session until `ingestion.release`. Asks a SECURITY DEFINER function, because no single organization's scope could
    tell whose turn it is; it returns ids alone.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT organization_id, version_id FROM documents_next_ingestion()")
        row = cursor.fetchone()
    return None if row is None else (row[0], row[1])
