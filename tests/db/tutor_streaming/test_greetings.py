"""Greetings, which are answered without a search."""

import uuid
from typing import Any

import pytest
from django.urls import reverse

from documents.access import Reader
from documents.models import Document
from retrieval.types import SearchScope
from skillnet.models import Membership, Organization
from skillnet.tenancy import organization_scope
from tests.db.asking import LogIn
from tests.db.tutor_streaming.watching import render, stored, task
from tutor import answering, services, streaming
from tutor.models import Turn, TurnStatus

pytestmark = pytest.mark.django_db


def test_a_greeting_is_answered_without_a_search_and_leaves_no_gap(
    organization: Organization,
    employee_membership: Membership,
    manual: Document,
    client_for: LogIn,
    monkeypatch: pytest.MonkeyPatch,
):
    def no_search(*_arguments: Any, **_options: Any) -> None:
        raise AssertionError("a greeting was searched for")

    monkeypatch.setattr(answering, "search", no_search)
    with organization_scope(organization.pk):
        conversation = services.start_conversation(organization=organization, user=employee_membership.user)
        greeting = services.open_turn(conversation=conversation, question="¡Hola, buenas!", submission=uuid.uuid4())
    list(streaming.stream(task(greeting, employee_membership), render=render))
    answered = stored(greeting)
    assert answered.status == TurnStatus.DONE
    assert answered.answer.startswith("Hola.")
    with organization_scope(organization.pk):
        assert not Turn.objects.unanswered().exists()
    page = reverse("tutor:conversation", args=["acme", conversation.pk])
    shown = client_for(employee_membership).get(page).content.decode()
    assert "Escribe tu pregunta" in shown
    assert "¿Te ha servido?" not in shown
    assert "Avisar a mi responsable" not in shown


def test_what_follows_a_greeting_does_not_go_on_with_it(
    organization: Organization, employee_membership: Membership, manual: Document, monkeypatch: pytest.MonkeyPatch
):
    given: list[list[str]] = []
    search = answering.search

    def watched(question: str, *arguments: Any, history: list[str], **options: Any) -> Any:
        given.append(history)
        return search(question, *arguments, history=history, **options)

    monkeypatch.setattr(answering, "search", watched)
    scope = SearchScope(organization.pk, Reader.of(employee_membership))
    list(answering.answer("¿Y el plazo?", scope=scope, history=["¿Cómo se devuelve?", "muchas gracias"]))
    assert given == [["¿Cómo se devuelve?"]]
