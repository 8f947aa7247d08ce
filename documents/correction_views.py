"""Correcting what was read in a version, and taking it away as a file."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from documents import corrections as service
from documents.correcting import Place
from documents.forms import BlockTextForm
from documents.models import BlockCorrection, DocumentVersion, ParsedContent
from documents.reading import BLOCKS_A_PART
from documents.reading_views import blocks_of, document_or_404, header, version_or_404
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.errors import SkillNetError
from skillnet.models import MANAGERS

ROWS_A_FORM = 20  # of a table
CELLS_A_FORM = 400  # each is two fields, and a request may have a thousand
HISTORY_LENGTH = 200


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def correct(request: OrganizationRequest, document_id: int, number: int, block: int) -> HttpResponse:
    """The text of one block, to be changed. ?fila= opens the rows of a table from that one on."""
    version = version_or_404(request, document_id, number)
    blocks = blocks_of(version)
    if block >= len(blocks):
        raise Http404
    first = int(value[:7]) if (value := request.GET.get("fila", "")).isdecimal() else 0
    length = _rows_a_form(blocks[block])
    texts, labels = _texts(blocks[block], block, first, length)
    form = BlockTextForm(request.POST or None, texts=texts, labels=labels)
    way_back = _content_address(request, version, block)
    if request.method == "POST" and form.is_valid():
        try:
            count = service.correct(version=version, corrected_by=request.user, corrections=form.corrections)
        except SkillNetError as error:
            form.add_error(None, str(error.user_message))
        else:
            _say(request, version, count)
            return HttpResponseRedirect(way_back)
    rows = len(blocks[block].get("rows") or [])
    context = {
        "document": version.document,
        "version": version,
        "corrected": blocks[block],
        "form": form,
        "way_back": way_back,
        "row_count": rows,
        "previous_row": max(0, first - length) if first else None,
        "next_row": first + length if first + length < rows else None,
    }
    return render(request, "documents/correct.html", context, status=422 if form.errors else 200)


def _rows_a_form(block: dict[str, Any]) -> int:
    columns = max((len(row) for row in block.get("rows") or []), default=1)
    return max(1, min(ROWS_A_FORM, CELLS_A_FORM // columns))


def _texts(block: dict[str, Any], index: int, first: int, length: int) -> tuple[dict[Place, str], dict[Place, str]]:
    """The texts of a block by place, and what to call each."""
    rows = block.get("rows")
    if not rows:
        return {Place(index): block["text"]}, {Place(index): _("Texto")}
    names = rows[block["header_rows"] - 1] if block.get("header_rows") else []
    texts, labels = {}, {}
    for row_number, row in enumerate(rows[first : first + length], first):
        for column, cell in enumerate(row):
            place = Place(index, row_number, column)
            name = names[column] if column < len(names) and names[column] else _("columna %(n)d") % {"n": column + 1}
            texts[place] = cell
            labels[place] = _("Fila %(row)d, %(column)s") % {"row": row_number + 1, "column": name}
    if not texts:
        raise Http404
    return texts, labels


def _content_address(request: OrganizationRequest, version: DocumentVersion, block: int) -> str:
    address = reverse("documents:detail", args=[request.organization.slug, version.document_id])
    return f"{address}?version={version.number}&parte={block // BLOCKS_A_PART + 1}&corregir=1#b{block}"


def _say(request: OrganizationRequest, version: DocumentVersion, count: int) -> None:
    """Tell the person, and the log of administration, how many corrections were made."""
    if not count:
        messages.info(request, _("No has cambiado nada."))
        return
    text = ngettext("%(count)d corrección guardada.", "%(count)d correcciones guardadas.", count) % {"count": count}
    messages.success(request, text)
    audit.note(request, audit.Action.DOCUMENT_CORRECTED, version.document.title, detail=text)


@require_GET
@organization_view(*MANAGERS)
def corrections(request: OrganizationRequest, document_id: int) -> HttpResponse:
    """What was corrected in a document, and what of it fits the version shown."""
    document = document_or_404(request, document_id)
    context = header(request, document, "content")
    made = BlockCorrection.objects.for_organization(request.organization).filter(version__document=document)
    context["made"] = made.select_related("version", "corrected_by").order_by("-pk")[:HISTORY_LENGTH]
    context["offers"] = service.offers(context["version"])
    return render(request, "documents/corrections.html", context)


@require_POST
@organization_view(*MANAGERS)
def apply(request: OrganizationRequest, document_id: int, number: int) -> HttpResponse:
    """Make corrections of earlier versions in this one."""
    version = version_or_404(request, document_id, number)
    try:
        count = service.apply_offers(version=version, corrected_by=request.user, places=request.POST.getlist("lugar"))
    except SkillNetError as error:
        messages.error(request, str(error.user_message))
    else:
        _say(request, version, count)
    address = reverse("documents:corrections", args=[request.organization.slug, document_id])
    return redirect(f"{address}?version={number}")


@require_GET
@organization_view(*MANAGERS)
def export_markdown(request: OrganizationRequest, document_id: int, number: int) -> HttpResponse:
    """What was read, as Markdown, to save."""
    version = version_or_404(request, document_id, number)
    content = get_object_or_404(ParsedContent, version=version)
    audit.note(request, audit.Action.EXPORTED, version.document.title, detail="Markdown")
    return _to_save(HttpResponse(content.markdown, content_type="text/markdown; charset=utf-8"), version, "md")


@require_GET
@organization_view(*MANAGERS)
def export_json(request: OrganizationRequest, document_id: int, number: int) -> HttpResponse:
    """What was read, as blocks in JSON, to save."""
    version = version_or_404(request, document_id, number)
    content = get_object_or_404(ParsedContent, version=version)
    audit.note(request, audit.Action.EXPORTED, version.document.title, detail="JSON")
    data = {"title": version.document.title, "version": version.number, "blocks": content.blocks}
    response = JsonResponse(data, json_dumps_params={"ensure_ascii": False, "indent": 2})
    return _to_save(response, version, "json")


def _to_save(response: HttpResponse, version: DocumentVersion, extension: str) -> HttpResponse:
    name = f"{version.file_name.rpartition('.')[0] or version.file_name}.v{version.number}.{extension}"
    response.headers["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    response.headers["X-Content-Type-Options"] = "nosniff"
    patch_cache_control(response, private=True, no_store=True)
    return response
