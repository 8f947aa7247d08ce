"""What happens to people's accounts, in the logs of the organizations they belong to."""

from collections.abc import Iterator
from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added, authenticator_removed
from axes.signals import user_locked_out
from django.conf import settings
from django.dispatch import receiver
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from skillnet import audit
from skillnet.models import AuditEntry, Membership, Organization, User
from skillnet.tenancy import organization_scope


@receiver([password_changed, password_set, password_reset])
def _note_password(user: User, **kwargs: Any) -> None:
    for organization in _organizations_of(user):
        audit.record(organization, user, audit.Action.PASSWORD_CHANGED, user)


@receiver(authenticator_added)
def _note_second_factor(user: User, authenticator: Authenticator, **kwargs: Any) -> None:
    if authenticator.type == Authenticator.Type.TOTP:  # recovery codes come along with it
        for organization in _organizations_of(user):
            audit.record(organization, user, audit.Action.SECOND_FACTOR_SET, user)


@receiver(authenticator_removed)
def _note_second_factor_gone(user: User, authenticator: Authenticator, **kwargs: Any) -> None:
    if authenticator.type == Authenticator.Type.TOTP:
        for organization in _organizations_of(user):
            audit.record(organization, user, audit.Action.SECOND_FACTOR_REMOVED, user)


@receiver(user_locked_out)
def _note_lock_out(username: str | None, **kwargs: Any) -> None:
    """Once a lock-out: whoever goes on trying meanwhile is no news. Named by the address, which no two people share."""
    user = User.objects.filter(email__iexact=username or "").first()
    if user is None:
        return
    since = timezone.now() - settings.AXES_COOLOFF_TIME
    for organization in _organizations_of(user):
        known = AuditEntry.objects.for_organization(organization).filter(
            action=audit.Action.LOCKED_OUT, target=user.email, created_at__gte=since
        )
        if known.exists():
            continue
        with translation.override(organization.language):  # not that of whoever tried
            detail = _("%(count)d intentos fallidos") % {"count": settings.AXES_FAILURE_LIMIT}
        audit.record(organization, None, audit.Action.LOCKED_OUT, user.email, detail=detail)


def _organizations_of(user: User) -> Iterator[Organization]:
    """The organizations that somebody may enter, each inside its own scope."""
    for membership in Membership.objects.active().filter(user=user).select_related("organization"):
        with organization_scope(membership.organization_id):
            yield membership.organization
