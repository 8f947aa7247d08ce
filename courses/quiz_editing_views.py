"""The questions of a lesson: written, read over with their passage beside them, approved."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from courses import quiz_editing
from courses.lesson_editing_views import lesson_of
from courses.models import Lesson, QuizItem, QuizKind
from courses.quiz_forms import FORMS
from documents.models import Document
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.models import MANAGERS


def _item(request: OrganizationRequest, item_id: int) -> QuizItem:
    items = QuizItem.objects.for_organization(request.organization).select_related("lesson__module__course")
    found: QuizItem = get_object_or_404(items, pk=item_id)
    return found


def _passages(request: OrganizationRequest, lesson: Lesson) -> list[quiz_editing.Passage]:
    return quiz_editing.passages_of(lesson, Document.objects.open_to(request.membership))


def _context(lesson: Lesson) -> dict[str, Any]:
    return {"lesson": lesson, "module": lesson.module, "course": lesson.module.course}


def _to_quiz(request: OrganizationRequest, lesson: Lesson, anchor: str = "") -> HttpResponse:
    response = redirect("courses:edit_quiz", request.organization.slug, lesson.pk)
    response["Location"] += anchor
    return response


@require_GET
@organization_view(*MANAGERS)
def quiz(request: OrganizationRequest, lesson_id: int) -> HttpResponse:
    """A lesson's questions with their answers, passages and whether they are approved."""
    lesson = lesson_of(request, lesson_id)
    sources = list(lesson.sources.filter(document__in=Document.objects.open_to(request.membership)))
    readable = {source.document_id for source in sources}
    passages = _passages(request, lesson)
    sound, _unsound = quiz_editing.waiting_in(lesson, passages)
    rows = [
        {
            "item": item,
            "options": _options(item),
            "spellings": [str(spelling) for spelling in item.answer] if item.kind == QuizKind.FILL else [],
            "is_readable": item.document_id in readable,
            "is_gone": quiz_editing.is_gone(item, passages, sources),
        }
        for item in lesson.quiz_items.select_related("document").order_by("position", "pk")
    ]
    context = _context(lesson) | {
        "rows": rows,
        "kinds": QuizKind.choices,
        "waiting_count": sum(not row["item"].is_reviewed for row in rows),
        "can_approve": bool(sound),
        "has_sources": lesson.sources.exists(),
    }
    return render(request, "courses/quiz.html", context)


def _options(item: QuizItem) -> list[dict[str, Any]]:
    is_choice = item.kind == QuizKind.SINGLE_CHOICE
    return [{"text": option, "is_right": is_choice and item.answer == [at]} for at, option in enumerate(item.options)]


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def create_item(request: OrganizationRequest, lesson_id: int, kind: str) -> HttpResponse:
    """A new question of one kind at the end of a lesson's quiz."""
    if kind not in FORMS:
        raise Http404
    return _edit(request, lesson_of(request, lesson_id), QuizItem(kind=kind))


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def edit_item(request: OrganizationRequest, item_id: int) -> HttpResponse:
    """What a question asks and rests on."""
    item = _item(request, item_id)
    return _edit(request, item.lesson, item)


def _edit(request: OrganizationRequest, lesson: Lesson, item: QuizItem) -> HttpResponse:
    passages = _passages(request, lesson)
    form = FORMS[item.kind](request.POST or None, instance=item, lesson=lesson, passages=passages)
    if request.method == "POST" and form.is_valid():
        saved = form.save()
        audit.note(request, audit.Action.COURSE_QUESTION_SAVED, lesson.module.course.title, detail=saved)
        messages.success(request, _("Pregunta guardada y aprobada."))
        return _to_quiz(request, lesson, f"#pregunta-{saved.pk}")
    own = (item.document_id, list(item.heading_path))
    passages.sort(key=lambda passage: (passage.document.pk, list(passage.heading_path)) != own)  # its own first
    context = _context(lesson) | {"form": form, "item": item, "passages": passages, "kind": QuizKind(item.kind).label}
    return render(request, "courses/edit_question.html", context, status=422 if form.is_bound else 200)


@require_POST
@organization_view(*MANAGERS)
def approve_item(request: OrganizationRequest, item_id: int) -> HttpResponse:
    """Let a question be put to employees."""
    item = _item(request, item_id)
    try:
        quiz_editing.approve(item, _passages(request, item.lesson))
    except quiz_editing.UnsoundQuestion as error:
        messages.error(request, str(error.user_message))
    else:
        audit.note(request, audit.Action.COURSE_QUESTIONS_APPROVED, item.lesson.module.course.title, detail=item)
    return _to_quiz(request, item.lesson, f"#pregunta-{item.pk}")


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def approve_all(request: OrganizationRequest, lesson_id: int) -> HttpResponse:
    """Ask, then approve all questions of a lesson that wait for review."""
    lesson = lesson_of(request, lesson_id)
    passages = _passages(request, lesson)
    if request.method != "POST":
        sound, left_out = quiz_editing.waiting_in(lesson, passages)
        context = _context(lesson) | {"sound": sound, "left_out": left_out}
        return render(request, "courses/confirm_approve.html", context)
    approved, unsound = quiz_editing.approve_all(lesson, passages)
    if approved:
        detail = f"{lesson}: {approved}"
        audit.note(request, audit.Action.COURSE_QUESTIONS_APPROVED, lesson.module.course.title, detail=detail)
    messages.success(
        request,
        ngettext("%(count)s pregunta aprobada.", "%(count)s preguntas aprobadas.", approved) % {"count": approved},
    )
    if unsound:
        messages.warning(
            request,
            ngettext(
                "%(count)s pregunta sigue por revisar: ábrela para ver qué le falta.",
                "%(count)s preguntas siguen por revisar: ábrelas para ver qué les falta.",
                unsound,
            )
            % {"count": unsound},
        )
    return _to_quiz(request, lesson)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def delete_item(request: OrganizationRequest, item_id: int) -> HttpResponse:
    """Ask, then delete a question."""
    item = _item(request, item_id)
    if request.method != "POST":
        cancel = reverse("courses:edit_quiz", args=[request.organization.slug, item.lesson_id])
        return render(request, "courses/confirm_delete.html", {"what": item.question, "cancel": cancel})
    lesson = item.lesson
    audit.note(request, audit.Action.COURSE_QUESTION_DELETED, lesson.module.course.title, detail=item)
    item.delete()
    messages.success(request, _("Pregunta borrada."))
    return _to_quiz(request, lesson)
