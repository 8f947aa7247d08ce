"""The queue of e-mails about people."""

import logging
from collections.abc import Callable
from uuid import UUID

import django_rq
from django.db import close_old_connections, transaction
from django_rq import job
from redis.exceptions import RedisError
from rq import Retry

from skillnet import invitation_mail, notification_mail
from skillnet.tenancy import organization_scope

logger = logging.getLogger(__name__)

QUEUE = "mail"


def enqueue_on_commit(send: Callable[..., None], *arguments: object, lost: str) -> None:
    """Have a job send an e-mail once the present transaction has committed, and try again where the mail server does
    not take it. `lost` is what the log says is missing when the queue cannot be reached.
    """

    def enqueue() -> None:
        try:
            django_rq.get_queue(QUEUE).enqueue(
                send, *arguments, result_ttl=0, failure_ttl=86_400, retry=Retry(max=3, interval=[30, 120, 600])
            )
        except RedisError as error:
            logger.warning("queue not reached, %s: %s", lost, error)

    transaction.on_commit(enqueue)


@job(QUEUE, retry=Retry(max=3))
def send_invitation(organization_id: UUID, invitation_id: int) -> None:
    """Send an invitation's e-mail, unless it was sent or closed meanwhile. Safe to run twice.

    Raises: SMTPException or OSError, when the mail server does not take it; the invitation then stays unsent.
    """
    close_old_connections()
    with organization_scope(organization_id):
        invitation_mail.send(invitation_id)


@job(QUEUE, retry=Retry(max=3))
def send_notification(organization_id: UUID, user_id: int, matter: str) -> None:
    """Tell someone by e-mail what stands unread under their bell, unless they have read it meanwhile.

    Raises: SMTPException or OSError, when the mail server does not take it.
    """
    close_old_connections()
    with organization_scope(organization_id):
        notification_mail.send(user_id, matter)


def send_notification_on_commit(organization_id: UUID, user_id: int, matter: str) -> None:
    """Have a notification sent by e-mail once the present transaction has committed. Without a queue it stays under
    the bell alone.
    """

    enqueue_on_commit(send_notification, organization_id, user_id, matter, lost="a notification is not sent by e-mail")


def send_on_commit(organization_id: UUID, invitation_id: int) -> None:
    """Have an invitation sent once the present transaction has committed.

    When the queue cannot be reached the invitation stays marked as unsent, and the administrator can send it again.
    """

    def enqueue() -> None:
        try:
            django_rq.get_queue(QUEUE).enqueue(
                send_invitation, organization_id, invitation_id, result_ttl=0, failure_ttl=86_400, retry=Retry(max=3)
            )
        except RedisError as error:
            logger.warning("queue not reached, an invitation stays unsent: %s", error)

    transaction.on_commit(enqueue)
