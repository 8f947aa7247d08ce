"""The organization's collections: made, renamed, and removed when empty."""

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from documents import services
from documents.forms import CollectionForm, NewCollectionForm
from documents.models import Collection
from documents.views import readable_documents
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.errors import SkillNetError
from skillnet.models import MANAGERS


def _collection(request: OrganizationRequest, collection_id: int) -> Collection:
    found: Collection = get_object_or_404(Collection.objects.for_organization(request.organization), pk=collection_id)
    return found


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def collections(request: OrganizationRequest) -> HttpResponse:
    """Every collection with the number of documents that the person asking may know of; a new one is made here."""
    form = NewCollectionForm(request.POST or None, instance=Collection(organization=request.organization))
    if request.method == "POST" and form.is_valid():
        audit.note(request, audit.Action.COLLECTION_CREATED, form.save().name)
        messages.success(request, _("Colección creada."))
        return redirect("documents:collections", request.organization.slug)
    readable = Q(documents__in=readable_documents(request))
    listed = Collection.objects.for_organization(request.organization).annotate(
        document_count=Count("documents", filter=readable)
    )
    context = {"collections": listed, "form": form}
    return render(request, "documents/collections.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def rename(request: OrganizationRequest, collection_id: int) -> HttpResponse:
    """Another name for a collection, or another way to compare its documents."""
    collection = _collection(request, collection_id)
    name = collection.name
    form = CollectionForm(request.POST or None, instance=collection)
    if request.method == "POST" and form.is_valid():
        form.save()
        audit.note(request, audit.Action.COLLECTION_CHANGED, collection.name, detail=name)
        messages.success(request, _("Guardado."))
        return redirect("documents:collections", request.organization.slug)
    context = {"form": form, "name": name}
    return render(request, "documents/rename_collection.html", context, status=422 if form.errors else 200)


@require_POST
@organization_view(*MANAGERS)
def delete(request: OrganizationRequest, collection_id: int) -> HttpResponse:
    """Remove an empty collection."""
    collection = _collection(request, collection_id)
    try:
        services.delete_collection(collection)
    except SkillNetError as error:
        messages.error(request, str(error.user_message))
    else:
        audit.note(request, audit.Action.COLLECTION_DELETED, collection.name)
        messages.success(request, _("Colección borrada."))
    return redirect("documents:collections", request.organization.slug)
