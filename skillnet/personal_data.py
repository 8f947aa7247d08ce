"""Everything stored about one person, for that person to take away: each app registers its part when it is ready."""

from collections.abc import Callable
from typing import Any

from skillnet.models import Group, Membership, Notification, Organization, User
from skillnet.tenancy import organization_scope

Part = Callable[[User], Any]

_parts: dict[str, Part] = {}


def register(name: str, part: Part) -> None:
    """Add a part to every organization's section: `part(user)` runs inside its scope and returns what JSON can hold."""
    _parts[name] = part


def collect(user: User) -> dict[str, Any]:
    """What is stored about a person: the account, and a section for each organization that has something of theirs.

    Also where they are no member any more. Call outside any organization's scope.
    """
    sections = [_in_organization(organization, user) for organization in Organization.objects.order_by("name", "pk")]
    return {
        "account": {
            "email": user.email,
            "first_name": user.first_name,
            "last_name": user.last_name,
            "language": user.language,
            "date_joined": user.date_joined,
            "last_login": user.last_login,
        },
        "organizations": [section for section in sections if section],
    }


def _in_organization(organization: Organization, user: User) -> dict[str, Any]:
    """What one organization has; empty when that is nothing."""
    membership = Membership.objects.filter(organization=organization, user=user).first()
    with organization_scope(organization.pk):
        groups = Group.objects.for_organization(organization).filter(members__user=user)
        told = Notification.objects.for_organization(organization).of_user(user.pk).filter(gathered_count=0)
        stored = {
            "groups": list(groups.order_by("name").values_list("name", flat=True)),
            "notifications": list(told.values("kind", "subject", "created_at", "read_at")),
            **{name: part(user) for name, part in _parts.items()},
        }
    if membership is None and not any(map(_says_something, stored.values())):
        return {}
    return {
        "organization": organization.name,
        "role": membership and membership.role,
        "clearance": membership and membership.clearance,
        "is_active": membership is not None and membership.is_active,
        "member_since": membership and membership.created_at,
        "last_seen_at": membership and membership.last_seen_at,
        **stored,
    }


def _says_something(part: Any) -> bool:
    return any(map(_says_something, part.values())) if isinstance(part, dict) else bool(part)
