"""A course as a file, out and in, and on paper."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from courses.models import Course, Lesson
from skillnet.models import Classification, Role
from skillnet.tenancy import organization_scope
from tests.db.course_editing.editing import address, make_item, tree
from tests.factories import make_document, make_member


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
