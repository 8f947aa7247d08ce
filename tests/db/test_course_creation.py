"""«Crear curso» in the browser: documents chosen, the outline put in order, lessons written and reviewed."""

import re

import pytest
from django.urls import reverse

from courses import draft_writing, drafts
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
    response = admin.post(address("choose"), {"title": "Tienda", "documents": [document.pk]}, follow=True)
    assert "Índice propuesto" in response.content.decode()
    with organization_scope(organization.pk):
        assert Course.objects.get().title == "Tienda"


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
