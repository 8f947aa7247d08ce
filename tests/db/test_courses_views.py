"""Courses in the browser: who sees which, what a lesson shows, and how courses are written."""

import pytest
from django.urls import reverse

from courses.models import Course, CourseDocument, CourseStatus, Enrolment, Lesson, LessonSource, Module
from documents.models import Document
from skillnet.models import Classification, Role
from skillnet.tenancy import organization_scope
from tests import factories


@pytest.fixture
def admin(client_for, admin_membership):
    return client_for(admin_membership)


@pytest.fixture
def employee(client_for, employee_membership):
    return client_for(employee_membership)


@pytest.fixture
def course(organization, employee_membership):
    """A published course of two lessons in two modules, on one document, with the employee enrolled."""
    with organization_scope(organization.pk):
        owned = {"organization": organization}
        document = Document.objects.create(title="Manual de caja", **owned)
        factories.make_version(document)
        course = Course.objects.create(title="Caja", slug="caja", status=CourseStatus.PUBLISHED, **owned)
        CourseDocument.objects.create(course=course, document=document, **owned)
        for position, title in enumerate(["Abrir", "Cerrar"]):
            module = Module.objects.create(course=course, title=f"Módulo {title}", position=position, **owned)
            lesson = Lesson.objects.create(
                module=module, title=title, content=f"# {title}\n\n**Paso** uno", position=0, **owned
            )
            LessonSource.objects.create(
                lesson=lesson, document=document, heading_path=["Turno", title], page=position + 1, **owned
            )
        Enrolment.objects.create(course=course, user=employee_membership.user, **owned)
        return course


def address(name, *args):
    return reverse(f"courses:{name}", args=["acme", *args])


def lesson_named(organization, title):
    with organization_scope(organization.pk):
        return Lesson.objects.get(title=title)


def lesson_data(**fields):
    """A lesson's form with the management fields of its sources."""
    return {
        "title": "Nueva",
        "content": "Texto",
        "sources-TOTAL_FORMS": 0,
        "sources-INITIAL_FORMS": 0,
        **fields,
    }


# --- who sees which


def test_employees_see_the_published_courses_they_are_enrolled_in(employee, organization, course):
    with organization_scope(organization.pk):
        Course.objects.create(organization=organization, title="Otro", slug="otro", status=CourseStatus.PUBLISHED)
    html = employee.get(address("list")).content.decode()
    assert "Caja" in html
    assert "Otro" not in html
    assert "Crear curso" not in html


def test_a_draft_does_not_exist_for_employees(employee, organization, course):
    lesson = lesson_named(organization, "Abrir")
    with organization_scope(organization.pk):
        Course.objects.update(status=CourseStatus.DRAFT)
    assert employee.get(address("detail", course.pk)).status_code == 404
    assert employee.get(address("lesson", lesson.pk)).status_code == 404
    assert "Aún no tienes cursos" in employee.get(address("list")).content.decode()


def test_a_course_one_is_not_enrolled_in_does_not_exist(client_for, organization, course):
    other = client_for(factories.make_member(organization, "otro@acme.example"))
    assert other.get(address("detail", course.pk)).status_code == 404


def test_another_organization_finds_nothing(client_for, other_organization, organization, course):
    stranger = client_for(factories.make_member(other_organization, "jefa@otra.example", Role.ADMIN))
    lesson = lesson_named(organization, "Abrir")
    for name, pk in (
        ("detail", course.pk),
        ("lesson", lesson.pk),
        ("edit", course.pk),
        ("edit_lesson", lesson.pk),
    ):
        assert stranger.get(reverse(f"courses:{name}", args=["otra", pk])).status_code == 404


@pytest.mark.parametrize("name", ["edit", "delete", "create_module"])
def test_employees_do_not_write_courses(employee, course, name):
    assert employee.get(address(name, course.pk)).status_code == 404
    assert employee.get(address("create")).status_code == 404


# --- reading


def test_the_list_needs_few_queries_however_long_it_is(admin, organization, course, django_assert_max_num_queries):
    with organization_scope(organization.pk):
        Course.objects.bulk_create(
            Course(organization=organization, title=f"Curso {n}", slug=f"curso-{n}") for n in range(40)
        )
    with django_assert_max_num_queries(15):
        html = admin.get(address("list")).content.decode()
    assert "Página 1 de 2" in html


def test_a_course_shows_its_lessons_in_order_with_few_queries(employee, course, django_assert_max_num_queries):
    employee.get(address("list"))  # the first visit is noted
    with django_assert_max_num_queries(17):  # four of them open and close the organization's scope
        html = employee.get(address("detail", course.pk)).content.decode()
    assert html.index("Módulo Abrir") < html.index("Módulo Cerrar")
    assert "Manual de caja" in html
    assert f"?curso={course.pk}" in html


def test_a_lesson_shows_text_sources_and_neighbours(employee, organization, course):
    first, last = lesson_named(organization, "Abrir"), lesson_named(organization, "Cerrar")
    html = employee.get(address("lesson", first.pk)).content.decode()
    assert "<strong>Paso</strong>" in html
    assert "Lección 1 de 2" in html
    assert "Turno › Abrir" in html
    assert "?pagina=1#pagina-1" in html
    assert address("lesson", last.pk) in html
    assert address("lesson", first.pk) in employee.get(address("lesson", last.pk)).content.decode()


def test_a_lesson_names_each_document_once_above_its_sections(employee, organization, course):
    first = lesson_named(organization, "Abrir")
    with organization_scope(organization.pk):
        owned = {"organization": organization, "lesson": first, "document": Document.objects.get()}
        for path, page in ((["Turno", "Contar"], 2), (["Turno", "Contar"], 2), (["Cierre"], None)):
            LessonSource.objects.create(heading_path=path, page=page, **owned)
    for url in (address("lesson", first.pk), address("print_course", course.pk)):
        sources = employee.get(url).text.partition("De dónde sale")[2].partition("Turno › Cerrar")[0]
        assert sources.partition("Módulo Cerrar")[0].count("Manual de caja") == 1
        assert sources.count("Turno › Contar") == 1
        assert "Turno › Abrir" in sources
        assert "Cierre" in sources


def test_a_lesson_gives_no_hint_of_a_document_one_may_not_read(employee, organization, course):
    with organization_scope(organization.pk):
        Document.objects.update(classification=Classification.CONFIDENTIAL)
    for url in (address("lesson", lesson_named(organization, "Abrir").pk), address("detail", course.pk)):
        assert "Manual de caja" not in employee.get(url).content.decode()


# --- writing


def test_a_course_is_created_with_documents(admin, organization, course):
    with organization_scope(organization.pk):
        document = Document.objects.get()
    data = {
        "title": "Caja",
        "status": "draft",
        "documents": [document.pk],
    }
    assert admin.post(address("create"), data, follow=True).status_code == 200
    with organization_scope(organization.pk):
        made = Course.objects.get(status=CourseStatus.DRAFT)
        assert made.slug == "caja-2"
        assert list(made.documents.all()) == [document]


def test_unticking_takes_documents_off_a_course_and_leaves_its_people(admin, organization, course):
    admin.post(address("edit", course.pk), {"title": "Caja", "status": "published"})
    with organization_scope(organization.pk):
        assert not course.course_documents.exists()
        assert course.enrolments.exists()


def test_a_course_without_a_title_is_explained_at_the_field(admin):
    response = admin.post(address("create"), {"title": "", "status": "draft"})
    assert response.status_code == 422
    assert 'id="id_title_error"' in response.content.decode()


def test_modules_and_lessons_are_added_at_the_end(admin, organization, course):
    admin.post(address("create_module", course.pk), {"title": "Extra"})
    with organization_scope(organization.pk):
        module = course.modules.get(title="Extra")
        document = Document.objects.get()
    assert module.position == 2
    source = {"sources-TOTAL_FORMS": 1, "sources-0-document": document.pk, "sources-0-page": 4}
    admin.post(address("create_lesson", module.pk), lesson_data(**source))
    with organization_scope(organization.pk):
        lesson = module.lessons.get()
        assert (lesson.title, lesson.position) == ("Nueva", 0)
        assert lesson.sources.get().page == 4


def test_editing_a_source_keeps_its_section(admin, organization, course):
    lesson = lesson_named(organization, "Abrir")
    with organization_scope(organization.pk):
        source = lesson.sources.get()
    data = lesson_data(
        title="Abrir", **{"sources-TOTAL_FORMS": 1, "sources-INITIAL_FORMS": 1, "sources-0-id": source.pk,
        "sources-0-document": source.document_id, "sources-0-page": 7},
    )  # fmt: skip
    admin.post(address("edit_lesson", lesson.pk), data)
    with organization_scope(organization.pk):
        source.refresh_from_db()
        assert (source.page, source.heading_path) == (7, ["Turno", "Abrir"])


def test_deleting_asks_first(admin, organization, course):
    lesson = lesson_named(organization, "Abrir")
    assert "¿Borrar «Abrir»?" in admin.get(address("delete_lesson", lesson.pk)).content.decode()
    admin.post(address("delete_lesson", lesson.pk))
    admin.post(address("delete", course.pk))
    with organization_scope(organization.pk):
        assert not Course.objects.exists()
        assert Document.objects.exists()
