"""Assigning courses, seeing how far people are, and reminding them."""

import re
from datetime import timedelta

import pytest
from django.core import mail as outbox
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from courses import enrolling, jobs, reminders, studying
from courses.models import Course, CourseStatus, Enrolment, GroupAssignment, Lesson
from skillnet.audit import Action
from skillnet.models import AuditEntry, Group, GroupMember, Membership, Organization, Role
from skillnet.tenancy import organization_scope
from tests.factories import make_course, make_member

pytestmark = pytest.mark.django_db


def address(name: str, *ids: object) -> str:
    return reverse(f"courses:{name}", args=["acme", *ids])


@pytest.fixture
def course(organization: Organization) -> Course:
    with organization_scope(organization.pk):
        return make_course(organization, "Caja", lessons=("Apertura", "Cierre"), recertify_months=12)


@pytest.fixture
def admin(client_for, admin_membership: Membership) -> Client:
    client: Client = client_for(admin_membership)
    return client


@pytest.fixture
def enrolment(organization: Organization, course: Course, employee_membership: Membership) -> Enrolment:
    with organization_scope(organization.pk):
        enrolling.enrol(course=course, user_ids=[employee_membership.user_id])
        return Enrolment.objects.get()


def change(organization: Organization, **fields: object) -> None:
    with organization_scope(organization.pk):
        Enrolment.objects.update(**fields)


# --- assigning


def test_people_are_assigned_with_a_date(admin, organization, course, employee_membership):
    day = timezone.localdate() + timedelta(days=10)
    data = {"personas-members": [employee_membership.pk], "personas-due_on": day.isoformat()}
    page = admin.post(address("assign_people", course.pk), data, follow=True).text
    assert "Curso asignado a 1 persona." in page
    assert "Sin empezar" in page
    with organization_scope(organization.pk):
        assert Enrolment.objects.get().due_on == day


@pytest.mark.parametrize(
    ("fields", "said"),
    [({}, "Elige al menos una persona."), ({"personas-due_on": "2001-01-01"}, "Elige una fecha que no haya pasado.")],
)
def test_what_is_missing_or_past_is_said_at_the_field(admin, organization, course, fields, said):
    response = admin.post(address("assign_people", course.pk), fields)
    assert response.status_code == 422
    assert said in response.text
    with organization_scope(organization.pk):
        assert not Enrolment.objects.exists()


def test_employees_are_offered_before_those_who_manage_the_course(admin, organization, course):
    for email, role in (
        ("b@acme.example", Role.EMPLOYEE),
        ("a@acme.example", Role.EDITOR),
        ("c@acme.example", Role.EMPLOYEE),
    ):
        make_member(organization, email, role)
    page = admin.get(address("people", course.pk)).text
    offered = re.findall(r"\w+@acme.example", page.partition("personas-members")[2].partition("</form>")[0])
    assert offered[:2] == ["b@acme.example", "c@acme.example"]
    assert "a@acme.example" in offered


def test_the_way_to_assign_cannot_be_closed_while_nobody_has_the_course(
    admin, organization, course, employee_membership
):
    assert "<summary>A personas</summary>" not in admin.get(address("people", course.pk)).text
    with organization_scope(organization.pk):
        enrolling.enrol(course=course, user_ids=[employee_membership.user_id])
    assert "<summary>A personas</summary>" in admin.get(address("people", course.pk)).text


def test_people_of_another_organization_are_not_assigned(admin, organization, course, other_organization):
    stranger = make_member(other_organization, "otra@otra.example")
    assert admin.post(address("assign_people", course.pk), {"personas-members": [stranger.pk]}).status_code == 422


def test_a_group_gets_a_course_and_loses_it_again(admin, organization, course, employee_membership):
    with organization_scope(organization.pk):
        group = Group.objects.create(organization=organization, name="Turno de tarde")
        GroupMember.objects.create(organization=organization, group=group, user=employee_membership.user)
    data = {"grupo-group": group.pk, "grupo-due_days": 14}
    page = admin.post(address("assign_group", course.pk), data, follow=True).text
    assert "Por el grupo Turno de tarde" in page
    with organization_scope(organization.pk):
        assignment = GroupAssignment.objects.get()
        assert Enrolment.objects.get().due_on == timezone.localdate() + timedelta(days=14)
    admin.post(address("withdraw_group", assignment.pk))
    with organization_scope(organization.pk):
        assert not Enrolment.objects.exists()


def test_taking_someone_off_asks_first(admin, organization, course, enrolment):
    assert "Todavía no lo ha empezado." in admin.get(address("withdraw", enrolment.pk)).text
    admin.post(address("withdraw", enrolment.pk))
    with organization_scope(organization.pk):
        assert not Enrolment.objects.exists()


def test_another_date_has_reminders_sent_anew(admin, organization, enrolment):
    change(organization, due_reminder_days=1)
    day = timezone.localdate() + timedelta(days=3)
    admin.post(address("due", enrolment.pk), {"due_on": day.isoformat()})
    with organization_scope(organization.pk):
        enrolment.refresh_from_db()
    assert (enrolment.due_on, enrolment.due_reminder_days) == (day, None)
    assert admin.post(address("due", enrolment.pk), {"due_on": "mañana"}).status_code == 422


# --- how far people are


def test_people_are_found_by_how_far_they_are(admin, organization, course, enrolment):
    late = make_member(organization, "tarde@acme.example")
    done = make_member(organization, "lista@acme.example")
    yesterday = timezone.localdate() - timedelta(days=1)
    with organization_scope(organization.pk):
        enrolling.enrol(course=course, user_ids=[late.user_id], due_on=yesterday)
        enrolling.enrol(course=course, user_ids=[done.user_id])
        finished = Enrolment.objects.get(user=done.user)
        for lesson in Lesson.objects.all():
            studying.mark_done(enrolment=finished, lesson=lesson)
    where = address("people", course.pk)

    def found(stage: str) -> set[str]:
        table = admin.get(where, {"estado": stage}).text.partition("<tbody>")[2]
        return {email for email in ("empleada", "tarde", "lista") if f"{email}@acme.example" in table}

    assert found("") == {"empleada", "tarde", "lista"}
    assert found("sin-empezar") == {"empleada"}
    assert found("vencido") == {"tarde"}
    assert found("terminado") == {"lista"}
    assert found("caducado") == set()
    with organization_scope(organization.pk):
        Enrolment.objects.filter(pk=finished.pk).update(expires_on=yesterday)
    assert found("caducado") == {"lista"}
    written = admin.get(address("export_progress", course.pk), {"estado": "vencido"}).content.decode("utf-8-sig")
    assert [line.split(";")[1:4:2] for line in written.splitlines()[1:]] == [["tarde@acme.example", "Fuera de plazo"]]


def test_many_people_take_few_queries(admin, organization, course, django_assert_max_num_queries):
    people = [make_member(organization, f"p{number}@acme.example") for number in range(12)]
    with organization_scope(organization.pk):
        enrolling.enrol(course=course, user_ids=[one.user_id for one in people])
    with django_assert_max_num_queries(25):
        assert admin.get(address("people", course.pk)).text.count("<progress") == 12


def test_employees_assign_nothing(client_for, employee_membership, course, enrolment):
    client = client_for(employee_membership)
    for name, pk in (("people", course.pk), ("export_progress", course.pk), ("withdraw", enrolment.pk)):
        assert client.get(address(name, pk)).status_code == 404


# --- reminders


def test_those_who_have_not_finished_are_reminded_when_asked_to(
    admin, organization, course, enrolment, employee_membership, django_capture_on_commit_callbacks, monkeypatch
):
    queued = []
    monkeypatch.setattr(jobs, "_enqueue", lambda work, *arguments, retry: queued.append((work, arguments)))
    with django_capture_on_commit_callbacks(execute=True):
        page = admin.post(address("remind", course.pk), {"persona": enrolment.pk}, follow=True).text
    assert "Se lo recordamos por correo a 1 persona." in page
    [(work, arguments)] = queued
    assert work is jobs.remind
    reminders.send_all_asked(*arguments)
    reminders.send_all_asked(*arguments)  # a job that ran twice
    [message] = outbox.outbox
    assert message.to == [employee_membership.user.email]
    assert message.subject == "Tienes pendiente el curso «Caja»"
    assert "Llevas 0 de 2 lecciones." in message.body
    assert address("detail", course.pk) in message.body
    assert message.alternatives[0][1] == "text/html"
    assert "Recordado el" in admin.get(address("people", course.pk)).text


def test_the_log_says_how_many_were_reminded_and_where_their_names_are_cut(admin, organization, course, monkeypatch):
    monkeypatch.setattr(jobs, "_enqueue", lambda *_arguments, retry: None)
    with organization_scope(organization.pk):
        people = [make_member(organization, f"persona.numero.{at}@acme.example") for at in range(20)]
        enrolling.enrol(course=course, user_ids=[person.user_id for person in people])
    admin.post(address("remind", course.pk))
    with organization_scope(organization.pk):
        [entry] = AuditEntry.objects.filter(action=Action.COURSE_REMINDED)
    assert entry.detail.startswith("20: persona.numero.")
    assert entry.detail.endswith("…")
    assert len(entry.detail) == 500


def test_nobody_is_reminded_of_a_draft(admin, organization, course, enrolment):
    with organization_scope(organization.pk):
        Course.objects.update(status=CourseStatus.DRAFT)
    assert "publícalo antes" in admin.post(address("remind", course.pk), follow=True).text


def to_remind(organization: Organization) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT organization_id FROM courses_organizations_to_remind(%s)", [timezone.localdate()])
        return (organization.pk,) in cursor.fetchall()


def send(organization: Organization) -> list[str]:
    """The subjects of what is sent now."""
    outbox.outbox.clear()
    reminders.send_all_pending(organization.pk)
    return [message.subject for message in outbox.outbox]


@pytest.mark.parametrize(("days", "reminded"), [(4, False), (3, True), (2, True), (1, True), (0, True), (-1, False)])
def test_a_due_date_is_reminded_of_from_three_days_before(organization, enrolment, days, reminded):
    change(organization, due_on=timezone.localdate() + timedelta(days=days))
    assert to_remind(organization) is reminded
    assert len(send(organization)) == int(reminded)
    assert not to_remind(organization)
    assert send(organization) == []


def test_one_day_before_there_is_a_second_and_last_reminder(organization, enrolment):
    change(organization, due_on=timezone.localdate() + timedelta(days=3))
    assert len(send(organization)) == 1
    change(organization, due_on=timezone.localdate() + timedelta(days=2))  # a day later
    assert not to_remind(organization)
    change(organization, due_on=timezone.localdate() + timedelta(days=1))
    assert to_remind(organization)
    [subject] = send(organization)
    assert subject.startswith("Termina «Caja» antes del")
    change(organization, due_on=timezone.localdate())
    assert not to_remind(organization)
    assert send(organization) == []


def test_a_certificate_that_expired_is_said_once(organization, enrolment):
    with organization_scope(organization.pk):
        for lesson in Lesson.objects.all():
            studying.mark_done(enrolment=enrolment, lesson=lesson)
    assert not to_remind(organization)
    change(organization, expires_on=timezone.localdate())
    assert to_remind(organization)
    assert send(organization) == ["Tu certificado de «Caja» ha caducado"]
    assert not to_remind(organization)
    assert send(organization) == []


def test_who_left_or_whose_course_is_a_draft_is_not_reminded(organization, course, enrolment, employee_membership):
    change(organization, due_on=timezone.localdate())
    with organization_scope(organization.pk):
        Course.objects.update(status=CourseStatus.DRAFT)
    assert not to_remind(organization)
    with organization_scope(organization.pk):
        assert reminders.pending_ids() == []
        Course.objects.update(status=CourseStatus.PUBLISHED)
    employee_membership.delete()
    assert not to_remind(organization)
    with organization_scope(organization.pk):
        assert reminders.pending_ids() == []


def test_an_address_that_is_refused_keeps_nobody_else_waiting(organization, course, enrolment, monkeypatch):
    colleague = make_member(organization, "segunda@acme.example")
    with organization_scope(organization.pk):
        enrolling.enrol(course=course, user_ids=[colleague.user_id])
    change(organization, due_on=timezone.localdate())
    told = []

    def refuse_the_first(study):
        if study.enrolment.pk == enrolment.pk:
            raise OSError("refused")
        told.append(study.enrolment.user.email)

    monkeypatch.setattr("courses.mail.remind", refuse_the_first)
    with pytest.raises(OSError, match="refused"):
        reminders.send_all_pending(organization.pk)
    assert told == ["segunda@acme.example"]
    with organization_scope(organization.pk):
        assert reminders.pending_ids() == [enrolment.pk]


def test_an_editor_assigns_too(client_for, organization, course):
    editor = client_for(make_member(organization, "editora@acme.example", Role.EDITOR))
    assert editor.get(address("people", course.pk)).status_code == 200
