"""An organization's own words: kept by those who manage its documents."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from retrieval import services
from retrieval.forms import GlossaryEntryForm, GlossaryPasteForm
from retrieval.models import GlossaryEntry
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.models import MANAGERS

ENTRIES_A_PAGE = 50


def _entry(request: OrganizationRequest, glossary_id: int) -> GlossaryEntry:
    found: GlossaryEntry = get_object_or_404(
        GlossaryEntry.objects.for_organization(request.organization), pk=glossary_id
    )
    return found


def _note(request: OrganizationRequest, *entries: str) -> None:
    """Write down what was changed, all in one line: pasted lists are long."""
    audit.note(request, audit.Action.GLOSSARY_CHANGED, "; ".join(entries))


def _to_list(request: OrganizationRequest) -> HttpResponse:
    return redirect("retrieval:glossary", request.organization.slug)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def glossary(request: OrganizationRequest) -> HttpResponse:
    """Every entry; new ones are added here, one by one or pasted."""
    is_paste = "lines" in request.POST
    form = GlossaryEntryForm(None if is_paste else request.POST or None)
    paste = GlossaryPasteForm(request.POST if is_paste else None)
    sent = paste if is_paste else form
    if request.method == "POST" and sent.is_valid():
        entries = sent.cleaned_data["lines"] if is_paste else [sent.cleaned_data["wordings"]]
        added = services.add_to_glossary(organization=request.organization, entries=entries)
        if added:
            _note(request, *(", ".join(wordings) for wordings in entries))
        message = ngettext("%(count)d entrada añadida.", "%(count)d entradas añadidas.", added)
        messages.success(request, message % {"count": added} if added else _("Ya estaba en el glosario."))
        return _to_list(request)
    entries = GlossaryEntry.objects.for_organization(request.organization).order_by("wordings", "pk")
    page = Paginator(entries, ENTRIES_A_PAGE).get_page(request.GET.get("pagina"))
    context = {"page": page, "form": form, "paste": paste}
    return render(request, "retrieval/glossary.html", context, status=422 if sent.errors else 200)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def edit(request: OrganizationRequest, glossary_id: int) -> HttpResponse:
    """Other wordings for an entry."""
    entry = _entry(request, glossary_id)
    form = GlossaryEntryForm(request.POST or None, initial={"wordings": ", ".join(entry.wordings)})
    if request.method == "POST" and form.is_valid():
        entry.wordings = form.cleaned_data["wordings"]
        entry.save(update_fields=["wordings"])
        _note(request, str(entry))
        messages.success(request, _("Guardado."))
        return _to_list(request)
    context = {"form": form, "entry": entry}
    return render(request, "retrieval/glossary_entry.html", context, status=422 if form.errors else 200)


@require_POST
@organization_view(*MANAGERS)
def delete(request: OrganizationRequest, glossary_id: int) -> HttpResponse:
    """Forget an entry."""
    entry = _entry(request, glossary_id)
    _note(request, str(entry))
    entry.delete()
    messages.success(request, _("Entrada borrada."))
    return _to_list(request)
