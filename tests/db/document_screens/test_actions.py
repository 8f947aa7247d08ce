"""What is done with a document: tried again, cancelled, renamed, deleted."""

import pytest

from documents import services
from documents.models import Document, Status
from skillnet.tenancy import organization_scope
from tests.db.document_screens.browsing import address, set_status


def test_a_failed_version_can_be_tried_again(admin, organization, manual):
    version = set_status(organization, manual, Status.FAILED)
    assert admin.get(address("retry", version.pk)).headers["Location"] == address("list")
    admin.post(address("retry", version.pk))
    with organization_scope(organization.pk):
        version.refresh_from_db()
        assert version.status == Status.PENDING


@pytest.mark.parametrize(("is_free", "shown"), [(False, "Cancelando…"), (True, "Cancelado")])
def test_a_running_version_can_be_cancelled(admin, organization, manual, monkeypatch, is_free, shown):
    monkeypatch.setattr(services, "hold_if_free", lambda version_id: is_free)  # whether a worker is at work on it
    version = set_status(organization, manual, Status.PARSING)
    asked = admin.get(address("cancel", version.pk)).content.decode()
    assert "¿Cancelar la lectura de «Manual de caja»?" in asked
    assert "La versión 1 seguirá en uso" in asked
    with organization_scope(organization.pk):
        version.refresh_from_db()
        assert not version.cancel_requested  # asking is not doing
    assert admin.post(address("cancel", version.pk)).url == address("list")
    assert shown in admin.get(address("row", version.pk)).content.decode()


def test_what_has_ended_meanwhile_is_not_cancelled(admin, manual):
    version_id = manual.active_version_id
    page = admin.post(address("cancel", version_id), follow=True).content.decode()
    assert "ya había terminado" in page


def test_a_row_says_why_a_document_is_ready_with_warnings(admin, organization, manual):
    version = set_status(
        organization,
        manual,
        Status.READY_WITH_WARNINGS,
        warnings=[
            {"code": "pages_without_text", "message": "", "page": None, "values": {"count": 4, "total": 10}},
            {"code": "repaired", "message": "El archivo estaba dañado.", "page": None, "values": {}},
        ],
    )
    row = admin.get(address("row", version.pk)).content.decode()
    assert "4 de 10 páginas no tienen texto" in row
    assert "Ver este y 1 aviso más" in row
    assert address("coverage", manual.pk) in row


def test_actions_never_lead_to_another_site(admin, organization, manual):
    version = set_status(organization, manual, Status.PARSING)
    response = admin.post(address("cancel", version.pk), {"volver": "https://elsewhere.example/"})
    assert response.url == address("list")


def test_deleting_asks_first_and_says_what_it_affects(admin, organization, manual):
    page = admin.get(address("delete", manual.pk)).content.decode()
    assert "Ningún curso lo usa" in page
    response = admin.post(address("delete", manual.pk), follow=True)
    assert "se ha borrado" in response.content.decode()
    with organization_scope(organization.pk):
        assert not Document.objects.exists()


def test_a_title_given_by_hand_stays(admin, organization, manual):
    data = {"title": "Caja y cambio", "classification": 2, "audience": "everyone"}
    assert "Caja y cambio" in admin.post(address("edit", manual.pk), data, follow=True).content.decode()
    with organization_scope(organization.pk):
        assert Document.objects.get().title_is_given
