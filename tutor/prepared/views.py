"""The FAQ's pages, for those who write it."""

import uuid
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import F, Prefetch, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from documents.access import Reader
from documents.forms import classifications_for
from documents.models import BY_TITLE, Document, DocumentQuerySet
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.errors import SkillNetError
from skillnet.models import MANAGERS
from skillnet.rate_limits import rate_limited
from tutor import jobs, reactions
from tutor.grounding import Grounded, renumbered
from tutor.inbox import escalations_for, feedback_for
from tutor.models import FaqEntry, FaqQuerySet, FaqSource, ReviewReason
from tutor.prepared import services, suggested, transfer
from tutor.prepared.agreement import agree
from tutor.prepared.errors import AlreadyAsked
from tutor.prepared.faq import readable_entries
from tutor.prepared.forms import MAX_QUESTIONS, SOURCES, FaqForm, ImportForm, TurnIdsField, initial_of, initial_sources
from tutor.rendering import literal_markdown

ENTRIES_A_PAGE = 30
SUGGESTIONS_A_PAGE = 10  # each then asks the documents what they say: some 150 ms
STATES: dict[str, dict[str, Any]] = {
    "activas": {"is_active": True},
    "inactivas": {"is_active": False},
    "revisar": {"review_reason__in": [ReviewReason.CHANGED, ReviewReason.DELETED]},
}


@require_GET
@organization_view(*MANAGERS)
def entry_list(request: OrganizationRequest) -> HttpResponse:
    """The entries whose documents the person may read, those to review first."""
    services.complete_vectors(request.organization)
    everything = _entries(request)
    entries: QuerySet[FaqEntry] = everything
    state, words = request.GET.get("estado", ""), request.GET.get("q", "").replace("\0", "").strip()
    if state in STATES:
        entries = entries.filter(**STATES[state])
    if words:
        entries = entries.filter(pk__in=everything.filter(variants__text__icontains=words).values("pk"))
    ordered = _with_parts(entries).order_by(F("review_reason").desc(), "-hit_count", "-updated_at", "pk")
    context = {
        "page": Paginator(ordered, ENTRIES_A_PAGE).get_page(request.GET.get("pagina")),
        "state": state,
        "words": words,
        "review_count": everything.filter(**STATES["revisar"]).count(),
        "is_empty": not everything.exists(),
    }
    return render(request, "tutor/faq/list.html", context)


def _searches(request: HttpRequest) -> bool:
    return request.method == "GET" and bool(request.GET.get("pregunta") or request.GET.get("turno"))


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
@rate_limited("search", counts=_searches)
def create(request: OrganizationRequest) -> HttpResponse:
    """A new entry, empty, or with what a question or a suggestion (by its first turn) brings."""
    initial: dict[str, Any] = {}
    if request.method == "GET":
        initial = _suggested(request) or _waiting(request) or _wordings(request.GET.get("pregunta", "").splitlines())
        if lines := initial["questions"].splitlines():
            initial |= _proposed(request, lines[0])
    proposals = initial.pop("proposals", ())
    form = _form(request, initial={"owner": request.user.pk, **initial}, proposals=proposals)
    if request.method == "POST" and form.is_valid() and (saved := _save(request, form)) is not None:
        turns = form.cleaned_data["turns"]
        settled = suggested.settle(request.organization, turns, without=form.left_out)
        _answer_waiting(request, saved, [str(turn.pk) for turn in settled])
        if saved.is_active:
            messages.success(request, _("Guardada. El tutor ya responde con ella."))
        else:
            messages.success(request, _("Guardada, sin activar: el tutor no responde con ella todavía."))
        came_from = "tutor:inbox" if "aviso" in request.GET else "tutor:faq_suggested" if turns else "tutor:faq"
        return redirect(came_from, request.organization.slug)
    return render(request, "tutor/faq/edit.html", {"form": form}, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def edit(request: OrganizationRequest, entry_id: int) -> HttpResponse:
    """Another text for an entry; saving it says that it has been reviewed."""
    entry = _entry(request, entry_id)
    form = _form(request, initial=initial_of(entry), source_count=entry.sources.count() + 1)
    if request.method == "POST" and form.is_valid() and (saved := _save(request, form, entry)) is not None:
        _answer_waiting(request, saved)
        messages.success(request, _("Guardado."))
        return redirect("tutor:faq", request.organization.slug)
    context = {"form": form, "entry": entry}
    return render(request, "tutor/faq/edit.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def delete(request: OrganizationRequest, entry_id: int) -> HttpResponse:
    """Remove an entry, once the person has said so."""
    entry = _entry(request, entry_id)
    if request.method == "POST":
        audit.note(request, audit.Action.FAQ_DELETED, entry.question)
        services.delete_entry(entry)
        messages.success(request, _("Borrada."))
        return redirect("tutor:faq", request.organization.slug)
    return render(request, "tutor/faq/confirm_delete.html", {"entry": entry})


@require_GET
@organization_view(*MANAGERS)
def suggestion_list(request: OrganizationRequest) -> HttpResponse:
    """What was asked again and again in vain. What the documents say to it now comes after the page."""
    suggestions = suggested.suggestions(request.organization, Reader.of(request.membership))
    if suggestions.unread:
        jobs.read_on_commit(request.organization.pk, suggestions.unread)
    page = Paginator(suggestions.found, SUGGESTIONS_A_PAGE).get_page(request.GET.get("pagina"))
    shown = [{"suggestion": suggestion, "fields": _fields_of(suggestion)} for suggestion in page]
    context = {"page": page, "shown": shown, "unread_count": len(suggestions.unread)}
    return render(request, "tutor/faq/suggested.html", context)


@require_GET
@organization_view(*MANAGERS)
@rate_limited("search")
def proposal(request: OrganizationRequest, turn_id: uuid.UUID) -> HttpResponse:
    """For a suggestion's card: the answer that the documents give to its question now, ready to be approved."""
    reader = Reader.of(request.membership)
    turn = get_object_or_404(suggested.open_turns(request.organization, reader), pk=turn_id)
    found = suggested.propose(turn.question, request.organization, reader)
    sources = [(number, one.passage, one.quote) for number, one in enumerate(found.citations, start=1)]
    context = {"answer": _answer_of(found), "sources": sources}
    return render(request, "tutor/faq/_proposal.html", context)


@require_POST
@organization_view(*MANAGERS)
def dismiss(request: OrganizationRequest) -> HttpResponse:
    """Suggest no more for these questions."""
    ids = TurnIdsField(required=False).to_python(request.POST.get("turns", ""))
    settled = suggested.settle(request.organization, ids)
    if not settled:
        raise Http404
    questions = dict.fromkeys(turn.question for turn in settled)
    audit.note(request, audit.Action.FAQ_DISMISSED, "; ".join(questions))
    messages.success(request, _("Sugerencia descartada."))
    return redirect("tutor:faq_suggested", request.organization.slug)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def import_file(request: OrganizationRequest) -> HttpResponse:
    """Entries from a file, with what became of each."""
    form = ImportForm(request.POST or None, request.FILES or None)
    results: list[transfer.RowResult] = []
    if request.method == "POST" and form.is_valid():
        try:
            results = transfer.import_entries(
                transfer.parse(form.cleaned_data["file"].read()),
                organization=request.organization,
                owner=request.user,
                documents=_documents(request),
                editable=_entries(request).order_by(),
                classifications=frozenset(value for value, _label in classifications_for(request.membership)),
            )
        except SkillNetError as error:
            form.add_error("file", str(error.user_message))
        saved_count = sum(result.is_saved for result in results)
        if saved_count:
            audit.note(request, audit.Action.FAQ_IMPORTED, form.cleaned_data["file"].name, detail=saved_count)
    context = {"form": form, "results": results, "saved_count": sum(result.is_saved for result in results)}
    return render(request, "tutor/faq/import.html", context, status=422 if form.errors else 200)


@require_GET
@organization_view(*MANAGERS)
def export_file(request: OrganizationRequest) -> HttpResponse:
    """The entries that the person may read as CSV or, with ?formato=json, JSON."""
    entries = transfer.written(_with_parts(_entries(request)).order_by("pk"))
    audit.note(request, audit.Action.EXPORTED, _("Preguntas frecuentes"))
    is_json = request.GET.get("formato") == "json"
    kind, ending = ("application/json", "json") if is_json else ("text/csv; charset=utf-8", "csv")
    response = HttpResponse(transfer.to_json(entries) if is_json else transfer.to_csv(entries), content_type=kind)
    name = f"faq-{request.organization.slug}-{timezone.localdate().isoformat()}.{ending}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _entries(request: OrganizationRequest) -> FaqQuerySet:
    return readable_entries(request.organization.pk, Reader.of(request.membership))


def _entry(request: OrganizationRequest, entry_id: int) -> FaqEntry:
    found: FaqEntry = get_object_or_404(_with_parts(_entries(request)), pk=entry_id)
    return found


def _with_parts(entries: Any) -> Any:
    sources = FaqSource.objects.select_related("document__active_version", "version")
    return entries.select_related("owner").prefetch_related("variants", Prefetch("sources", sources))


def _documents(request: OrganizationRequest) -> DocumentQuerySet:
    documents: DocumentQuerySet = Document.objects.open_to(request.membership)
    return documents.served().select_related("active_version").order_by(*BY_TITLE)


def _form(request: OrganizationRequest, **kwargs: Any) -> FaqForm:
    return FaqForm(request.POST or None, membership=request.membership, documents=_documents(request), **kwargs)


def _save(request: OrganizationRequest, form: FaqForm, entry: FaqEntry | None = None) -> FaqEntry | None:
    values = form.cleaned_data
    try:
        saved = services.save_entry(
            organization=request.organization,
            owner=values["owner"] or (request.user if entry is None else None),
            questions=values["questions"],
            answer=values["answer"],
            classification=values["classification"],
            is_active=values["is_active"],
            sources=form.bound_sources,
            entry=entry,
        )
    except AlreadyAsked as error:
        form.add_error("questions", str(error.user_message))
        return None
    audit.note(request, audit.Action.FAQ_SAVED, values["questions"][0])
    return saved


def _answer_waiting(request: OrganizationRequest, saved: FaqEntry, turn_ids: Sequence[str] = ()) -> None:
    """Answer with an entry what waits in the person's inbox, and say what it does not reach."""
    answered, unread = reactions.answer_with_entry(saved, request.membership, turn_ids)
    for escalation in answered:
        audit.note(request, audit.Action.QUESTION_CLOSED, escalation.turn.question)
    if unread:
        messages.warning(
            request,
            _("Quien hizo la pregunta no puede leer esta respuesta: sigue en «Avisos» hasta que le respondas."),
        )


def _waiting(request: OrganizationRequest) -> dict[str, Any]:
    """The fields of the question in the person's inbox whose turn the address names; empty without one."""
    named = TurnIdsField(required=False).to_python(request.GET.get("aviso", ""))[:1]
    inboxes = (escalations_for(request.membership), feedback_for(request.membership))
    waiting = (inbox.select_related("turn").filter(turn__pk__in=named).first() for inbox in inboxes)
    found = next((one for one in waiting if one is not None), None) if named else None
    if found is None:
        return {}
    return {"turns": str(found.turn.pk), "questions": found.turn.understood or found.turn.question}


def _suggested(request: OrganizationRequest) -> dict[str, Any]:
    """The fields of the suggestion whose first turn the address names: all its turns would make an address too long.
    Empty without one, or when it is settled.
    """
    first = TurnIdsField(required=False).to_python(request.GET.get("turno", ""))[:1]
    if not first:
        return {}
    suggestions = suggested.suggestions(request.organization, Reader.of(request.membership))
    return next((_fields_of(one) for one in suggestions.found if first[0] in one.turn_ids), {})


def _fields_of(suggestion: suggested.Suggestion) -> dict[str, Any]:
    return {"turns": ",".join(suggestion.turn_ids), **_wordings(suggestion.questions[:MAX_QUESTIONS])}


def _wordings(asked: Sequence[str]) -> dict[str, Any]:
    """The fields of questions that were gathered: the first with those that ask the same, and the others to choose
    from. Questions of one topic lie as near to each other as those of one answer.
    """
    first = next(iter(asked), "")
    same = [text for text in asked if text == first or agree(first, text).is_full]
    return {"questions": "\n".join(same), "proposals": [text for text in asked if text not in same]}


def _proposed(request: OrganizationRequest, question: str) -> dict[str, Any]:
    proposal = suggested.propose(question, request.organization, Reader.of(request.membership))
    sources = [(citation.passage.document_id, citation.quote) for citation in proposal.citations]
    return {"answer": _answer_of(proposal), **initial_sources(sources)}


def _answer_of(proposal: Grounded) -> str:
    """A proposal's words as Markdown, with the marks of the sources that an empty form has places for."""
    return renumbered(literal_markdown(proposal.text), {number: number for number in range(1, SOURCES + 1)})
