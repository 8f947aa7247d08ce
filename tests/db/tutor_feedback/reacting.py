"""Answers, and what people see of those and of what they said about them."""

import uuid
from typing import Any

from documents.access import Reader
from documents.models import Document
from retrieval.types import SearchScope
from skillnet.models import Membership, Organization
from skillnet.tenancy import organization_scope
from tutor import services, streaming
from tutor.models import Turn
from tutor.turns import TurnTask

MANUAL = "# Plazos\nEl cliente dispone de 30 días naturales para devolver un producto no alimentario con su tique."
HTMX = {"HX-Request": "true"}


class Queue:
    """Keeps the arguments of what is to be sent, and sends nothing."""

    def __init__(self, kept: list[tuple[Any, ...]]) -> None:
        self.kept = kept

    def enqueue(self, _job: Any, *arguments: Any, **_options: Any) -> None:
        self.kept.append(arguments)


def answer_it(organization: Organization, membership: Membership, document: Document) -> Turn:
    with organization_scope(organization.pk):
        conversation = services.start_conversation(organization=organization, user=membership.user)
        turn = services.open_turn(
            conversation=conversation, question="¿Cuántos días naturales hay para devolver?", submission=uuid.uuid4()
        )
    streaming.answer_now(TurnTask(turn.pk, turn.question, SearchScope(organization.pk, Reader.of(membership))))
    with organization_scope(organization.pk):
        return Turn.objects.get(pk=turn.pk)


def faq_fields(**fields: Any) -> dict[str, Any]:
    return {
        "questions": "¿Cuánto es el plus?",
        "answer": "Son **30 €**.",
        "classification": 2,
        "is_active": "on",
    } | fields
