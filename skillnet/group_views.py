"""Groups of people: made, renamed, filled, and removed with a word on what rests on them."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from skillnet import group_uses, people
from skillnet.access import OrganizationRequest, organization_view
from skillnet.models import Group, GroupMember, Role
from skillnet.people_forms import GroupForm
from skillnet.people_views import ROWS_A_PAGE, matching, memberships_of

MAX_FOUND = 50


def _group(request: OrganizationRequest, group_id: int) -> Group:
    found: Group = get_object_or_404(
        Group.objects.for_organization(request.organization).select_related("organization"), pk=group_id
    )
    return found


@require_http_methods(["GET", "POST"])
@organization_view(Role.ADMIN)
def groups(request: OrganizationRequest) -> HttpResponse:
    """Every group with its size; a new one is made here."""
    form = GroupForm(request.POST or None, instance=Group(organization=request.organization))
    if request.method == "POST" and form.is_valid():
        group = people.create_group(request.organization, name=form.cleaned_data["name"], by=request.user)
        messages.success(request, _("Grupo creado. Añade ahora a sus personas."))
        return redirect("people:group", request.organization.slug, group.pk)
    listed = Group.objects.for_organization(request.organization).annotate(size=Count("members")).order_by("name")
    context = {"groups": listed, "form": form}
    return render(request, "people/groups.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
@organization_view(Role.ADMIN)
def group(request: OrganizationRequest, group_id: int) -> HttpResponse:
    """One group: its people, those who could join, and what it is used for."""
    shown = _group(request, group_id)
    if request.method == "POST":
        return _add(request, shown)
    places = (
        GroupMember.objects.for_organization(request.organization)
        .filter(group=shown)
        .select_related("user")
        .order_by("user__first_name", "user__last_name", "user__email")
    )
    words = request.GET.get("q", "").strip()[:120]
    outside = memberships_of(request.organization).filter(is_active=True)
    outside = matching(outside, words).exclude(user__in=shown.members.values("user_id"))
    found = list(outside[: MAX_FOUND + 1])
    context = {
        "group": shown,
        "page": Paginator(places, ROWS_A_PAGE).get_page(request.GET.get("pagina")),
        "words": words,
        "found": found[:MAX_FOUND],
        "has_more": len(found) > MAX_FOUND,
        "uses": group_uses.uses_of(shown),
    }
    return render(request, "people/group.html", context)


def _add(request: OrganizationRequest, shown: Group) -> HttpResponse:
    chosen = [int(value) for value in request.POST.getlist("persona") if value.isdecimal() and len(value) < 19]
    if chosen:
        count = people.add_to_group(shown, chosen, by=request.user)
        text = ngettext("%(count)d persona añadida.", "%(count)d personas añadidas.", count)
        messages.success(request, text % {"count": count})
    else:
        messages.info(request, _("Marca a quién quieres añadir."))
    return redirect("people:group", request.organization.slug, shown.pk)


@require_http_methods(["GET", "POST"])
@organization_view(Role.ADMIN)
def rename(request: OrganizationRequest, group_id: int) -> HttpResponse:
    """Another name for a group."""
    renamed = _group(request, group_id)
    name = renamed.name
    form = GroupForm(request.POST or None, instance=renamed)
    if request.method == "POST" and form.is_valid():
        people.rename_group(renamed, name=form.cleaned_data["name"], by=request.user)
        messages.success(request, _("Guardado."))
        return redirect("people:group", request.organization.slug, renamed.pk)
    context = {"form": form, "group": renamed, "name": name}
    return render(request, "people/rename_group.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
@organization_view(Role.ADMIN)
def delete(request: OrganizationRequest, group_id: int) -> HttpResponse:
    """Ask, saying what rests on the group, then remove it."""
    doomed = _group(request, group_id)
    if request.method == "POST":
        people.delete_group(doomed, by=request.user)
        messages.success(request, _("El grupo «%(name)s» se ha borrado.") % {"name": doomed.name})
        return redirect("people:groups", request.organization.slug)
    context = {"group": doomed, "size": doomed.members.count(), "uses": group_uses.uses_of(doomed)}
    return render(request, "people/delete_group.html", context)


@require_POST
@organization_view(Role.ADMIN)
def take_out(request: OrganizationRequest, group_id: int, place_id: int) -> HttpResponse:
    """Take someone out of a group."""
    places = GroupMember.objects.for_organization(request.organization).select_related("user", "group", "organization")
    place = get_object_or_404(places, pk=place_id, group=_group(request, group_id))
    people.remove_from_group(place, by=request.user)
    messages.success(request, _("%(name)s ya no está en el grupo.") % {"name": place.user})
    return redirect("people:group", request.organization.slug, group_id)
