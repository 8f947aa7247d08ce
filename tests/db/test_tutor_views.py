"""The tutor's pages: asking, reading, looking back."""

import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from documents.models import Document
from skillnet.models import Classification, Membership, Organization, User
from skillnet.tenancy import organization_scope
from tests import factories
from tests.db.asking import MANUAL, LogIn, answered_turn, form_data, read, shown, turns
from tutor import services
from tutor.models import Citation, Conversation, Turn, TurnStatus

pytestmark = pytest.mark.django_db


def test_a_plain_form_leads_to_the_conversation(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    client = client_for(employee_membership)
    response = client.post(reverse("tutor:ask", args=["acme"]), form_data())
    (turn,) = turns(organization)
    assert response.status_code == 302
    assert response["Location"] == reverse("tutor:conversation", args=["acme", turn.conversation_id])
    page = client.get(response["Location"]).content.decode()
    assert reverse("tutor:stream", args=["acme", turn.pk]) in page
    assert f'action="{reverse("tutor:answer", args=["acme", turn.pk])}"' in page  # without scripts


def test_the_same_form_sent_twice_makes_one_conversation_with_one_turn(
    client_for: LogIn, employee_membership: Membership, organization: Organization
):
    client, data = client_for(employee_membership), form_data()
    locations = {client.post(reverse("tutor:ask", args=["acme"]), data)["Location"] for _ in range(2)}
    assert len(locations) == 1
    assert len(turns(organization)) == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["plain", "htmx"])
def test_the_same_form_sent_twice_at_once_makes_one_conversation_with_one_turn(
    client_for: LogIn,
    employee_membership: Membership,
    organization: Organization,
    monkeypatch: pytest.MonkeyPatch,
    headers: dict[str, str],
):
    clients, data = [client_for(employee_membership) for _ in range(2)], form_data()
    both_begin, begin = threading.Barrier(2, timeout=30), services.start_conversation

    def together(**fields: Any) -> Conversation:
        both_begin.wait()  # neither has found a conversation
        return begin(**fields)

    monkeypatch.setattr(services, "start_conversation", together)

    def send(client: Client) -> HttpResponse:
        try:
            return client.post(reverse("tutor:ask", args=["acme"]), data, headers=headers)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(send, clients)
    (turn,) = turns(organization)
    assert (first.status_code, second.status_code) == ((200, 200) if headers else (302, 302))
    assert first.get("Location") == second.get("Location")
    for response in (first, second) if headers else ():
        assert f"turn-{turn.pk}" in response.content.decode()


def test_a_conversation_of_somebody_else_takes_no_question(
    client_for: LogIn, employee_membership: Membership, admin_membership: Membership, organization: Organization
):
    with organization_scope(organization.pk):
        theirs = services.start_conversation(organization=organization, user=admin_membership.user)
    data = form_data() | {"conversation": theirs.pk}
    assert client_for(employee_membership).post(reverse("tutor:ask", args=["acme"]), data).status_code == 404
    assert turns(organization) == []


@pytest.mark.parametrize(("question", "message"), [("  \n ", "Escribe tu pregunta."), ("a" * 2001, "caben 2000")])
def test_a_question_that_cannot_be_taken_keeps_its_text_and_says_why(
    client_for: LogIn, employee_membership: Membership, organization: Organization, question: str, message: str
):
    response = client_for(employee_membership).post(reverse("tutor:ask", args=["acme"]), form_data(question))
    assert response.status_code == 422
    page = response.content.decode()
    assert message in page
    assert question.strip() in page
    assert turns(organization) == []


def test_line_breaks_count_once_towards_the_limit(
    client_for: LogIn, employee_membership: Membership, organization: Organization
):
    question = "a\r\n" * 999 + "a"
    response = client_for(employee_membership).post(reverse("tutor:ask", args=["acme"]), form_data(question))
    assert response.status_code == 302


def test_htmx_gets_the_turn_and_a_fresh_form(
    client_for: LogIn, employee_membership: Membership, organization: Organization
):
    client, data = client_for(employee_membership), form_data()
    response = client.post(reverse("tutor:ask", args=["acme"]), data, headers={"HX-Request": "true"})
    page = response.content.decode()
    assert "<html" not in page
    assert f"turn-{turns(organization)[0].pk}" in page
    assert 'hx-swap-oob="outerHTML"' in page
    assert str(data["submission"]) not in page
    assert str(data["conversation"]) in page


def test_htmx_gets_a_refused_form_in_place_of_the_form(
    client_for: LogIn, employee_membership: Membership, organization: Organization
):
    response = client_for(employee_membership).post(
        reverse("tutor:ask", args=["acme"]), form_data(" "), headers={"HX-Request": "true"}
    )
    assert (response.status_code, response["HX-Retarget"], response["HX-Reswap"]) == (422, "#ask", "outerHTML")


def test_a_question_without_evidence_says_so_and_shows_no_source(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    client = client_for(employee_membership)
    turn = answered_turn(client, organization, "¿Qué tiempo hace en Mongolia Exterior?")
    assert turn.answer.startswith("No tengo información sobre esto en los documentos disponibles.")
    assert (turn.evidence, turn.rung, turn.origin) == (False, "none", "none")
    with organization_scope(organization.pk):
        assert not Citation.objects.exists()
    for page in shown(client, turn):
        assert "No tengo información" in page
        assert "Fuente" not in page
        assert 'class="source' not in page


def test_without_scripts_the_answer_is_given_by_a_form(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    client = client_for(employee_membership)
    client.post(reverse("tutor:ask", args=["acme"]), form_data())
    (turn,) = turns(organization)
    page = read(client.post(reverse("tutor:answer", args=["acme", turn.pk])))
    assert reverse("tutor:conversation", args=["acme", turn.conversation_id]) in page
    assert 'rel="icon"' in page
    assert turns(organization)[0].status == TurnStatus.DONE


def test_an_empty_tutor_suggests_questions_about_documents_the_person_may_read(
    client_for: LogIn, employee_membership: Membership, organization: Organization
):
    factories.make_document(organization, "Manual", "# 2.1 Plazos de devolución\nSon 30 días naturales.")
    factories.make_document(
        organization,
        "Nóminas",
        "# Salario de la dirección\nEs alto.",
        classification=Classification.CONFIDENTIAL,
    )
    page = client_for(employee_membership).get(reverse("tutor:home", args=["acme"])).content.decode()
    assert "¿Cuáles son los plazos de devolución?" in page
    assert "Salario" not in page


def test_the_history_lists_the_persons_own_conversations(
    client_for: LogIn, employee_membership: Membership, admin_membership: Membership, organization: Organization
):
    with organization_scope(organization.pk):
        for membership, question in ((employee_membership, "¿Mi pregunta?"), (admin_membership, "¿La del jefe?")):
            conversation = services.start_conversation(organization=organization, user=membership.user)
            services.open_turn(conversation=conversation, question=question, submission=uuid.uuid4())
        assert Conversation.objects.count() == 2
    page = client_for(employee_membership).get(reverse("tutor:home", args=["acme"])).content.decode()
    assert "¿Mi pregunta?" in page
    assert "¿La del jefe?" not in page


@pytest.mark.parametrize("by_script", [True, False])
def test_a_question_sent_after_the_session_expired_waits_in_the_form_unsent(
    client: Client, organization: Organization, employee_membership: Membership, by_script: bool
):
    page = f"http://testserver{reverse('tutor:home', args=['acme'])}"
    headers = {"HX-Request": "true", "HX-Current-URL": page} if by_script else {"Referer": page}
    question = "¿Qué hago si <b>falta</b> el tique?"
    form = {"question": question, "keep_text": "question", "submission": uuid.uuid4(), "conversation": uuid.uuid4()}
    client.post(reverse("tutor:ask", args=["acme"]), form, headers=headers)
    credentials = {"login": employee_membership.user.email, "password": "contraseña-larga-1"}
    client.post(f"{reverse('account_login')}?next={reverse('tutor:home', args=['acme'])}", credentials)
    shown = client.get(reverse("tutor:home", args=["acme"])).content.decode()
    assert "¿Qué hago si &lt;b&gt;falta&lt;/b&gt; el tique?</textarea>" in shown
    assert "falta" not in client.get(reverse("tutor:home", args=["acme"])).content.decode()
    with organization_scope(organization.pk):
        assert not Turn.objects.exists()


@pytest.mark.parametrize(("rung", "is_said"), [("full_text", True), ("chunks", False), ("course_tree", False)])
def test_an_answer_found_by_reading_a_whole_document_says_so(
    client_for: LogIn, organization: Organization, employee_membership: Membership, rung: str, is_said: bool
):
    document = factories.make_document(organization, "Manual", MANUAL)
    client = client_for(employee_membership)
    turn = answered_turn(client, organization)
    with organization_scope(organization.pk):
        Turn.objects.filter(pk=turn.pk).update(rung=rung)
    said = f"Encontrada leyendo entero «{document.title}»."
    assert [said in page for page in shown(client, turn)] == [is_said] * 2


def test_a_document_that_no_citation_names_is_not_said_to_have_been_read(
    client_for: LogIn, organization: Organization, employee_membership: Membership
):
    factories.make_document(organization, "Manual", MANUAL)
    client = client_for(employee_membership)
    turn = answered_turn(client, organization)
    with organization_scope(organization.pk):
        Turn.objects.filter(pk=turn.pk).update(rung="full_text", answer="Son treinta días.")
        turn.citations.all().delete()
    assert all("Encontrada leyendo entero" not in page for page in shown(client, turn))


def test_that_nothing_was_found_is_streamed_in_the_language_of_the_readers_account(
    client_for: LogIn, organization: Organization, employee_membership: Membership
):
    factories.make_document(organization, "Manual", MANUAL)
    User.objects.filter(pk=employee_membership.user_id).update(language="en")
    turn = answered_turn(client_for(employee_membership), organization, "What is the weather in Mongolia?")
    assert turn.answer.startswith("I have no information about this in the available documents.\n\nTry other words")
