"""A course to be repeated every year, seen by the person who took it; the clock is the test's own."""

from collections.abc import Callable
from datetime import date, datetime

import pymupdf
import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from courses import enrolling, reminders
from courses.models import Completion, Course, Lesson
from skillnet.models import Membership, Notification, Organization
from skillnet.tenancy import organization_scope
from tests.factories import make_course

pytestmark = pytest.mark.django_db

SetClock = Callable[[date], None]


def address(name: str, *ids: object) -> str:
    return reverse(f"courses:{name}", args=["acme", *ids])


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """Have it be ten in the morning of a day."""

    def clock(day: date) -> None:
        moment = datetime(day.year, day.month, day.day, 10, tzinfo=timezone.get_default_timezone())
        monkeypatch.setattr(timezone, "now", lambda: moment)

    return clock


@pytest.fixture
def course(organization: Organization, employee_membership: Membership, set_clock: SetClock) -> Course:
    set_clock(date(2027, 3, 15))
    with organization_scope(organization.pk):
        course = make_course(organization, "Caja", lessons=("Apertura", "Cierre"), recertify_months=12)
        enrolling.enrol(course=course, user_ids=[employee_membership.user_id])
    return course


def take(client: Client, organization: Organization) -> None:
    """Mark every lesson as done, as on its page."""
    with organization_scope(organization.pk):
        lessons = list(Lesson.objects.order_by("position"))
    for lesson in lessons:
        client.post(address("mark_done", lesson.pk))


def certificate_text(client: Client, completion: Completion) -> str:
    with pymupdf.open(stream=client.get(address("certificate", completion.pk)).content, filetype="pdf") as document:
        return str(document[0].get_text())


def completions(organization: Organization) -> list[Completion]:
    with organization_scope(organization.pk):
        return list(Completion.objects.order_by("completed_at"))


def test_a_completion_grown_old_has_the_course_asked_for_again_and_taken_for_another_year(
    client_for, employee_membership, organization, course, set_clock
):
    take(client_for(employee_membership), organization)
    [first] = completions(organization)
    assert first.expires_on == date(2028, 3, 15)
    assert "15 de marzo de 2027" in certificate_text(client_for(employee_membership), first)

    set_clock(date(2028, 3, 14))
    employee = client_for(employee_membership)
    assert "Repetir el curso" not in employee.get(address("list")).text
    reminders.send_all_pending(organization.pk)
    assert not mail.outbox

    set_clock(date(2028, 3, 15))
    employee = client_for(employee_membership)
    reminders.send_all_pending(organization.pk)
    reminders.send_all_pending(organization.pk)  # once is enough
    assert [message.subject for message in mail.outbox] == ["Tu certificado de «Caja» ha caducado"]
    with organization_scope(organization.pk):
        assert Notification.objects.get(read_at__isnull=True).kind == "course.expired"
    page = employee.get(address("list")).text
    assert "Caducó el 15 mar 2028" in page
    assert "Repetir el curso" in page

    employee.post(address("restart", course.pk))
    assert "0 de 2 lecciones hechas" in employee.get(address("list")).text
    take(employee, organization)
    earlier, later = completions(organization)
    assert (earlier.pk, earlier.expires_on) == (first.pk, date(2028, 3, 15))
    assert later.expires_on == date(2029, 3, 15)
    assert "15 de marzo de 2028" in certificate_text(employee, later)
    assert "15 de marzo de 2027" in certificate_text(employee, earlier)
    with organization_scope(organization.pk):
        assert not Notification.objects.filter(read_at__isnull=True).exists()
    assert "Estás al día" in employee.get(address("list")).text


def test_who_manages_sees_that_a_certificate_has_expired(
    client_for, employee_membership, admin_membership, organization, course, set_clock
):
    take(client_for(employee_membership), organization)
    people = address("people", course.pk)
    before = client_for(admin_membership).get(people).text.count("Caducado")  # to choose from
    set_clock(date(2028, 3, 16))
    assert client_for(admin_membership).get(people).text.count("Caducado") == before + 1
