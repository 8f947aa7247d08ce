"""«Crear curso» in the browser: documents chosen, the outline put in order, lessons written and reviewed."""

import re

import pytest
from django.urls import reverse

from courses import draft_writing, drafts, forms
from courses.models import Course, CourseDraft, DraftStatus, Lesson
from documents.models import DocumentVersion
from skillnet.models import Classification, Role
from skillnet.tenancy import organization_scope
from tests.factories import make_document, make_member

pytestmark = pytest.mark.django_db


def section(name: str) -> str:
    line = f"El encargado revisa {name.lower()} y lo anota en el libro antes de las 22 horas de cada día."
    return f"# {name}\n" + "\n".join([line] * 25)


def address(name, *args):
    return reverse(f"courses:{name}", args=["acme", *args])


@pytest.fixture
def document(organization):
    return make_document(organization, "Manual de tienda", "\n".join(map(section, ("Caja", "Alarma", "Almacén"))))


@pytest.fixture
def admin(client_for, admin_membership):
    return client_for(admin_membership)


@pytest.fixture
def draft(organization, document, admin_membership):
    with organization_scope(organization.pk):
        return drafts.propose(
            organization=organization, title="Tienda", documents=[document], created_by=admin_membership.user
        )


def change(client, draft, action, **fields):
    page = client.get(address("draft", draft.pk)).content.decode()
    seen = re.search(r'name="edicion" value="(\w+)"', page)[1]
    return client.post(
        address("change_outline", draft.pk), {"edicion": seen, "accion": action, **fields}, follow=True
    ).content.decode()


def titles(organization, draft):
    with organization_scope(organization.pk):
        draft.refresh_from_db()
    return [[lesson["title"] for lesson in module["lessons"]] for module in draft.outline["modules"]]


def test_a_course_begins_with_a_title_and_documents(admin, organization, document):
    [short] = [make_document(organization, "Nota", section("Horario"))]
    response = admin.post(address("choose"), {"title": "Tienda", "documents": [short.pk]}, follow=True)
    assert "Índice propuesto" in response.content.decode()
    with organization_scope(organization.pk):
        assert Course.objects.get().title == "Tienda"


def keys_offered(html: str) -> list[str]:
    return re.findall(r'name="capitulos-\d+" value="(\w+)"', html)


def test_the_chapters_of_documents_are_offered_with_their_sizes_all_of_them_ticked(admin, organization, document):
    response = admin.post(address("choose"), {"title": "Tienda", "documents": [document.pk]}, follow=True)
    html = response.text
    assert "¿Qué capítulos entran en el curso?" in html
    assert "Caja · 450 palabras · página 1" in html
    assert html.count("checked") == len(keys_offered(html)) == 3


def test_a_course_is_made_of_the_chapters_chosen_also_when_it_is_proposed_again(admin, organization, document):
    step = admin.post(address("choose"), {"title": "Tienda", "documents": [document.pk]})
    first, _second, third = keys_offered(admin.get(step["Location"]).text)
    response = admin.post(step["Location"], {f"capitulos-{document.pk}": [first, third]})
    assert response.status_code == 302
    with organization_scope(organization.pk):
        draft = CourseDraft.objects.get()
    assert titles(organization, draft) == [["Caja"], ["Almacén"]]
    change(admin, draft, "quitar:0")
    change(admin, draft, "reponer")
    assert titles(organization, draft) == [["Caja"], ["Almacén"]]


def test_without_any_chapter_the_form_says_what_to_do(admin, organization, document):
    step = admin.post(address("choose"), {"title": "Tienda", "documents": [document.pk]})
    response = admin.post(step["Location"], {"nada": "1"})
    assert response.status_code == 422
    assert "Marca al menos un capítulo" in response.text
    assert "checked" not in response.text
    response = admin.post(step["Location"], {f"capitulos-{document.pk}": ["inventado"]})
    assert response.status_code == 422
    assert "Elige otra vez" in response.text
    with organization_scope(organization.pk):
        assert not Course.objects.exists()


def test_a_document_none_of_whose_chapters_is_chosen_is_no_source_of_the_course(admin, organization, document):
    other = make_document(organization, "Manual de cocina", "\n".join(map(section, ("Horno", "Cámara"))))
    step = admin.post(address("choose"), {"title": "Tienda", "documents": [document.pk, other.pk]})
    key = re.search(rf'name="capitulos-{other.pk}" value="(\w+)"', admin.get(step["Location"]).text)[1]
    admin.post(step["Location"], {f"capitulos-{other.pk}": [key]})
    with organization_scope(organization.pk):
        assert [one.title for one in Course.objects.get().documents.all()] == ["Manual de cocina"]


def test_chapters_of_documents_one_may_not_read_are_not_shown(client_for, organization):
    secret = make_document(organization, "Salarios", section("Primas"), classification=Classification.CONFIDENTIAL)
    editor = client_for(make_member(organization, "editora@acme.example", Role.EDITOR))
    response = editor.get(address("chapters"), {"title": "Tienda", "documents": [secret.pk]}, follow=True)
    assert "Primas" not in response.text
    assert "Elige primero el título y los documentos" in response.text


def test_more_documents_than_an_address_holds_are_refused(admin, organization, document, monkeypatch):
    monkeypatch.setattr(forms, "MOST_DOCUMENTS", 1)
    other = make_document(organization, "Manual de cocina", section("Horno"))
    response = admin.post(address("choose"), {"title": "Tienda", "documents": [document.pk, other.pk]})
    assert response.status_code == 422
    assert "Elige 1 documentos como mucho" in response.text


def test_a_document_without_text_is_named(admin, organization, document):
    empty = make_document(organization, "Fotos", "# Fotos")
    response = admin.post(address("choose"), {"title": "Tienda", "documents": [document.pk, empty.pk]})
    assert response.status_code == 422
    assert "«Fotos» no tiene texto del que hacer lecciones" in response.text


def test_only_documents_one_may_read_are_offered(client_for, organization, document):
    make_document(organization, "Salarios", classification=Classification.CONFIDENTIAL)
    editor = client_for(make_member(organization, "editora@acme.example", Role.EDITOR))
    html = editor.get(address("choose")).content.decode()
    assert "Manual de tienda" in html
    assert "Salarios" not in html


def test_without_documents_chosen_the_form_says_what_to_do(admin, document):
    response = admin.post(address("choose"), {"title": "Tienda"})
    assert response.status_code == 422
    assert "Elige al menos un documento." in response.content.decode()


def test_names_are_kept_with_every_change(admin, organization, draft):
    change(admin, draft, "bajar:0", **{"titulo-0": "La caja", "titulo-0-0": "Abrir la caja"})
    assert titles(organization, draft) == [["Alarma"], ["Abrir la caja"], ["Almacén"]]
    assert draft.outline["modules"][1]["title"] == "La caja"


def test_lessons_are_dragged_removed_and_proposed_again(admin, organization, draft):
    change(admin, draft, "mover:2-0>0-0>antes")
    assert titles(organization, draft) == [["Almacén", "Caja"], ["Alarma"], []]
    change(admin, draft, "quitar:0-1")
    assert titles(organization, draft) == [["Almacén"], ["Alarma"], []]
    change(admin, draft, "reponer")
    assert titles(organization, draft) == [["Caja"], ["Alarma"], ["Almacén"]]


@pytest.mark.parametrize("action", ["subir:0", "subir:9-9", "unir:x", "mover:1", "mover:0-0>9-9>antes", "partir:0-0"])
def test_what_cannot_be_done_there_changes_nothing(admin, organization, draft, action):
    assert "Eso no se puede hacer ahí" in change(admin, draft, action)
    assert titles(organization, draft) == [["Caja"], ["Alarma"], ["Almacén"]]


def test_an_outline_changed_in_another_tab_is_not_changed_blindly(admin, organization, draft):
    response = admin.post(address("change_outline", draft.pk), {"edicion": "vieja", "accion": "quitar:0"}, follow=True)
    assert "El índice ha cambiado mientras tanto" in response.content.decode()
    assert len(titles(organization, draft)) == 3


def test_lessons_are_written_with_counted_progress_and_then_reviewed(admin, organization, draft):
    change(admin, draft, "quitar:1")
    html = change(admin, draft, "escribir")
    assert "En cola" in html
    with organization_scope(organization.pk):
        draft_writing.write_next(draft.pk)
    html = admin.get(address("draft_progress", draft.pk)).content.decode()
    assert "Lección 2 de 2" in html
    assert 'value="1" max="2"' in html
    draft_writing.run(organization.pk, draft.pk)
    assert admin.get(address("draft_progress", draft.pk))["HX-Refresh"] == "true"
    html = admin.get(address("draft", draft.pk)).content.decode()
    assert "Las lecciones están escritas" in html
    with organization_scope(organization.pk):
        assert [lesson.title for lesson in Lesson.objects.order_by("module__position")] == ["Caja", "Almacén"]


@pytest.mark.parametrize("code", ["ocr_used", "near_duplicate"])
def test_lessons_from_text_recognized_in_pictures_ask_for_a_closer_look(admin, organization, draft, document, code):
    with organization_scope(organization.pk):
        DocumentVersion.objects.update(warnings=[{"code": code, "message": "Aviso", "page": None}])
        CourseDraft.objects.update(status=DraftStatus.DONE)
    page = admin.get(address("draft", draft.pk)).text
    assert ("se ha leído de imágenes" in page) is (code == "ocr_used")


def test_an_empty_outline_is_not_written(admin, organization, draft):
    for _module in range(3):
        change(admin, draft, "quitar:0")
    assert "El índice está vacío" in change(admin, draft, "escribir")
    with organization_scope(organization.pk):
        assert CourseDraft.objects.get().status == DraftStatus.OUTLINED


def test_what_failed_is_tried_again_from_where_it_stood(admin, organization, draft):
    with organization_scope(organization.pk):
        drafts.start(draft)
        CourseDraft.objects.update(status=DraftStatus.FAILED, error_message="Se interrumpió.", progress_done=1)
    html = admin.get(address("draft", draft.pk)).content.decode()
    assert "Se interrumpió." in html
    assert "Volver a intentarlo" in html
    admin.post(address("retry_draft", draft.pk))
    with organization_scope(organization.pk):
        draft.refresh_from_db()
        assert (draft.status, draft.progress_done) == (DraftStatus.QUEUED, 1)
