"""The editor: the tree put in order, lessons with their sources, questions approved only with their passage."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from courses import enrolling
from courses.models import (
    Course,
    CourseDraft,
    CourseStatus,
    Lesson,
    LessonSource,
    Module,
    QuizItem,
    Resolution,
    UpdateNotice,
)
from courses.quiz_forms import passage_key
from skillnet.models import Classification, Notification, Role
from skillnet.tenancy import organization_scope
from tests.factories import make_document, make_member

pytestmark = pytest.mark.django_db

TEXT = "# Caja\nLa caja se abre a las 8:50.\n[p2]\n## Cambio\nEl fondo es de 200 euros.\n# Alarma\nEl código caduca."
LONG_AGO = timezone.datetime(2024, 1, 1, tzinfo=timezone.get_current_timezone())


def address(name, *args):
    return reverse(f"courses:{name}", args=["acme", *args])


@pytest.fixture
def admin(client_for, admin_membership):
    return client_for(admin_membership)


@pytest.fixture
def document(organization):
    return make_document(organization, "Manual", TEXT)


@pytest.fixture
def course(organization, document):
    """Two modules of two lessons; the first lesson rests on «Caja» and all below it."""
    owned = {"organization": organization}
    with organization_scope(organization.pk):
        course = Course.objects.create(title="Tienda", slug="tienda", **owned)
        for at_module in range(2):
            module = Module.objects.create(course=course, title=f"M{at_module}", position=at_module, **owned)
            for at_lesson in range(2):
                title = f"L{at_module}{at_lesson}"
                Lesson.objects.create(
                    module=module, title=title, content="Texto", position=at_lesson, changed_at=LONG_AGO, **owned
                )
        first = Lesson.objects.get(title="L00")
        LessonSource.objects.create(lesson=first, document=document, heading_path=["Caja"], page=1, **owned)
        return course


def lesson_named(organization, title):
    with organization_scope(organization.pk):
        return Lesson.objects.get(title=title)


def tree(organization, course):
    with organization_scope(organization.pk):
        return [
            [lesson.title for lesson in module.lessons.order_by("position")]
            for module in course.modules.order_by("position")
        ]


def posted(lesson, source=None, **fields):
    """The lesson's form as the page would send it."""
    data = {
        "title": lesson.title,
        "summary": "",
        "content": lesson.content,
        "accion": "guardar",
        "sources-TOTAL_FORMS": 2,
        "sources-INITIAL_FORMS": 1,
        "sources-0-id": source.pk,
        "sources-0-document": source.document_id,
        "sources-0-section": json.dumps(source.heading_path, ensure_ascii=False),
        "sources-0-with_subsections": "on",
        "sources-0-page": source.page,
        "sources-1-with_subsections": "on",
    }
    return data | fields


@pytest.fixture
def lesson(organization, course):
    return lesson_named(organization, "L00")


@pytest.fixture
def source(organization, lesson):
    with organization_scope(organization.pk):
        return lesson.sources.get()


def make_item(organization, lesson, document, **fields):
    with organization_scope(organization.pk):
        return QuizItem.objects.create(
            organization=organization,
            lesson=lesson,
            **{
                "kind": "single_choice",
                "question": "¿De cuánto es el fondo?",
                "options": ["100 euros", "200 euros"],
                "answer": [1],
                "document": document,
                "heading_path": ["Caja", "Cambio"],
                "quote": "El fondo es de 200 euros.",
                "position": 0,
            }
            | fields,
        )


def reviewed(organization, item):
    with organization_scope(organization.pk):
        item.refresh_from_db()
        return item.is_reviewed


# --- the tree


def test_lessons_and_modules_are_moved_by_buttons_and_by_dragging(admin, organization, course):
    ids = {title: lesson_named(organization, title).pk for title in ("L00", "L01", "L11")}
    with organization_scope(organization.pk):
        modules = list(course.modules.order_by("position").values_list("pk", flat=True))
    admin.post(address("reorder", course.pk), {"accion": f"bajar:l{ids['L01']}"})
    assert tree(organization, course) == [["L00"], ["L01", "L10", "L11"]]
    admin.post(address("reorder", course.pk), {"accion": f"mover:l{ids['L11']}>l{ids['L00']}>antes"})
    assert tree(organization, course) == [["L11", "L00"], ["L01", "L10"]]
    admin.post(address("reorder", course.pk), {"accion": f"subir:m{modules[1]}"})
    assert tree(organization, course) == [["L01", "L10"], ["L11", "L00"]]


@pytest.mark.parametrize("action", ["subir:l0", "quitar:m1", "mover:l1", "", "mover:l1>m9>antes"])
def test_a_senseless_move_leaves_the_course_as_it_was(admin, organization, course, action):
    response = admin.post(address("reorder", course.pk), {"accion": action}, follow=True)
    assert "Eso no se puede mover ahí" in response.content.decode()
    assert tree(organization, course) == [["L00", "L01"], ["L10", "L11"]]


def test_a_course_is_published_and_taken_back(admin, organization, course):
    for status in (CourseStatus.PUBLISHED, CourseStatus.DRAFT):
        admin.post(address("publish", course.pk))
        with organization_scope(organization.pk):
            course.refresh_from_db()
            assert course.status == status


def test_a_course_with_people_or_something_unfinished_is_published_after_asking(
    admin, organization, course, employee_membership
):
    with organization_scope(organization.pk):
        enrolling.enrol(course=course, user_ids=[employee_membership.user_id])
        Module.objects.create(organization=organization, course=course, title="Vacío", position=9)
    page = admin.post(address("publish", course.pk), follow=True).text
    assert "Hay 1 persona inscrita" in page
    assert "1 módulo no tiene lecciones." in page
    with organization_scope(organization.pk):
        course.refresh_from_db()
        assert course.status == CourseStatus.DRAFT
    page = admin.post(address("publish", course.pk), {"confirmado": "1"}, follow=True).text
    assert "Curso publicado: hemos avisado a 1 persona." in page
    with organization_scope(organization.pk):
        course.refresh_from_db()
        assert course.status == CourseStatus.PUBLISHED
        told = Notification.objects.get()
        assert (told.user, told.kind, told.read_at) == (employee_membership.user, "course.assigned", None)
    # Confirmed twice, as from two tabs, it stays published; taken back, nobody is sent to it.
    admin.post(address("publish", course.pk), {"confirmado": "1"})
    with organization_scope(organization.pk):
        course.refresh_from_db()
        assert course.status == CourseStatus.PUBLISHED
    admin.post(address("publish", course.pk))
    with organization_scope(organization.pk):
        assert Notification.objects.get().read_at is not None


def test_unreviewed_questions_empty_lessons_and_open_notices_are_counted_before_publishing(admin, organization, course):
    with organization_scope(organization.pk):
        lesson = Lesson.objects.filter(module__course=course).first()
        Lesson.objects.filter(pk=lesson.pk).update(content=" \n")
        CourseDraft.objects.create(organization=organization, course=course)
        QuizItem.objects.create(organization=organization, lesson=lesson, question="¿?", kind="fill", position=0)
    page = admin.get(address("publish", course.pk)).text
    assert "1 pregunta espera tu revisión" in page
    assert "1 lección no tiene texto." in page
    assert "Las lecciones no están todas escritas." in page
    assert "no se avisa a nadie" in page
    assert "Publicar así" in page


def test_a_course_without_lessons_is_not_published(admin, organization, course):
    with organization_scope(organization.pk):
        course.modules.all().delete()
    html = admin.post(address("publish", course.pk), follow=True).content.decode()
    assert "aún no tiene lecciones" in html
    with organization_scope(organization.pk):
        course.refresh_from_db()
        assert course.status == CourseStatus.DRAFT


def test_module_goals_are_written_a_line_each(admin, organization, course):
    with organization_scope(organization.pk):
        module = course.modules.first()
    admin.post(address("edit_module", module.pk), {"title": "M", "summary": "", "goals": "Abrir\n\n  Cerrar "})
    with organization_scope(organization.pk):
        module.refresh_from_db()
        assert module.goals == ["Abrir", "Cerrar"]


# --- lessons


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


# --- questions


def test_a_question_is_approved_with_its_passage_in_the_lessons_sources(admin, organization, document, lesson):
    item = make_item(organization, lesson, document)
    assert "Por revisar" in admin.get(address("edit_quiz", lesson.pk)).content.decode()
    admin.post(address("approve_question", item.pk))
    assert reviewed(organization, item)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"quote": "El fondo es de 500 euros."}, "palabra por palabra"),
        ({"quote": ""}, "palabra por palabra"),
        ({"heading_path": ["Alarma"], "quote": "El código caduca."}, "no está entre las fuentes"),
        ({"options": ["200 euros", "200  EUROS"]}, "dicen lo mismo"),
        ({"answer": [5]}, "cuál es la respuesta correcta"),
        ({"options": ["200 euros"]}, "entre 2 y 8"),
        ({"kind": "order", "options": ["Abrir", "abrir"], "answer": []}, "dicen lo mismo"),
        ({"kind": "fill", "options": [], "answer": [" "]}, "al menos una respuesta"),
    ],
)
def test_an_unsound_question_is_not_approved(admin, organization, document, lesson, fields, why):
    item = make_item(organization, lesson, document, **fields)
    assert why in admin.post(address("approve_question", item.pk), follow=True).content.decode()
    assert not reviewed(organization, item)


def test_all_are_approved_but_those_with_something_to_mend(admin, organization, document, lesson):
    good, bad = make_item(organization, lesson, document), make_item(organization, lesson, document, quote="Inventado")
    assert "¿Aprobar todas" in admin.get(address("approve_all", lesson.pk)).content.decode()
    html = admin.post(address("approve_all", lesson.pk), follow=True).content.decode()
    assert "1 pregunta aprobada." in html
    assert "1 pregunta sigue por revisar" in html
    assert reviewed(organization, good)
    assert not reviewed(organization, bad)


GONE = "Su pasaje ya no está en el documento"


def test_a_question_whose_passage_left_the_document_is_marked_and_left_out_of_approving_all(
    admin, organization, document, lesson
):
    outdated = make_item(organization, lesson, document)
    sound = make_item(
        organization, lesson, document, question="¿Cuándo abre?", heading_path=["Caja"], quote="se abre a las 8:50."
    )
    assert GONE not in admin.get(address("edit_quiz", lesson.pk)).text
    make_document(organization, text=TEXT.replace("200 euros", "300 euros"), version_of=document)
    assert admin.get(address("edit_quiz", lesson.pk)).text.count(GONE) == 1
    asked = admin.get(address("approve_all", lesson.pk)).text
    to_approve, left_out = asked.split("1 pregunta se queda fuera")
    assert sound.question in to_approve
    assert outdated.question not in to_approve
    assert outdated.question in left_out
    admin.post(address("approve_all", lesson.pk))
    assert reviewed(organization, sound)
    refused = admin.post(address("approve_question", outdated.pk), follow=True).text
    assert "palabra por palabra" in refused
    assert not reviewed(organization, outdated)


def test_a_question_whose_section_left_the_document_is_marked(admin, organization, document, lesson):
    make_item(organization, lesson, document)
    make_item(organization, lesson, document, heading_path=["Alarma"], quote="El código caduca.")  # never taught here
    text = "# Caja\nLa caja se abre a las 8:50.\n# Alarma\nEl código caduca."
    make_document(organization, text=text, version_of=document)
    assert admin.get(address("edit_quiz", lesson.pk)).text.count(GONE) == 1


def test_nothing_is_offered_to_approve_when_every_question_has_something_to_mend(admin, organization, document, lesson):
    make_item(organization, lesson, document, quote="Inventado")
    assert address("approve_all", lesson.pk) not in admin.get(address("edit_quiz", lesson.pk)).text
    asked = admin.get(address("approve_all", lesson.pk)).text
    assert "1 pregunta se queda fuera" in asked
    assert 'type="submit">' not in asked.split("<h1")[1].split("</main>")[0]


@pytest.mark.parametrize("count", [1, 6])
def test_each_document_is_read_once_however_many_questions_it_has(admin, organization, document, lesson, count):
    for _number in range(count):
        make_item(organization, lesson, document)
    with CaptureQueriesContext(connection) as queries:
        admin.get(address("edit_quiz", lesson.pk))
    assert sum("documents_parsedcontent" in query["sql"] for query in queries) == 1


@pytest.mark.parametrize(
    ("kind", "fields", "stored"),
    [
        ("single_choice", {"option_0": "100", "option_1": "200", "option_2": "", "right": 1}, (["100", "200"], [1])),
        ("order", {"lines": "Abrir\nContar"}, (["Abrir", "Contar"], [])),
        ("fill", {"lines": "200\ndoscientos"}, ([], ["200", "doscientos"])),
    ],
)
def test_questions_of_each_kind_are_written_by_hand(admin, organization, document, lesson, kind, fields, stored):
    data = {
        "question": "¿De cuánto es el fondo?",
        "quote": "El fondo es  de 200 euros.",
        "passage": passage_key(document.pk, ["Caja", "Cambio"]),
    }
    assert admin.post(address("create_question", lesson.pk, kind), data | fields).status_code == 302
    with organization_scope(organization.pk):
        item = lesson.quiz_items.get()
        assert (item.options, item.answer) == stored
        assert (item.is_reviewed, item.page, item.heading_path) == (True, 2, ["Caja", "Cambio"])
    assert admin.get(address("edit_question", item.pk)).status_code == 200


def test_a_question_whose_passage_was_made_up_is_not_saved(admin, organization, document, lesson):
    data = {
        "question": "¿?",
        "quote": "El fondo es de 900 euros.",
        "passage": passage_key(document.pk, ["Caja", "Cambio"]),
        "lines": "900",
    }
    response = admin.post(address("create_question", lesson.pk, "fill"), data)
    assert response.status_code == 422
    assert "palabra por palabra" in response.content.decode()
    with organization_scope(organization.pk):
        assert not lesson.quiz_items.exists()


def test_questions_go_back_to_review_when_their_section_is_no_longer_taught(
    admin, organization, document, lesson, source
):
    item = make_item(organization, lesson, document, is_reviewed=True)
    data = posted(lesson, source, **{"sources-0-section": '["Alarma"]'})
    html = admin.post(address("edit_lesson", lesson.pk), data, follow=True).content.decode()
    assert "vuelve a estar por revisar" in html
    assert not reviewed(organization, item)


# --- out and in


def export(admin, course):
    return admin.get(address("export_course", course.pk)).content


def upload(admin, content):
    file = SimpleUploadedFile("curso.json", content)
    return admin.post(address("import_course"), {"file": file}, follow=True)


def test_an_exported_course_comes_back_with_its_sources_and_questions_to_review(
    admin, organization, document, course, lesson
):
    make_item(organization, lesson, document, is_reviewed=True)
    response = upload(admin, export(admin, course))
    assert "Curso importado como borrador" in response.content.decode()
    with organization_scope(organization.pk):
        copy = Course.objects.get(slug="tienda-2")
        assert tree(organization, copy) == [["L00", "L01"], ["L10", "L11"]]
        first = Lesson.objects.get(module__course=copy, title="L00")
        assert first.sources.get().heading_path == ["Caja"]
        assert first.sources.get().document == document
        assert [item.is_reviewed for item in first.quiz_items.all()] == [False]


def test_documents_that_are_not_here_are_named(admin, organization, document, course):
    data = json.loads(export(admin, course))
    data["modules"][0]["lessons"][0]["sources"][0]["document"] = {"title": "Manual de Burgos", "sha256": "0"}
    html = upload(admin, json.dumps(data).encode()).content.decode()
    assert "«Manual de Burgos»" in html


def test_characters_that_no_database_takes_are_left_out(admin, organization, document, course, lesson):
    make_item(organization, lesson, document, kind="fill", options=[], answer=["200"])
    data = json.loads(export(admin, course))
    first = data["modules"][0]["lessons"][0]
    first["content"], first["quiz_items"][0]["answer"] = "Te\x00xto\ud800", ["2\x0000"]
    assert upload(admin, json.dumps(data).encode()).status_code == 200
    with organization_scope(organization.pk):
        copy = Lesson.objects.get(module__course__slug="tienda-2", title="L00")
        assert (copy.content, copy.quiz_items.get().answer) == ("Texto", ["200"])


def test_an_export_holds_nothing_of_documents_one_may_not_read(client_for, organization, course, lesson):
    secret = make_document(organization, "Salarios", classification=Classification.CONFIDENTIAL)
    make_item(organization, lesson, secret)
    editor = client_for(make_member(organization, "editora@acme.example", Role.EDITOR))
    assert b"Salarios" not in export(editor, course)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"%PDF-1.7 \xff", "no se puede leer"),
        (b"[" * 100_000, "no se puede leer"),
        (b"[]", "no es un curso exportado"),
        (b'{"format": "skillnet-course", "version": 99}', "otra versión"),
        (b'{"format": "skillnet-course", "version": 1}', "«title»"),
        (b'{"format": "skillnet-course", "version": 1, "title": "X", "modules": [3]}', "«modules»"),
        (
            b'{"format": "skillnet-course", "version": 1, "title": "X", "modules": [{"title": "M", "lessons": [{}]}]}',
            "módulo 1, lección 1, «title»",
        ),
    ],
)
def test_a_damaged_file_is_refused_with_what_is_wrong(admin, organization, content, why):
    response = upload(admin, content)
    assert response.status_code == 422
    assert why in response.content.decode()
    with organization_scope(organization.pk):
        assert not Course.objects.exists()


def test_a_course_is_printed_on_one_page(admin, course):
    html = admin.get(address("print_course", course.pk)).content.decode()
    assert all(f"L{module}{lesson}" in html for module in range(2) for lesson in range(2))
    assert "Manual › Caja" in html
