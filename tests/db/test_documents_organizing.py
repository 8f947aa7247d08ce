"""Collections, tags, and the groups that may read a document."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from documents.models import Audience, Collection, Document, DocumentAudience
from skillnet.models import Classification, Group, GroupMember, Role
from skillnet.tenancy import organization_scope
from tests import factories


@pytest.fixture
def admin(client_for, admin_membership):
    return client_for(admin_membership)


@pytest.fixture
def night_shift(organization, employee_membership) -> Group:
    with organization_scope(organization.pk):
        group = Group.objects.create(organization=organization, name="Turno de noche")
        GroupMember.objects.create(organization=organization, group=group, user=employee_membership.user)
        return group


def address(name, *args):
    return reverse(f"documents:{name}", args=["acme", *args])


def make_collection(organization, name="Ventas") -> Collection:
    with organization_scope(organization.pk):
        return Collection.objects.create(organization=organization, name=name)


def names(organization) -> set[str]:
    with organization_scope(organization.pk):
        return set(Collection.objects.values_list("name", flat=True))


def edited(admin, document, **fields):
    data = {"title": document.title, "classification": 2, "audience": "everyone"} | fields
    return admin.post(address("edit", document.pk), data, follow=True)


# --- collections


def test_a_collection_is_made_renamed_and_removed_when_empty(admin, organization):
    assert "Aún no hay colecciones" in admin.get(address("collections")).content.decode()
    admin.post(address("collections"), {"name": "  Cocina "})
    assert names(organization) == {"Cocina"}
    with organization_scope(organization.pk):
        pk = Collection.objects.get().pk
    admin.post(address("rename_collection", pk), {"name": "Cocina y sala"})
    assert names(organization) == {"Cocina y sala"}
    assert "Colección borrada" in admin.post(address("delete_collection", pk), follow=True).content.decode()
    assert names(organization) == set()


def test_two_collections_do_not_share_a_name(admin, organization):
    make_collection(organization, "Ventas")
    other = make_collection(organization, "Cocina")
    for url in (address("collections"), address("rename_collection", other.pk)):
        response = admin.post(url, {"name": "ventas"})
        assert response.status_code == 422
        assert "Ya hay una colección con ese nombre" in response.content.decode()
    assert admin.post(address("rename_collection", other.pk), {"name": "COCINA"}).status_code == 302


def test_a_collection_with_documents_stays_even_when_one_cannot_see_them(client_for, organization):
    collection = make_collection(organization)
    factories.make_document(organization, collection=collection, classification=Classification.CONFIDENTIAL)
    editor = client_for(factories.make_member(organization, "editora@acme.example", Role.EDITOR))
    html = editor.post(address("delete_collection", collection.pk), follow=True).content.decode()
    assert "Solo se puede borrar una colección vacía" in html
    assert names(organization) == {"Ventas"}


def test_collections_count_their_documents_in_few_queries(admin, organization, django_assert_max_num_queries):
    for number in range(5):
        collection = make_collection(organization, f"Colección {number}")
        with organization_scope(organization.pk):
            Document.objects.create(organization=organization, title=f"D{number}", collection=collection)
    with django_assert_max_num_queries(15):
        page = admin.get(address("collections"))
    assert [collection.document_count for collection in page.context["collections"]] == [1] * 5


def test_collections_of_others_and_for_employees_do_not_exist(
    client_for, admin, employee_membership, other_organization
):
    foreign = make_collection(other_organization, "Ajena")
    for name in ("rename_collection", "delete_collection"):
        assert admin.post(address(name, foreign.pk), {"name": "Mía"}).status_code == 404
    assert client_for(employee_membership).get(address("collections")).status_code == 404
    assert names(other_organization) == {"Ajena"}


# --- tags


def test_tags_are_written_between_commas_and_kept_once(admin, organization):
    document = factories.make_document(organization, title="Caja")
    html = edited(admin, document, tags=" caja,Noche , CAJA,, apertura").content.decode()
    assert "caja, Noche, apertura" in html
    assert 'value="caja, Noche, apertura"' in admin.get(address("edit", document.pk)).content.decode()
    edited(admin, document, tags="")
    with organization_scope(organization.pk):
        assert Document.objects.get().tags == []


@pytest.mark.parametrize("tags", ["x" * 61, ",".join(f"t{number}" for number in range(21))])
def test_too_long_or_too_many_tags_are_refused(admin, organization, tags):
    document = factories.make_document(organization, title="Caja")
    assert edited(admin, document, tags=tags).status_code == 422


# --- groups


def test_a_document_for_a_group_is_read_by_its_members_alone(
    client_for, admin, organization, employee_membership, night_shift
):
    document = factories.make_document(organization, title="Caja")
    response = edited(admin, document, audience="groups", groups=[night_shift.pk])
    assert response.status_code == 200
    stranger = factories.make_member(organization, "otro@acme.example")
    assert client_for(employee_membership).get(address("detail", document.pk)).status_code == 200
    assert client_for(stranger).get(address("detail", document.pk)).status_code == 404
    page = admin.get(address("edit", document.pk)).content.decode()
    assert "Turno de noche" in page
    edited(admin, document)
    with organization_scope(organization.pk):
        assert not DocumentAudience.objects.exists()


def test_an_audience_of_groups_needs_a_group(admin, organization, night_shift):
    document = factories.make_document(organization, title="Caja")
    response = edited(admin, document, audience="groups")
    assert response.status_code == 422
    assert "Elige al menos un grupo" in response.content.decode()


def test_without_groups_there_is_nothing_to_choose(admin, organization):
    assert "Solo algunos grupos" not in admin.get(address("list")).content.decode()


def test_groups_of_others_cannot_be_chosen(admin, organization, other_organization, night_shift):
    with organization_scope(other_organization.pk):
        foreign = Group.objects.create(organization=other_organization, name="Ajeno")
    document = factories.make_document(organization, title="Caja")
    assert edited(admin, document, audience="groups", groups=[foreign.pk]).status_code == 422


def test_an_upload_takes_tags_and_groups(admin, organization, night_shift):
    file = SimpleUploadedFile("caja.txt", b"Cuenta la caja.")
    data = {"uploads": [file], "audience": "groups", "groups": [night_shift.pk], "tags": "caja, noche"}
    assert "1 archivo recibido" in admin.post(address("upload"), data).content.decode()
    with organization_scope(organization.pk):
        document = Document.objects.get()
        assert (document.audience, document.tags) == (Audience.GROUPS, ["caja", "noche"])
        assert [one.group_id for one in document.audience_groups.all()] == [night_shift.pk]


def test_an_editor_who_gives_a_document_to_others_is_led_to_the_list(client_for, organization, night_shift):
    document = factories.make_document(organization, title="Caja")
    editor = client_for(factories.make_member(organization, "editora@acme.example", Role.EDITOR))
    response = edited(editor, document, audience="groups", groups=[night_shift.pk])
    assert response.status_code == 200
    assert response.redirect_chain[-1][0] == address("list")
