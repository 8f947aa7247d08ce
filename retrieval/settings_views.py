"""«Ajustes de búsqueda»: of the organization, of a collection, of a course; tried with a question before saving."""

from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from documents.access import Reader
from documents.models import Collection, Document, DocumentQuerySet
from documents.rechunking import queue_again
from retrieval.configuration import CHUNK_NAMES, search_config
from retrieval.pipeline import search
from retrieval.question import MAX_CHARACTERS
from retrieval.registry import course_title
from retrieval.settings_forms import SearchSettingsForm
from retrieval.settings_services import Level, restore_settings, save_settings
from retrieval.types import Passage, SearchScope
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.errors import SkillNetError
from skillnet.models import Role

PREVIEWED = 5  # hits of each list


@dataclass(frozen=True, slots=True)
class Page:
    """A settings page: of what, and where its actions go."""

    level: Level
    kind: str  # organization, collection or course
    name: str = ""

    @property
    def ids(self) -> list[Any]:
        own = [self.level.collection.pk] if self.level.collection else [self.level.course_id]
        return [self.level.organization.slug, *(own if self.kind != "organization" else [])]

    def address(self, action: str = "") -> str:
        """Of the page itself, or of `restore` and `cut`."""
        name = {"": self.kind, "restore": f"restore_{self.kind}", "cut": f"cut_{self.kind}_again"}[action]
        return reverse(f"search_settings:{name}", args=self.ids)

    @property
    def restore_address(self) -> str:
        return self.address("restore")

    @property
    def cut_address(self) -> str:
        return "" if self.kind == "course" else self.address("cut")


def _organization(request: OrganizationRequest) -> Page:
    return Page(Level(request.organization), "organization")


def _collection(request: OrganizationRequest, collection_id: int) -> Page:
    found: Collection = get_object_or_404(Collection.objects.for_organization(request.organization), pk=collection_id)
    return Page(Level(request.organization, collection=found), "collection", found.name)


def _course(request: OrganizationRequest, course_id: int) -> Page:
    title = course_title(request.organization.pk, course_id)
    if title is None:
        raise Http404
    return Page(Level(request.organization, course_id=course_id), "course", title)


@require_http_methods(["GET", "POST"])
@organization_view(Role.ADMIN)
def organization_settings(request: OrganizationRequest) -> HttpResponse:
    """Settings for everything."""
    return _settings(request, _organization(request))


@require_http_methods(["GET", "POST"])
@organization_view(Role.ADMIN)
def collection_settings(request: OrganizationRequest, collection_id: int) -> HttpResponse:
    """What a collection does otherwise."""
    return _settings(request, _collection(request, collection_id))


@require_http_methods(["GET", "POST"])
@organization_view(Role.ADMIN)
def course_settings(request: OrganizationRequest, course_id: int) -> HttpResponse:
    """What a course's tutor does otherwise."""
    return _settings(request, _course(request, course_id))


@require_POST
@organization_view(Role.ADMIN)
def restore_organization(request: OrganizationRequest) -> HttpResponse:
    """Back to the product's values."""
    return _restore(request, _organization(request))


@require_POST
@organization_view(Role.ADMIN)
def restore_collection(request: OrganizationRequest, collection_id: int) -> HttpResponse:
    """Back to the organization's values."""
    return _restore(request, _collection(request, collection_id))


@require_POST
@organization_view(Role.ADMIN)
def restore_course(request: OrganizationRequest, course_id: int) -> HttpResponse:
    """Back to the organization's values."""
    return _restore(request, _course(request, course_id))


@require_POST
@organization_view(Role.ADMIN)
def cut_organization_again(request: OrganizationRequest) -> HttpResponse:
    """Cut all documents anew by the present settings."""
    return _cut_again(request, _organization(request), _documents(request))


@require_POST
@organization_view(Role.ADMIN)
def cut_collection_again(request: OrganizationRequest, collection_id: int) -> HttpResponse:
    """Cut a collection's documents anew by its present settings."""
    page = _collection(request, collection_id)
    return _cut_again(request, page, _documents(request).filter(collection=page.level.collection))


def _documents(request: OrganizationRequest) -> DocumentQuerySet:
    documents: DocumentQuerySet = Document.objects.open_to(request.membership)
    return documents


def _note(request: OrganizationRequest, page: Page, what: str) -> None:
    """Write down whose settings were changed."""
    audit.record(request.organization, request.user, audit.Action.SETTINGS_CHANGED, what, detail=page.name)


def _settings(request: OrganizationRequest, page: Page) -> HttpResponse:
    stored, inherited = page.level.stored(), page.level.inherited()
    initial = SearchSettingsForm.initial_of(stored)
    form = SearchSettingsForm(request.POST or None, inherited=inherited, level=page.kind, initial=initial)
    question = request.POST.get("pregunta", "").strip()[:MAX_CHARACTERS]
    context: dict[str, Any] = {"page": page, "form": form, "question": question, "has_own": bool(stored)}
    if request.method == "POST" and form.is_valid():
        if "probar" in request.POST:
            context["preview"] = _preview(request, page, stored, form.values, question) if question else None
            context["asks_question"] = not question
        else:
            try:
                save_settings(page.level, form.values, updated_by=request.user)
                _note(request, page, _("Ajustes de búsqueda"))
            except SkillNetError as error:
                form.add_error(None, str(error.user_message))
            else:
                _say_saved(request, stored, form.values)
                return redirect(page.address())
    return render(request, "retrieval/settings.html", context, status=422 if form.errors else 200)


def _say_saved(request: OrganizationRequest, before: dict[str, Any], after: dict[str, Any]) -> None:
    cutting = [{name: values.get(name) for name in CHUNK_NAMES} for values in (before, after)]
    if cutting[0] != cutting[1]:
        messages.success(
            request,
            _("Guardado. Los documentos que ya están se dividen de la manera nueva al volver a procesarlos."),
        )
    else:
        messages.success(request, _("Guardado."))


@dataclass(frozen=True, slots=True)
class Preview:
    """What a question finds with the settings in force, and with those in the form."""

    before: tuple[Passage, ...]
    after: tuple[Passage, ...]
    answers_before: bool
    answers_after: bool


def _preview(
    request: OrganizationRequest, page: Page, stored: dict[str, Any], values: dict[str, Any], question: str
) -> Preview:
    inherited = page.level.inherited()
    scope = SearchScope(
        request.organization.pk,
        Reader.of(request.membership),
        collection_id=page.level.collection.pk if page.level.collection else None,
        course_id=page.level.course_id,
    )
    results = [search(question, scope, search_config({**inherited, **own})) for own in (stored, values)]
    before, after = (replace(result, passages=result.passages[:PREVIEWED]) for result in results)
    return Preview(before.passages, after.passages, before.evidence, after.evidence)


def _restore(request: OrganizationRequest, page: Page) -> HttpResponse:
    try:
        restore_settings(page.level)
        _note(request, page, _("Ajustes de búsqueda restaurados"))
    except SkillNetError as error:
        messages.error(request, str(error.user_message))
    else:
        messages.success(request, _("Se han restaurado los valores."))
    return redirect(page.address())


def _cut_again(request: OrganizationRequest, page: Page, documents: DocumentQuerySet) -> HttpResponse:
    try:
        count = queue_again(documents)
    except SkillNetError as error:
        messages.error(request, str(error.user_message))
    else:
        message = ngettext(
            "%(count)d documento se vuelve a procesar. Mientras tanto se sigue encontrando como antes.",
            "%(count)d documentos se vuelven a procesar. Mientras tanto se siguen encontrando como antes.",
            count,
        )
        messages.success(request, message % {"count": count})
    return redirect(page.address())
