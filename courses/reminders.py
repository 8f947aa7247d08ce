"""Reminders by e-mail: some days before a course is due, when a certificate expires, and when somebody asks for one."""

import logging
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from uuid import UUID

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from courses import mail, telling
from courses.models import CourseStatus, Enrolment
from courses.overview import Study, studies_of
from skillnet.models import Membership
from skillnet.notification_kinds import Kind
from skillnet.tenancy import organization_scope

logger = logging.getLogger(__name__)

DAYS_BEFORE = (3, 1)  # before the due date; one reminder each


def pending_ids(today: date | None = None) -> list[int]:
    """The enrolments of the organization in scope that a reminder by itself is due for.

    Like the SQL function courses_organizations_to_remind, which answers for all organizations at once.
    """
    today = today or timezone.localdate()
    unsent = Q(due_reminder_days__isnull=True)
    due = Q()
    for days in DAYS_BEFORE:
        within = Q(due_on__range=(today, today + timedelta(days=days)))
        due |= within & (unsent | Q(due_reminder_days__gt=days))
    expired = Q(completed_at__isnull=False, expires_on__lte=today, expiry_reminded_at__isnull=True)
    found = Enrolment.objects.filter(Q(completed_at__isnull=True) & due | expired, _is_open())
    return list(found.order_by("pk").values_list("pk", flat=True))


def _is_open() -> Q:
    members = Membership.objects.filter(
        organization=OuterRef("organization_id"), user=OuterRef("user_id"), user__is_active=True
    )
    return Q(Exists(members), course__status=CourseStatus.PUBLISHED)


def send_all_pending(organization_id: UUID) -> None:
    """Send the reminders of an organization that are due by themselves. Raises: as `_each`."""
    with organization_scope(organization_id):
        pending = pending_ids()
    _each(organization_id, pending, send_pending)


def send_all_asked(organization_id: UUID, enrolment_ids: Sequence[int], asked_at: datetime) -> None:
    """Remind people of their courses as was asked for at a time. Raises: as `_each`."""
    _each(organization_id, enrolment_ids, lambda enrolment_id: send_asked(enrolment_id, asked_at))


def _each(organization_id: UUID, enrolment_ids: Sequence[int], send: Callable[[int], bool]) -> None:
    """Send one after the other, each in a transaction of its own.

    Raises: OSError, once all were tried: an address that is refused keeps nobody else waiting.
    """
    refused: OSError | None = None
    for enrolment_id in enrolment_ids:
        try:
            with organization_scope(organization_id):
                send(enrolment_id)
        except OSError as error:  # SMTPException is one
            logger.warning("reminder of enrolment %s not sent: %s", enrolment_id, error)
            refused = error
    if refused is not None:
        raise refused


def send_pending(enrolment_id: int, today: date | None = None) -> bool:
    """Send someone the reminder that is due, once. Returns whether one was; another worker's row is left to it.

    Raises: SMTPException or OSError, when the mail server does not take it; it is then still to be sent.
    """
    today = today or timezone.localdate()
    if enrolment_id not in pending_ids(today):
        return False
    enrolment = _held(enrolment_id)
    if enrolment is None:
        return False
    _remind(studies_of([enrolment])[0])
    if enrolment.completed_at is not None:
        enrolment.expiry_reminded_at = timezone.now()
    elif enrolment.due_on is not None:
        left = (enrolment.due_on - today).days
        enrolment.due_reminder_days = min(days for days in DAYS_BEFORE if days >= left)
    enrolment.save(update_fields=["expiry_reminded_at", "due_reminder_days"])
    return True


def send_asked(enrolment_id: int, asked_at: datetime) -> bool:
    """Send someone the reminder that was asked for at a time, once. Returns whether it was.

    Raises: SMTPException or OSError, as above.
    """
    enrolment = _held(enrolment_id)
    if enrolment is None or (enrolment.reminded_at is not None and enrolment.reminded_at >= asked_at):
        return False
    study = studies_of([enrolment])[0]
    if not study.is_pending:  # any more
        return False
    _remind(study)
    enrolment.reminded_at = timezone.now()
    enrolment.save(update_fields=["reminded_at"])
    return True


def _remind(study: Study) -> None:
    telling.tell_learners(study.enrolment.course, [study.enrolment.user_id], _kind_of(study))
    mail.remind(study)


def _kind_of(study: Study) -> Kind:
    """What is told under the bell: the same as in the subject of `mail.remind`."""
    if study.is_expired:
        return Kind.COURSE_EXPIRED
    if study.progress.to_reread:
        return Kind.REREAD_ASKED
    if study.is_overdue:
        return Kind.COURSE_OVERDUE
    return Kind.COURSE_PENDING if study.enrolment.due_on is None else Kind.COURSE_DUE


def _held(enrolment_id: int) -> Enrolment | None:
    found: Enrolment | None = (
        Enrolment.objects.select_for_update(no_key=True, of=("self",), skip_locked=True)
        .select_related("course", "user", "organization")
        .filter(_is_open(), pk=enrolment_id)
        .first()
    )
    return found
