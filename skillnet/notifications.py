"""What people are told inside the product: course notices, files that could not be read, questions, due dates."""

from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from skillnet import mail_jobs
from skillnet.models import Membership, Notification
from skillnet.notification_kinds import Kind

READ_KEPT = timedelta(days=90)
UNREAD_KEPT = timedelta(days=365)


def tell(
    *,
    organization_id: UUID,
    user_ids: Collection[int],
    kind: Kind,
    matter: str,
    subject: str,
    address: str,
    by_email: bool = False,
) -> None:
    """Have people find something under the bell; whoever had read of the same matter before finds it unread again.

    `by_email`: those to whom nothing else of this kind stands unread get an e-mail too, once the transaction has
    committed. Fifty files that fail at once are one e-mail. Call inside the organization's scope.
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
        update_fields=["kind", "subject", "address", "created_at", "read_at"],
    )
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
    found.update(read_at=timezone.now())


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
    mine = Notification.objects.for_organization(membership.organization_id).of_user(membership.user_id)
    count: int = mine.unread().count()
    return count
