"""Inviting people by e-mail, and letting in those who follow the link."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import connection, transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from skillnet import audit, mail_jobs
from skillnet.errors import SkillNetError
from skillnet.invitation_tokens import digest_of
from skillnet.models import Group, GroupMember, Invitation, InvitationGroup, Membership, Organization, Role, User
from skillnet.tenancy import organization_scope

SESSION_KEY = "invitation"


class AlreadyMember(SkillNetError):
    code = "already_member"
    user_message = _("Esa persona ya está en la organización.")


class AlreadyInvited(SkillNetError):
    code = "already_invited"
    user_message = _("Ya hay una invitación abierta para ese correo. Puedes enviarla de nuevo o retirarla.")


class InvitationClosed(SkillNetError):
    """The invitation was accepted or withdrawn, or has expired, meanwhile."""

    code = "invitation_closed"
    user_message = _("Esta invitación ya no está abierta.")


@dataclass(frozen=True, slots=True)
class Offer:
    """What an invitation offers, as plain values: it outlives the scope it was read in."""

    organization_id: UUID
    organization_name: str
    slug: str
    invitation_id: int
    email: str
    name: str
    role: str
    is_open: bool
    has_expired: bool
    language: str


@transaction.atomic
def invite(
    *,
    organization: Organization,
    invited_by: User,
    email: str,
    name: str = "",
    role: str = Role.EMPLOYEE,
    clearance: int,
    groups: Sequence[Group] = (),
) -> Invitation:
    """Offer an address a place and have the e-mail sent once this transaction has committed.

    Call inside the organization's scope. Raises: AlreadyMember, AlreadyInvited.
    """
    email = email.strip().lower()
    # Two administrators at once: the second waits here and is then told.
    Organization.objects.select_for_update(no_key=True).get(pk=organization.pk)
    if Membership.objects.filter(organization=organization, user__email__iexact=email, is_active=True).exists():
        raise AlreadyMember
    if Invitation.objects.for_organization(organization).open().filter(email=email).exists():
        raise AlreadyInvited
    invitation = Invitation.objects.create(
        organization=organization,
        email=email,
        name=name.strip(),
        role=role,
        clearance=clearance,
        invited_by=invited_by,
        expires_at=_expiry(),
    )
    InvitationGroup.objects.bulk_create(
        InvitationGroup(organization=organization, invitation=invitation, group=group) for group in groups
    )
    audit.record(organization, invited_by, audit.Action.INVITATION_SENT, email, detail=invitation.get_role_display())
    mail_jobs.send_on_commit(organization.pk, invitation.pk)
    return invitation


@transaction.atomic
def resend(invitation: Invitation, *, by: User) -> None:
    """Send an open invitation again, with a new link and a new date; the link sent before no longer works.

    Raises: InvitationClosed.
    """
    locked = _locked(invitation)
    locked.token_digest = None
    locked.sent_at = None
    locked.expires_at = _expiry()
    locked.save(update_fields=["token_digest", "sent_at", "expires_at"])
    audit.record(locked.organization, by, audit.Action.INVITATION_RESENT, locked.email)
    mail_jobs.send_on_commit(locked.organization_id, locked.pk)


@transaction.atomic
def withdraw(invitation: Invitation, *, by: User) -> None:
    """Take an open invitation back; its link no longer works. Raises: InvitationClosed."""
    locked = _locked(invitation)
    locked.withdrawn_at = timezone.now()
    locked.save(update_fields=["withdrawn_at"])
    audit.record(locked.organization, by, audit.Action.INVITATION_WITHDRAWN, locked.email)


def offer_of(token: str) -> Offer | None:
    """What the invitation with this token offers; None when there is none. Call outside any scope.

    The database answers with the organization for a digest and with nothing without one.
    """
    return _offer_with(digest_of(token))


def _offer_with(digest: str) -> Offer | None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT skillnet_invitation_organization(%s)", [digest])
        (organization_id,) = cursor.fetchone()
    if organization_id is None:
        return None
    with organization_scope(organization_id):
        invitation = Invitation.objects.select_related("organization").filter(token_digest=digest).first()
        if invitation is None:  # sent again this very moment
            return None
        return Offer(
            organization_id,
            invitation.organization.name,
            invitation.organization.slug,
            invitation.pk,
            invitation.email,
            invitation.name,
            str(Role(invitation.role).label),  # in the language of the page that shows it
            is_open=invitation.accepted_at is None and invitation.withdrawn_at is None,
            has_expired=invitation.has_expired,
            language=invitation.organization.language,
        )


def follow(request: HttpRequest, token: str) -> None:
    """Remember in the session that its person came by this link, for a log-in that leads elsewhere in between."""
    request.session[SESSION_KEY] = digest_of(token)  # sessions lie in the database, which is to hold no token


def followed(request: HttpRequest) -> Offer | None:
    """What the link offers that this session came by, while that invitation is open."""
    digest = request.session.get(SESSION_KEY)
    offer = _offer_with(digest) if digest else None
    return offer if offer and offer.is_open and not offer.has_expired else None


def accept(offer: Offer, *, user: User) -> Membership:
    """Make someone the member that an offer says, and close the invitation. Call outside any scope.

    A person who had been deactivated comes in again, with the invitation's role.
    Raises: InvitationClosed.
    """
    with organization_scope(offer.organization_id):
        invitation = _locked(Invitation(pk=offer.invitation_id))
        if invitation.has_expired or user.email.lower() != invitation.email:
            raise InvitationClosed
        membership, is_new = Membership.objects.get_or_create(
            organization_id=invitation.organization_id,
            user=user,
            defaults={"role": invitation.role, "clearance": invitation.clearance},
        )
        if not is_new and not membership.is_active:
            membership.role, membership.clearance, membership.is_active = invitation.role, invitation.clearance, True
            membership.save(update_fields=["role", "clearance", "is_active"])
        for chosen in invitation.groups.order_by("group_id"):
            GroupMember.objects.get_or_create(
                group_id=chosen.group_id, user=user, defaults={"organization_id": invitation.organization_id}
            )
        invitation.accepted_at = timezone.now()
        invitation.save(update_fields=["accepted_at"])
        audit.record(invitation.organization, user, audit.Action.INVITATION_ACCEPTED, invitation.email)
        return membership


def accept_as_new_person(offer: Offer, *, first_name: str, last_name: str, password: str, language: str) -> User:
    """An account for someone who had none, and the membership, both or neither. Call outside any scope.

    The link in their mailbox has proved the address. Raises: InvitationClosed.
    """
    with organization_scope(offer.organization_id):
        names = {"first_name": first_name, "last_name": last_name}
        user = User.objects.create_user(offer.email, password, language=language, **names)
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        accept(offer, user=user)
        return user


def _expiry() -> datetime:
    return timezone.now() + timedelta(days=settings.SKILLNET_INVITATION_DAYS)


def _locked(invitation: Invitation) -> Invitation:
    """The invitation, locked and still open. Raises: InvitationClosed."""
    found = (
        Invitation.objects.open()
        .select_for_update(no_key=True, of=("self",))
        .select_related("organization")
        .filter(pk=invitation.pk)
        .first()
    )
    if found is None:
        raise InvitationClosed
    return found  # type: ignore[no-any-return]
