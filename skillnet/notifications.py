"""What people are told inside the product: course notices, files that could not be read, questions, due dates."""

from collections.abc import Collection
from datetime import timedelta
from uuid import UUID, uuid4

from django.db.models import Q
from django.utils import timezone

from skillnet import mail_jobs
from skillnet.models import Membership, Notification, NotificationQuerySet
from skillnet.notification_kinds import Kind, can_be_gathered

READ_KEPT = timedelta(days=90)
UNREAD_KEPT = timedelta(days=365)
GATHERED_FROM = 3  # unread ones of a kind: two are told by their names


def tell(
    *,
    organization_id: UUID,
    user_ids: Collection[int],
    kind: Kind,
    matter: str,
    subject: str,
    address: str,
    by_email: bool = False,
    address_of_all: str = "",
) -> None:
    """Have people find something under the bell; whoever had read of the same matter before finds it unread again.

    `by_email`: those to whom nothing else of this kind stands unread get an e-mail too, once the transaction has
    committed. Fifty files that fail at once are one e-mail, and one entry under the bell: where `address_of_all` says
    where all of a kind are dealt with, several unread ones become an entry that leads there. Call inside the
    organization's scope.
    """
    known = Notification.objects.for_organization(organization_id).filter(user__in=user_ids, kind=kind).unread()
    informed = set(known.values_list("user_id", flat=True)) if by_email else set()
    Notification.objects.bulk_create(
        [
            Notification(
                organization_id=organization_id,
                user_id=user_id,
                kind=kind,
                matter=matter,
                subject=subject[:200],
                address=address,
                created_at=timezone.now(),
            )
            for user_id in sorted(set(user_ids))
        ],
        update_conflicts=True,
        unique_fields=["organization", "user", "matter"],
        update_fields=["kind", "subject", "address", "created_at", "read_at", "gathered_in"],
    )
    if address_of_all and can_be_gathered(kind):
        for user_id in sorted(set(user_ids)):
            _gather(organization_id, user_id, kind, address_of_all)
    if by_email:
        for user_id in sorted(set(user_ids) - informed):
            mail_jobs.send_notification_on_commit(organization_id, user_id, matter)


def people_told(organization_id: UUID, matter: str, *, unread_only: bool = False) -> set[int]:
    """The ids of those who have something of a matter under their bell. Call inside the organization's scope."""
    found = Notification.objects.for_organization(organization_id).filter(matter=matter)
    return set((found.unread() if unread_only else found).values_list("user_id", flat=True))


def settle(organization_id: UUID, matter: str, *, user_id: int | None = None) -> None:
    """What was to be done about a matter is done, by one person or for all: they have not to read of it any more."""
    found = Notification.objects.for_organization(organization_id).filter(matter=matter).unread()
    if user_id is not None:
        found = found.of_user(user_id)
    entries = set(found.filter(gathered_in__isnull=False).values_list("gathered_in", flat=True))
    found.update(read_at=timezone.now())
    _recount(entries)


def read(notification: Notification) -> None:
    """Its person has read of it, and of all that it speaks of."""
    settled = Notification.objects.filter(Q(pk=notification.pk) | Q(gathered_in=notification)).unread()
    settled.update(read_at=timezone.now())
    if notification.gathered_in_id is not None:
        _recount({notification.gathered_in_id})


def shown_to(membership: Membership) -> NotificationQuerySet:
    """The entries under a member's bell, latest first. Call inside the organization's scope."""
    mine: NotificationQuerySet = Notification.objects.for_organization(membership.organization_id)
    return mine.of_user(membership.user_id).shown()


def remove(organization_id: UUID, matter: str) -> None:
    """Have nobody find anything of a matter any more. Call inside the organization's scope."""
    Notification.objects.for_organization(organization_id).filter(matter=matter).delete()


def remove_old(organization_id: UUID) -> int:
    """Delete what nobody comes back to: read notifications after three months, unread ones after a year. Returns how
    many. Call inside the organization's scope.
    """
    now = timezone.now()
    old = Q(read_at__lt=now - READ_KEPT) | Q(created_at__lt=now - UNREAD_KEPT)
    removed, _by_model = Notification.objects.for_organization(organization_id).filter(old).delete()
    return int(removed)


def unread_count(membership: Membership) -> int:
    """How many notifications a member has not read. Call inside the organization's scope."""
    count: int = shown_to(membership).unread().count()
    return count


def _gather(organization_id: UUID, user_id: int, kind: Kind, address: str) -> None:
    """Make one entry of what somebody has unread of a kind, where that is much or they have such an entry already."""
    mine = Notification.objects.for_organization(organization_id).of_user(user_id).filter(kind=kind).unread().shown()
    unread = list(mine.select_for_update(no_key=True).order_by("pk"))
    entry = next((one for one in unread if one.gathered_count), None)
    if entry is None and len(unread) < GATHERED_FROM:
        return
    if entry is None:
        entry = Notification.objects.create(
            organization_id=organization_id,
            user_id=user_id,
            kind=kind,
            matter=f"gathered:{uuid4()}",
            address=address,
            created_at=timezone.now(),
        )
    single = [one.pk for one in unread if not one.gathered_count]
    Notification.objects.filter(pk__in=single).update(gathered_in=entry)
    Notification.objects.filter(pk=entry.pk).update(created_at=timezone.now(), address=address)
    _recount({entry.pk})


def _recount(entry_ids: Collection[int]) -> None:
    """Have entries say how many of theirs are unread; one without any is read itself, and goes on saying how many
    there were.
    """
    for entry_id in sorted(entry_ids):
        count = Notification.objects.filter(gathered_in=entry_id).unread().count()
        entry = Notification.objects.filter(pk=entry_id).unread()
        entry.update(gathered_count=count) if count else entry.update(read_at=timezone.now())
