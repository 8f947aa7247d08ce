"""The documents list, uploads and what is done with documents."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.contrib import messages
from django.core.files import File
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import trigger_client_event

from documents import near_duplicates, services, transcripts
from documents.bulk import BulkAction
from documents.forms import DocumentForm, ListFilterForm, UploadForm, VersionForm
from documents.listing import newest_versions, tags_of
from documents.models import Collection, Document, DocumentQuerySet, DocumentVersion
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.errors import SkillNetError
from skillnet.models import MANAGERS
from skillnet.rate_limits import rate_limited

ROWS_A_PAGE = 25
ACCESS_FIELDS = {"classification", "audience", "groups"}


@dataclass(frozen=True, slots=True)
class UploadResult:
    """What became of one file of an upload: a document, or the reason why not."""

    name: str
    outcome: services.UploadOutcome | None = None
    refusal: str = ""


def readable_documents(request: OrganizationRequest) -> DocumentQuerySet:
    """The organization's documents that the person asking may know of."""
    documents: DocumentQuerySet = Document.objects.open_to(request.membership)
    return documents


def _managed_version(request: OrganizationRequest, version_id: int) -> DocumentVersion:
    versions = DocumentVersion.objects.for_organization(request.organization).select_related(
        "document__collection", "document__active_version", "uploaded_by"
    )
    found: DocumentVersion = get_object_or_404(versions, pk=version_id, document__in=readable_documents(request))
    return found


@require_GET
@organization_view(*MANAGERS)
def document_list(request: OrganizationRequest) -> HttpResponse:
    """Documents with search, filter and pages; for htmx the list alone."""
    template = "documents/_list.html" if request.htmx.target == "document-list" else "documents/list.html"  # type: ignore[attr-defined]
    return render(request, template, _list_context(request))


def _list_context(request: OrganizationRequest) -> dict[str, object]:
    documents = readable_documents(request)
    collections = list(Collection.objects.for_organization(request.organization))
    filters = ListFilterForm(request.GET, collections=collections, tags=tags_of(documents))
    known = filters.known
    versions = newest_versions(
        documents,
        title=known.get("q", ""),
        state=known.get("estado", ""),
        collection=known.get("coleccion", ""),
        kind=known.get("tipo", ""),
        tag=known.get("etiqueta", ""),
        order=known.get("orden", ""),
    )
    page = Paginator(versions, ROWS_A_PAGE).get_page(request.GET.get("pagina"))
    return {
        "filters": filters,
        "has_more_filters": bool(known.keys() & {"coleccion", "tipo", "etiqueta"}),
        "is_filtered": bool(known.keys() - {"orden"}),
        "page": page,
        "back": f"{reverse('documents:list', args=[request.organization.slug])}?{request.GET.urlencode()}".rstrip("?"),
        "alike": near_duplicates.known_to_reader(page.object_list, documents),
        "upload_form": UploadForm(membership=request.membership),
        "bulk_actions": BulkAction,
    }


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
@rate_limited("upload", counts=lambda request: request.method == "POST")
def upload(request: OrganizationRequest) -> HttpResponse:
    """Take in files and say what became of each."""
    if request.method != "POST":
        return redirect("documents:list", request.organization.slug)
    form = UploadForm(request.POST, request.FILES, membership=request.membership)
    results: list[UploadResult] = []
    if form.is_valid():
        results = [_take_in(request, file.name or "", file, form) for file in form.cleaned_data["uploads"]]
        if form.cleaned_data["video"]:
            results.append(_take_in_video(request, form.cleaned_data["video"], form))
    refused = [result for result in results if result.refusal]
    known = [result for result in results if result.outcome is not None and result.outcome.duplicate_of is not None]
    told = {
        "not_taken": refused + known,  # what has to be done again comes first; the rest stands in the list
        "refused_count": len(refused),
        "known_count": len(known),
        "received_count": len(results) - len(refused) - len(known),
        "is_list_narrowed": _has_query(request.htmx.current_url),  # type: ignore[attr-defined]
        "upload_form": form,
    }
    status = 200 if form.is_valid() else 422
    if request.htmx:  # type: ignore[attr-defined]
        response = render(request, "documents/_upload_results.html", told, status=status)
        return trigger_client_event(response, "documents-changed") if results else response
    context = _list_context(request) | told
    return render(request, "documents/list.html", context, status=status)


def _take_in_video(request: OrganizationRequest, address: str, form: UploadForm) -> UploadResult:
    try:
        title, file = transcripts.fetched(address)
    except SkillNetError as error:
        return UploadResult(address, refusal=str(error.user_message))
    return _take_in(request, f"{title}.vtt", file, form, title=title)


def _take_in(
    request: OrganizationRequest, name: str, file: "File[bytes]", form: UploadForm, *, title: str = ""
) -> UploadResult:
    try:
        outcome = services.upload_document(
            organization=request.organization,
            uploaded_by=request.user,
            file=file,
            name=name,
            title=title,
            collection=form.cleaned_data["collection"],
            classification=form.cleaned_data["classification"],
            audience=form.cleaned_data["audience"],
            groups=form.chosen_groups,
            tags=form.cleaned_data["tags"],
        )
    except SkillNetError as error:
        return UploadResult(name, refusal=str(error.user_message))
    if outcome.duplicate_of and not readable_documents(request).filter(pk=outcome.duplicate_of.pk).exists():
        refusal = _("Este archivo ya está subido. Pregunta por él a quien administra SkillNet.")
        return UploadResult(name, refusal=refusal)
    if outcome.duplicate_of is None:
        audit.note(request, audit.Action.DOCUMENT_UPLOADED, outcome.version.document.title)
    return UploadResult(name, outcome)


@require_GET
@organization_view(*MANAGERS)
def row(request: OrganizationRequest, version_id: int) -> HttpResponse:
    """One row of the list; an unfinished one asks for itself again."""
    return _row(request, _managed_version(request, version_id))


def _row(request: OrganizationRequest, version: DocumentVersion) -> HttpResponse:
    alike = near_duplicates.known_to_reader([version], readable_documents(request))
    context = {"version": version, "alike": alike, "back": _way_back(request)}
    return render(request, "documents/_row.html", context)


@require_POST
@organization_view(*MANAGERS)
def retry(request: OrganizationRequest, version_id: int) -> HttpResponse:
    """Queue a version again."""
    version = _managed_version(request, version_id)
    try:
        services.retry_version(version)
    except SkillNetError as error:
        messages.error(request, str(error.user_message))
    else:
        audit.note(request, audit.Action.DOCUMENT_RETRIED, version.document.title, detail=_version_words(version))
    if request.htmx:  # type: ignore[attr-defined]
        version.refresh_from_db()
        return _row(request, version)
    return HttpResponseRedirect(_way_back(request))


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def cancel(request: OrganizationRequest, version_id: int) -> HttpResponse:
    """Ask, then have a running ingestion stop. One that has ended meanwhile is said to have."""
    version = _managed_version(request, version_id)
    back = _way_back(request)
    if version.is_final:
        messages.info(request, _("La lectura de «%(title)s» ya había terminado.") % {"title": version.document.title})
        return HttpResponseRedirect(back)
    if request.method == "POST":
        services.cancel_version(version)
        audit.note(request, audit.Action.DOCUMENT_CANCELLED, version.document.title, detail=_version_words(version))
        return HttpResponseRedirect(back)
    return render(request, "documents/cancel.html", {"version": version, "document": version.document, "back": back})


def _version_words(version: DocumentVersion) -> str:
    return _("versión %(number)d") % {"number": version.number}


def _way_back(request: HttpRequest) -> str:
    back = request.POST.get("volver") or request.GET.get("volver", "")
    if url_has_allowed_host_and_scheme(back, allowed_hosts=None):  # paths of this site only
        return back
    return reverse("documents:list", args=[request.organization.slug])  # type: ignore[attr-defined]


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def edit(request: OrganizationRequest, document_id: int) -> HttpResponse:
    """Title, collection and who may read it."""
    document = get_object_or_404(readable_documents(request), pk=document_id)
    title = document.title
    form = DocumentForm(request.POST or None, instance=document, membership=request.membership)
    if request.method == "POST" and form.is_valid():
        form.instance.title_is_given = True
        form.instance.save(update_fields=[*form.Meta.fields, "title_is_given"])  # a publication may be under way
        services.set_audience_groups(document, form.chosen_groups)
        changed = [name for name in form.changed_data if name not in ACCESS_FIELDS]
        if changed:
            labels = ", ".join(str(form.fields[name].label) for name in changed)
            audit.note(request, audit.Action.DOCUMENT_CHANGED, title, detail=labels)
        if ACCESS_FIELDS & set(form.changed_data):
            access = f"{document.get_classification_display()} · {document.get_audience_display()}"
            audit.record(
                request.organization, request.user, audit.Action.DOCUMENT_ACCESS, document.title, detail=access
            )
        messages.success(request, _("Guardado."))
        if not readable_documents(request).filter(pk=document.pk).exists():  # they gave it to others alone
            return redirect("documents:list", request.organization.slug)
        return redirect("documents:detail", request.organization.slug, document.pk)
    status = 422 if form.is_bound else 200
    return render(request, "documents/edit.html", {"form": form, "document": document}, status=status)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
@rate_limited("upload", counts=lambda request: request.method == "POST")
def upload_version(request: OrganizationRequest, document_id: int) -> HttpResponse:
    """A new version; the one being served stays until it is ready."""
    document = get_object_or_404(readable_documents(request), pk=document_id)
    form = VersionForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        try:
            outcome = services.upload_version(document=document, uploaded_by=request.user, file=file, name=file.name)
        except SkillNetError as error:
            form.add_error("file", str(error.user_message))
        else:
            if outcome.duplicate_of is not None:
                messages.info(request, _("Es el mismo archivo que la última versión: no hay nada que cambiar."))
            else:
                audit.note(
                    request, audit.Action.DOCUMENT_VERSION, document.title, detail=_version_words(outcome.version)
                )
                messages.success(
                    request,
                    _("Versión %(number)d recibida. La anterior sigue en uso hasta que esta esté lista.")
                    % {"number": outcome.version.number},
                )
            return redirect("documents:versions", request.organization.slug, document.pk)
    status = 422 if form.is_bound else 200
    context = {"form": form, "document": document}
    return render(request, "documents/upload_version.html", context, status=status)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def delete(request: OrganizationRequest, document_id: int) -> HttpResponse:
    """Ask, saying what is affected, then delete."""
    document = get_object_or_404(readable_documents(request), pk=document_id)
    if request.method == "POST":
        title = document.title
        services.delete_document(document)
        audit.record(request.organization, request.user, audit.Action.DOCUMENT_DELETED, title)
        messages.success(request, _("«%(title)s» se ha borrado.") % {"title": title})
        return redirect("documents:list", request.organization.slug)
    return render(request, "documents/delete.html", {"document": document})


def _has_query(address: str | None) -> bool:
    """Whether the page that a browser says it shows has a query. What it says may be no address at all."""
    try:
        return bool(urlsplit(address or "").query)
    except ValueError:
        return False
