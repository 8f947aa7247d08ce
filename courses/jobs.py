"""The queue of what courses have done in the background. A job only wakes a worker up: rows know what is to be done."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from uuid import UUID

import django_rq
from django.db import close_old_connections, connection, transaction
from django.utils import timezone
from django_rq import job
from redis.exceptions import RedisError
from rq import Retry
from rq.exceptions import DuplicateJobError

from courses import draft_writing, mail, proposal_writing, reminders
from courses.models import UpdateNotice
from skillnet.tenancy import organization_scope

logger = logging.getLogger(__name__)

QUEUE = "courses"
JOB_TIMEOUT = 900  # seconds: a slow language model may take minutes for one lesson
SECONDS_A_JOB = 20.0  # then a job hands over to a new one, so that the other queues get their turn


def enqueue(organization_id: UUID, draft_id: UUID) -> None:
    """Wake a worker up for a draft. When the queue cannot be reached the sweeper finds the draft later."""
    _enqueue(write, organization_id, draft_id)


def _enqueue(work: Callable[..., None], *ids: object, retry: Retry | None = None) -> None:
    try:
        django_rq.get_queue(QUEUE).enqueue(work, *ids, retry=retry, result_ttl=0, failure_ttl=86_400)
    except RedisError as error:
        logger.warning("queue not reached, the sweeper will find the work: %s", error)


def enqueue_on_commit(organization_id: UUID, draft_id: UUID) -> None:
    """Wake a worker up for a draft once the present transaction has committed."""
    transaction.on_commit(lambda: enqueue(organization_id, draft_id))


@job(QUEUE, timeout=JOB_TIMEOUT)
def write(organization_id: UUID, draft_id: UUID) -> None:
    """Write lessons of a draft until it is done. Safe to run twice, or again after a crash."""
    close_old_connections()
    if draft_writing.run(organization_id, draft_id, seconds=SECONDS_A_JOB):
        enqueue(organization_id, draft_id)


@job(QUEUE, timeout=JOB_TIMEOUT)
def rewrite(organization_id: UUID, proposal_id: int) -> None:
    """Put a proposed lesson into a language model's words. Safe to run twice."""
    close_old_connections()
    proposal_writing.rewrite(organization_id, proposal_id)


def rewrite_on_commit(organization_id: UUID, proposal_id: int) -> None:
    """Have a proposed lesson rewritten once the present transaction has committed. One that is lost stays as it is."""
    transaction.on_commit(lambda: _enqueue(rewrite, organization_id, proposal_id))


@job(QUEUE, retry=Retry(max=3, interval=[30, 120, 600]))
def announce(organization_id: UUID, notice_id: int) -> None:
    """Tell the administration of an update notice by e-mail. Safe to run twice."""
    close_old_connections()
    with organization_scope(organization_id):
        notices = UpdateNotice.objects.open().select_for_update(no_key=True, of=("self",))
        notice = notices.select_related("course", "document", "organization").filter(pk=notice_id).first()
        if notice is not None:
            mail.announce(notice)


def announce_on_commit(organization_id: UUID, notice_id: int) -> None:
    """Have a notice announced once the present transaction has committed."""
    transaction.on_commit(lambda: _enqueue(announce, organization_id, notice_id))


@job(QUEUE)
def remind(organization_id: UUID, enrolment_ids: Sequence[int], asked_at: datetime) -> None:
    """Remind people of a course by e-mail, each in a transaction of their own. Safe to run twice."""
    close_old_connections()
    reminders.send_all_asked(organization_id, enrolment_ids, asked_at)


def mail_retries() -> Retry:
    """When to try again after a mail server did not take something, in seconds."""
    return Retry(max=3, interval=[30, 120, 600])


def remind_on_commit(organization_id: UUID, enrolment_ids: Sequence[int]) -> None:
    """Have people reminded once the present transaction has committed."""
    asked_at = timezone.now()
    transaction.on_commit(
        lambda: _enqueue(remind, organization_id, list(enrolment_ids), asked_at, retry=mail_retries())
    )


@job(QUEUE)
def remind_all_due(organization_id: UUID) -> None:
    """Send the reminders of an organization that are due by themselves. Safe to run twice."""
    close_old_connections()
    reminders.send_all_pending(organization_id)


def remind_due() -> None:
    """Wake workers up for organizations in which reminders are due: one job an hour each, however it ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT organization_id FROM courses_organizations_to_remind(%s)", [timezone.localdate()])
        organization_ids = [row[0] for row in cursor.fetchall()]
    hour = timezone.now().strftime("%Y%m%d%H")
    for organization_id in organization_ids:
        try:
            django_rq.get_queue(QUEUE).enqueue(
                remind_all_due,
                organization_id,
                job_id=f"remind-{organization_id}-{hour}",
                unique=True,
                retry=mail_retries(),
                result_ttl=3600,
                failure_ttl=3600,
            )
        except DuplicateJobError:
            continue  # this hour's
        except RedisError as error:
            logger.warning("queue not reached, the next round will find the work: %s", error)


def requeue_lost() -> None:
    """Wake workers up for what has stood still: drafts, and notices nobody was told of, whose job was lost."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT organization_id, draft_id FROM courses_stalled_drafts()")
        stalled = cursor.fetchall()
        cursor.execute("SELECT organization_id, notice_id FROM courses_unannounced_notices()")
        unannounced = cursor.fetchall()
    for organization_id, draft_id in stalled:
        enqueue(organization_id, draft_id)
    for organization_id, notice_id in unannounced:
        _enqueue(announce, organization_id, notice_id)
