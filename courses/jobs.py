"""The queue in which courses are written. A job only wakes a worker up: the draft's row knows how far it is."""

import logging
from uuid import UUID

import django_rq
from django.db import close_old_connections, connection, transaction
from django_rq import job
from redis.exceptions import RedisError

from courses import draft_writing

logger = logging.getLogger(__name__)

QUEUE = "courses"
SECONDS_A_JOB = 20.0  # then a job hands over to a new one, so that the other queues get their turn


def enqueue(organization_id: UUID, draft_id: UUID) -> None:
    """Wake a worker up for a draft. When the queue cannot be reached the sweeper finds the draft later."""
    try:
        django_rq.get_queue(QUEUE).enqueue(write, organization_id, draft_id, result_ttl=0, failure_ttl=86_400)
    except RedisError as error:
        logger.warning("queue not reached, the sweeper will find the draft: %s", error)


def enqueue_on_commit(organization_id: UUID, draft_id: UUID) -> None:
    """Wake a worker up for a draft once the present transaction has committed."""
    transaction.on_commit(lambda: enqueue(organization_id, draft_id))


@job(QUEUE)
def write(organization_id: UUID, draft_id: UUID) -> None:
    """Write lessons of a draft until it is done. Safe to run twice, or again after a crash."""
    close_old_connections()
    if draft_writing.run(organization_id, draft_id, seconds=SECONDS_A_JOB):
        enqueue(organization_id, draft_id)


def requeue_lost() -> None:
    """Wake workers up for drafts that have stood still: their job was lost with the queue or with its worker."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT organization_id, draft_id FROM courses_stalled_drafts()")
        stalled = cursor.fetchall()
    for organization_id, draft_id in stalled:
        enqueue(organization_id, draft_id)
