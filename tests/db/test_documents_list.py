"""The documents list: filters, order, and what is done with several at once."""

import pytest
from django.urls import reverse

from courses.models import Course, CourseDocument
from documents.models import Collection, Document, DocumentVersion, Status
from documents.parsing import media_types
from skillnet.models import Classification, Role
from skillnet.tenancy import organization_scope
from tests import factories


@pytest.fixture
def admin(client_for, admin_membership):
    return client_for(admin_membership)


@pytest.fixture
def editor(client_for, organization):
    return client_for(factories.make_member(organization, "editora@acme.example", Role.EDITOR))


def address(name, *args):
    return reverse(f"documents:{name}", args=["acme", *args])


def make(organization, title, *, status=Status.READY, media_type=media_types.PDF, **fields) -> Document:
    with organization_scope(organization.pk):
        document = Document.objects.create(organization=organization, title=title, title_is_given=True, **fields)
        version = factories.make_version(document, title.encode(), status=status)
        DocumentVersion.objects.filter(pk=version.pk).update(media_type=media_type)
        return document


def make_collection(organization, name) -> Collection:
    with organization_scope(organization.pk):
        return Collection.objects.create(organization=organization, name=name)


def titles(client, **query) -> list[str]:
    page = client.get(address("list"), query).context["page"]
    return [version.document.title for version in page]


def documents_of(organization) -> dict[str, Document]:
    with organization_scope(organization.pk):
        return {document.title: document for document in Document.objects.select_related("collection")}


@pytest.mark.parametrize("words", ["devolucion", "DEVOLUCIÓN", "tienda devol", "devolución en"])
def test_titles_are_found_without_accents_case_or_order(admin, organization, words):
    make(organization, "Devolución en tienda")
    make(organization, "Año nuevo 100%")
    assert titles(admin, q=words) == ["Devolución en tienda"]


@pytest.mark.parametrize("words", ["100%", "año"])
def test_signs_of_patterns_stand_for_themselves_and_ñ_is_a_letter(admin, organization, words):
    make(organization, "Año nuevo 100%")
    make(organization, "Anotaciones 1000")
    assert titles(admin, q=words) == ["Año nuevo 100%"]


def test_filters_narrow_by_collection_kind_and_tag(admin, organization):
    sales = make_collection(organization, "Ventas")
    make(organization, "Precios", collection=sales, media_type=media_types.XLSX)
    make(organization, "Normas", tags=["caja", "noche"])
    assert titles(admin, coleccion=sales.pk) == ["Precios"]
    assert titles(admin, coleccion="ninguna") == ["Normas"]
    assert titles(admin, tipo="excel") == ["Precios"]
    assert titles(admin, etiqueta="noche") == ["Normas"]


def test_an_unknown_filter_filters_nothing_and_leaves_the_others_alone(admin, organization):
    make(organization, "Precios")
    make(organization, "Normas")
    assert titles(admin, q="precios", coleccion="99999", tipo="x", orden="x") == ["Precios"]


def test_the_list_is_ordered_as_asked(admin, organization):
    make(organization, "Ébano", status=Status.READY)
    make(organization, "Caja", status=Status.FAILED)
    make(organization, "Zumo", status=Status.PARSING)
    assert titles(admin) == ["Zumo", "Caja", "Ébano"]
    assert titles(admin, orden="antiguos") == ["Ébano", "Caja", "Zumo"]
    assert titles(admin, orden="titulo") == ["Caja", "Ébano", "Zumo"]
    assert titles(admin, orden="estado") == ["Caja", "Zumo", "Ébano"]


def test_tags_of_documents_one_may_not_read_are_not_offered(editor, organization):
    make(organization, "Salarios", tags=["nóminas"], classification=Classification.CONFIDENTIAL)
    assert "nóminas" not in editor.get(address("list")).content.decode()


def test_the_filtered_list_needs_few_queries(admin, organization, django_assert_max_num_queries):
    sales = make_collection(organization, "Ventas")
    for number in range(8):
        make(organization, f"Norma {number}", collection=sales, tags=["caja"])
    titles(admin)  # the first visit is noted
    with django_assert_max_num_queries(17):
        found = titles(admin, q="norma", coleccion=sales.pk, etiqueta="caja", orden="estado")
    assert len(found) == 8


# --- several at once


def ask(client, action, *documents):
    return client.get(address("bulk"), {"accion": action, "documento": [document.pk for document in documents]})


def do(client, action, *documents, **fields):
    data = {"accion": action, "documento": [document.pk for document in documents], **fields}
    return client.post(address("bulk"), data, follow=True)


def test_documents_are_moved_together(admin, organization):
    sales = make_collection(organization, "Ventas")
    chosen = make(organization, "A"), make(organization, "B")
    make(organization, "C")
    assert "Cambiarán de colección 2 documentos" in ask(admin, "mover", *chosen).content.decode()
    assert "2 documentos movidos" in do(admin, "mover", *chosen, collection=sales.pk).content.decode()
    assert {title: str(one.collection) for title, one in documents_of(organization).items()} == {
        "A": "Ventas",
        "B": "Ventas",
        "C": "None",
    }


def test_documents_are_reclassified_only_as_far_as_one_may(admin, editor, organization):
    chosen = make(organization, "A"), make(organization, "B")
    assert do(editor, "reclasificar", *chosen, classification=3).status_code == 422
    assert "2 documentos reclasificados" in do(admin, "reclasificar", *chosen, classification=3).content.decode()
    assert {one.classification for one in documents_of(organization).values()} == {3}


def test_only_what_failed_is_tried_again(admin, organization):
    chosen = make(organization, "A", status=Status.FAILED), make(organization, "B")
    assert "se volverán a leer: 1" in ask(admin, "reintentar", *chosen).content.decode()
    assert "1 documento en cola" in do(admin, "reintentar", *chosen).content.decode()
    with organization_scope(organization.pk):
        assert {v.document.title: v.status for v in DocumentVersion.objects.all()} == {"A": "pending", "B": "ready"}


def test_deleting_several_names_what_is_lost_and_the_courses_that_use_them(admin, organization):
    chosen = make(organization, "A"), make(organization, "B")
    make(organization, "C")
    with organization_scope(organization.pk):
        course = Course.objects.create(organization=organization, title="Acogida", slug="acogida")
        CourseDocument.objects.create(organization=organization, course=course, document=chosen[0])
    html = ask(admin, "borrar", *chosen).content.decode()
    assert "¿Borrar 2 documentos?" in html
    assert "2 versiones" in html
    assert "Acogida" in html
    assert set(documents_of(organization)) == {"A", "B", "C"}
    assert "2 documentos borrados" in do(admin, "borrar", *chosen).content.decode()
    assert set(documents_of(organization)) == {"C"}


@pytest.mark.parametrize("action", ["mover", "reclasificar", "reintentar", "borrar"])
def test_one_document_that_is_not_ones_own_stops_the_whole_action(editor, organization, other_organization, action):
    own = make(organization, "A")
    hidden = make(organization, "Salarios", classification=Classification.CONFIDENTIAL)
    foreign = factories.make_document(other_organization, "Ajeno")
    for stranger in (hidden, foreign):
        assert ask(editor, action, own, stranger).status_code == 404
        assert do(editor, action, own, stranger, classification=1).status_code == 404
    assert documents_of(organization)["A"].classification == Classification.INTERNAL


def test_ids_that_are_no_numbers_are_not_found(admin):
    assert admin.get(address("bulk"), {"accion": "mover", "documento": ["1", "x"]}).status_code == 404


def test_nothing_marked_leads_back_with_a_hint(admin):
    assert "Marca los documentos" in admin.get(address("bulk"), {"accion": "mover"}, follow=True).content.decode()


def test_employees_have_no_actions(client_for, employee_membership, organization):
    document = make(organization, "A")
    assert ask(client_for(employee_membership), "borrar", document).status_code == 404


def test_lists_of_documents_to_choose_from_are_sorted_as_a_reader_expects(client_for, organization, admin_membership):
    for title in ("Xilografía", "árbol de decisión", "Bodega", "curso de caja"):
        factories.make_document(organization, title, "# Uno\nDos tres cuatro.")
    client = client_for(admin_membership)
    for name in ("courses:choose", "tutor:faq_create"):
        page = client.get(reverse(name, args=["acme"])).content.decode()
        places = [page.index(title) for title in ("árbol de decisión", "Bodega", "curso de caja", "Xilografía")]
        assert places == sorted(places)
