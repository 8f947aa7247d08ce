"""The members of an organization: who they are, what they may do, and their leaving."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Lower
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from skillnet import audit, erasing, people, second_factor, seeing_as_employee
from skillnet.access import OrganizationRequest, organization_view
from skillnet.errors import SkillNetError
from skillnet.models import Group, GroupMember, Invitation, Membership, Organization, Role
from skillnet.people_forms import AccessForm, MembersFilterForm, SecondFactorForm

ROWS_A_PAGE = 25


def memberships_of(organization: Organization) -> QuerySet[Membership]:
    """An organization's memberships with their people, by name."""
    return (
        Membership.objects.filter(organization=organization)
        .select_related("user", "organization")
        .order_by(Lower("user__first_name"), Lower("user__last_name"), "user__email")
    )


def matching(memberships: QuerySet[Membership], words: str) -> QuerySet[Membership]:
    """Those whose name or address holds every one of `words`."""
    for word in words.split():
        memberships = memberships.filter(
            Q(user__first_name__icontains=word) | Q(user__last_name__icontains=word) | Q(user__email__icontains=word)
        )
    return memberships


def _membership(request: OrganizationRequest, member_id: int) -> Membership:
    return get_object_or_404(memberships_of(request.organization), pk=member_id)


@require_GET
@organization_view(Role.ADMIN)
def members(request: OrganizationRequest) -> HttpResponse:
    """The members with search, filters and pages."""
    filters = MembersFilterForm(request.GET, organization=request.organization)
    known = filters.known
    listed = matching(memberships_of(request.organization), known.get("q", ""))
    if "rol" in known:
        listed = listed.filter(role=known["rol"])
    if "estado" in known:
        listed = listed.filter(is_active=known["estado"] == "activas")
    if "grupo" in known:
        places = GroupMember.objects.for_organization(request.organization).filter(group=known["grupo"])
        listed = listed.filter(user__in=places.values("user_id"))
    page = Paginator(listed, ROWS_A_PAGE).get_page(request.GET.get("pagina"))
    context = {
        "filters": filters,
        "is_filtered": bool(known),
        "page": page,
        "groups": _groups_by_person(request.organization, [membership.user_id for membership in page]),
        "open_count": Invitation.objects.for_organization(request.organization).open().count(),
    }
    return render(request, "people/members.html", context)


def _groups_by_person(organization: Organization, user_ids: list[int]) -> dict[int, list[str]]:
    places = (
        GroupMember.objects.for_organization(organization)
        .filter(user__in=user_ids)
        .order_by("group__name")
        .values_list("user_id", "group__name")
    )
    names: dict[int, list[str]] = {}
    for user_id, name in places:
        names.setdefault(user_id, []).append(name)
    return names


@require_http_methods(["GET", "POST"])
@organization_view(Role.ADMIN)
def member(request: OrganizationRequest, member_id: int) -> HttpResponse:
    """One member: role, clearance and groups."""
    membership = _membership(request, member_id)
    groups = Group.objects.for_organization(request.organization).filter(members__user=membership.user_id)
    form = AccessForm(request.POST or None, instance=membership, initial={"groups": list(groups)})
    if request.method == "POST" and form.is_valid():
        try:
            people.change_access(
                membership, role=form.cleaned_data["role"], clearance=form.cleaned_data["clearance"], by=request.user
            )
        except SkillNetError as error:
            form.add_error("role", str(error.user_message))
        else:
            if "groups" in form.fields:
                people.set_groups(membership, form.cleaned_data["groups"], by=request.user)
            messages.success(request, _("Guardado."))
            return redirect("people:members", request.organization.slug)
    context = {
        "form": form,
        "member": membership,
        "is_oneself": membership.user_id == request.user.pk,
        "has_second_factor": second_factor.has_second_factor(membership.user),
    }
    return render(request, "people/member.html", context, status=422 if form.errors else 200)


@require_POST
@organization_view(Role.ADMIN)
def set_active(request: OrganizationRequest, member_id: int) -> HttpResponse:
    """Take a member's access away for a while, or give it back (`activo` is 0 or 1)."""
    membership = _membership(request, member_id)
    is_active = request.POST.get("activo") == "1"
    try:
        people.set_active(membership, is_active=is_active, by=request.user)
    except SkillNetError as error:
        messages.error(request, str(error.user_message))
    else:
        text = _("%(name)s vuelve a tener acceso.") if is_active else _("%(name)s ya no tiene acceso.")
        messages.success(request, text % {"name": membership.user})
    return redirect("people:member", request.organization.slug, membership.pk)


@require_http_methods(["GET", "POST"])
@organization_view(Role.ADMIN)
def remove(request: OrganizationRequest, member_id: int) -> HttpResponse:
    """Ask, saying what happens, then end the membership."""
    membership = _membership(request, member_id)
    if request.method == "POST":
        name = str(membership.user)
        try:
            with transaction.atomic():  # both or neither: who is still needed is not removed
                people.remove(membership, by=request.user)
                if request.POST.get("borrar") == "1":
                    erasing.erase_in(request.organization, membership.user, by=request.user)
        except SkillNetError as error:
            messages.error(request, str(error.user_message))
            return redirect("people:member", request.organization.slug, membership.pk)
        messages.success(request, _("%(name)s ya no está en la organización.") % {"name": name})
        return redirect("people:members", request.organization.slug)
    groups = Group.objects.for_organization(request.organization).filter(members__user=membership.user_id)
    return render(request, "people/remove.html", {"member": membership, "groups": groups.order_by("name")})


@require_http_methods(["GET", "POST"])
@organization_view(Role.ADMIN)
def security(request: OrganizationRequest) -> HttpResponse:
    """Whom the organization asks for a second factor."""
    policy = second_factor.policy_of(request.organization)
    form = SecondFactorForm(request.POST or None, initial={"policy": policy})
    if request.method == "POST" and form.is_valid():
        people.set_second_factor_policy(
            request.organization, second_factor.Policy(form.cleaned_data["policy"]), by=request.user
        )
        messages.success(request, _("Guardado."))
        return redirect("people:security", request.organization.slug)
    context = {"form": form, "has_second_factor": second_factor.has_second_factor(request.user)}
    return render(request, "people/security.html", context, status=422 if form.errors else 200)


@require_POST
@organization_view(Role.ADMIN)
def see_as_employee(request: OrganizationRequest) -> HttpResponse:
    """Look at the organization with an employee's eyes until told otherwise."""
    seeing_as_employee.start(request, request.membership)
    audit.record(request.organization, request.user, audit.Action.SEEN_AS_EMPLOYEE, request.user)
    return redirect("organization_home", request.organization.slug)


@require_POST
@organization_view()
def see_as_oneself(request: OrganizationRequest) -> HttpResponse:
    """Be the administrator again."""
    seeing_as_employee.stop(request, request.membership)
    return redirect("organization_home", request.organization.slug)
