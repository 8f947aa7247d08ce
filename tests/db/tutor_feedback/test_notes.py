"""What is said beside an answer: old versions, doubts, general knowledge."""

import pytest
from django.urls import reverse

from skillnet.models import Membership, Organization
from skillnet.tenancy import organization_scope
from tests import factories
from tests.db.asking import LogIn
from tests.db.tutor_feedback.reacting import MANUAL, answer_it
from tutor.models import Conversation, Turn

pytestmark = pytest.mark.django_db


def test_an_answer_of_an_old_version_says_so_and_offers_to_ask_again(
    client_for: LogIn, organization: Organization, employee_membership: Membership
):
    document = factories.make_document(organization, "Manual", MANUAL)
    turn = answer_it(organization, employee_membership, document)
    page = reverse("tutor:conversation", args=["acme", turn.conversation_id])
    client = client_for(employee_membership)
    assert "la vigente es" not in client.get(page).content.decode()
    factories.make_document(organization, "Manual", MANUAL.replace("30", "45"), version_of=document)
    shown = client.get(page).content.decode()
    assert "Cita la versión 1 de «Manual»; la vigente es la 2" in shown
    assert "Respuesta con fuente clara" not in shown
    assert "Preguntar otra vez" in shown


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("¿Cuántos días tiene el cliente?", ""),
        ("hay fuego en la cocina", "Si hay alguien en peligro, llama ya al teléfono de emergencias"),
        ("¿Cuántos días tiene el cliente? ¿Quién firma la hoja?", "Has hecho varias preguntas a la vez."),
    ],
)
def test_an_answer_to_an_emergency_or_to_several_questions_is_not_called_clear(
    client_for: LogIn, organization: Organization, employee_membership: Membership, question: str, note: str
):
    turn = answer_it(organization, employee_membership, factories.make_document(organization, "Manual", MANUAL))
    with organization_scope(organization.pk):
        Turn.objects.filter(pk=turn.pk).update(question=question, confidence=1.0)
    shown = client_for(employee_membership).get(reverse("tutor:conversation", args=["acme", turn.conversation_id]))
    content = shown.content.decode()
    assert note in content
    assert ("Respuesta con fuente clara" in content) is not bool(note)
    assert ("Revisa la fuente" in content) is bool(note)
    assert ("Avisar a mi responsable" in content) is bool(note)


def test_a_used_up_quota_is_mentioned_to_who_manages_alone(
    client_for: LogIn, organization: Organization, employee_membership: Membership, admin_membership: Membership
):
    for membership, is_told in ((employee_membership, False), (admin_membership, True)):
        with organization_scope(organization.pk):
            conversation = Conversation.objects.create(organization=organization, user=membership.user)
            Turn.objects.create(
                organization=organization,
                conversation=conversation,
                question="¿Y?",
                status="done",
                evidence=False,
                answer="Nada.",
                trace={"quota": "used_up"},
            )
        page = client_for(membership).get(reverse("tutor:conversation", args=["acme", conversation.pk]))
        assert ("respuestas redactadas de este mes se han acabado" in page.content.decode()) is is_told


def test_general_knowledge_is_marked(client_for: LogIn, employee_membership: Membership, answered: Turn):
    with organization_scope(answered.organization_id):
        Turn.objects.filter(pk=answered.pk).update(rung="general", origin="model", answer="París.")
    page = reverse("tutor:conversation", args=["acme", answered.conversation_id])
    shown = client_for(employee_membership).get(page).content.decode()
    assert "No procede de documentos de tu empresa" in shown
    assert "Fuentes" not in shown


def test_how_a_question_was_understood_is_shown(client_for: LogIn, employee_membership: Membership, answered: Turn):
    with organization_scope(answered.organization_id):
        Turn.objects.filter(pk=answered.pk).update(understood="¿Y el plus de los becarios?")
    page = reverse("tutor:conversation", args=["acme", answered.conversation_id])
    shown = client_for(employee_membership).get(page).content.decode()
    assert "Entendido como: «¿Y el plus de los becarios?»" in shown
