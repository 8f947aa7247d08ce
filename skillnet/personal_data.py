"""Everything stored about one person, for that person to take away: each app registers its part when it is ready."""

from collections.abc import Callable
from typing import Any

from skillnet.models import Group, Membership, User
from skillnet.tenancy import organization_scope

Part = Callable[[User], Any]

_parts: dict[str, Part] = {}


def register(name: str, part: Part) -> None:
    """Add a part to every organization's section: `part(user)` runs inside its scope and returns what JSON can hold."""
    _parts[name] = part


def collect(user: User) -> dict[str, Any]:
    """What is stored about a person: the account, and a section for each organization they belong to.

    Call outside any organization's scope.
    """
    memberships = Membership.objects.filter(user=user).select_related("organization").order_by("organization__name")
    return {
        "account": {
            "email": user.email,
            "first_name": user.first_name,
            "last_name": user.last_name,
            "language": user.language,
            "date_joined": user.date_joined,
            "last_login": user.last_login,
        },
        "organizations": [_in_organization(membership) for membership in memberships],
    }


def _in_organization(membership: Membership) -> dict[str, Any]:
    with organization_scope(membership.organization_id):
        groups = Group.objects.for_organization(membership.organization_id).filter(members__user=membership.user_id)
        return {
            "organization": membership.organization.name,
            "role": membership.role,
            "clearance": membership.clearance,
            "is_active": membership.is_active,
            "member_since": membership.created_at,
            "last_seen_at": membership.last_seen_at,
            "groups": list(groups.order_by("name").values_list("name", flat=True)),
            **{name: part(membership.user) for name, part in _parts.items()},
        }
