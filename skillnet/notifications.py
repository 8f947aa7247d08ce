"""What people are told inside the product: course notices, files that could not be read, questions, due dates."""

from collections import defaultdict
from collections.abc import Collection
from datetime import timedelta
from uuid import UUID, uuid4

from django.db import connection
from django.db.models import Count, Exists, OuterRef, Q, Subquery
from django.utils import timezone

from skillnet import mail_jobs
from skillnet.models import Membership, Notification, NotificationQuerySet
from skillnet.notification_kinds import Kind, can_be_gathered

READ_KEPT = timedelta(days=90)
UNREAD_KEPT = timedelta(days=365)
GATHERED_FROM = 3  # unread ones of a kind: two are told by their names
_LOCKS = 64  # that people share: a transaction that tells thousands must not fill the server's table of locks


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
    people = sorted(set(user_ids))
    _take_turn(organization_id, people)
    known = Notification.objects.for_organization(organization_id).filter(user__in=people)
    unread = known.filter(kind=kind).unread()
    informed = set(unread.values_list("user_id", flat=True)) if by_email else set()
    left = _entries_of(known.filter(matter=matter))
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
            for user_id in people
        ],
        update_conflicts=True,
        unique_fields=["organization", "user", "matter"],
        update_fields=["kind", "subject", "address", "created_at", "read_at", "gathered_in"],
    )
    if address_of_all and can_be_gathered(kind):
        _gather(organization_id, people, kind, address_of_all)
    _recount(organization_id, left)
    if by_email:
        for user_id in sorted(set(people) - informed):
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
    if people := _people_of(found):
        _take_turn(organization_id, people)
        entries = _entries_of(found)
        found.update(read_at=timezone.now())
        _recount(organization_id, entries)


def read(notification: Notification) -> None:
    """Its person has read of it, and of all that it speaks of. Call inside the organization's scope."""
    organization_id = notification.organization_id
    _take_turn(organization_id, [notification.user_id])
    told = Notification.objects.for_organization(organization_id)
    settled = told.filter(Q(pk=notification.pk) | Q(gathered_in=notification))
    settled.unread().update(read_at=timezone.now())
    _recount(organization_id, _entries_of(settled.filter(pk=notification.pk)))


def read_all(membership: Membership) -> None:
    """A member has read of everything. Call inside the organization's scope."""
    _take_turn(membership.organization_id, [membership.user_id])
    told = Notification.objects.for_organization(membership.organization_id).of_user(membership.user_id)
    told.unread().update(read_at=timezone.now())


def shown_to(membership: Membership) -> NotificationQuerySet:
    """The entries under a member's bell, latest first. Call inside the organization's scope."""
    mine: NotificationQuerySet = Notification.objects.for_organization(membership.organization_id)
    return mine.of_user(membership.user_id).shown()


def remove(organization_id: UUID, matters: Collection[str]) -> None:
    """Have nobody find anything of some matters any more. Call inside the organization's scope."""
    _delete(organization_id, Notification.objects.for_organization(organization_id).filter(matter__in=matters))


def remove_old(organization_id: UUID) -> int:
    """Delete what nobody comes back to: read notifications after three months, unread ones after a year. Returns how
    many. Call inside the organization's scope.
    """
    now = timezone.now()
    old = Q(read_at__lt=now - READ_KEPT) | Q(created_at__lt=now - UNREAD_KEPT)
    return _delete(organization_id, Notification.objects.for_organization(organization_id).filter(old))


def unread_count(membership: Membership) -> int:
    """How many notifications a member has not read. Call inside the organization's scope."""
    count: int = shown_to(membership).unread().count()
    return count


def _take_turn(organization_id: UUID, user_ids: Collection[int]) -> None:
    """Wait for the other transactions that write what these people are told, and have them wait for this one: two that
    met at the same rows would each wait for the other, or count what the other is about to change.
    """
    keys = [f"told:{organization_id}:{lock}" for lock in sorted({user_id % _LOCKS for user_id in user_ids})]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(key, 0)) FROM unnest(%s::text[]) AS key", [keys])


def _delete(organization_id: UUID, found: NotificationQuerySet) -> int:
    _take_turn(organization_id, _people_of(found))
    entries = _entries_of(found)
    removed, _by_model = found.delete()
    _recount(organization_id, entries)
    return int(removed)


def _people_of(found: NotificationQuerySet) -> set[int]:
    return set(found.order_by().values_list("user_id", flat=True))


def _entries_of(found: NotificationQuerySet) -> set[int]:
    """The ids of the entries that notifications were gathered in."""
    return set(found.filter(gathered_in__isnull=False).order_by().values_list("gathered_in", flat=True))


def _gather(organization_id: UUID, user_ids: Collection[int], kind: Kind, address: str) -> None:
    """Make one entry of what each has unread of a kind, where that is much or they have such an entry already."""
    told = Notification.objects.for_organization(organization_id)
    single: defaultdict[int, list[Notification]] = defaultdict(list)
    entries: dict[int, Notification] = {}
    for one in told.filter(user__in=user_ids, kind=kind).unread().shown():
        if one.gathered_count:
            entries[one.user_id] = one
        else:
            single[one.user_id].append(one)
    made = Notification.objects.bulk_create(
        Notification(
            organization_id=organization_id,
            user_id=user_id,
            kind=kind,
            matter=f"gathered:{uuid4()}",
            created_at=timezone.now(),
        )
        for user_id, theirs in single.items()
        if user_id not in entries and len(theirs) >= GATHERED_FROM
    )
    entries |= {one.user_id: one for one in made}
    joining = [one for user_id, theirs in single.items() if user_id in entries for one in theirs]
    for one in joining:
        one.gathered_in = entries[one.user_id]
    told.bulk_update(joining, ["gathered_in"])
    ids = [one.pk for one in entries.values()]
    told.filter(pk__in=ids).update(created_at=timezone.now(), address=address)
    _recount(organization_id, ids)


def _recount(organization_id: UUID, entry_ids: Collection[int]) -> None:
    """Have entries say how many of theirs are unread. One of which nothing is left unread is read itself, and says how
    many there were; one of which nothing is left at all is deleted.
    """
    if not entry_ids:
        return
    told = Notification.objects.for_organization(organization_id)
    entries, theirs = told.filter(pk__in=entry_ids), told.filter(gathered_in=OuterRef("pk")).order_by()
    entries.filter(~Exists(theirs)).delete()

    def number(of: NotificationQuerySet) -> Subquery:
        return Subquery(of.values("gathered_in").annotate(number=Count("pk")).values("number"))

    ended = entries.unread().filter(~Exists(theirs.unread()))
    ended.update(gathered_count=number(theirs), read_at=timezone.now())
    entries.unread().update(gathered_count=number(theirs.unread()))
