"""What may be asked next: questions made of the headings around what a clear answer cites."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from documents.access import ADMINISTRATION, Reader
from documents.models import Document, ParsedContent
from retrieval.types import SearchScope
from skillnet.models import Classification, Membership, Organization
from skillnet.tenancy import organization_scope
from tests import factories
from tests.db.asking import LogIn, answered_turn, form_data, shown, turns
from tutor import answering
from tutor.events import Answer, CitedPassage, Done
from tutor.models import CachedAnswer, Turn
from tutor.suggestions import next_questions

pytestmark = pytest.mark.django_db

TILL = """
# Caja
## Cómo se abre la caja
La caja se abre con la llave del turno de mañana.
## Arqueo
El arqueo de la caja se hace dos veces al día, antes de abrir y después de cerrar la tienda.
## Cómo se cierra la caja
La caja se cierra con el resumen del día y la firma de dos personas.
## Si falta dinero
Si falta dinero se avisa a la persona encargada de la tienda.
## Anular un tique
Un tique se anula con la clave de la persona encargada.
## Horario de recogida
El furgón recoge el efectivo los lunes y los jueves.
"""
QUESTION = "¿Cuántas veces al día se hace el arqueo de la caja?"
AROUND = ["¿Cómo se cierra la caja?", "¿Cómo se abre la caja?", "¿Qué hago si falta dinero?"]
Sure = Callable[[float], None]


@pytest.fixture
def sure(monkeypatch: pytest.MonkeyPatch) -> Sure:
    """Makes the tutor this sure of what it finds."""

    def set_confidence(confidence: float) -> None:
        assessed = lambda result, config, embedder: replace(result, evidence=True, confidence=confidence)  # noqa: E731
        monkeypatch.setattr(answering, "assessed", assessed)

    set_confidence(0.95)
    return set_confidence


@pytest.fixture
def till(organization: Organization) -> Document:
    return factories.make_document(organization, "Manual de caja", TILL)


def ask(scope: SearchScope, question: str = QUESTION, history: Sequence[str] = ()) -> Answer:
    *_steps, done = answering.answer(question, scope=scope, history=history)
    assert isinstance(done, Done)
    return done.answer


def follow_up(scope: SearchScope, **options: Any) -> list[str]:
    questions: list[str] = ask(scope, **options).trace.get("follow_up", [])
    return questions


def citation(document: Document, *heading_path: str) -> CitedPassage:
    version = document.active_version
    assert version is not None
    return CitedPassage(
        1, document.pk, document.title, version.pk, version.number, heading_path, 1, {}, "cita", "cita", 0.9
    )


def test_a_clear_answer_comes_with_questions_about_the_sections_around_its_source(organization, till, sure):
    scope = SearchScope(organization.pk, ADMINISTRATION)
    assert follow_up(scope) == AROUND


def test_an_answer_in_doubt_or_without_a_source_comes_with_none(organization, till, sure, monkeypatch):
    scope = SearchScope(organization.pk, ADMINISTRATION)
    sure(0.7)
    assert follow_up(scope) == []
    monkeypatch.setattr(answering, "assessed", lambda result, *_: replace(result, evidence=False, confidence=0.95))
    assert follow_up(scope) == []


def test_what_was_asked_in_the_conversation_is_not_proposed(organization, till, sure):
    scope = SearchScope(organization.pk, ADMINISTRATION)
    assert follow_up(scope, history=["¿Cómo cierro la caja?"]) == [*AROUND[1:], "¿Cómo puedo anular un tique?"]


def test_an_answer_given_again_comes_with_them_too(organization, till, sure):
    scope = SearchScope(organization.pk, ADMINISTRATION)
    first, again = ask(scope), ask(scope)
    with organization_scope(organization.pk):
        assert CachedAnswer.objects.count() == 1
    assert (first.origin, again.origin) == ("extractive", "cache")
    assert again.trace["follow_up"] == AROUND


def test_headings_that_make_no_question_make_none(organization, sure):
    document = factories.make_document(organization, "Manual", "# Manual\n## Arqueo\nDos veces.\n## Caja\nHay una.")
    with organization_scope(organization.pk):
        assert next_questions([citation(document, "Manual", "Arqueo")], []) == []


def test_a_heading_that_stands_nowhere_is_passed_over(organization, till):
    with organization_scope(organization.pk):
        parsed = ParsedContent.objects.get(version=till.active_version_id)
        parsed.blocks = [{**parsed.blocks[0], "kind": "heading", "heading_path": []}, *parsed.blocks]
        parsed.save(update_fields=["blocks"])
        assert next_questions([citation(till, "Caja", "Arqueo")], [])


def test_the_nearest_sections_come_first_and_each_document_has_its_turn(organization, till):
    other = factories.make_document(
        organization, "Guía", "# Guía\n## Vestuario\nEs azul.\n## Pedir vacaciones\nEn mayo.\n## Pedir permisos\nAntes."
    )
    with organization_scope(organization.pk):
        cited = [citation(till, "Caja", "Anular un tique"), citation(other, "Guía", "Vestuario")]
        questions = next_questions(cited, [])
        assert next_questions([citation(till, "Caja", "Otra")], [])  # a section that the chunks do not know
    assert questions == [
        "¿Cuál es el horario de recogida?",
        "¿Cómo puedo pedir vacaciones?",
        "¿Qué hago si falta dinero?",
    ]


def test_headings_of_documents_that_the_reader_may_not_open_make_no_question(
    organization: Organization, employee_membership: Membership, till: Document, sure: Sure
):
    secret = TILL.replace("Cómo se", "Cómo se dobla y").replace("Anular un tique", "Despedir personal")
    factories.make_document(organization, "Secreto", secret, classification=Classification.CONFIDENTIAL)
    assert follow_up(SearchScope(organization.pk, Reader.of(employee_membership))) == AROUND


def test_they_stand_below_the_answer_as_buttons_that_ask(
    client_for: LogIn, organization: Organization, employee_membership: Membership, till: Document, sure: Sure
):
    client = client_for(employee_membership)
    turn = answered_turn(client, organization, QUESTION)
    for page in shown(client, turn):
        below = page[page.index('class="sources"') :]
        assert "También puedes preguntar" in below
        assert all(f'<button class="suggestion" type="submit">{question}</button>' in below for question in AROUND)
    response = client.post(reverse("tutor:ask", args=["acme"]), form_data(AROUND[0], conversation=turn.conversation_id))
    assert response.status_code == 302
    assert [one.question for one in turns(organization)] == [QUESTION, AROUND[0]]


def test_they_are_gone_with_an_answer_that_is_withheld(
    client_for: LogIn, organization: Organization, employee_membership: Membership, till: Document, sure: Sure
):
    client: Client = client_for(employee_membership)
    turn = answered_turn(client, organization, QUESTION)
    with organization_scope(organization.pk):
        Document.objects.update(classification=Classification.CONFIDENTIAL)
        assert Turn.objects.get(pk=turn.pk).trace["follow_up"] == AROUND
    assert not any(question in page for page in shown(client, turn) for question in AROUND)
