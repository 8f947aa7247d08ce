"""An administrator looks at the organization with an employee's eyes for a while."""

from django.http import HttpRequest

from skillnet.models import Classification, Membership, Role

SESSION_KEY = "seen_as_employee"


def start(request: HttpRequest, membership: Membership) -> None:
    """From the session's next request on, this membership counts as an employee's."""
    request.session[SESSION_KEY] = [*request.session.get(SESSION_KEY, []), membership.pk]


def stop(request: HttpRequest, membership: Membership) -> None:
    """Be oneself again."""
    request.session[SESSION_KEY] = [pk for pk in request.session.get(SESSION_KEY, []) if pk != membership.pk]


def apply(request: HttpRequest, membership: Membership) -> None:
    """Make an administrator's membership of this request an employee's, if the session says so. Never to be saved."""
    if membership.role == Role.ADMIN and membership.pk in request.session.get(SESSION_KEY, ()):
        membership.is_seen_as_employee = True
        membership.role = Role.EMPLOYEE
        membership.clearance = min(membership.clearance, Classification.INTERNAL)  # what new employees get
