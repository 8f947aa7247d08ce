"""The queue of what the tutor does when nobody waits for it."""

import logging
from collections.abc import Sequence
from functools import partial
from uuid import UUID

import django_rq
from django.db import close_old_connections, transaction
from django_rq import job
from redis.exceptions import RedisError

from skillnet.tenancy import organization_scope
from tutor.prepared import open_questions

logger = logging.getLogger(__name__)

QUEUE = "tutor"
READ_AT_ONCE = 20  # questions in one transaction


@job(QUEUE)
def read_open_questions(organization_id: UUID, turn_ids: Sequence[UUID]) -> None:
    """Make questions ready for being compared with each other. Safe to run twice."""
    close_old_connections()
    for start in range(0, len(turn_ids), READ_AT_ONCE):
        with organization_scope(organization_id):
            open_questions.read(organization_id, turn_ids[start : start + READ_AT_ONCE])


def read_on_commit(organization_id: UUID, turn_ids: Sequence[UUID]) -> None:
    """Have questions made ready for being compared once the present transaction has committed. The page that compares
    them asks again for those that a lost queue has lost.
    """
    transaction.on_commit(partial(_enqueue, organization_id, list(turn_ids)))


def _enqueue(organization_id: UUID, turn_ids: list[UUID]) -> None:
    try:
        queue = django_rq.get_queue(QUEUE)
        queue.enqueue(read_open_questions, organization_id, turn_ids, result_ttl=0, failure_ttl=86_400)
    except RedisError as error:
        logger.warning("queue not reached, open questions are read later: %s", error)
