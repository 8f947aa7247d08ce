"""Erasing what is stored about one person: each app registers what it does in an organization when it is ready.

What a person asked, studied and joined is deleted. What they made for the organization (documents, courses, acts of
administration) stays: once no organization has them any more, the account it refers to bears no name. The log of
administration keeps the names it was written with, because it has to say later who did what.
"""

from collections.abc import Callable
from uuid import UUID

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from skillnet import audit
from skillnet.errors import SkillNetError
from skillnet.models import (
    GroupMember,
    Invitation,
    Membership,
    MembershipQuerySet,
    Notification,
    Organization,
    Role,
    User,
)
from skillnet.tenancy import organization_scope

Part = Callable[[User], None]

_parts: list[Part] = []


class StillNeeded(SkillNetError):
    """The person administers an organization alone, or runs the installation."""

    code = "still_needed"
    user_message = _(
        "Esta persona es la única que administra una organización, o lleva la instalación. Da antes ese papel a otra."
    )


def register(part: Part) -> None:
    """Have `part(user)` delete its rows about a person; it runs inside the scope of each organization."""
    _parts.append(part)


def erase_in(organization: Organization, user: User, *, by: User | None = None) -> None:
    """Erase what one organization has about a person and end their membership. Raises: StillNeeded.

    The organization's log says that `by` did it, or the system. Without any membership left, the account loses its
    name as well.
    """
    with organization_scope(organization.pk):
        _check(user, Membership.objects.filter(organization=organization))
        audit.record(organization, by, audit.Action.MEMBER_ERASED, user)
        _erase_rows(organization, user)
        Membership.objects.filter(organization=organization, user=user).delete()
    if not user.is_staff and not Membership.objects.filter(user=user).exists():
        _forget_account(user)


def erase(user: User, *, by: User | None = None) -> int:
    """Erase what every organization has about a person, and their account. Returns how many were looked through.

    Call outside any scope. Also where they are no member any more: what they did there was kept. Their organizations'
    logs say that `by` did it, or the system. Raises: StillNeeded.
    """
    name = str(user)
    left = _leave(user)
    organizations = list(Organization.objects.order_by("pk"))
    for organization in organizations:
        with organization_scope(organization.pk):
            _erase_rows(organization, user)
            if organization.pk in left:
                audit.record(organization, by, audit.Action.MEMBER_ERASED, name)
    _forget_account(user)
    return len(organizations)


def _erase_rows(organization: Organization, user: User) -> None:
    for part in _parts:
        part(user)
    Notification.objects.for_organization(organization).filter(user=user).delete()
    GroupMember.objects.for_organization(organization).filter(user=user).delete()
    Invitation.objects.for_organization(organization).filter(email__iexact=user.email).delete()


@transaction.atomic
def _leave(user: User) -> set[UUID]:
    """End every membership of a person. Returns the organizations they were in. Raises: StillNeeded."""
    memberships = Membership.objects.filter(user=user)
    _check(user, memberships)
    left = set(memberships.values_list("organization_id", flat=True))
    memberships.delete()
    return left


def _check(user: User, memberships: MembershipQuerySet) -> None:
    """Locks the administrators it counts until the transaction ends: two must not leave at once.

    Raises: StillNeeded.
    """
    administered = list(memberships.filter(user=user, role=Role.ADMIN).values_list("organization_id", flat=True))
    admins = Membership.objects.filter(organization__in=administered).admins()
    list(admins.select_for_update(no_key=True, of=("self",)).order_by("pk"))
    for organization_id in administered:
        others = Membership.objects.filter(organization=organization_id).admins().exclude(user=user)
        if not others.exists():
            raise StillNeeded
    if user.is_staff and user.is_active:
        raise StillNeeded


@transaction.atomic
def _forget_account(user: User) -> None:
    """Leave an account that nobody can enter and that does not say whose it was."""
    email = user.email
    sessions = UserSession.objects.filter(user=user)
    Session.objects.filter(session_key__in=list(sessions.values_list("session_key", flat=True))).delete()
    for about in (
        sessions,
        EmailAddress.objects.filter(user=user),
        Authenticator.objects.filter(user=user),
        SocialAccount.objects.filter(user=user),
        AccessAttempt.objects.filter(username__iexact=email),
        AccessFailureLog.objects.filter(username__iexact=email),
        AccessLog.objects.filter(username__iexact=email),
    ):
        about.delete()
    user.email = f"borrada-{user.pk}@borrada.invalid"
    user.first_name = user.last_name = ""
    user.is_active = False
    user.last_login = None
    user.set_unusable_password()  # which ends every session that is left
    user.save()
