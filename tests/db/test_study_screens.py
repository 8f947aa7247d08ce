"""What employees see and do: their courses, a lesson and its quiz, the end of a course."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from courses import enrolling, studying
from courses.models import Completion, Course, CourseStatus, Enrolment, Lesson, LessonSource, QuizAttempt
from skillnet.models import Membership, Organization, Role
from skillnet.tenancy import organization_scope
from tests.factories import make_course, make_document, make_member, make_question

pytestmark = pytest.mark.django_db


def address(name: str, *ids: object) -> str:
    return reverse(f"courses:{name}", args=["acme", *ids])


@pytest.fixture
def course(organization: Organization, employee_membership: Membership) -> Course:
    with organization_scope(organization.pk):
        course = make_course(organization, "Caja", lessons=("Apertura", "Cierre"), recertify_months=12)
        enrolling.enrol(course=course, user_ids=[employee_membership.user_id])
        return course


@pytest.fixture
def employee(client_for, employee_membership: Membership, course: Course) -> Client:
    client: Client = client_for(employee_membership)
    return client


def lesson_named(organization: Organization, title: str) -> Lesson:
    with organization_scope(organization.pk):
        return Lesson.objects.get(title=title)


def enrolment_of(organization: Organization) -> Enrolment:
    with organization_scope(organization.pk):
        return Enrolment.objects.select_related("course").get()


def change(organization: Organization, **fields: object) -> None:
    with organization_scope(organization.pk):
        Enrolment.objects.update(**fields)


def finish(organization: Organization) -> None:
    with organization_scope(organization.pk):
        enrolment = Enrolment.objects.get()
        for lesson in Lesson.objects.order_by("position"):
            studying.mark_done(enrolment=enrolment, lesson=lesson)


# --- «Mis cursos»


def test_one_goes_on_where_one_was_and_sees_how_far_one_is(employee, organization):
    html = employee.get(address("list")).text
    assert "0 de 2 lecciones hechas (0 %)" in html
    assert "Empezar" in html
    first, last = (lesson_named(organization, title) for title in ("Apertura", "Cierre"))
    employee.post(address("mark_done", first.pk))
    html = employee.get(address("list")).text
    assert "1 de 2 lecciones hechas (50 %)" in html
    assert address("lesson", last.pk) in html
    assert "Continuar" in html


def test_a_due_date_is_said_and_so_is_one_that_has_passed(employee, organization):
    today = timezone.localdate()
    change(organization, due_on=today)
    assert "Antes del" in employee.get(address("list")).text
    change(organization, due_on=today - timedelta(days=1))
    assert "Fuera de plazo" in employee.get(address("list")).text


def test_what_is_to_be_read_again_comes_back_to_the_top(employee, organization):
    finish(organization)
    assert "Estás al día" in employee.get(address("list")).text
    with organization_scope(organization.pk):
        lesson = Lesson.objects.get(title="Apertura")
        lesson.changed_at = timezone.now()
        lesson.save(update_fields=["changed_at"])
    assert "1 lección ha cambiado desde que la hiciste" in employee.get(address("list")).text
    with organization_scope(organization.pk):
        studying.ask_to_reread(lesson)
    html = employee.get(address("list")).text
    assert "1 lección por releer" in html
    assert "Por hacer" in html
    assert address("lesson", lesson.pk) in html
    page = employee.get(address("lesson", lesson.pk)).text
    assert "Esta lección cambió el" in page
    employee.post(address("mark_done", lesson.pk))
    assert "Estás al día" in employee.get(address("list")).text


def test_an_expired_course_is_taken_again_and_old_certificates_stay(employee, organization, course):
    finish(organization)
    employee.post(address("restart", course.pk))  # not before it has expired
    assert enrolment_of(organization).completed_at is not None
    change(organization, expires_on=timezone.localdate())
    html = employee.get(address("list")).text
    assert "Caducó el" in html
    assert "Repetir el curso" in html
    employee.post(address("restart", course.pk))
    html = employee.get(address("list")).text
    assert "0 de 2 lecciones hechas" in html
    with organization_scope(organization.pk):
        assert address("certificate", Completion.objects.get().pk) in html


def test_twenty_courses_take_few_queries(employee, organization, employee_membership, django_assert_max_num_queries):
    with organization_scope(organization.pk):
        for number in range(19):
            more = make_course(organization, f"Curso {number}", lessons=("Uno", "Dos", "Tres"))
            enrolling.enrol(course=more, user_ids=[employee_membership.user_id])
    with django_assert_max_num_queries(15):
        html = employee.get(address("list")).text
    assert html.count("study-card") == 20


def test_drafts_are_not_among_ones_courses(employee, organization):
    with organization_scope(organization.pk):
        Course.objects.update(status=CourseStatus.DRAFT)
    assert "Aún no tienes cursos" in employee.get(address("list")).text


def test_who_manages_courses_and_takes_some_finds_them_too(client_for, admin_membership, organization, course):
    client = client_for(admin_membership)
    assert address("my_courses") not in client.get(address("list")).text
    with organization_scope(organization.pk):
        enrolling.enrol(course=course, user_ids=[admin_membership.user_id])
    assert address("my_courses") in client.get(address("list")).text
    assert "0 de 2 lecciones hechas" in client.get(address("my_courses")).text


# --- a lesson and its quiz


def test_a_lesson_done_leads_to_the_next_and_the_last_one_to_the_course(employee, organization, course):
    first, last = (lesson_named(organization, title) for title in ("Apertura", "Cierre"))
    assert employee.post(address("mark_done", first.pk)).url == address("lesson", last.pk)
    response = employee.post(address("mark_done", last.pk), follow=True)
    assert response.redirect_chain[-1][0] == address("detail", course.pk)
    assert "Has terminado el curso" in response.text
    with organization_scope(organization.pk):
        assert address("certificate", Completion.objects.get().pk) in response.text


def test_the_rule_of_progress_is_on_the_course_page(employee, organization, course):
    assert "Una lección está hecha cuando la marcas como hecha." in employee.get(address("detail", course.pk)).text
    with organization_scope(organization.pk):
        make_question(Lesson.objects.get(title="Apertura"))
    assert "lo has aprobado con un 80 % de aciertos" in employee.get(address("detail", course.pk)).text


def answers(page: str, *right: str) -> dict[str, str]:
    """The fields of the quiz shown in `page`, those options chosen whose text is among `right`."""
    options = re.findall(r'type="radio" name="(q\d+)" value="(\d+)"[^>]*><span>([^<]*)<', page)
    [number] = re.findall(r'name="number" value="(\d+)"', page)
    return {"number": number, **{name: value for name, value, label in options if label in right}}


def test_a_quiz_is_taken_explained_and_taken_again(employee, organization, course):
    document = make_document(organization, "Manual de caja", "# Apertura\nEl fondo es de 150 euros.")
    with organization_scope(organization.pk):
        lesson = Lesson.objects.get(title="Apertura")
        item = make_question(lesson, document=document, heading_path=["Apertura"], quote="El fondo es de 150 euros.")
    refused = employee.post(address("mark_done", lesson.pk), follow=True)
    assert "supera su cuestionario" in refused.text
    quiz = address("quiz", lesson.pk)
    wrong = employee.post(quiz, answers(employee.get(quiz).text, "100 €"), follow=True).text
    assert "Aún no está aprobado" in wrong
    assert "Respuesta correcta" in wrong
    assert "Lo dice el manual." in wrong
    assert address("passage", item.pk) in wrong
    right = employee.post(quiz, answers(employee.get(quiz).text, "150 €"), follow=True).text
    assert "Cuestionario aprobado" in right
    assert "Marcar como hecha y seguir" in right
    assert "Otros intentos" in right
    employee.post(address("mark_done", lesson.pk))
    with organization_scope(organization.pk):
        assert list(QuizAttempt.objects.order_by("pk").values_list("percent", flat=True)) == [0, 100]
        assert studying.progress_of(Enrolment.objects.get()).done == 1
    assert employee.get(address("passage", item.pk)).url.endswith("?parte=1#b1")


def test_unanswered_questions_are_pointed_at_and_no_attempt_is_kept(employee, organization):
    with organization_scope(organization.pk):
        lesson = Lesson.objects.get(title="Apertura")
        make_question(lesson)
    response = employee.post(address("quiz", lesson.pk), {"number": "1"})
    assert response.status_code == 422
    assert "Responde a esta pregunta." in response.text
    with organization_scope(organization.pk):
        assert not QuizAttempt.objects.exists()


def test_an_answer_from_a_page_left_open_is_read_as_that_page_showed_it(employee, organization):
    with organization_scope(organization.pk):
        lesson = Lesson.objects.get(title="Apertura")
        make_question(lesson, options=["100 €", "150 €", "200 €", "250 €", "300 €"])
    quiz = address("quiz", lesson.pk)
    old_page = employee.get(quiz).text
    for _attempt in range(3):
        employee.post(quiz, answers(old_page, "150 €"))
    with organization_scope(organization.pk):
        assert set(QuizAttempt.objects.values_list("percent", flat=True)) == {100}


def test_who_looks_at_a_quiz_without_taking_the_course_cannot_answer(
    client_for, admin_membership, organization, course
):
    with organization_scope(organization.pk):
        lesson = Lesson.objects.get(title="Apertura")
        make_question(lesson)
    client = client_for(admin_membership)
    page = client.get(address("quiz", lesson.pk)).text
    assert "Así lo ve quien hace el curso" in page
    assert client.post(address("quiz", lesson.pk), answers(page, "150 €")).status_code == 404
    assert client.post(address("mark_done", lesson.pk)).status_code == 404


def test_somebody_elses_attempt_is_not_there(client_for, employee, organization, course):
    colleague = make_member(organization, "otra@acme.example")
    with organization_scope(organization.pk):
        enrolling.enrol(course=course, user_ids=[colleague.user_id])
        lesson = Lesson.objects.get(title="Apertura")
        attempt = QuizAttempt.objects.create(
            organization=organization, lesson=lesson, user=colleague.user, percent=100, is_passed=True
        )
    assert client_for(colleague).get(address("attempt", attempt.pk)).status_code == 200
    assert employee.get(address("attempt", attempt.pk)).status_code == 404


def test_a_source_without_pages_opens_at_its_section(employee, organization, course):
    text = "# Turno\nUno.\n## Cierre\nSe cuenta el cajón."
    document = make_document(organization, "Manual de caja", text)
    with organization_scope(organization.pk):
        source = LessonSource.objects.create(
            organization=organization, lesson=Lesson.objects.get(title="Cierre"), document=document,
            heading_path=["Turno", "Cierre"],
        )  # fmt: skip
    assert address("source", source.pk) in employee.get(address("lesson", source.lesson_id)).text
    assert employee.get(address("source", source.pk)).url.endswith("?parte=1#b2")


# --- certificates


def test_a_certificate_is_for_its_owner_and_for_those_who_manage(
    client_for, employee, admin_membership, organization, course
):
    finish(organization)
    with organization_scope(organization.pk):
        completion = Completion.objects.get()
    own = employee.get(address("certificate", completion.pk))
    assert own["Content-Type"] == "application/pdf"
    assert own.content.startswith(b"%PDF")
    assert client_for(admin_membership).get(address("certificate", completion.pk)).status_code == 200
    colleague = make_member(organization, "otra@acme.example")
    assert client_for(colleague).get(address("certificate", completion.pk)).status_code == 404


def test_certificates_are_checked_by_their_number_and_exported_without_formulas(
    client_for, admin_membership, organization, employee_membership, course
):
    employee_membership.user.first_name = '=HYPERLINK("x")'
    employee_membership.user.save()
    finish(organization)
    with organization_scope(organization.pk):
        completion = Completion.objects.get()
    client = client_for(admin_membership)
    assert completion.number in client.get(address("completions"), {"q": completion.number.lower()}).text
    assert "Ningún certificado coincide" in client.get(address("completions"), {"q": "0000-0000-0000"}).text
    written = client.get(address("export_completions")).content.decode("utf-8-sig")
    assert "'=HYPERLINK" in written
    assert completion.number in written
    editor = client_for(make_member(organization, "editora@acme.example", Role.EDITOR))
    assert editor.get(address("completions")).status_code == 200
    assert client_for(employee_membership).get(address("completions")).status_code == 404
