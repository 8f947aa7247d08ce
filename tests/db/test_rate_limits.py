"""Who asks, searches or uploads too often is told when to try again; others are not held up."""

import uuid
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from skillnet import rate_limits
from skillnet.models import Membership, Organization, Role
from tests.factories import make_document, make_member


@pytest.fixture(autouse=True)
def few(settings: Any) -> None:
    """Two of everything a minute; three for an organization; counted in a store of this test alone."""
    two = {"person": "2/minute", "organization": "3/minute"}
    settings.SKILLNET_RATE_LIMITS = {"ask": two, "search": two, "upload": two, "csp_report": {"address": "2/minute"}}
    rate_limits._storage.cache_clear()
    yield
    rate_limits._storage.cache_clear()


def ask(client: Any, organization: Organization, **headers: str) -> Any:
    data = {"question": "¿Cuándo se abre?", "submission": uuid.uuid4(), "conversation": uuid.uuid4()}
    return client.post(f"/o/{organization.slug}/tutor/preguntar/", data, headers=headers)


def test_a_third_question_is_refused_with_the_time_to_wait(client_for, employee_membership, organization):
    client = client_for(employee_membership)
    assert [ask(client, organization).status_code for _ in range(3)] == [302, 302, 429]
    refused = ask(client, organization)
    assert 0 < int(refused["Retry-After"]) <= 60
    assert f"dentro de {refused['Retry-After']} segundo" in refused.content.decode()
    assert "<h1>" in refused.content.decode()
    assert "¿Cuándo se abre?</textarea>" in refused.content.decode()  # nothing that was written is lost


def test_a_fragment_says_it_where_the_page_shows_faults(client_for, employee_membership, organization):
    client = client_for(employee_membership)
    for _ in range(2):
        ask(client, organization)
    refused = ask(client, organization, **{"HX-Request": "true"})
    assert refused.status_code == 429
    assert "data-error-text" in refused.content.decode()
    assert "<html" not in refused.content.decode()


def test_an_organization_has_a_limit_of_its_own_and_another_is_not_held_up(
    client_for, employee_membership, admin_membership, organization, other_organization
):
    for membership in (employee_membership, employee_membership, admin_membership):
        assert ask(client_for(membership), organization).status_code == 302
    third = make_member(organization, "otro@acme.example")
    assert ask(client_for(third), organization).status_code == 429
    stranger: Membership = make_member(other_organization, "ana@otra.example")
    assert ask(client_for(stranger), other_organization).status_code == 302


def test_searches_count_and_the_empty_page_does_not(client_for, employee_membership, organization):
    client, address = client_for(employee_membership), f"/o/{organization.slug}/buscar/"
    assert [client.get(address).status_code for _ in range(4)] == [200] * 4
    assert [client.get(address, {"q": "caja"}).status_code for _ in range(3)] == [200, 200, 429]


def test_what_documents_say_to_a_suggestion_counts_as_a_search(client_for, admin_membership, organization):
    client, new = client_for(admin_membership), f"/o/{organization.slug}/tutor/faq/nueva/"
    proposal = f"/o/{organization.slug}/tutor/faq/sugeridas/{uuid.uuid4()}/propuesta/"
    assert [client.get(new).status_code for _ in range(4)] == [200] * 4
    assert client.get(new, {"pregunta": "¿Hay caja?"}).status_code == 200
    assert [client.get(proposal).status_code for _ in range(2)] == [404, 429]
    assert client.get(new, {"pregunta": "¿Hay caja?"}).status_code == 429


@pytest.mark.parametrize("tab", ["", "fragmentos/"])
def test_looking_for_words_in_a_document_counts_and_reading_it_does_not(
    client_for, admin_membership, organization, tab
):
    document = make_document(organization, "Manual")
    client, address = client_for(admin_membership), f"/o/{organization.slug}/documentos/{document.pk}/{tab}"
    assert [client.get(address).status_code for _ in range(4)] == [200] * 4
    assert [client.get(address, {"q": "caja"}).status_code for _ in range(3)] == [200, 200, 429]


def test_uploads_count_and_the_form_does_not(client_for, organization):
    client = client_for(make_member(organization, "edicion@acme.example", Role.EDITOR))
    address = f"/o/{organization.slug}/documentos/subir/"
    for number in range(2):
        file = SimpleUploadedFile("manual.txt", f"La caja {number} se abre a las nueve.".encode())
        assert client.post(address, {"uploads": file}).status_code in (200, 422)
    assert client.post(address).status_code == 429
    assert client.get(address).status_code == 302


def test_while_the_store_is_away_everything_goes_on(client_for, employee_membership, organization, settings, caplog):
    settings.SKILLNET_RATE_LIMIT_STORAGE = "redis://127.0.0.1:1/0"
    client = client_for(employee_membership)
    assert [ask(client, organization).status_code for _ in range(4)] == [302] * 4
    said = [record for record in caplog.records if "rate limits" in record.getMessage()]
    assert len(said) <= 1  # once a minute, not once a request


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1, "1 segundo"),
        (45, "45 segundos"),
        (90, "90 segundos"),
        (91, "2 minutos"),
        (3600, "60 minutos"),
        (6000, "2 horas"),
    ],
)
def test_waits_are_said_as_people_say_them(seconds, words):
    assert rate_limits.in_words(seconds) == words
