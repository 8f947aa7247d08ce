"""The queue of what the tutor does when nobody waits for it."""

import logging
from collections.abc import Sequence
from functools import partial
from uuid import UUID

import django_rq
from django.db import close_old_connections, transaction
from django_rq import job
from redis.exceptions import RedisError
from rq import Retry

from skillnet import mail_jobs
from skillnet.tenancy import organization_scope
from tutor import escalation_mail
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


@job(mail_jobs.QUEUE, retry=Retry(max=3))
def send_escalation(organization_id: UUID, recipient_id: int) -> None:
    """Tell one person by e-mail of a question that was passed on to them.

    Raises: SMTPException or OSError, when the mail server does not take it.
    """
    close_old_connections()
    with organization_scope(organization_id):
        escalation_mail.send(recipient_id)


def send_escalation_on_commit(organization_id: UUID, recipient_ids: Sequence[int]) -> None:
    """Have each of them told once the present transaction has committed. Without a queue it stays under their bell."""
    for recipient_id in recipient_ids:
        mail_jobs.enqueue_on_commit(
            send_escalation, organization_id, recipient_id, lost="a question passed on is not told by e-mail"
        )
