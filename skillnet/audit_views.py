"""The log of administration, read by administrators."""

import re

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.models import AuditEntry, Role
from skillnet.people_forms import AuditFilterForm

ROWS_A_PAGE = 50


@require_GET
@organization_view(Role.ADMIN)
def log(request: OrganizationRequest) -> HttpResponse:
    """What administrators did, newest first."""
    filters = AuditFilterForm(request.GET)
    known = filters.known
    entries = AuditEntry.objects.for_organization(request.organization)
    if known.get("accion") in audit.FAMILIES:
        _label, beginnings = audit.FAMILIES[known["accion"]]
        entries = entries.filter(action__regex=f"^({'|'.join(map(re.escape, beginnings))})")
    elif "accion" in known:
        entries = entries.filter(action=known["accion"])
    if "q" in known:
        words = known["q"]
        found = Q(actor_name__icontains=words) | Q(target__icontains=words) | Q(detail__icontains=words)
        entries = entries.filter(found)
    if "desde" in known:
        entries = entries.filter(created_at__date__gte=known["desde"])
    if "hasta" in known:
        entries = entries.filter(created_at__date__lte=known["hasta"])
    page = Paginator(entries, ROWS_A_PAGE).get_page(request.GET.get("pagina"))
    labels = dict(audit.Action.choices)
    rows = [(entry, labels.get(entry.action, entry.action)) for entry in page]
    context = {"filters": filters, "is_filtered": bool(known), "page": page, "rows": rows}
    return render(request, "people/audit.html", context)
