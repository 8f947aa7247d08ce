"""What administrators do with the members of their organization. Call inside its scope; every act is written down."""

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from skillnet import audit
from skillnet.errors import SkillNetError
from skillnet.models import Classification, Group, GroupMember, Membership, Organization, Role, User
from skillnet.second_factor import SETTING, Policy, policy_of


class OnesOwnAccess(SkillNetError):
    code = "ones_own_access"
    user_message = gettext_lazy(
        "No puedes quitarte a ti mismo el acceso ni la administración. Pídeselo a otra persona que administre."
    )


class LastAdmin(SkillNetError):
    code = "last_admin"
    user_message = gettext_lazy("Es la única persona que administra la organización. Da antes ese rol a otra persona.")


@transaction.atomic
def change_access(membership: Membership, *, role: str, clearance: int, by: User) -> Membership:
    """Give a member a role and a clearance. Raises: OnesOwnAccess, LastAdmin."""
    locked = _locked(membership)
    if role != Role.ADMIN:
        _check_admin_may_go(locked, by)
    before = _access(locked)
    locked.role, locked.clearance = role, clearance
    if _access(locked) != before:
        locked.save(update_fields=["role", "clearance"])
        detail = _("antes %(before)s, ahora %(after)s") % {"before": before, "after": _access(locked)}
        audit.record(locked.organization, by, audit.Action.MEMBER_ROLE, locked.user, detail=detail)
    return locked


@transaction.atomic
def set_groups(membership: Membership, groups: Iterable[Group], *, by: User) -> None:
    """Put a member into these groups of the organization and no others. Joining enrols in the group's courses."""
    wanted = {group.pk: group for group in groups}
    places = GroupMember.objects.for_organization(membership.organization_id).filter(user=membership.user_id)
    known = set(places.values_list("group_id", flat=True))
    if known == set(wanted):
        return
    places.exclude(group__in=wanted).delete()
    for pk in sorted(set(wanted) - known):
        GroupMember.objects.create(
            organization_id=membership.organization_id, group=wanted[pk], user_id=membership.user_id
        )
    names = ", ".join(sorted(group.name for group in wanted.values())) or _("ninguno")
    audit.record(membership.organization, by, audit.Action.MEMBER_GROUPS, membership.user, detail=names)


@transaction.atomic
def set_active(membership: Membership, *, is_active: bool, by: User) -> Membership:
    """Let a member in, or keep them out with everything they did kept. Raises: OnesOwnAccess, LastAdmin."""
    locked = _locked(membership)
    if not is_active:
        _check_admin_may_go(locked, by)
    if locked.is_active != is_active:
        locked.is_active = is_active
        locked.save(update_fields=["is_active"])
        action = audit.Action.MEMBER_REACTIVATED if is_active else audit.Action.MEMBER_DEACTIVATED
        audit.record(locked.organization, by, action, locked.user)
    return locked


@transaction.atomic
def remove(membership: Membership, *, by: User) -> None:
    """End a membership and its places in groups. What the person did stays; their account does, too.

    Raises: OnesOwnAccess, LastAdmin.
    """
    locked = _locked(membership)
    _check_admin_may_go(locked, by)
    GroupMember.objects.for_organization(locked.organization_id).filter(user=locked.user_id).delete()
    audit.record(locked.organization, by, audit.Action.MEMBER_REMOVED, locked.user, detail=_access(locked))
    locked.delete()


@transaction.atomic
def create_group(organization: Organization, *, name: str, by: User) -> Group:
    """A new group, without members yet. The name is not taken: forms see to that."""
    group: Group = Group.objects.create(organization=organization, name=name)
    audit.record(organization, by, audit.Action.GROUP_CREATED, group)
    return group


@transaction.atomic
def rename_group(group: Group, *, name: str, by: User) -> None:
    """Another name for a group."""
    before = Group.objects.values_list("name", flat=True).get(pk=group.pk)
    group.name = name
    group.save(update_fields=["name"])
    audit.record(group.organization, by, audit.Action.GROUP_RENAMED, group, detail=before)


@transaction.atomic
def delete_group(group: Group, *, by: User) -> None:
    """Remove a group with its assignments and its places in audiences. Its people stay in the organization."""
    audit.record(group.organization, by, audit.Action.GROUP_DELETED, group)
    group.delete()


@transaction.atomic
def add_to_group(group: Group, user_ids: Iterable[int], *, by: User) -> int:
    """Put members of the organization into a group, who are then enrolled in its courses. Returns how many joined."""
    members = Membership.objects.filter(organization=group.organization_id, user__in=list(user_ids))
    known = set(group.members.values_list("user_id", flat=True))
    joined = [membership for membership in members.select_related("user") if membership.user_id not in known]
    for membership in joined:  # one by one: joining is news that courses wait for
        GroupMember.objects.create(organization_id=group.organization_id, group=group, user=membership.user)
    if joined:
        names = ", ".join(str(membership.user) for membership in joined)
        audit.record(group.organization, by, audit.Action.GROUP_MEMBERS, group, detail=_("entran: %s") % names)
    return len(joined)


@transaction.atomic
def remove_from_group(place: GroupMember, *, by: User) -> None:
    """Take someone out of a group. Courses they were enrolled in through it stay theirs."""
    detail = _("sale: %s") % place.user
    audit.record(place.organization, by, audit.Action.GROUP_MEMBERS, place.group, detail=detail)
    place.delete()


@transaction.atomic
def set_second_factor_policy(organization: Organization, policy: Policy, *, by: User) -> None:
    """Whom the organization asks for a second factor from now on."""
    locked = Organization.objects.select_for_update(no_key=True).get(pk=organization.pk)
    before = policy_of(locked)
    if before == policy:
        return
    locked.settings = locked.settings | {SETTING: policy.value}
    locked.save(update_fields=["settings"])
    audit.record(
        locked,
        by,
        audit.Action.SETTINGS_CHANGED,
        _("Verificación en dos pasos"),
        detail=f"{before.label} → {policy.label}",
    )


def _locked(membership: Membership) -> Membership:
    """The membership as it is now. The organization's administrators are locked with it: counting them must hold."""
    list(
        Membership.objects.filter(organization=membership.organization_id)
        .admins()
        .select_for_update(no_key=True, of=("self",))
        .order_by("pk")
    )
    return (
        Membership.objects.select_for_update(no_key=True, of=("self",))
        .select_related("organization", "user")
        .get(pk=membership.pk)
    )


def _check_admin_may_go(membership: Membership, by: User) -> None:
    """Raises: OnesOwnAccess, LastAdmin."""
    if membership.user_id == by.pk:
        raise OnesOwnAccess
    if membership.role != Role.ADMIN:
        return
    if (
        not Membership.objects.filter(organization=membership.organization_id)
        .admins()
        .exclude(pk=membership.pk)
        .exists()
    ):
        raise LastAdmin


def _access(membership: Membership) -> str:
    return f"{membership.get_role_display()} · {Classification(membership.clearance).label}"
