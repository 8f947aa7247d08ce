"""What every page's skeleton needs."""

from functools import cache
from typing import Any

from django.db import connection
from django.http import HttpRequest

from skillnet import notifications
from skillnet.appearance import Appearance, appearance_of
from skillnet.models import Membership, Organization


def organization(request: HttpRequest) -> dict[str, Any]:
    """The organization and membership of the address, both None outside /o/<slug>/, and the person's memberships.

    `unread_notifications` is counted where a page shows it: fragments do not.
    """
    membership = getattr(request, "membership", None)
    return {
        "memberships": getattr(request, "memberships", []),
        "organization": getattr(request, "organization", None),
        "membership": membership,
        "appearance": _appearance(getattr(request, "organization", None)),
        "unread_notifications": cache(lambda: _unread(membership)),
    }


def _appearance(organization: Organization | None) -> Appearance:
    return Appearance() if organization is None else appearance_of(organization)


def _unread(membership: Membership | None) -> int:
    # An error page is shown in a transaction that is being undone.
    if membership is None or connection.needs_rollback:
        return 0
    return notifications.unread_count(membership)
