"""What ready answers put under people's bells."""

from collections.abc import Collection
from uuid import UUID

from django.urls import reverse

from documents.access import Reader
from documents.models import Document
from skillnet import notifications
from skillnet.models import MANAGERS, Membership
from skillnet.notification_kinds import Kind
from tutor.models import FaqEntry, ReviewReason
from tutor.prepared.faq import readable_entries

MATTER = "faq"  # one a person, however many entries and documents: all are reviewed in one list


def tell_owners(document: Document, entry_ids: Collection[int]) -> None:
    """Have those who own entries that rest on a document find that they are to be reviewed, while they manage entries
    and may read these. One entry under the bell for all of them, which names the document that changed last.
    """
    if not entry_ids:
        return
    entries = FaqEntry.objects.filter(pk__in=entry_ids, owner__isnull=False).order_by()
    owners = Membership.objects.active().filter(
        organization=document.organization_id, role__in=MANAGERS, user__in=entries.values("owner")
    )
    notifications.tell(
        organization_id=document.organization_id,
        user_ids=[owner.user_id for owner in owners if _has_to_review(owner, entry_ids)],
        kind=Kind.FAQ_TO_REVIEW,
        matter=MATTER,
        subject=document.title,
        address=f"{reverse('tutor:faq', args=[document.organization.slug])}?estado=revisar",
    )


def settle_reviewed(organization_id: UUID, user_ids: Collection[int | None]) -> None:
    """Those of these people who own nothing more to be reviewed have not to read of it."""
    left = FaqEntry.objects.filter(owner__in=[one for one in user_ids if one]).exclude(review_reason=ReviewReason.NONE)
    busy = set(left.order_by().values_list("owner", flat=True))
    for user_id in user_ids:
        if user_id and user_id not in busy:
            notifications.settle(organization_id, MATTER, user_id=user_id)


def _has_to_review(owner: Membership, entry_ids: Collection[int]) -> bool:
    entries = readable_entries(owner.organization_id, Reader.of(owner))
    return bool(entries.filter(pk__in=entry_ids, owner=owner.user_id).exists())
