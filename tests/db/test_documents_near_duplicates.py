"""Documents that say nearly the same are flagged, to those who may read both."""

import pytest
from django.urls import reverse

from documents.models import Document, Status
from skillnet.models import Classification, Role
from skillnet.tenancy import organization_scope
from tests import factories

SECTIONS = [
    f"# Norma {number}\nLa norma {number} dice que el turno {number} cierra la puerta {number} con la llave {number}.\n"
    for number in range(10)
]
MANUAL = "".join(SECTIONS)
NEARLY = "".join(SECTIONS[:9]) + "# Añadido\nY nada más por ahora en esta tienda.\n"
OTHER = "# Cocina\nLava las manos antes de tocar los alimentos y limpia cada superficie al terminar.\n"


def named(document: Document) -> list[int]:
    with organization_scope(document.organization_id):
        document.refresh_from_db()
        return [one["document_id"] for one in document.active_version.warnings if one["code"] == "near_duplicate"]


def page(client, document: Document, name: str = "detail") -> str:
    return client.get(reverse(f"documents:{name}", args=["acme", document.pk])).content.decode()


def test_a_document_nearly_the_same_as_another_is_flagged(organization):
    first = factories.make_document(organization, title="Normas", text=MANUAL)
    second = factories.make_document(organization, title="Normas (copia)", text=NEARLY)
    assert named(second) == [first.pk]
    assert named(first) == []
    with organization_scope(organization.pk):
        assert second.active_version.status == Status.READY  # it was read without a fault


def test_words_tell_where_pieces_do_not(organization):
    first = factories.make_document(organization, title="Normas", text=MANUAL)
    merged = "# Todo junto\n" + " ".join(section.partition("\n")[2].strip() for section in SECTIONS)
    second = factories.make_document(organization, title="Resumen", text=merged)
    assert named(second) == [first.pk]


@pytest.mark.parametrize("text", [OTHER, SECTIONS[0] + OTHER + "".join(OTHER.replace("la", f"{n}") for n in range(9))])
def test_other_texts_are_not_flagged(organization, text):
    factories.make_document(organization, title="Normas", text=MANUAL)
    assert named(factories.make_document(organization, title="Cocina", text=text)) == []


def test_versions_of_one_document_are_no_duplicates(organization):
    document = factories.make_document(organization, title="Normas", text=MANUAL)
    assert named(factories.make_document(organization, text=NEARLY, version_of=document)) == []


def test_another_organizations_documents_do_not_count(organization, other_organization):
    factories.make_document(other_organization, title="Normas", text=MANUAL)
    assert named(factories.make_document(organization, title="Normas", text=MANUAL + "Más.")) == []


def test_a_new_version_that_differs_is_no_longer_flagged(organization):
    factories.make_document(organization, title="Normas", text=MANUAL)
    second = factories.make_document(organization, title="Copia", text=NEARLY)
    assert named(factories.make_document(organization, text=OTHER, version_of=second)) == []


def test_the_other_document_is_named_only_to_those_who_may_read_it(client_for, admin_membership, organization):
    factories.make_document(
        organization, title="Salarios secretos", text=MANUAL, classification=Classification.CONFIDENTIAL
    )
    second = factories.make_document(organization, title="Copia", text=NEARLY)
    html = page(client_for(admin_membership), second)
    assert "Se parece mucho a" in html
    assert "Salarios secretos" in html
    editor = client_for(factories.make_member(organization, "editora@acme.example", Role.EDITOR))
    for name in ("detail", "coverage", "versions"):
        html = page(editor, second, name)
        assert "Se parece" not in html
        assert "Salarios" not in html
