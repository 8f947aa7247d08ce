"""Lessons with the sections they rest on."""

from courses.models import Resolution, UpdateNotice
from skillnet.models import Classification, Role
from skillnet.tenancy import organization_scope
from tests.db.course_editing.editing import LONG_AGO, TEXT, address, lesson_named, posted
from tests.factories import make_document, make_member


def test_a_preview_shows_safe_markdown_and_saves_nothing(admin, organization, lesson, source):
    html = admin.post(address("preview"), {"content": "**negrita** <script>x</script>"}).content.decode()
    assert "<strong>negrita</strong>" in html
    assert "<script>" not in html
    page = admin.post(address("edit_lesson", lesson.pk), posted(lesson, source, content="**ahora**", accion="vista"))
    assert page.status_code == 200
    assert "<strong>ahora</strong>" in page.content.decode()
    assert lesson_named(organization, "L00").content == "Texto"


def test_another_text_is_a_change_and_another_title_is_none(admin, organization, lesson, source):
    admin.post(address("edit_lesson", lesson.pk), posted(lesson, source, summary="De qué trata"))
    assert lesson_named(organization, "L00").changed_at == LONG_AGO
    admin.post(address("edit_lesson", lesson.pk), posted(lesson, source, content="Otro texto"))
    assert lesson_named(organization, "L00").changed_at > LONG_AGO


def test_the_sections_of_a_document_are_offered_indented(admin, document):
    html = admin.get(address("sections"), {"campo": "sources-1", "sources-1-document": document.pk}).content.decode()
    assert "\u2003Cambio" in html
    assert "Alarma" in html


def test_the_sections_of_a_document_one_may_not_read_are_not_offered(client_for, organization):
    secret = make_document(organization, "Salarios", classification=Classification.CONFIDENTIAL)
    editor = client_for(make_member(organization, "editora@acme.example", Role.EDITOR))
    response = editor.get(address("sections"), {"campo": "sources-1", "sources-1-document": secret.pk})
    assert response.status_code == 404
    assert admin_asks_for_nonsense(editor) == 404


def admin_asks_for_nonsense(client):
    return client.get(address("sections"), {"campo": "<script>"}).status_code


def test_choosing_a_section_fills_in_its_page_and_version(admin, organization, document, lesson, source):
    data = posted(lesson, source, **{"sources-0-section": '["Caja", "Cambio"]', "sources-0-page": 9})
    assert admin.post(address("edit_lesson", lesson.pk), data).status_code == 302
    with organization_scope(organization.pk):
        source.refresh_from_db()
        assert (source.heading_path, source.page) == (["Caja", "Cambio"], 2)
        assert source.version_id == document.active_version_id
        assert lesson.sources.count() == 1


def test_a_section_that_is_not_in_the_document_is_refused(admin, lesson, source):
    data = posted(lesson, source, **{"sources-0-section": '["Inventada"]'})
    assert admin.post(address("edit_lesson", lesson.pk), data).status_code == 422


def test_a_lesson_edited_while_its_source_changed_is_settled(admin, organization, document, lesson, source):
    make_document(organization, version_of=document, text=TEXT.replace("200", "300"))
    with organization_scope(organization.pk):
        touched = UpdateNotice.objects.get().touched_lessons.get()
    assert "queda revisada" in admin.get(address("edit_lesson", lesson.pk)).content.decode()
    admin.post(address("edit_lesson", lesson.pk), posted(lesson, source, content="300 euros", aviso_revisado="1"))
    with organization_scope(organization.pk):
        touched.refresh_from_db()
        assert touched.resolution == Resolution.EDITED
