"""What every page's skeleton needs."""

from typing import Any

from django.http import HttpRequest


def organization(request: HttpRequest) -> dict[str, Any]:
    """The organization and membership of the address, both None outside /o/<slug>/, and the person's memberships."""
    return {
        "memberships": getattr(request, "memberships", []),
        "organization": getattr(request, "organization", None),
        "membership": getattr(request, "membership", None),
    }
