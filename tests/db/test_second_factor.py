"""A second factor: set up, asked for at log-in, and asked for by an organization."""

import time

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core.cache import cache

from skillnet.models import AuditEntry, Membership, Organization, Role
from skillnet.tenancy import organization_scope
from tests.factories import make_member

PASSWORD = "contraseña-larga-1"


@pytest.fixture(autouse=True)
def _no_throttling_left_over():
    cache.clear()


def code_of(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def log_in(client, membership):
    return client.post("/cuenta/login/", {"login": membership.user.email, "password": PASSWORD})


def set_up(client) -> str:
    """Set the second factor up in a browser that has just logged in. Returns the app's secret."""
    page = client.get("/cuenta/dos-pasos/totp/activate/")
    if page.status_code == 302:
        client.post(page["Location"], {"password": PASSWORD})
        page = client.get("/cuenta/dos-pasos/totp/activate/")
    secret = page.context["form"].secret
    done = client.post("/cuenta/dos-pasos/totp/activate/", {"code": code_of(secret)})
    assert done["Location"] == "/cuenta/dos-pasos/recovery-codes/"
    cache.clear()  # the code just used would be refused for half a minute
    return secret


def recovery_codes(client) -> list[str]:
    return client.get("/cuenta/dos-pasos/recovery-codes/").context["unused_codes"]


def ask_for(organization, policy):
    organization.settings = {"second_factor": policy}
    organization.save()


def test_log_in_asks_for_the_code_of_the_app(client, employee_membership):
    log_in(client, employee_membership)
    secret = set_up(client)
    client.post("/cuenta/logout/")
    assert log_in(client, employee_membership)["Location"] == "/cuenta/dos-pasos/authenticate/"
    assert client.get("/o/acme/cursos/").status_code == 302
    wrong = client.post("/cuenta/dos-pasos/authenticate/", {"code": "000000"})
    assert "El código no es correcto" in wrong.content.decode()
    client.post("/cuenta/dos-pasos/authenticate/", {"code": code_of(secret)})
    assert client.get("/o/acme/cursos/").status_code == 200


def test_a_recovery_code_opens_once(client, employee_membership):
    log_in(client, employee_membership)
    set_up(client)
    code = recovery_codes(client)[0]
    for expected in (200, 302):
        client.post("/cuenta/logout/")
        log_in(client, employee_membership)
        client.post("/cuenta/dos-pasos/authenticate/", {"code": code})
        assert client.get("/o/acme/cursos/").status_code == expected


def test_the_apps_secret_lies_encrypted_in_the_database(client, employee_membership):
    log_in(client, employee_membership)
    secret = set_up(client)
    assert secret not in str(Authenticator.objects.values_list("data", flat=True))


def test_every_page_of_it_is_in_our_words(client, employee_membership):
    log_in(client, employee_membership)
    set_up(client)
    for address in ("", "recovery-codes/", "recovery-codes/generate/", "totp/deactivate/"):
        page = client.get(f"/cuenta/dos-pasos/{address}").content.decode()
        assert "Two-Factor" not in page
        assert 'class="site-header"' in page
    client.post("/cuenta/dos-pasos/totp/deactivate/")
    assert "Sin activar" in client.get("/cuenta/").content.decode()


def test_an_organization_may_ask_everyone_for_it(client, organization, employee_membership):
    ask_for(organization, "everyone")
    log_in(client, employee_membership)
    led = client.get("/o/acme/cursos/")
    assert led["Location"] == "/cuenta/dos-pasos/necesaria/"
    assert "Protege tu cuenta" in client.get(led["Location"]).content.decode()
    fragment = client.get("/o/acme/cursos/", headers={"HX-Request": "true"})
    assert fragment["HX-Redirect"] == "/cuenta/dos-pasos/necesaria/"
    set_up(client)
    assert client.get("/o/acme/cursos/").status_code == 200


def test_an_organization_may_ask_its_administrators_alone(
    client_for, organization, admin_membership, employee_membership
):
    ask_for(organization, "admins")
    assert client_for(employee_membership).get("/o/acme/cursos/").status_code == 200
    assert client_for(admin_membership).get("/o/acme/documentos/").status_code == 302


def test_looking_as_an_employee_is_no_way_around_it(client_for, organization, admin_membership):
    admin = client_for(admin_membership)
    admin.post("/o/acme/personas/ver-como-empleado/")
    ask_for(organization, "admins")
    assert admin.get("/o/acme/cursos/").status_code == 302


def test_another_organization_of_the_same_person_goes_on(client_for, organization, other_organization):
    member = make_member(organization, "dos@acme.example")
    Membership.objects.create(organization=other_organization, user=member.user)
    ask_for(organization, "everyone")
    assert client_for(member).get("/o/otra/cursos/").status_code == 200


def test_who_has_no_password_has_it_at_their_provider(client_for, organization, employee_membership):
    ask_for(organization, "everyone")
    employee_membership.user.set_unusable_password()
    employee_membership.user.save()
    assert client_for(employee_membership).get("/o/acme/cursos/").status_code == 200


def test_administrators_decide_and_it_is_written_down(client_for, organization, admin_membership):
    admin = client_for(admin_membership)
    assert admin.post("/o/acme/personas/seguridad/", {"policy": "nunca"}).status_code == 422
    admin.post("/o/acme/personas/seguridad/", {"policy": "everyone"})
    assert Organization.objects.get(pk=organization.pk).settings == {"second_factor": "everyone"}
    with organization_scope(organization.pk):
        entry = AuditEntry.objects.get()
    assert entry.action == "settings.changed"
    assert entry.detail.startswith("Opcional")


def test_a_member_who_is_no_administrator_cannot_decide(client_for, organization):
    editor = client_for(make_member(organization, "edita@acme.example", Role.EDITOR))
    assert editor.post("/o/acme/personas/seguridad/", {"policy": "everyone"}).status_code == 404
