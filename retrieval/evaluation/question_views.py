"""The organization's questions with known answers: listed, added by picking the right passage, removed."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.forms import BoundField
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from documents.access import Reader
from documents.models import Chunk, Document
from retrieval.evaluation.forms import NO_ANSWER, JudgementForm, QuestionForm
from retrieval.evaluation.services import judge_question
from retrieval.models import EvaluationQuestion
from retrieval.pipeline import search
from retrieval.registry import recent_questions
from retrieval.types import SearchScope
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.models import Role

ROWS_A_PAGE = 25
SUGGESTED = 15  # questions that people asked lately


def _questions(request: OrganizationRequest) -> "QuerySet[EvaluationQuestion]":
    return EvaluationQuestion.objects.for_organization(request.organization)


@require_GET
@organization_view(Role.ADMIN)
def questions(request: OrganizationRequest) -> HttpResponse:
    """The question set, and what people asked lately that is not in it."""
    known = _questions(request).select_related("document").order_by("-pk")
    texts = set(known.values_list("question", flat=True))
    lately = [text for text in recent_questions(request.organization.pk, SUGGESTED * 4) if text not in texts]
    context = {
        "page": Paginator(known, ROWS_A_PAGE).get_page(request.GET.get("pagina")),
        "suggested": lately[:SUGGESTED],
        "form": QuestionForm(),
    }
    return render(request, "retrieval/questions.html", context)


@require_http_methods(["GET", "POST"])
@organization_view(Role.ADMIN)
def judge(request: OrganizationRequest) -> HttpResponse:
    """What a question finds, to pick the passage that answers it; the pick is sent to the same address."""
    if request.method == "POST":
        form: QuestionForm = JudgementForm(request.POST)
        if form.is_valid():
            chunk_id = form.cleaned_data["respuesta"]
            chunk = None if chunk_id is None else get_object_or_404(_readable_chunks(request), pk=chunk_id)
            judge_question(
                organization=request.organization,
                question=form.cleaned_data["pregunta"],
                chunk=chunk,
                created_by=request.user,
                expected_words=form.cleaned_data["palabras"],
            )
            audit.note(request, audit.Action.EVALUATION_QUESTION_SAVED, form.cleaned_data["pregunta"])
            messages.success(request, _("Pregunta guardada."))
            return redirect("evaluation:questions", request.organization.slug)
    else:
        form = QuestionForm(request.GET)
        form.is_valid()
    text = form.cleaned_data.get("pregunta", "")
    scope = SearchScope(request.organization.pk, Reader.of(request.membership))
    found = search(text, scope) if text else None
    context = {
        "form": form,
        "words": _words_field(request, text),
        "question": text,
        "found": found,
        "no_answer": NO_ANSWER,
    }
    return render(request, "retrieval/judge.html", context, status=422 if form.errors else 200)


@require_POST
@organization_view(Role.ADMIN)
def delete(request: OrganizationRequest, question_id: int) -> HttpResponse:
    """Take a question out of the set. What was measured with it stays."""
    found = get_object_or_404(_questions(request), pk=question_id)
    audit.note(request, audit.Action.EVALUATION_QUESTION_DELETED, found.question)
    found.delete()
    messages.success(request, _("Pregunta quitada."))
    return redirect("evaluation:questions", request.organization.slug)


def _words_field(request: OrganizationRequest, question: str) -> BoundField:
    """The field for what the answer must say, with what was written for the same question before."""
    if request.method == "POST":
        return JudgementForm(request.POST)["palabras"]
    known = _questions(request).filter(question=question).values_list("expected_words", flat=True).first()
    return JudgementForm(initial={"palabras": known or ""})["palabras"]


def _readable_chunks(request: OrganizationRequest) -> "QuerySet[Chunk]":
    documents = Document.objects.open_to(request.membership)
    chunks: QuerySet[Chunk] = Chunk.objects.for_organization(request.organization).filter(
        version__document_where_active__in=documents.order_by()
    )
    return chunks.select_related("version")
