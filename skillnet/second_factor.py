"""Whom an organization asks for a second factor at log-in."""

from allauth.mfa.models import Authenticator
from django.db import models
from django.utils.translation import gettext_lazy as _

from skillnet.models import Membership, Organization, Role, User

SETTING = "second_factor"


class Policy(models.TextChoices):
    """The value of `Organization.settings["second_factor"]`."""

    OPTIONAL = "optional", _("Opcional: cada persona decide")
    ADMINS = "admins", _("Obligatorio para quien administra")
    EVERYONE = "everyone", _("Obligatorio para todas las personas")


def policy_of(organization: Organization) -> Policy:
    """What an organization asks; optional unless it says otherwise."""
    value = organization.settings.get(SETTING)
    return Policy(value) if value in Policy.values else Policy.OPTIONAL


def has_second_factor(user: User) -> bool:
    """Whether a person has an authenticator app set up."""
    return bool(Authenticator.objects.filter(user_id=user.pk, type=Authenticator.Type.TOTP).exists())


def is_missing(membership: Membership) -> bool:
    """Whether this member has to set up a second factor before going on. Costs a query only where one is asked for.

    Who has no password comes in through the company's own provider, and has the second factor there.
    """
    policy = policy_of(membership.organization)
    administers = membership.role == Role.ADMIN or membership.is_seen_as_employee
    if policy == Policy.OPTIONAL or (policy == Policy.ADMINS and not administers):
        return False
    return membership.user.has_usable_password() and not has_second_factor(membership.user)
