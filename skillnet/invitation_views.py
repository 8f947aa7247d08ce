"""Inviting people, one by one or from a table."""

from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from skillnet import invitations, people_csv
from skillnet.access import OrganizationRequest, organization_view
from skillnet.errors import SkillNetError
from skillnet.models import Classification, Group, Invitation, Membership, Role
from skillnet.people_forms import InvitationForm, TableForm
from skillnet.people_views import ROWS_A_PAGE

CHECKED_SECONDS = 3600  # how long a table that was looked through can be sent
SALT = "people to invite"


@require_GET
@organization_view(Role.ADMIN)
def invitation_list(request: OrganizationRequest) -> HttpResponse:
    """Invitations that are open."""
    listed = Invitation.objects.for_organization(request.organization).open().select_related("invited_by")
    page = Paginator(listed, ROWS_A_PAGE).get_page(request.GET.get("pagina"))
    return render(request, "people/invitations.html", {"page": page})


@require_http_methods(["GET", "POST"])
@organization_view(Role.ADMIN)
def invite(request: OrganizationRequest) -> HttpResponse:
    """Invite one person; the way to a table of many stands beside it."""
    form = InvitationForm(request.POST or None, organization=request.organization)
    if request.method == "POST" and form.is_valid():
        try:
            invited = invitations.invite(
                organization=request.organization, invited_by=request.user, **form.cleaned_data
            )
        except SkillNetError as error:
            form.add_error("email", str(error.user_message))
        else:
            messages.success(request, _("Invitación en camino a %(email)s.") % {"email": invited.email})
            return redirect("people:invitations", request.organization.slug)
    context = {"form": form, "table_form": TableForm(), "days": settings.SKILLNET_INVITATION_DAYS}
    return render(request, "people/invite.html", context, status=422 if form.errors else 200)


@require_POST
@organization_view(Role.ADMIN)
def resend(request: OrganizationRequest, invitation_id: int) -> HttpResponse:
    """Send an invitation again, with a new link."""
    invitation = _open(request, invitation_id)
    try:
        invitations.resend(invitation, by=request.user)
    except SkillNetError as error:
        messages.error(request, str(error.user_message))
    else:
        text = _("Enviada de nuevo a %(email)s. El enlace anterior ya no sirve.")
        messages.success(request, text % {"email": invitation.email})
    return redirect("people:invitations", request.organization.slug)


@require_POST
@organization_view(Role.ADMIN)
def withdraw(request: OrganizationRequest, invitation_id: int) -> HttpResponse:
    """Take an invitation back."""
    invitation = _open(request, invitation_id)
    try:
        invitations.withdraw(invitation, by=request.user)
    except SkillNetError as error:
        messages.error(request, str(error.user_message))
    else:
        messages.success(request, _("Invitación de %(email)s retirada.") % {"email": invitation.email})
    return redirect("people:invitations", request.organization.slug)


def _open(request: OrganizationRequest, invitation_id: int) -> Invitation:
    found: Invitation = get_object_or_404(
        Invitation.objects.for_organization(request.organization).open(), pk=invitation_id
    )
    return found


@require_http_methods(["GET", "POST"])
@organization_view(Role.ADMIN)
def table(request: OrganizationRequest) -> HttpResponse:
    """Look a table of people through, row by row. Nothing is sent yet."""
    if request.method == "GET":
        return redirect("people:invite", request.organization.slug)
    form = TableForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            rows = people_csv.read(
                form.cleaned_data["file"].read(), _known(request), max_rows=settings.SKILLNET_PEOPLE_CSV_ROWS
            )
        except SkillNetError as error:
            form.add_error("file", str(error.user_message))
        else:
            good = [row for row in rows if not row.problem]
            context = {
                "rows": sorted(rows, key=lambda row: not row.problem),  # what needs a look comes first
                "good_count": len(good),
                "bad_count": len(rows) - len(good),
                "checked": _signed(request, good),
                "role_labels": dict(Role.choices),
            }
            return render(request, "people/table.html", context)
    context = {
        "form": InvitationForm(organization=request.organization),
        "table_form": form,
        "days": settings.SKILLNET_INVITATION_DAYS,
    }
    return render(request, "people/invite.html", context, status=422)


def _known(request: OrganizationRequest) -> people_csv.Known:
    organization = request.organization
    members = Membership.objects.filter(organization=organization, is_active=True).values_list("user__email", flat=True)
    invited = Invitation.objects.for_organization(organization).open().values_list("email", flat=True)
    groups = Group.objects.for_organization(organization)
    return people_csv.Known(
        frozenset(email.lower() for email in members),
        frozenset(invited),
        {people_csv.plain(group.name): group for group in groups},
    )


def _signed(request: OrganizationRequest, rows: list[people_csv.Row]) -> str:
    """Rows that were found good, for the page to send back: what is invited is what was shown."""
    content = {"organization": str(request.organization.pk), "rows": [asdict(row) for row in rows]}
    return signing.dumps(content, salt=SALT, compress=True)


@require_POST
@organization_view(Role.ADMIN)
def send_table(request: OrganizationRequest) -> HttpResponse:
    """Invite the people of a table that was looked through."""
    try:
        content: dict[str, Any] = signing.loads(request.POST.get("filas", ""), salt=SALT, max_age=CHECKED_SECONDS)
    except signing.BadSignature:
        content = {}
    if content.get("organization") != str(request.organization.pk):
        messages.error(request, _("Ha pasado demasiado tiempo desde que revisaste el archivo. Súbelo otra vez."))
        return redirect("people:invite", request.organization.slug)
    groups = {group.pk: group for group in Group.objects.for_organization(request.organization)}
    sent, refused = 0, []
    for row in content["rows"]:
        try:
            invitations.invite(
                organization=request.organization,
                invited_by=request.user,
                email=row["email"],
                name=row["name"],
                role=row["role"],
                clearance=Classification.INTERNAL,
                groups=[groups[pk] for pk in row["group_ids"] if pk in groups],
            )
        except SkillNetError as error:  # came in or was invited meanwhile
            refused.append(f"{row['email']}: {error.user_message}")
        else:
            sent += 1
    text = ngettext("%(count)d invitación en camino.", "%(count)d invitaciones en camino.", sent)
    messages.success(request, text % {"count": sent})
    if refused:
        messages.warning(request, " ".join(refused))
    return redirect("people:invitations", request.organization.slug)
