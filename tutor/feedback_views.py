"""What a person says about an answer: feedback, and passing the question on."""

import uuid

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from skillnet.access import OrganizationRequest, organization_view
from tutor import reactions
from tutor.forms import EscalationForm, FeedbackForm
from tutor.models import Conversation, Turn


@require_POST
@organization_view()
def feedback(request: OrganizationRequest, turn_id: uuid.UUID) -> HttpResponse:
    """Keep whether the person's own answer was useful."""
    turn = _answered_turn(request, turn_id)
    form = FeedbackForm(request.POST)
    if form.is_valid():
        reactions.give_feedback(turn, **form.cleaned_data)
    return _reply(request, turn_id, status=200 if form.is_valid() else 422)


@require_POST
@organization_view()
def escalate(request: OrganizationRequest, turn_id: uuid.UUID) -> HttpResponse:
    """Pass the person's own question on to who is responsible."""
    turn = _answered_turn(request, turn_id)
    form = EscalationForm(request.POST)
    if form.is_valid():
        reactions.escalate(turn, **form.cleaned_data)
    return _reply(request, turn_id, status=200 if form.is_valid() else 422)


def _reply(request: OrganizationRequest, turn_id: uuid.UUID, *, status: int) -> HttpResponse:
    """htmx gets the answer's reactions as they now are; a plain form goes back to the conversation."""
    turn = _answered_turn(request, turn_id)
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "tutor/_reactions.html", {"turn": turn}, status=status)
    conversation = reverse("tutor:conversation", args=[request.organization.slug, turn.conversation_id])
    return redirect(f"{conversation}#turn-{turn.pk}")


def _answered_turn(request: OrganizationRequest, turn_id: uuid.UUID) -> Turn:
    own = Conversation.objects.for_organization(request.organization).of_user(request.user.pk)
    turns = Turn.objects.finished().select_related("conversation", "feedback", "escalation")
    turn: Turn = get_object_or_404(turns, pk=turn_id, conversation__in=own)
    return turn
