"""The course as a tree put in order, and published."""

import pytest

from courses import enrolling
from courses.models import CourseDraft, CourseStatus, Lesson, Module, QuizItem
from skillnet.models import Notification
from skillnet.tenancy import organization_scope
from tests.db.course_editing.editing import address, lesson_named, tree


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
