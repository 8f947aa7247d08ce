"""The platform's staff work in one organization at a time, chosen on purpose and written down."""

from uuid import UUID

from django.contrib.admin.models import CHANGE, LogEntry
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from skillnet.models import Organization, User

SESSION_KEY = "staff_organization"


def choose_organization(request: HttpRequest, organization: Organization) -> None:
    """Let a member of staff see an organization's rows from now on, and write down that they did."""
    user = request.user
    assert isinstance(user, User)  # staff pages have no anonymous visitors
    request.session[SESSION_KEY] = str(organization.pk)
    LogEntry.objects.log_actions(
        user_id=user.pk,
        queryset=[organization],
        action_flag=CHANGE,
        change_message=_("Empezó a trabajar en esta organización."),
        single_object=True,
    )


def leave_organization(request: HttpRequest) -> None:
    """See no organization's rows any more."""
    request.session.pop(SESSION_KEY, None)


def chosen_organization_id(request: HttpRequest) -> UUID | None:
    """The organization a member of staff has chosen, on staff pages only."""
    if not request.path_info.startswith(reverse("admin:index")):
        return None
    if not (request.user.is_authenticated and request.user.is_staff):
        return None
    chosen = request.session.get(SESSION_KEY)
    return UUID(chosen) if chosen else None
