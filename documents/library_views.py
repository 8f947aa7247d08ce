"""The manuals that a person may read."""

from django import forms
from django.core.paginator import Paginator
from django.db.models import F, QuerySet, Value
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from documents.cleaning import clean_line
from documents.folding import folded
from documents.models import Collection, Document
from documents.views import readable_documents
from skillnet.access import OrganizationRequest, organization_view

ROWS_A_PAGE = 40


class LibraryForm(forms.Form):
    """What is looked for among the titles; what is not understood is left out."""

    q = forms.CharField(label=_("Buscar por título"), required=False, max_length=200)
    coleccion = forms.ModelChoiceField(
        Collection.objects.none(), label=_("Colección"), required=False, empty_label=_("Todas")
    )


@require_GET
@organization_view()
def library(request: OrganizationRequest) -> HttpResponse:
    """Every manual that the person asking may read, by collection and title."""
    documents = readable_documents(request).served()
    form = LibraryForm(request.GET or None)
    form.fields["coleccion"].queryset = (  # type: ignore[attr-defined]
        Collection.objects.for_organization(request.organization)
        .filter(pk__in=documents.order_by().values("collection"))
        .order_by("name")
    )
    wanted = {name: value for name, value in form.cleaned_data.items() if value} if form.is_valid() else {}
    context = {
        "form": form,
        "is_filtered": bool(wanted),
        "page": Paginator(_matching(documents, **wanted), ROWS_A_PAGE).get_page(request.GET.get("pagina")),
    }
    return render(request, "documents/library.html", context)


def _matching(documents: QuerySet[Document], *, q: str = "", coleccion: Collection | None = None) -> QuerySet[Document]:
    for word in clean_line(q).split():
        documents = documents.annotate(folded_title=folded(F("title"))).filter(
            folded_title__contains=folded(Value(word))
        )
    if coleccion is not None:
        documents = documents.filter(collection=coleccion)
    found = documents.select_related("collection", "active_version").defer("active_version__warnings")
    return found.order_by(F("collection__name").asc(nulls_last=True), folded(F("title")), "pk")
