"""For administrators: what people ask, what comes back, and what the tutor may do."""

import uuid
from collections.abc import Iterator

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Prefetch
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from courses.models import Course
from documents.access import Reader
from documents.models import Document
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.models import MANAGERS, Role
from skillnet.tenancy import organization_scope
from tutor import reactions, usage
from tutor.forms import LogFilterForm, PolicyForm, ReplyForm
from tutor.inbox import escalations_for, feedback_for
from tutor.models import Citation, Feedback
from tutor.policy import policy_of, store_policy
from tutor.prepared.faq import readable_entries
from tutor.question_log import as_csv, questions_of

PAGE_LENGTH = 30
EXPORTED_QUESTIONS = 20_000


@require_GET
@organization_view(Role.ADMIN)
def questions(request: OrganizationRequest) -> HttpResponse:
    """The log of questions, filtered."""
    form = _filters(request)
    page = Paginator(questions_of(request.organization, **form.known), PAGE_LENGTH).get_page(request.GET.get("pagina"))
    context = {
        "page": page,
        "filters": form,
        "is_filtered": bool(form.known),
        "policy": policy_of(request.organization),
    }
    return render(request, "tutor/questions.html", context)


@require_GET
@organization_view(Role.ADMIN)
def question(request: OrganizationRequest, turn_id: uuid.UUID) -> HttpResponse:
    """One question with its answer and how it came about."""
    citations = Citation.objects.select_related("document", "version").defer("passage")
    turns = questions_of(request.organization).prefetch_related(Prefetch("citations", citations))
    turn = get_object_or_404(turns, pk=turn_id)
    context = {"turn": turn, "policy": policy_of(request.organization)}
    return render(request, "tutor/question.html", context)


@require_GET
@organization_view(Role.ADMIN)
def export(request: OrganizationRequest) -> HttpResponseBase:
    """The filtered questions as a file for spreadsheets."""
    known = _filters(request).known
    organization, with_names = request.organization, not policy_of(request.organization).hides_names

    def body() -> Iterator[str]:
        with organization_scope(organization.pk):
            yield from as_csv(questions_of(organization, **known)[:EXPORTED_QUESTIONS], with_names=with_names)

    audit.note(request, audit.Action.EXPORTED, _("Registro de preguntas"))
    name = f"preguntas-{timezone.localdate():%Y-%m-%d}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return StreamingHttpResponse(body(), content_type="text/csv; charset=utf-8", headers=headers)


@require_GET
@organization_view(*MANAGERS)
def inbox(request: OrganizationRequest) -> HttpResponse:
    """Questions passed on and feedback, open ones first. Editors see what was sent to them."""
    related = ("turn__conversation__user", "turn__conversation__course")
    readable = Citation.objects.filter(document__in=Document.objects.open_to(request.membership)).defer("passage")
    answers = Prefetch("turn__citations", readable)
    escalations = escalations_for(request.membership).select_related(*related).prefetch_related(answers)
    feedback = feedback_for(request.membership).select_related("turn__conversation__user").prefetch_related(answers)
    context = {
        "escalations": escalations.filter(handled_at__isnull=True)[:100],
        "closed": escalations.filter(handled_at__isnull=False).order_by("-handled_at")[:20],
        "feedback": feedback[:100],
        "policy": policy_of(request.organization),
        "shown_entries": _shown_entries(request),
    }
    return render(request, "tutor/inbox.html", context)


def _shown_entries(request: OrganizationRequest) -> set[int] | None:
    """The FAQ entries whose text the person may read; None for administrators, who see what was answered with them."""
    if request.membership.role == Role.ADMIN:
        return None
    entries = readable_entries(request.organization.pk, Reader.of(request.membership))
    return set(entries.order_by().values_list("pk", flat=True))


@require_POST
@organization_view(*MANAGERS)
def close_escalation(request: OrganizationRequest, escalation_id: int) -> HttpResponse:
    escalations = escalations_for(request.membership)
    found = get_object_or_404(escalations.select_related("turn"), pk=escalation_id)
    reactions.close_escalation(found)
    audit.note(request, audit.Action.QUESTION_CLOSED, found.turn.question)
    return redirect("tutor:inbox", request.organization.slug)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def reply(request: OrganizationRequest, escalation_id: int) -> HttpResponse:
    """Answer a question passed on in a few words, which whoever asked finds under it."""
    related = ("turn__conversation__user", "turn__organization")
    found = get_object_or_404(escalations_for(request.membership).select_related(*related), pk=escalation_id)
    form = ReplyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        reactions.answer_escalation(found, reply=form.cleaned_data["respuesta"], entry=found.entry)
        audit.note(request, audit.Action.QUESTION_CLOSED, found.turn.question)
        messages.success(request, _("Respuesta enviada."))
        return redirect("tutor:inbox", request.organization.slug)
    context = {"form": form, "escalation": found, "policy": policy_of(request.organization)}
    return render(request, "tutor/reply.html", context, status=422 if form.errors else 200)


@require_POST
@organization_view(Role.ADMIN)
def close_feedback(request: OrganizationRequest, feedback_id: int) -> HttpResponse:
    feedback = Feedback.objects.for_organization(request.organization).select_related("turn")
    found = get_object_or_404(feedback, pk=feedback_id)
    reactions.close_feedback(found)
    audit.note(request, audit.Action.QUESTION_CLOSED, found.turn.question)
    return redirect("tutor:inbox", request.organization.slug)


@require_http_methods(["GET", "POST"])
@organization_view(Role.ADMIN)
def policy(request: OrganizationRequest) -> HttpResponse:
    """What the tutor may do, and how much of the language model this month took."""
    form = PolicyForm(request.POST or None, policy=policy_of(request.organization))
    if request.method == "POST" and form.is_valid():
        store_policy(request.organization, form.policy)
        audit.record(request.organization, request.user, audit.Action.SETTINGS_CHANGED, _("Ajustes del tutor"))
        messages.success(request, _("Ajustes guardados."))
        return redirect("tutor:policy", request.organization.slug)
    context = {
        "form": form,
        "usage": usage.usage_of(request.organization.pk),
        "currency": settings.SKILLNET_LLM_PRICES["currency"],
    }
    return render(request, "tutor/policy.html", context, status=422 if form.errors else 200)


def _filters(request: OrganizationRequest) -> LogFilterForm:
    return LogFilterForm(request.GET or None, courses=Course.objects.for_organization(request.organization))
