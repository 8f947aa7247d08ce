"""Searching through the documents, without the tutor."""

from dataclasses import replace
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from documents.access import Reader
from documents.models import Collection
from documents.views import readable_documents
from retrieval.configuration import config_for
from retrieval.excerpts import excerpt
from retrieval.forms import SearchForm
from retrieval.pipeline import search as search_documents
from retrieval.question import is_expression
from retrieval.types import SearchResult, SearchScope
from skillnet.access import OrganizationRequest, organization_view
from skillnet.rate_limits import rate_limited

SHOWN = 20
FILTERS = ("coleccion", "tipo", "idioma", "desde", "hasta", "fecha_desde", "fecha_hasta")


@require_GET
@organization_view()
@rate_limited("search", counts=lambda request: bool(request.GET.get("q")))
def search(request: OrganizationRequest) -> HttpResponse:
    """The passages that fit some words, with filters. Only documents that the person asking may read."""
    form = SearchForm(request.GET, collections=_collections(request))
    is_valid = form.is_valid()
    question = form.cleaned_data.get("q", "").replace("\0", "")
    context: dict[str, Any] = {"form": form, "question": question}
    context["has_filters"] = any(form.cleaned_data.get(name) for name in FILTERS) or not is_valid
    if is_valid and question:
        results = _results(_found(request, form, question), question)
        context["results"] = results
        context["is_alike_only"] = not any(piece.is_marked for one in results for piece in one["pieces"])
    return render(request, "retrieval/search.html", context, status=200 if is_valid else 422)


def _collections(request: OrganizationRequest) -> Any:
    """The collections with something that the person asking may read: names of others are not for them."""
    used = readable_documents(request).order_by().values("collection")
    return Collection.objects.for_organization(request.organization).filter(pk__in=used)


def _found(request: OrganizationRequest, form: SearchForm, question: str) -> SearchResult:
    asked = form.cleaned_data
    scope = SearchScope(
        request.organization.pk,
        Reader.of(request.membership),
        collection_id=asked["coleccion"].pk if asked["coleccion"] else None,
        media_types=form.media_types,
        language=asked["idioma"],
        since=asked["desde"],
        until=asked["hasta"],
        dated_since=asked["fecha_desde"],
        dated_until=asked["fecha_hasta"],
    )
    config = replace(config_for(scope), top_k=SHOWN, advanced=is_expression(question))
    return search_documents(question, scope, config)


def _results(result: SearchResult, question: str) -> list[dict[str, Any]]:
    return [{"passage": passage, "pieces": excerpt(passage.text, question)} for passage in result.passages]
