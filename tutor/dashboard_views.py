"""The first page of those who manage."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from skillnet.access import OrganizationRequest, organization_view
from skillnet.models import MANAGERS, Role
from tutor import dashboard
from tutor.gaps import most_asked
from tutor.question_chart import chart_of

SHOWN_QUESTIONS = 5


@require_GET
@organization_view(*MANAGERS)
def home(request: OrganizationRequest) -> HttpResponse:
    """How the organization stands and what waits for somebody. Questions are for administrators alone."""
    notices = dashboard.notices_of(request.membership)
    documents = dashboard.documents_of(request.membership)
    gaps = most_asked(request.organization) if request.membership.role == Role.ADMIN else []
    context: dict[str, Any] = {
        "documents": documents,
        "notices": notices[: dashboard.SHOWN_NOTICES],
        "notice_count": len(notices),
        "waiting": dashboard.waiting_for(
            request.membership, notices=len(notices), documents=documents.in_trouble, gaps=len(gaps)
        ),
    }
    if request.membership.role == Role.ADMIN:
        context |= _questions(request) | {"unanswered": gaps[:SHOWN_QUESTIONS]}
        steps = dashboard.first_steps_of(request.organization, context["documents"])
        context["steps"] = None if steps.are_done else steps
    return render(request, "tutor/dashboard.html", context)


def _questions(request: OrganizationRequest) -> dict[str, Any]:
    days = dashboard.days_of(request.organization)
    return {
        "questions": dashboard.questions_of(request.organization, days),
        "chart": chart_of(days),
    }
