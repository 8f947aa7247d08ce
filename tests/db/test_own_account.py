"""«Mi cuenta»: name, sessions, one's data; and log-ins that fail too often."""

from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from courses.models import Course, Enrolment
from skillnet import notifications
from skillnet.models import Membership, User
from skillnet.notification_kinds import Kind
from skillnet.tenancy import organization_scope
from tests.factories import make_member
from tutor.models import Conversation, Turn

PASSWORD = "contraseña-larga-1"


@pytest.fixture(autouse=True)
def _no_throttling_left_over():
    cache.clear()


@pytest.fixture
def employee(client_for, employee_membership):
    return client_for(employee_membership)


def log_in(client, email, password=PASSWORD, **extra):
    return client.post("/cuenta/login/", {"login": email, "password": password}, **extra)


def test_a_stranger_is_sent_to_log_in(client, db):
    for address in ("/cuenta/", "/cuenta/mis-datos.json", "/cuenta/sesiones/", "/cuenta/dos-pasos/"):
        assert client.get(address)["Location"].startswith("/cuenta/login/"), address


def test_a_person_changes_their_name(employee, employee_membership):
    assert employee.post("/cuenta/", {"first_name": "Eva", "last_name": "Gil", "language": "es"}).status_code == 302
    employee_membership.user.refresh_from_db()
    assert str(employee_membership.user) == "Eva Gil"


def test_only_languages_that_exist_are_accepted(employee):
    assert employee.post("/cuenta/", {"first_name": "Eva", "language": "tlh"}).status_code == 422


def test_ones_data_holds_ones_own_and_nobody_elses(employee, organization, employee_membership, other_organization):
    colleague = make_member(organization, "colega@acme.example")
    with organization_scope(organization.pk):
        course = Course.objects.create(organization=organization, title="Higiene", slug="higiene")
        for membership, question in ((employee_membership, "¿Y mis vacaciones?"), (colleague, "¿Y mi secreto?")):
            Enrolment.objects.create(organization=organization, course=course, user=membership.user)
            conversation = Conversation.objects.create(organization=organization, user=membership.user)
            Turn.objects.create(organization=organization, conversation=conversation, question=question)
    response = employee.get("/cuenta/mis-datos.json")
    assert "attachment" in response["Content-Disposition"]
    assert "secreto" not in response.content.decode()
    data = response.json()
    assert data["account"]["email"] == "empleada@acme.example"
    (acme,) = data["organizations"]
    assert acme["organization"] == "Acme"
    assert [enrolment["course"] for enrolment in acme["learning"]["enrolments"]] == ["Higiene"]
    assert acme["conversations"][0]["turns"][0]["question"] == "¿Y mis vacaciones?"
    assert acme["uploads"] == []


def test_ones_data_holds_what_is_left_where_one_was_a_member_and_what_one_was_told(
    employee, organization, employee_membership, other_organization
):
    membership = Membership.objects.create(organization=other_organization, user=employee_membership.user)
    with organization_scope(other_organization.pk):
        conversation = Conversation.objects.create(organization=other_organization, user=membership.user)
        Turn.objects.create(organization=other_organization, conversation=conversation, question="¿Y allí?")
    membership.delete()
    with organization_scope(organization.pk):
        notifications.tell(
            organization_id=organization.pk,
            user_ids=[employee_membership.user_id],
            kind=Kind.QUESTION_PASSED_ON,
            matter="escalation:1",
            subject="¿Quién abre?",
            address="/",
        )
    acme, other = employee.get("/cuenta/mis-datos.json").json()["organizations"]
    assert [one["subject"] for one in acme["notifications"]] == ["¿Quién abre?"]
    assert other["organization"] == "Otra"
    assert other["role"] is None
    assert other["conversations"][0]["turns"][0]["question"] == "¿Y allí?"


def test_other_sessions_are_shown_and_closed(employee_membership):
    here, elsewhere = Client(), Client()
    for browser, name in ((here, "Firefox/130 Linux"), (elsewhere, "Chrome/130 Android")):
        log_in(browser, employee_membership.user.email, headers={"user-agent": name})
    page = here.get("/cuenta/sesiones/").content.decode()
    assert "Firefox · Linux" in page
    assert "Chrome · Android" in page
    here.post("/cuenta/sesiones/")
    assert here.get("/o/acme/cursos/").status_code == 200
    assert elsewhere.get("/o/acme/cursos/").status_code == 302


def test_a_password_is_changed_with_the_present_one(client, employee_membership):
    log_in(client, employee_membership.user.email)
    new = "otra frase bien larga"
    client.post("/cuenta/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert User.objects.get(pk=employee_membership.user_id).check_password(new)


class TestAroundThePages:
    """The pages of one's account stand inside the organization last visited."""

    @pytest.mark.parametrize("page", ["", "password/change/", "dos-pasos/", "sesiones/"])
    def test_stand_its_name_and_its_sections(self, employee, page):
        shown = employee.get(f"/cuenta/{page}").content.decode()
        assert "· Acme</title>" in shown
        assert 'href="/o/acme/cursos/"' in shown
        assert 'href="/o/acme/personas/"' not in shown

    def test_stands_the_one_last_visited(self, employee, employee_membership, other_organization):
        Membership.objects.create(organization=other_organization, user=employee_membership.user)
        for slug, name in (("otra", "Otra"), ("acme", "Acme")):
            employee.get(f"/o/{slug}/cursos/")
            assert f"· {name}</title>" in employee.get("/cuenta/").content.decode()

    def test_the_bell_counts_what_is_unread_there(self, employee, employee_membership, organization):
        with organization_scope(organization.pk):
            notifications.tell(
                organization_id=organization.pk,
                user_ids=[employee_membership.user_id],
                kind=Kind.COURSE_DUE,
                matter="course:1",
                subject="Higiene",
                address="/o/acme/cursos/",
            )
        assert "Notificaciones: 1 sin leer" in employee.get("/cuenta/").content.decode()

    def test_stands_no_organization_that_shut_the_person_out(self, client_for, employee_membership):
        client = client_for(employee_membership)
        client.get("/o/acme/cursos/")
        Membership.objects.filter(pk=employee_membership.pk).update(is_active=False)
        assert "Acme" not in client.get("/cuenta/").content.decode()


class TestLockOut:
    def test_is_announced_before_the_last_try(self, client, employee_membership):
        said = [log_in(client, employee_membership.user.email, "no-es-esta").content.decode() for _try in range(4)]
        assert ["Te queda un intento" in page for page in said] == [False, False, False, True]
        assert "El correo o la contraseña no son correctos" in said[3]

    def test_says_until_when_and_trying_meanwhile_does_not_make_it_later(self, client, employee_membership):
        started = timezone.now() - timedelta(minutes=14)
        for _try in range(5):
            log_in(client, employee_membership.user.email, "no-es-esta")
        AccessAttempt.objects.update(attempt_time=started)
        until = timezone.localtime(started + timedelta(minutes=15))
        for _again in range(2):
            page = log_in(client, employee_membership.user.email).content.decode()
            assert f"a las {until:%H:%M}" in page
            assert "durante 1 minuto:" in page or "durante 1 minuto." in page

    def test_says_how_long_and_holds_even_for_the_right_password(self, client, employee_membership):
        for _try in range(5):
            response = log_in(client, employee_membership.user.email, "no-es-esta")
        assert response.status_code == 429
        assert "durante 15 minutos" in response.content.decode()
        cache.clear()  # what the cache forgets, the database remembers
        assert log_in(client, employee_membership.user.email).status_code == 429

    def test_leaves_other_people_and_other_places_alone(self, client, employee_membership, admin_membership):
        for _try in range(5):
            log_in(client, employee_membership.user.email, "no-es-esta")
        assert log_in(Client(), admin_membership.user.email).status_code == 302
        elsewhere = Client(REMOTE_ADDR="203.0.113.7")
        assert log_in(elsewhere, employee_membership.user.email).status_code == 302

    def test_counts_the_clients_behind_the_proxy(self, settings, employee_membership):
        settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
        attacker = {"headers": {"x-forwarded-for": "203.0.113.9"}}
        for _try in range(5):
            log_in(Client(), employee_membership.user.email, "no-es-esta", **attacker)
        assert log_in(Client(), employee_membership.user.email, **attacker).status_code == 429
        owner = {"headers": {"x-forwarded-for": "203.0.113.10"}}
        assert log_in(Client(), employee_membership.user.email, **owner).status_code == 302

    def test_is_forgotten_after_a_success(self, client, employee_membership):
        for _round in range(2):
            for _try in range(4):
                log_in(client, employee_membership.user.email, "no-es-esta")
            assert log_in(client, employee_membership.user.email).status_code == 302
            client.post("/cuenta/logout/")
