"""What every page's skeleton needs."""

from functools import cache
from typing import Any

from django.db import connection
from django.http import HttpRequest

from skillnet import notifications
from skillnet.appearance import Appearance, appearance_of
from skillnet.models import Membership, Organization
from skillnet.tenancy import organization_scope


def organization(request: HttpRequest) -> dict[str, Any]:
    """The organization and membership of the address, and the person's memberships.

    Outside /o/<slug>/ both are None, but around the pages of one's account: those show the one last visited.
    `unread_notifications` is counted where a page shows it: fragments do not.
    """
    membership = getattr(request, "membership", None) or getattr(request, "shown_membership", None)
    organization = None if membership is None else membership.organization
    return {
        "memberships": getattr(request, "memberships", []),
        "organization": organization,
        "membership": membership,
        "appearance": _appearance(organization),
        "unread_notifications": cache(lambda: _unread(membership)),
    }


def _appearance(organization: Organization | None) -> Appearance:
    return Appearance() if organization is None else appearance_of(organization)


def _unread(membership: Membership | None) -> int:
    # An error page is shown in a transaction that is being undone.
    if membership is None or connection.needs_rollback:
        return 0
    with organization_scope(membership.organization_id):  # open already, but around the pages of one's account
        return notifications.unread_count(membership)
