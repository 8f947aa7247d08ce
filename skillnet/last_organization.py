"""The organization that a person was last in: its name and sections stay around the pages of their own account."""

from django.http import HttpRequest
from django.urls import reverse

from skillnet import seeing_as_employee
from skillnet.models import Membership

SESSION_KEY = "last_organization"


def remember(request: HttpRequest, membership: Membership) -> None:
    """Note in the session where a person is; written only when they came from elsewhere."""
    if request.session.get(SESSION_KEY) != membership.organization.slug:
        request.session[SESSION_KEY] = membership.organization.slug


def is_asked_for(request: HttpRequest) -> bool:
    """Whether a page is one of somebody's own account."""
    return request.path_info.startswith(reverse("account")) and request.user.is_authenticated


def put_around(request: HttpRequest, memberships: list[Membership]) -> None:
    """Have the page's skeleton show the organization last visited, else the first; none without a membership.

    Only the skeleton: `request.organization` stays None, and no scope is open.
    """
    slug = request.session.get(SESSION_KEY)
    membership = next((one for one in memberships if one.organization.slug == slug), None) or next(
        iter(memberships), None
    )
    if membership is None:
        return
    seeing_as_employee.apply(request, membership)
    request.memberships = memberships  # type: ignore[attr-defined]
    request.shown_membership = membership  # type: ignore[attr-defined]
