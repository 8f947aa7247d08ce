"""The tutor's pages: ask, read the answer, look back."""

import uuid
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import reswap, retarget

from courses.models import Course, Lesson
from documents.access import Reader
from documents.models import Document
from retrieval.types import SearchScope
from skillnet import unsent
from skillnet.access import OrganizationRequest, organization_view
from skillnet.rate_limits import in_words, rate_limited
from tutor import services, streaming
from tutor.conversation_views import own_conversations, to_list_once_deleted
from tutor.forms import QuestionForm
from tutor.models import Citation, Conversation, Turn
from tutor.prepared.faq import readable_entries
from tutor.suggestions import suggested_questions
from tutor.turns import TurnTask

HISTORY_LENGTH = 20


@require_GET
@organization_view()
def home(request: OrganizationRequest) -> HttpResponse:
    """An empty conversation, in the whole library or, with ?curso= and perhaps ?leccion=, in one course."""
    course = _course(request, request.GET.get("curso", ""))
    question = unsent.take(request, "question") or request.GET.get("pregunta", "")
    lesson = _lesson(course, request.GET.get("leccion", ""))
    form = QuestionForm(initial={**_place(course, lesson), "question": question})
    context = _page_context(request, form=form, course=course, lesson=lesson)
    return render(request, "tutor/conversation.html", context)


@never_cache  # going back to it has to ask: it may be answered by now, or deleted
@require_GET
@organization_view()
@to_list_once_deleted
def conversation(request: OrganizationRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """A conversation with its turns, and the box for the next question."""
    found = get_object_or_404(own_conversations(request).select_related("course", "lesson"), pk=conversation_id)
    question = unsent.take(request, "question")
    form = QuestionForm(initial={"conversation": found.pk, **_place(found.course, found.lesson), "question": question})
    context = _page_context(request, form=form, course=found.course, lesson=found.lesson, conversation=found)
    return render(request, "tutor/conversation.html", context)


@require_POST
@organization_view()
@rate_limited("ask", refuse=lambda request, seconds: _wait_first(request, seconds))
def ask(request: OrganizationRequest) -> HttpResponse:
    """Take a question. htmx gets its turn, which fetches its answer; a plain form goes on to the
    conversation.
    """
    form = QuestionForm(request.POST)
    is_fragment = bool(request.htmx)  # type: ignore[attr-defined]
    if not form.is_valid():
        return _refuse(request, form, is_fragment=is_fragment)
    found = _open_conversation(request, form)
    turn = services.open_turn(
        conversation=found,
        question=form.cleaned_data["question"],
        submission=form.cleaned_data["submission"],
        is_fresh=form.cleaned_data["fresh"],
        in_library=form.cleaned_data["biblioteca"],
    )
    if not is_fragment:
        return redirect("tutor:conversation", request.organization.slug, found.pk)
    next_form = QuestionForm(initial={"conversation": found.pk, **_place(found.course, found.lesson)})
    context = {"turn": _shown_turn(request, turn.pk), "form": next_form, "course": found.course, "conversation": found}
    return render(request, "tutor/_asked.html", context)


@require_GET
@organization_view()
def stream(request: OrganizationRequest, turn_id: uuid.UUID) -> HttpResponseBase:
    """A turn's answer as server-sent events; an answer already given is sent again, never made again."""
    turn = _own_turn(request, turn_id)

    def shown(pk: uuid.UUID) -> str:
        return render_to_string("tutor/_answer.html", {"turn": _shown_turn(request, pk)}, request=request)

    response = StreamingHttpResponse(
        streaming.stream(_task(request, turn), render=shown), content_type="text/event-stream"
    )
    response["Cache-Control"] = "no-cache, no-transform"
    response["X-Accel-Buffering"] = "no"
    return response


@require_http_methods(["GET", "POST"])
@organization_view()
def answer(request: OrganizationRequest, turn_id: uuid.UUID) -> HttpResponseBase:
    """The way to an answer without scripts: answers the turn, then leads back to its conversation."""
    turn = _own_turn(request, turn_id)
    task = _task(request, turn)
    page = render_to_string("tutor/answered.html", {"turn": turn}, request=request)

    def body() -> Iterator[str]:
        # Not in the view: its transaction would be held open while the text is written.
        streaming.answer_now(task)
        yield page

    return StreamingHttpResponse(body())


def _open_conversation(request: OrganizationRequest, form: QuestionForm) -> Conversation:
    """The person's conversation that a valid form names, begun now when there is none yet."""
    pk = form.cleaned_data["conversation"]
    existing = own_conversations(request).select_related("course", "lesson").filter(pk=pk)
    if (found := existing.first()) is not None:
        return found
    course = _course(request, str(form.cleaned_data["curso"] or ""))
    lesson = _lesson(course, str(form.cleaned_data["leccion"] or ""))
    try:
        with transaction.atomic():
            return services.start_conversation(
                conversation_id=pk, organization=request.organization, user=request.user, course=course, lesson=lesson
            )
    except IntegrityError:  # begun a moment ago by the same form sent twice, or somebody else's
        return get_object_or_404(existing)


def _wait_first(request: OrganizationRequest, seconds: int) -> HttpResponse:
    """The page with the question still in its box, and how long to wait before it may be asked."""
    form = QuestionForm(request.POST)
    form.is_valid()
    wait = _("Van muchas preguntas seguidas. Vuelve a enviarla dentro de %(wait)s.") % {"wait": in_words(seconds)}
    form.errors["question"] = form.error_class([wait])
    return _refuse(request, form, is_fragment=False)


def _refuse(request: OrganizationRequest, form: QuestionForm, *, is_fragment: bool) -> HttpResponse:
    course = _course(request, str(form["curso"].value() or ""))
    lesson = _lesson(course, str(form["leccion"].value() or ""))
    if is_fragment:
        response = render(request, "tutor/_question_form.html", {"form": form, "course": course}, status=422)
        return reswap(retarget(response, "#ask"), "outerHTML")
    conversation_id = form.cleaned_data.get("conversation")
    found = own_conversations(request).filter(pk=conversation_id).first() if conversation_id else None
    context = _page_context(request, form=form, course=course, lesson=lesson, conversation=found)
    return render(request, "tutor/conversation.html", context, status=422)


def _page_context(
    request: OrganizationRequest,
    *,
    form: QuestionForm,
    course: Course | None,
    lesson: Lesson | None = None,
    conversation: Conversation | None = None,
) -> dict[str, Any]:
    turns = [] if conversation is None else list(_with_citations(request, conversation.turns.all()))
    return {
        "form": form,
        "course": course,
        "lesson": lesson,
        "conversation": conversation,
        "turns": turns,
        "history": own_conversations(request).select_related("course")[:HISTORY_LENGTH],
        "suggestions": [] if turns else suggested_questions(_documents(request, course)),
    }


def _documents(request: OrganizationRequest, course: Course | None) -> Any:
    documents = Document.objects.open_to(request.membership)
    return documents.served() if course is None else documents.served().filter(course_documents__course=course)


def _own_turn(request: OrganizationRequest, turn_id: uuid.UUID) -> Turn:
    turns = Turn.objects.select_related("conversation")
    turn: Turn = get_object_or_404(turns, pk=turn_id, conversation__in=own_conversations(request))
    return turn


def _course(request: OrganizationRequest, pk: str) -> Course | None:
    """The course named in the address; None when none is. 404 when the person may not open it."""
    if not pk:
        return None
    if not (pk.isdecimal() and len(pk) < 19):
        raise Http404
    courses = Course.objects.for_organization(request.organization).open_to(request.membership)
    course: Course = get_object_or_404(courses, pk=int(pk))
    return course


def _lesson(course: Course | None, pk: str) -> Lesson | None:
    """The lesson named in the address, of a course that the person may open; 404 when it is not of that course."""
    if not pk:
        return None
    if course is None or not (pk.isdecimal() and len(pk) < 19):
        raise Http404
    lesson: Lesson = get_object_or_404(
        Lesson.objects.filter(module__course=course).defer("content", "composed"), pk=int(pk)
    )
    return lesson


def _place(course: Course | None, lesson: Lesson | None) -> dict[str, int | None]:
    """Where a question is asked, as the form says it."""
    return {"curso": course.pk if course else None, "leccion": lesson.pk if lesson else None}


def _task(request: OrganizationRequest, turn: Turn) -> TurnTask:
    scope = SearchScope(request.organization.pk, Reader.of(request.membership))
    if not turn.in_library:
        scope = replace(scope, course_id=turn.conversation.course_id, lesson_id=turn.conversation.lesson_id)
    return TurnTask(
        turn.pk,
        turn.question,
        scope,
        is_fresh=turn.is_fresh,
        history=services.earlier_questions(turn),
    )


def _shown_turn(request: OrganizationRequest, pk: uuid.UUID) -> Turn:
    return _with_citations(request, Turn.objects.all()).get(pk=pk)


def _with_citations(request: OrganizationRequest, turns: QuerySet[Turn]) -> QuerySet[Turn]:
    """The turns with the citations and the entries that the person may read now; an answer that lacks a citation is
    withheld.
    """
    readable = Document.objects.open_to(request.membership)
    citations = Citation.objects.filter(document__in=readable).select_related("document", "version")
    entries = readable_entries(request.organization.pk, Reader.of(request.membership)).answering()
    return turns.select_related("conversation__course", "feedback", "escalation").prefetch_related(
        Prefetch("citations", citations),
        Prefetch("escalation__entry", entries.prefetch_related("sources__document")),
    )
