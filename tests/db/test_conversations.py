"""A person's conversations: found again, renamed, deleted, and nobody else's."""

import uuid

import pytest
from django.urls import reverse

from skillnet.models import Membership, Organization
from skillnet.tenancy import organization_scope
from tests.db.asking import LogIn
from tutor import services
from tutor.models import Conversation, Turn

pytestmark = pytest.mark.django_db
ALL = reverse("tutor:conversations", args=["acme"])


def begin(organization: Organization, membership: Membership, question: str) -> Conversation:
    with organization_scope(organization.pk):
        conversation = services.start_conversation(organization=organization, user=membership.user)
        services.open_turn(conversation=conversation, question=question, submission=uuid.uuid4())
        return conversation


def address(name: str, conversation: Conversation) -> str:
    return reverse(f"tutor:{name}", args=["acme", conversation.pk])


def test_all_of_ones_own_are_listed_and_found_by_name(
    client_for: LogIn, employee_membership: Membership, admin_membership: Membership, organization: Organization
):
    begin(organization, employee_membership, "¿Qué hago con los alérgenos?")
    begin(organization, employee_membership, "¿Cuándo abro la tienda?")
    begin(organization, admin_membership, "¿Cuánto cobra la dirección?")
    client = client_for(employee_membership)
    page = client.get(ALL).content.decode()
    assert "alérgenos" in page and "abro la tienda" in page and "cobra la dirección" not in page
    found = client.get(ALL, {"q": "ALERGENOS"}).content.decode()
    assert "alérgenos" in found and "abro la tienda" not in found
    assert "Ninguna conversación se llama así" in client.get(ALL, {"q": "nada"}).content.decode()


def test_somebody_who_has_asked_nothing_is_told_where_to_begin(client_for: LogIn, employee_membership: Membership):
    page = client_for(employee_membership).get(ALL).content.decode()
    assert "Aún no has preguntado nada" in page
    assert reverse("tutor:home", args=["acme"]) in page


def test_a_conversation_gets_another_name_and_keeps_its_place(
    client_for: LogIn, employee_membership: Membership, organization: Organization
):
    conversation = begin(organization, employee_membership, "¿Y esto?")
    with organization_scope(organization.pk):
        asked_at = Conversation.objects.get().updated_at
    client = client_for(employee_membership)
    response = client.post(address("rename_conversation", conversation), {"title": "  Cierre  de caja "})
    assert response["Location"] == address("conversation", conversation)
    with organization_scope(organization.pk):
        renamed = Conversation.objects.get()
    assert renamed.title == "Cierre de caja"
    assert renamed.updated_at == asked_at
    refused = client.post(address("rename_conversation", conversation), {"title": "  "})
    assert refused.status_code == 422


def test_a_conversation_is_deleted_once_the_person_has_said_so(
    client_for: LogIn, employee_membership: Membership, organization: Organization
):
    conversation = begin(organization, employee_membership, "¿Y esto?")
    kept = begin(organization, employee_membership, "¿Y lo otro?")
    client = client_for(employee_membership)
    assert "¿Borrar «¿Y esto?»?" in client.get(address("delete_conversation", conversation)).content.decode()
    assert client.post(address("delete_conversation", conversation))["Location"] == ALL
    with organization_scope(organization.pk):
        assert [turn.conversation_id for turn in Turn.objects.all()] == [kept.pk]


@pytest.mark.parametrize("name", ["rename_conversation", "delete_conversation"])
def test_nobody_changes_another_persons_conversation(
    client_for: LogIn,
    employee_membership: Membership,
    admin_membership: Membership,
    organization: Organization,
    name: str,
):
    conversation = begin(organization, employee_membership, "¿Y esto?")
    client = client_for(admin_membership)
    assert client.get(address(name, conversation)).status_code == 404
    assert client.post(address(name, conversation), {"title": "Mía"}).status_code == 404
    with organization_scope(organization.pk):
        assert Conversation.objects.get().title == "¿Y esto?"


def test_who_goes_back_to_what_they_deleted_is_led_to_what_is_left(
    client_for: LogIn, employee_membership: Membership, admin_membership: Membership, organization: Organization
):
    own = begin(organization, employee_membership, "¿Qué hago con los alérgenos?")
    foreign = begin(organization, admin_membership, "¿Cuánto cobra la dirección?")
    client = client_for(employee_membership)
    assert "no-store" in client.get(address("conversation", own))["Cache-Control"]  # a browser must ask again
    client.post(address("delete_conversation", own), follow=True)
    for name in ("conversation", "rename_conversation", "delete_conversation"):
        back = client.get(address(name, own), follow=True)
        assert back.redirect_chain == [(ALL, 302)]
        assert "Has borrado esa conversación" in back.content.decode()
        assert client.get(address(name, foreign)).status_code == 404
    # Another session cannot tell it from one that never was.
    assert client_for(employee_membership).get(address("conversation", own)).status_code == 404
