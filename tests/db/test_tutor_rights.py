"""Who sees a conversation, and what of it when documents go out of their reach."""

import pytest
from django.test import Client
from django.urls import reverse

from documents.models import Document
from skillnet.models import Classification, Membership, Organization
from skillnet.tenancy import organization_scope
from tests import factories
from tests.db.asking import QUESTION, WITHHELD, LogIn, answered_turn, form_data, shown, turns
from tutor.models import Citation, Turn

pytestmark = pytest.mark.django_db


def test_a_source_that_may_no_longer_be_read_is_not_there(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    client = client_for(employee_membership)
    turn = answered_turn(client, organization)
    with organization_scope(organization.pk):
        cited = Citation.objects.get(turn=turn)
        Document.objects.filter(pk=manual.pk).update(classification=Classification.CONFIDENTIAL)
    for name in ("tutor:source", "tutor:source_image"):
        assert client.get(reverse(name, args=["acme", cited.pk])).status_code == 404


def test_an_answer_from_a_document_that_may_no_longer_be_read_is_withheld(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    client = client_for(employee_membership)
    turn = answered_turn(client, organization)
    for page in shown(client, turn):
        assert "30 días naturales" in page
        assert WITHHELD not in page
    with organization_scope(organization.pk):
        Document.objects.filter(pk=manual.pk).update(classification=Classification.CONFIDENTIAL)
    for page in shown(client, turn):
        assert WITHHELD in page
        assert "30 días naturales" not in page
        assert "Manual de devoluciones" not in page
        assert "Fuente" not in page.partition("<footer")[0]
    assert QUESTION in shown(client, turn)[0]  # the person's own words stay


def test_an_answer_is_withheld_when_only_one_of_its_documents_is_out_of_reach(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    client = client_for(employee_membership)
    turn = answered_turn(client, organization)
    secret = factories.make_document(organization, "Nóminas", classification=Classification.CONFIDENTIAL)
    with organization_scope(organization.pk):
        Turn.objects.filter(pk=turn.pk).update(answer="Treinta [Fuente 1] y mil euros [Fuente 2].")
        version = secret.versions.get()
        Citation.objects.create(
            organization=organization, turn=turn, number=2, document=secret, version=version,
            quote="mil euros", passage="mil euros", relevance=0.9,
        )  # fmt: skip
    for page in shown(client, turn):
        assert WITHHELD in page
        assert "mil euros" not in page


def test_an_answer_from_a_deleted_document_is_withheld(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    client = client_for(employee_membership)
    turn = answered_turn(client, organization)
    with organization_scope(organization.pk):
        Document.objects.filter(pk=manual.pk).update(active_version=None)
        Document.objects.get(pk=manual.pk).delete()
    for page in shown(client, turn):
        assert WITHHELD in page
        assert "30 días naturales" not in page


def addresses(turn: Turn, citation: Citation, slug: str) -> list[str]:
    return [
        reverse("tutor:conversation", args=[slug, turn.conversation_id]),
        reverse("tutor:stream", args=[slug, turn.pk]),
        reverse("tutor:answer", args=[slug, turn.pk]),
        reverse("tutor:source", args=[slug, citation.pk]),
        reverse("tutor:source_image", args=[slug, citation.pk]),
    ]


def test_nobody_sees_another_persons_conversation_not_even_an_administrator(
    client_for: LogIn,
    employee_membership: Membership,
    admin_membership: Membership,
    organization: Organization,
    manual: Document,
):
    turn = answered_turn(client_for(employee_membership), organization)
    with organization_scope(organization.pk):
        cited = Citation.objects.get(turn=turn)
    stranger = client_for(admin_membership)
    assert {stranger.get(address).status_code for address in addresses(turn, cited, "acme")} == {404}
    intruding = form_data(conversation=turn.conversation_id)
    assert stranger.post(reverse("tutor:ask", args=["acme"]), intruding).status_code == 404
    assert len(turns(organization)) == 1


def test_another_organizations_turn_is_not_there_under_any_address(
    client_for: LogIn,
    employee_membership: Membership,
    organization: Organization,
    other_organization: Organization,
    manual: Document,
):
    turn = answered_turn(client_for(employee_membership), organization)
    with organization_scope(organization.pk):
        cited = Citation.objects.get(turn=turn)
    outsider = client_for(factories.make_member(other_organization, "fuera@otra.example"))
    for slug in ("acme", "otra"):
        assert {outsider.get(address).status_code for address in addresses(turn, cited, slug)} == {404}
    stolen = form_data(conversation=turn.conversation_id)
    assert outsider.post(reverse("tutor:ask", args=["otra"]), stolen).status_code == 404


def test_another_site_cannot_put_words_into_the_form(
    client: Client, organization: Organization, employee_membership: Membership
):
    form = {"question": "Palabras ajenas", "keep_text": "question"}
    client.post(reverse("tutor:ask", args=["acme"]), form, headers={"Referer": "https://mal.example/"})
    client.force_login(employee_membership.user, backend="django.contrib.auth.backends.ModelBackend")
    assert "Palabras ajenas" not in client.get(reverse("tutor:home", args=["acme"])).content.decode()
