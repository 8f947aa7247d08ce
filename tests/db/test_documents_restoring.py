"""Serving an earlier version again, and comparing two."""

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.urls import reverse

from documents import holding, ingestion, services
from documents.errors import CannotRestore, VersionBusy
from documents.models import Chunk, ChunkEmbedding, Document, DocumentVersion, Status
from documents.signals import version_published
from skillnet.models import Role
from skillnet.tenancy import organization_scope
from tests import factories

FIRST = "# Caja\n## Fondo\nEl fondo de caja es de 150 euros.\n"
SECOND = "# Caja\n## Fondo\nEl fondo de caja es de 200 euros.\n## Llaves\nLas llaves quedan en recepción.\n"


@pytest.fixture
def document(organization) -> Document:
    first = factories.make_document(organization, title="Caja", text=FIRST)
    return factories.make_document(organization, text=SECOND, version_of=first)


@pytest.fixture
def admin(client_for, admin_membership):
    return client_for(admin_membership)


def address(name, *args):
    return reverse(f"documents:{name}", args=["acme", *args])


def version(document: Document, number: int) -> DocumentVersion:
    with organization_scope(document.organization_id):
        return document.versions.get(number=number)


def restore(document: Document, number: int) -> DocumentVersion:
    with organization_scope(document.organization_id):
        services.restore_version(document.versions.get(number=number))
    return version(document, number)


def served(document: Document) -> tuple[int, str]:
    with organization_scope(document.organization_id):
        document.refresh_from_db()
        active = document.active_version
        return active.number, " ".join(Chunk.objects.filter(version=active).values_list("text", flat=True))


def test_a_restored_version_serves_again_without_its_file_being_read(organization, document):
    first = version(document, 1)
    first.file.storage.delete(first.file.name)
    restored = restore(document, 1)
    assert served(document)[0] == 2  # until the other is ready
    ingestion.run(organization.pk, restored.pk)
    number, text = served(document)
    assert number == 1
    assert "150 euros" in text
    with organization_scope(organization.pk):
        assert not Chunk.objects.exclude(version=restored).exists()
        assert ChunkEmbedding.objects.filter(version=restored).exists()
        assert version(document, 1).status == Status.READY


def test_restoring_is_told_to_the_apps_above(organization, document):
    heard = []

    def listen(version, previous, **_kwargs):
        heard.append((version.number, previous.number))

    version_published.connect(listen)
    try:
        ingestion.run(organization.pk, restore(document, 1).pk)
    finally:
        version_published.disconnect(listen)
    assert heard == [(1, 2)]


def test_an_older_version_that_nobody_restored_is_not_served(organization, document):
    with organization_scope(organization.pk):
        services.reingest_version(document.versions.get(number=1))
    ingestion.run(organization.pk, version(document, 1).pk)
    assert served(document)[0] == 2


def test_what_was_restored_goes_before_a_newer_version_still_being_read(organization, document):
    with organization_scope(organization.pk):
        file = ContentFile(b"# Caja\n\nEl fondo de caja es de 300 euros.\n")
        third = services.upload_version(document=document, uploaded_by=None, file=file, name="caja.md").version
    ingestion.run(organization.pk, restore(document, 1).pk)
    ingestion.run(organization.pk, third.pk)
    assert served(document)[0] == 1
    assert version(document, 3).status == Status.READY


def test_a_version_uploaded_after_restoring_goes_before_it(organization, document):
    ingestion.run(organization.pk, restore(document, 1).pk)
    with organization_scope(organization.pk):
        file = ContentFile(b"# Caja\n\nEl fondo de caja es de 300 euros.\n")
        third = services.upload_version(document=document, uploaded_by=None, file=file, name="caja.md").version
    ingestion.run(organization.pk, third.pk)
    assert served(document)[0] == 3


def test_a_restored_version_can_be_replaced_by_restoring_the_other(organization, document):
    ingestion.run(organization.pk, restore(document, 1).pk)
    ingestion.run(organization.pk, restore(document, 2).pk)
    assert served(document)[0] == 2


def test_only_what_was_read_can_be_restored(document):
    with organization_scope(document.organization_id):
        document.versions.filter(number=1).update(status=Status.FAILED)
    with pytest.raises(CannotRestore):
        restore(document, 1)


def test_restoring_waits_for_no_worker_forever(organization, document, monkeypatch):
    monkeypatch.setattr(holding, "WAIT_MS", 50)
    target = version(document, 1)
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s, %s)", [ingestion.LOCK_SPACE, target.pk])
            with pytest.raises(VersionBusy):
                restore(document, 1)
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [ingestion.LOCK_SPACE, target.pk])
    finally:
        other.close()
    assert restore(document, 1).status == Status.CHUNKING


# --- pages


def test_the_page_restores_and_says_so(admin, document):
    response = admin.post(address("restore", document.pk, 1), follow=True)
    assert "la versión 1" in response.content.decode()
    assert version(document, 1).status == Status.CHUNKING
    assert admin.get(address("restore", document.pk, 1)).headers["Location"] == address("detail", document.pk)


def test_the_comparison_shows_words_sections_and_both_versions(admin, document, django_assert_max_num_queries):
    admin.get(address("list"))  # notes the visit
    with django_assert_max_num_queries(15):
        html = admin.get(address("compare", document.pk), {"desde": 1, "hasta": 2}).content.decode()
    assert "<del>150</del>" in html
    assert "<ins>200</ins>" in html
    assert "Llaves" in html
    assert "Añadida" in html


def test_the_comparison_takes_the_last_two_when_none_are_named(admin, document):
    html = admin.get(address("compare", document.pk)).content.decode()
    assert "<del>150</del>" in html
    assert admin.get(address("compare", document.pk), {"desde": "9", "hasta": "x"}).status_code == 404


def test_equal_versions_are_said_to_be_equal(admin, document):
    html = admin.get(address("compare", document.pk), {"desde": 2, "hasta": 2}).content.decode()
    assert "No hay diferencias" in html


def test_employees_neither_compare_nor_restore(client_for, organization, document):
    employee = client_for(factories.make_member(organization, "ana@acme.example", Role.EMPLOYEE))
    assert employee.get(address("compare", document.pk)).status_code == 404
    assert employee.post(address("restore", document.pk, 1)).status_code == 404
