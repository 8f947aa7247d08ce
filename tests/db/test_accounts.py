"""Coming in, going out, health and staff pages."""

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.core.cache import cache

from documents.models import Collection, DocumentVersion, Status
from skillnet.audit import Action
from skillnet.models import AuditEntry, Membership, Role, User
from skillnet.tenancy import organization_scope
from tests.factories import make_document, make_member, make_organization, make_version

PASSWORD = "contraseña-larga-1"


@pytest.fixture(autouse=True)
def no_throttling_left_over():
    cache.clear()


def log_in(client, email, password=PASSWORD):
    return client.post("/cuenta/login/", {"login": email, "password": password})


def test_a_member_logs_in_and_lands_in_the_organization(client, admin_membership):
    response = log_in(client, admin_membership.user.email.upper())
    assert response.status_code == 302
    landing = client.get(response["Location"], follow=True)
    assert landing.status_code == 200
    assert landing.redirect_chain[-1][0] == "/o/acme/inicio/"


def test_an_employee_lands_on_their_courses(client, employee_membership):
    log_in(client, employee_membership.user.email)
    assert client.get("/", follow=True).redirect_chain[-1][0] == "/o/acme/cursos/"


def test_a_wrong_password_says_so_in_plain_spanish(client, admin_membership):
    response = log_in(client, admin_membership.user.email, "no-es-esta")
    assert response.status_code == 200
    assert "El correo o la contraseña no son correctos" in response.content.decode()


def test_an_unknown_address_is_told_the_same_as_a_wrong_password(client, admin_membership):
    assert "El correo o la contraseña no son correctos" in log_in(client, "nadie@acme.example").content.decode()


def test_too_many_wrong_passwords_are_throttled(client, admin_membership):
    for _ in range(12):
        response = log_in(client, admin_membership.user.email, "no-es-esta")
    assert "Demasiados intentos" in response.content.decode()


def test_nobody_signs_up_alone(client, db):
    assert client.get("/cuenta/signup/").status_code == 200
    client.post("/cuenta/signup/", {"email": "yo@acme.example", "password1": PASSWORD, "password2": PASSWORD})
    assert not User.objects.filter(email="yo@acme.example").exists()


def test_logging_out_ends_the_session(client, admin_membership):
    log_in(client, admin_membership.user.email)
    client.post("/cuenta/logout/")
    assert client.get("/o/acme/documentos/").status_code == 302


def test_someone_in_two_organizations_chooses(client, admin_membership, other_organization):
    Membership.objects.create(organization=other_organization, user=admin_membership.user)
    log_in(client, admin_membership.user.email)
    page = client.get("/").content.decode()
    assert "/o/acme/" in page
    assert "/o/otra/" in page


def test_someone_in_no_organization_is_told_so(client, db):
    User.objects.create_user("nueva@acme.example", PASSWORD)
    log_in(client, "nueva@acme.example")
    assert client.get("/").status_code == 200


def test_a_body_that_is_too_large_is_refused_unread(client, db, settings):
    settings.SKILLNET_REQUEST_MAX_BYTES = 1_000
    response = client.post("/cuenta/login/", {"login": "a" * 2_000, "password": "x"})
    assert response.status_code == 413
    assert "demasiado grande" in response.content.decode()


def test_a_body_that_is_too_large_is_refused_to_a_fragment_in_one_readable_sentence(client, db, settings):
    settings.SKILLNET_REQUEST_MAX_BYTES = 1_000
    response = client.post("/cuenta/login/", {"login": "a" * 2_000, "password": "x"}, headers={"HX-Request": "true"})
    assert response.status_code == 413
    assert error_text(response) == "Lo que envías supera los 0 MB. Súbelo en varias veces o divide los archivos."


@pytest.mark.parametrize("by_script", [True, False])
def test_a_view_that_breaks_answers_in_words_a_fragment_in_one_sentence(
    client_for, employee_membership, monkeypatch, by_script
):
    def broken(*_arguments):
        raise ZeroDivisionError

    monkeypatch.setattr("tutor.views.suggested_questions", broken)
    client = client_for(employee_membership)
    client.raise_request_exception = False
    response = client.get("/o/acme/tutor/", headers={"HX-Request": "true"} if by_script else {})
    assert response.status_code == 500
    assert ("<html" in response.content.decode()) is not by_script
    assert "nténtalo de nuevo" in error_text(response)


def error_text(response):
    """What a toast shows of a refusal: see htmx:responseError in skillnet.js."""
    assert response["Content-Type"].startswith("text/html")
    (text,) = re.findall(r"<p data-error-text>([^<]+)</p>", response.content.decode())
    return text


def test_health(client, db):
    assert client.get("/healthz").content == b"ok"


def test_an_expired_session_inside_a_fragment_moves_the_whole_page_to_log_in(client, organization):
    response = client.get(
        "/o/acme/documentos/",
        headers={"HX-Request": "true", "HX-Current-URL": "http://testserver/o/acme/documentos/"},
    )
    assert response["HX-Redirect"] == "/cuenta/login/?next=/o/acme/documentos/"


def test_a_form_sent_after_the_session_expired_leads_back_to_its_page_and_says_so(client, organization):
    response = client.post(
        "/o/acme/tutor/preguntar/", {"question": "¿Y?"}, headers={"Referer": "http://testserver/o/acme/tutor/?curso=3"}
    )
    assert response["Location"] == "/cuenta/login/?next=/o/acme/tutor/%3Fcurso%3D3"
    assert "Tu sesión había caducado" in client.get(response["Location"]).content.decode()


def test_a_form_from_elsewhere_leads_to_the_first_page(client, organization):
    response = client.post("/o/acme/tutor/preguntar/", {}, headers={"Referer": "https://otra.example/o/acme/tutor/"})
    assert response["Location"] == "/cuenta/login/?next=/"


class TestStaff:
    @pytest.fixture
    def staff_client(self, client, db):
        client.force_login(
            User.objects.create_superuser("staff@skillnet.example", PASSWORD),
            backend="django.contrib.auth.backends.ModelBackend",
        )
        return client

    def test_sees_no_organizations_rows_before_choosing_one(self, staff_client, organization):
        with organization_scope(organization.pk):
            Collection.objects.create(organization=organization, name="Nóminas")
        assert "Nóminas" not in staff_client.get("/staff/documents/collection/").content.decode()

    def test_sees_one_organization_after_choosing_it_and_the_choice_is_written_down(self, staff_client, organization):
        other = make_organization("otra")
        for one, name in ((organization, "Nóminas"), (other, "Secretos")):
            with organization_scope(one.pk):
                Collection.objects.create(organization=one, name=name)
        staff_client.post(
            "/staff/skillnet/organization/", {"action": "work_in", "_selected_action": [str(organization.pk)]}
        )
        page = staff_client.get("/staff/documents/collection/").content.decode()
        assert "Nóminas" in page
        assert "Secretos" not in page
        assert LogEntry.objects.filter(object_id=str(organization.pk)).exists()

    def test_tries_documents_again_and_the_organization_reads_of_it(self, staff_client, organization):
        with organization_scope(organization.pk):
            cancelled = make_version(make_document(organization, "Turnos"), b"uno", status=Status.CANCELLED)
            broken = make_version(make_document(organization, "Caja"), b"dos", status=Status.FAILED)
            DocumentVersion.objects.filter(pk=broken.pk).update(error_code="encrypted")
        staff_client.post(
            "/staff/skillnet/organization/", {"action": "work_in", "_selected_action": [str(organization.pk)]}
        )
        chosen = {"action": "retry", "_selected_action": [str(cancelled.pk), str(broken.pk)]}
        page = staff_client.post("/staff/documents/documentversion/", chosen, follow=True).content.decode()
        assert "En cola: 1." in page
        assert "fallaría otra vez" in page
        with organization_scope(organization.pk):
            entry = AuditEntry.objects.get(action=Action.DOCUMENT_RETRIED)
        assert (entry.actor_name, entry.target) == ("staff@skillnet.example", "Turnos · v2")

    def test_prepares_a_search_anew_and_the_organization_reads_of_it(self, staff_client, organization):
        document = make_document(organization, "Turnos")
        staff_client.post(
            "/staff/skillnet/organization/", {"action": "work_in", "_selected_action": [str(organization.pk)]}
        )
        chosen = {"action": "reindex", "_selected_action": [str(document.active_version_id)]}
        page = staff_client.post("/staff/documents/documentversion/", chosen, follow=True).text
        assert "En marcha" in page
        with organization_scope(organization.pk):
            entry = AuditEntry.objects.get(action=Action.SETTINGS_CHANGED)
        assert (entry.actor_name, entry.target, entry.detail) == (
            "staff@skillnet.example",
            "Búsqueda por significado",
            "se prepara de nuevo",
        )

    def test_sees_how_many_people_each_organization_has_and_who(self, staff_client, organization, other_organization):
        for number in range(3):
            make_member(organization, f"p{number}@acme.example")
        page = staff_client.get("/staff/skillnet/organization/").content.decode()
        address = f"/staff/skillnet/membership/?organization__id__exact={organization.pk}"
        assert f'<a href="{address}">3</a>' in page
        listed = staff_client.get(address).content.decode()
        assert "p2@acme.example" in listed

    def test_every_list_opens(self, staff_client, organization):
        index = staff_client.get("/staff/").content.decode()
        lists = [part.split('"')[0] for part in index.split('href="')[1:] if part.startswith("/staff/")]
        for address in {one for one in lists if one.count("/") == 4}:
            assert staff_client.get(address).status_code == 200, address

    def test_members_who_are_not_staff_stay_outside(self, client_for, admin_membership):
        assert client_for(admin_membership).get("/staff/", follow=True).status_code == 403

    def test_their_log_in_is_the_throttled_one(self, client, db):
        assert client.get("/staff/", follow=True).redirect_chain[-1][0].startswith("/cuenta/login/")

    def test_new_rows_belong_to_the_chosen_organization(self, staff_client, organization):
        staff_client.post(
            "/staff/skillnet/organization/", {"action": "work_in", "_selected_action": [str(organization.pk)]}
        )
        staff_client.post("/staff/documents/collection/add/", {"name": "Cocina", "settings": "{}"})
        with organization_scope(organization.pk):
            assert Collection.objects.get().organization_id == organization.pk


def test_a_member_may_hold_different_roles_in_two_organizations(client_for, organization, other_organization):
    admin = make_member(organization, "ana@acme.example", Role.ADMIN)
    Membership.objects.create(organization=other_organization, user=admin.user, role=Role.EMPLOYEE)
    client = client_for(admin)
    assert client.get("/o/acme/documentos/").status_code == 200
    assert client.get("/o/otra/documentos/").status_code == 404
