"""What uploads answer, file by file."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from documents.models import Document
from skillnet.models import Classification, Role
from skillnet.tenancy import organization_scope
from tests import factories
from tests.db.document_screens.browsing import address, upload


@pytest.mark.parametrize("htmx", [True, False])
def test_each_file_of_an_upload_gets_its_own_answer(admin, organization, htmx):
    upload(admin, ("antes.txt", b"Ya estaba aqui."))
    response = upload(
        admin,
        ("nuevo.txt", b"Texto nuevo."),
        ("vacio.txt", b""),
        ("copia.txt", b"Ya estaba aqui."),
        htmx=htmx,
    )
    html = response.content.decode()
    assert response.status_code == 200
    assert html.count("1 archivo recibido") == 1
    results = html.partition('id="upload-results"')[2].partition("</ul>")[0] if not htmx else html
    assert "nuevo.txt" not in results  # it stands in the list
    assert "está vacío" in html
    assert "ya lo tienes en" in html
    assert ("<html" in html) is not htmx
    with organization_scope(organization.pk):
        assert set(Document.objects.values_list("title", flat=True)) == {"Antes", "Nuevo"}


def test_an_upload_of_nothing_is_explained_with_422(admin):
    response = admin.post(address("upload"), {})
    assert response.status_code == 422
    assert "Elige al menos un archivo" in response.content.decode()


def test_too_many_files_at_once_are_refused(admin, settings):
    settings.SKILLNET_UPLOAD_MAX_FILES = 1
    response = upload(admin, ("a.txt", b"a"), ("b.txt", b"b"), htmx=True)
    assert response.status_code == 422
    assert "como mucho 1 archivo" in response.content.decode()


def test_an_upload_takes_the_chosen_classification(admin, organization):
    upload(admin, ("nominas.txt", b"Salarios."), classification=Classification.CONFIDENTIAL)
    with organization_scope(organization.pk):
        assert Document.objects.get().classification == Classification.CONFIDENTIAL


def test_an_editor_learns_nothing_of_a_hidden_document_by_uploading_its_copy(client_for, organization, admin):
    upload(admin, ("nominas-2026.txt", b"Salarios."), classification=Classification.CONFIDENTIAL)
    editor = client_for(factories.make_member(organization, "editora@acme.example", Role.EDITOR))
    html = upload(editor, ("copia.txt", b"Salarios.")).content.decode()
    assert "nominas 2026" not in html
    assert "ya está subido" in html


def test_an_editor_cannot_hide_a_document_from_themselves(client_for, organization):
    editor = client_for(factories.make_member(organization, "editora@acme.example", Role.EDITOR))
    response = upload(editor, ("a.txt", b"a"), classification=Classification.CONFIDENTIAL)
    assert response.status_code == 422


def test_a_new_version_is_announced_and_the_same_file_is_not(admin, organization, manual):
    url = address("upload_version", manual.pk)
    file = SimpleUploadedFile("caja.txt", b"Version dos.")
    assert "Versión 2 recibida" in admin.post(url, {"file": file}, follow=True).content.decode()
    file = SimpleUploadedFile("caja.txt", b"Version dos.")
    assert "mismo archivo" in admin.post(url, {"file": file}, follow=True).content.decode()
    empty = admin.post(url, {"file": SimpleUploadedFile("caja.txt", b"")})
    assert empty.status_code == 422
    assert "está vacío" in empty.content.decode()
