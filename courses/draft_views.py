"""«Crear curso»: documents chosen, an outline to look over, lessons being written, then what there is to review."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import Count, Prefetch, Q
from django.forms import Form
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRefresh

from courses import drafts, telling
from courses.chapters_forms import ChooseChaptersForm
from courses.drafting import editing
from courses.drafting.chapters import Chapter, chapters_of
from courses.forms import ChooseDocumentsForm
from courses.models import CourseDraft, DraftStatus, Lesson
from documents.models import BY_TITLE, Document
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.errors import SkillNetError
from skillnet.models import MANAGERS

Outline = dict[str, Any]

_TITLE_FIELD = re.compile(r"^titulo-(\d{1,4})(?:-(\d{1,4}))?$")
MAX_TITLE = 200


def _draft(request: OrganizationRequest, draft_id: UUID) -> CourseDraft:
    drafts_here = CourseDraft.objects.for_organization(request.organization).select_related("course")
    found: CourseDraft = get_object_or_404(drafts_here, pk=draft_id)
    return found


def _to_draft(request: OrganizationRequest, draft: CourseDraft, anchor: str = "") -> HttpResponse:
    response = redirect("courses:draft", request.organization.slug, draft.pk)
    response["Location"] += anchor
    return response


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def choose(request: OrganizationRequest) -> HttpResponse:
    """Choose a title and documents, then which of their chapters; what these could be cut into is proposed next."""
    form = _choice(request, request.POST or None, initial=_typed(request.GET))
    if request.method == "POST" and form.is_valid():
        title, offered = form.cleaned_data["title"], _chapters(form)
        unread = [document.title for document, chapters in offered.items() if not chapters]
        if unread:
            text = _("«%(title)s» no tiene texto del que hacer lecciones. Quítalo de la lista.")
            form.add_error("documents", [text % {"title": one} for one in unread])
        elif any(len(chapters) > 1 for chapters in offered.values()):
            chosen = QueryDict(mutable=True)
            chosen["title"] = title
            chosen.setlist("documents", [str(document.pk) for document in offered])
            address = reverse("courses:chapters", args=[request.organization.slug])
            return redirect(f"{address}?{chosen.urlencode()}")
        else:
            found = _proposed(request, form, title, dict.fromkeys(offered, ()))
            if found is not None:
                return _to_draft(request, found)
    return render(request, "courses/choose.html", {"form": form}, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def chapters(request: OrganizationRequest) -> HttpResponse:
    """Choose which chapters of the chosen documents (in the address, with the title) a course is made of."""
    choice = _choice(request, request.GET)
    if not choice.is_valid():
        messages.error(request, _("Elige primero el título y los documentos del curso."))
        return redirect("courses:choose", request.organization.slug)
    offered = {document: found for document, found in _chapters(choice).items() if found}
    form = ChooseChaptersForm(request.POST if request.method == "POST" else None, offered=offered)
    if request.method == "POST" and form.is_valid():
        # With all of a document's chapters ticked, those of a later version are in, too.
        chosen = {one: keys if len(keys) < len(offered[one]) else () for one, keys in form.chosen().items()}
        found = _proposed(request, form, choice.cleaned_data["title"], chosen)
        if found is not None:
            return _to_draft(request, found)
    context = {"form": form, "title": choice.cleaned_data["title"]}
    return render(request, "courses/chapters.html", context, status=422 if form.is_bound else 200)


def _proposed(
    request: OrganizationRequest, form: Form, title: str, chosen: Mapping[Document, Sequence[str]]
) -> CourseDraft | None:
    """A draft of the documents, or of those of their chapters with these keys; None where there is no text, which the
    form then says.
    """
    try:
        found = drafts.propose(
            organization=request.organization,
            title=title,
            documents=list(chosen),
            created_by=request.user,
            chapters={str(document.pk): keys for document, keys in chosen.items() if keys},
        )
    except drafts.NothingToDraft as error:
        form.add_error(None, str(error.user_message))
        return None
    titles = ", ".join(document.title for document in chosen)
    audit.note(request, audit.Action.COURSE_CREATED, found.course.title, detail=titles)
    return found


def _choice(request: OrganizationRequest, data: QueryDict | None, **options: Any) -> ChooseDocumentsForm:
    readable = Document.objects.open_to(request.membership).filter(active_version__isnull=False)
    return ChooseDocumentsForm(data, documents=readable.order_by(*BY_TITLE), **options)


def _typed(query: QueryDict) -> dict[str, Any]:
    """What was chosen before, to be changed."""
    return {"title": query.get("title", ""), "documents": query.getlist("documents")}


def _chapters(form: ChooseDocumentsForm) -> dict[Document, list[Chapter]]:
    """The chapters of each document chosen."""
    sources = {document: drafts.source_document(document) for document in form.in_order()}
    return {document: chapters_of(source.blocks) if source else [] for document, source in sources.items()}


@require_GET
@organization_view(*MANAGERS)
def draft(request: OrganizationRequest, draft_id: UUID) -> HttpResponse:
    """A course being drafted, as far as it has come: its outline, its progress, or its lessons to review."""
    found = _draft(request, draft_id)
    context: dict[str, Any] = {"draft": found, "course": found.course}
    telling.settle_draft(found, request.user.pk)
    if found.status == DraftStatus.OUTLINED:
        context |= {"outline": _shown(found.outline), "edition": editing.edition(found.outline)}
        return render(request, "courses/draft_outline.html", context)
    if found.status == DraftStatus.DONE:
        lessons = Lesson.objects.order_by("position", "pk").annotate(
            question_count=Count("quiz_items"),
            waiting_count=Count("quiz_items", filter=Q(quiz_items__is_reviewed=False)),
        )
        modules = found.course.modules.order_by("position", "pk").prefetch_related(Prefetch("lessons", lessons))
        context["modules"] = modules
        context["waiting_count"] = sum(one.waiting_count for module in modules for one in module.lessons.all())
        context["read_from_pictures"] = _read_from_pictures(request, found)
        return render(request, "courses/draft_review.html", context)
    return render(request, "courses/draft_progress.html", context)


def _read_from_pictures(request: OrganizationRequest, found: CourseDraft) -> list[Document]:
    """The documents of a course whose text was recognized in pictures of their pages."""
    documents = Document.objects.open_to(request.membership).filter(course_documents__course=found.course)
    recognized = Q()
    for code in ("ocr_used", "poor_ocr"):
        recognized |= Q(active_version__warnings__contains=[{"code": code}])
    return list(documents.filter(recognized).order_by(*BY_TITLE))


def _shown(outline: Outline) -> list[dict[str, Any]]:
    """The modules with each lesson's place, and whether it is the first or last of all."""
    places = [
        (at_module, at_lesson)
        for at_module, module in enumerate(outline["modules"])
        for at_lesson in range(len(module["lessons"]))
    ]
    return [
        {
            "title": module["title"],
            "lessons": [
                lesson
                | {
                    "place": f"{at_module}-{at_lesson}",
                    "is_first": (at_module, at_lesson) == places[0],
                    "is_last": (at_module, at_lesson) == places[-1],
                }
                for at_lesson, lesson in enumerate(module["lessons"])
            ],
        }
        for at_module, module in enumerate(outline["modules"])
    ]


@require_GET
@organization_view(*MANAGERS)
def progress(request: OrganizationRequest, draft_id: UUID) -> HttpResponse:
    """How far the writing has come, as a fragment; the whole page again once it has ended."""
    found = _draft(request, draft_id)
    if found.status not in (DraftStatus.QUEUED, DraftStatus.WRITING):
        return HttpResponseClientRefresh()
    return render(request, "courses/_draft_progress.html", {"draft": found})


@require_POST
@organization_view(*MANAGERS)
def change(request: OrganizationRequest, draft_id: UUID) -> HttpResponse:
    """Keep the titles as typed and make one change to the outline, or have the lessons written."""
    found = _draft(request, draft_id)
    action, _colon, place = request.POST.get("accion", "").partition(":")
    titles = _titles(request.POST)

    def edited(outline: Outline) -> Outline:
        return _step(request, found, action, place)(editing.renamed(outline, titles))

    try:
        drafts.change_outline(draft=found, seen=request.POST.get("edicion", ""), change=edited)
    except SkillNetError as error:
        messages.error(request, str(error.user_message))
        return _to_draft(request, found)
    except editing.TooLong:
        messages.error(request, _("Juntas serían una lección demasiado larga para leerla de una vez."))
        return _to_draft(request, found)
    except (editing.NoSuchPlace, ValueError):
        messages.error(request, _("Eso no se puede hacer ahí. Mira el índice y elige otro cambio."))
        return _to_draft(request, found)
    if action == "escribir" and found.outline["modules"]:
        drafts.start(found)
        audit.note(request, audit.Action.COURSE_WRITTEN, found.course.title)
    elif action == "escribir":
        messages.error(request, _("El índice está vacío. Vuelve a la propuesta inicial o descarta el curso."))
    return _to_draft(request, found, "#indice" if place else "")


def _step(request: OrganizationRequest, found: CourseDraft, action: str, place: str) -> Callable[[Outline], Outline]:
    if action == "mover":
        origin, goal, side = place.split(">")
        return partial(editing.dropped, place=_place(origin), on=_place(goal), after=side == "despues")
    if action in editing.CHANGES:
        at = _place(place)
        return lambda outline: editing.CHANGES[action](outline, at)
    if action == "reponer":
        documents = Document.objects.open_to(request.membership).filter(course_documents__course=found.course)
        chosen = list(documents.order_by("course_documents__pk").select_related("active_version"))
        return lambda _outline: drafts.proposed_outline(chosen, found.chapters)
    if action == "escribir":
        return editing.without_empty
    return lambda outline: outline


def _place(text: str) -> editing.Place:
    """A place as addresses write it: «2» for a module, «2-0» for a lesson. Raises: ValueError."""
    place = tuple(int(number) for number in text.split("-"))
    if len(place) > 2:
        raise ValueError(text)
    return place


def _titles(posted: QueryDict) -> dict[editing.Place, str]:
    titles: dict[editing.Place, str] = {}
    for name, value in posted.items():
        if match := _TITLE_FIELD.match(name):
            place = tuple(int(number) for number in match.groups() if number is not None)
            titles[place] = " ".join(str(value).replace("\0", "").split())[:MAX_TITLE]
    return titles


@require_POST
@organization_view(*MANAGERS)
def retry(request: OrganizationRequest, draft_id: UUID) -> HttpResponse:
    """Go on writing lessons from where it failed."""
    found = _draft(request, draft_id)
    if found.status == DraftStatus.FAILED:
        drafts.start(found)
        audit.note(request, audit.Action.COURSE_WRITTEN, found.course.title)
    return _to_draft(request, found)
