"""Several documents at once: a page that says what is affected, then the deed."""

from django.contrib import messages
from django.db.models import Count
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from documents import bulk
from documents.bulk import BulkAction
from documents.forms import BulkForm
from documents.models import BY_TITLE, DocumentQuerySet
from documents.views import readable_documents
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.models import MANAGERS, Classification

MAX_DOCUMENTS = 200


def _chosen(request: OrganizationRequest, values: list[str]) -> DocumentQuerySet:
    """The documents with these ids. Raises: Http404 for all when one of them is not the reader's to know of."""
    if len(values) > MAX_DOCUMENTS or not all(value.isdecimal() and len(value) < 19 for value in values):
        raise Http404
    ids = {int(value) for value in values}
    documents = readable_documents(request).filter(pk__in=ids)
    if documents.count() != len(ids):
        raise Http404
    # By id from here on: what is done may change who can read them.
    chosen: DocumentQuerySet = documents.model.objects.for_organization(request.organization).filter(pk__in=ids)
    return chosen


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def act(request: OrganizationRequest) -> HttpResponse:
    """Ask, saying what is affected (GET), then do it (POST)."""
    sent = request.POST if request.method == "POST" else request.GET
    documents = _chosen(request, sent.getlist("documento"))
    if sent.get("accion") not in BulkAction.values or not sent.getlist("documento"):
        messages.info(request, _("Marca los documentos en la lista y elige qué hacer con ellos."))
        return redirect("documents:list", request.organization.slug)
    action = BulkAction(sent["accion"])
    form = BulkForm(request.POST or None, action=action, membership=request.membership)
    if request.method == "POST" and form.is_valid():
        _note(request, action, documents, form)
        messages.success(request, _do(action, documents, form))
        return redirect("documents:list", request.organization.slug)
    return render(request, "documents/bulk.html", _context(documents, action, form), status=422 if form.errors else 200)


def _context(documents: DocumentQuerySet, action: BulkAction, form: BulkForm) -> dict[str, object]:
    listed = list(documents.annotate(version_count=Count("versions")).prefetch_related("courses").order_by(*BY_TITLE))
    courses = {course.pk: course for document in listed for course in document.courses.all()}
    return {
        "action": action,
        "form": form,
        "documents": listed,
        "courses": sorted(courses.values(), key=lambda course: course.title),
        "version_count": sum(document.version_count for document in listed),
        "retry_count": len(bulk.to_retry(documents)) if action == BulkAction.RETRY else 0,
        "unreadable": bulk.unreadable(documents) if action == BulkAction.RETRY else [],
    }


def _note(request: OrganizationRequest, action: BulkAction, documents: DocumentQuerySet, form: BulkForm) -> None:
    """Write down, document by document, what administrators may have to account for."""
    if action == BulkAction.CLASSIFY:
        written, detail = audit.Action.DOCUMENT_ACCESS, str(Classification(form.cleaned_data["classification"]).label)
    elif action == BulkAction.DELETE:
        written, detail = audit.Action.DOCUMENT_DELETED, ""
    elif action == BulkAction.RETRY:
        written, detail = audit.Action.DOCUMENT_RETRIED, ""
        documents = documents.filter(versions__in=bulk.to_retry(documents))
    else:
        collection = form.cleaned_data["collection"]
        written, detail = audit.Action.DOCUMENT_CHANGED, str(collection or _("Sin colección"))
    for title in documents.order_by(*BY_TITLE).values_list("title", flat=True):
        audit.record(request.organization, request.user, written, title, detail=detail)


def _do(action: BulkAction, documents: DocumentQuerySet, form: BulkForm) -> str:
    """Do it. Returns what to tell the person."""
    if action == BulkAction.MOVE:
        count = bulk.move(documents, form.cleaned_data["collection"])
        text = ngettext("%(count)d documento movido.", "%(count)d documentos movidos.", count)
    elif action == BulkAction.CLASSIFY:
        count = bulk.classify(documents, form.cleaned_data["classification"])
        text = ngettext("%(count)d documento reclasificado.", "%(count)d documentos reclasificados.", count)
    elif action == BulkAction.RETRY:
        count = bulk.retry(documents)
        text = ngettext("%(count)d documento en cola.", "%(count)d documentos en cola.", count)
    else:
        count = bulk.delete(documents)
        text = ngettext("%(count)d documento borrado.", "%(count)d documentos borrados.", count)
    return text % {"count": count}
