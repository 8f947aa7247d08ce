"""Invitations: sent, followed, taken back; and a table of many."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from skillnet import invitations, mail_jobs
from skillnet.models import AuditEntry, Group, GroupMember, Invitation, Membership, Role, User
from skillnet.tenancy import organization_scope
from tests.factories import make_member

PASSWORD = "una frase larga y tranquila"
NEW_PERSON = {"first_name": "Nuria", "last_name": "Sol", "password": PASSWORD, "repeated": PASSWORD}


@pytest.fixture(autouse=True)
def _job_shares_the_tests_connection(monkeypatch):
    monkeypatch.setattr(mail_jobs, "close_old_connections", lambda: None)


@pytest.fixture(autouse=True)
def _no_throttling_left_over():
    cache.clear()


@pytest.fixture
def admin(client_for, admin_membership):
    return client_for(admin_membership)


def send(organization) -> str:
    """Have the newest invitation's e-mail sent. Returns the path of its link."""
    with organization_scope(organization.pk):
        invitation = Invitation.objects.first()
    mail_jobs.send_invitation(organization.pk, invitation.pk)
    return re.search(r"/invitacion/[-\w]+/", mail.outbox[-1].body)[0]


def invite(admin, organization, email="nuria@acme.example", **fields) -> str:
    response = admin.post(
        "/o/acme/personas/invitaciones/nueva/", {"email": email, "role": "employee", "clearance": "2", **fields}
    )
    assert response.status_code == 302
    return send(organization)


def text_of(response) -> str:
    return response.content.decode()


def test_a_new_person_follows_the_link_and_is_in(admin, client, organization):
    with organization_scope(organization.pk):
        group = Group.objects.create(organization=organization, name="Cocina")
    link = invite(admin, organization, name="Nuria Sol", role="editor", clearance="3", groups=[group.pk])
    message = mail.outbox[-1]
    assert message.to == ["nuria@acme.example"]
    assert "Hola, Nuria Sol:" in message.body
    assert link in message.alternatives[0].content
    page = text_of(client.get(link))
    assert "Te han invitado a Acme" in page
    assert 'value="Nuria"' in page
    landed = client.post(link, NEW_PERSON, follow=True)
    assert landed.redirect_chain[-1][0] == "/o/acme/inicio/"
    membership = Membership.objects.get(user__email="nuria@acme.example")
    assert (membership.role, membership.clearance, str(membership.user)) == ("editor", 3, "Nuria Sol")
    assert membership.user.check_password(PASSWORD)
    with organization_scope(organization.pk):
        assert GroupMember.objects.get().user_id == membership.user_id
        assert list(AuditEntry.objects.values_list("action", flat=True)) == ["invitation.accepted", "invitation.sent"]


def test_the_table_holds_no_token(admin, organization):
    token = invite(admin, organization).split("/")[2]
    with organization_scope(organization.pk):
        stored = Invitation.objects.values().get()
    assert token not in str(stored)


def test_a_link_works_once(admin, client, organization):
    link = invite(admin, organization)
    client.post(link, NEW_PERSON)
    client.logout()
    response = client.get(link)
    assert response.status_code == 410
    assert "ya no vale" in text_of(response)


def test_an_unknown_link_says_nothing_but_what_to_do(client, db):
    response = client.get("/invitacion/inventado/")
    assert response.status_code == 404
    assert "Este enlace no sirve" in text_of(response)


def test_an_expired_link_says_whom_to_ask(admin, client, organization):
    link = invite(admin, organization)
    with organization_scope(organization.pk):
        Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    response = client.post(link, NEW_PERSON)
    assert response.status_code == 410
    assert "ha caducado" in text_of(response)
    assert not User.objects.filter(email="nuria@acme.example").exists()


def test_sending_again_makes_a_new_link_and_ends_the_old_one(admin, client, organization):
    old = invite(admin, organization)
    with organization_scope(organization.pk):
        Invitation.objects.update(expires_at=timezone.now() - timedelta(days=1))
        invitation = Invitation.objects.get()
    admin.post(f"/o/acme/personas/invitaciones/{invitation.pk}/reenviar/")
    new = send(organization)
    assert client.get(old).status_code == 404
    assert client.get(new).status_code == 200


def test_the_same_invitation_is_not_sent_twice_by_a_repeated_job(admin, organization):
    invite(admin, organization)
    send(organization)
    assert len(mail.outbox) == 1


def test_a_withdrawn_invitation_lets_nobody_in(admin, client, organization):
    link = invite(admin, organization)
    with organization_scope(organization.pk):
        invitation = Invitation.objects.get()
    admin.post(f"/o/acme/personas/invitaciones/{invitation.pk}/retirar/")
    assert client.post(link, NEW_PERSON).status_code == 410
    assert "No hay invitaciones pendientes" in text_of(admin.get("/o/acme/personas/invitaciones/"))
    assert admin.post(f"/o/acme/personas/invitaciones/{invitation.pk}/reenviar/").status_code == 404


def test_a_name_that_ends_in_a_full_stop_needs_no_other(admin, client, organization):
    organization.name = "Acme S.L."
    organization.save(update_fields=["name"])
    link = invite(admin, organization)
    assert "Ya estás en Acme S.L.</p>" in text_of(client.post(link, NEW_PERSON, follow=True))
    client.logout()
    assert "SkillNet en Acme S.L.</p>" in text_of(client.get(link))


def test_somebody_of_another_organization_logs_in_and_accepts(admin, client, organization, other_organization):
    known = make_member(other_organization, "nuria@acme.example")
    link = invite(admin, organization)
    page = text_of(client.get(link))
    assert f"/cuenta/login/?next={link}" in page
    assert "Repite la contraseña" not in page
    client.post(link, NEW_PERSON)
    assert not Membership.objects.filter(organization=organization, user=known.user).exists()
    back = client.post(f"/cuenta/login/?next={link}", {"login": known.user.email, "password": "contraseña-larga-1"})
    assert back["Location"] == link
    client.post(link)
    assert Membership.objects.filter(organization=organization, user=known.user).exists()
    assert known.user.check_password("contraseña-larga-1")


def test_somebody_else_who_is_logged_in_cannot_take_it(admin, client_for, organization, employee_membership):
    link = invite(admin, organization)
    other = client_for(employee_membership)
    assert "La invitación es para" in text_of(other.get(link))
    other.post(link, NEW_PERSON)
    with organization_scope(organization.pk):
        assert Invitation.objects.open().count() == 1


def test_a_deactivated_member_who_is_invited_comes_back(admin, client_for, organization):
    former = make_member(organization, "nuria@acme.example", Role.EMPLOYEE, is_active=False)
    link = invite(admin, organization, role="editor")
    client_for(former).post(link)
    former.refresh_from_db()
    assert (former.is_active, former.role) == (True, "editor")


def test_a_weak_or_mistyped_password_is_refused_at_its_field(admin, client, organization):
    link = invite(admin, organization)
    for password, repeated in (("corta", "corta"), (PASSWORD, "otra cosa larga")):
        response = client.post(link, NEW_PERSON | {"password": password, "repeated": repeated})
        assert response.status_code == 422
    assert not User.objects.filter(email="nuria@acme.example").exists()


@pytest.mark.parametrize("email", ["admin@acme.example", "ADMIN@acme.example"])
def test_members_are_not_invited_again(admin, organization, email):
    response = admin.post(
        "/o/acme/personas/invitaciones/nueva/", {"email": email, "role": "employee", "clearance": "2"}
    )
    assert response.status_code == 422
    assert "ya está en la organización" in text_of(response)


def test_an_address_has_one_open_invitation(admin, organization):
    invite(admin, organization)
    response = admin.post(
        "/o/acme/personas/invitaciones/nueva/", {"email": "Nuria@acme.example", "role": "employee", "clearance": "2"}
    )
    assert response.status_code == 422
    assert "Ya hay una invitación abierta" in text_of(response)


def test_looking_links_up_is_limited(client, db, settings):
    settings.ACCOUNT_RATE_LIMITS = {"invitation": "2/m/ip"}
    assert [client.get("/invitacion/x/").status_code for _ in range(3)] == [404, 404, 429]
    assert "Demasiadas peticiones" in text_of(client.get("/invitacion/x/"))


def test_the_database_names_an_organization_for_a_digest_alone(admin, organization):
    link = invite(admin, organization)
    assert invitations.offer_of(link.split("/")[2]).slug == "acme"
    with organization_scope(organization.pk):
        digest = Invitation.objects.get().token_digest
    assert invitations.offer_of(digest) is None
    assert invitations.offer_of("") is None


class TestTable:
    @staticmethod
    def upload(admin, text: str):
        file = SimpleUploadedFile("personas.csv", text.encode("cp1252"), content_type="text/csv")
        return admin.post("/o/acme/personas/invitaciones/archivo/", {"file": file})

    def test_is_shown_row_by_row_before_anything_is_sent(self, admin, organization):
        page = text_of(
            self.upload(
                admin,
                "nombre;correo;rol\nIñaki;inaki@acme.example;empleado\nAna;ana;empleado\nYo;admin@acme.example;admin\n",
            )
        )
        assert "1 persona lista para invitar" in page
        assert "2 filas tienen un problema" in page
        assert "Iñaki" in page
        with organization_scope(organization.pk):
            assert not Invitation.objects.exists()

    def test_sends_what_was_shown(self, admin, organization):
        page = text_of(self.upload(admin, "nombre;correo;rol\nIñaki;inaki@acme.example;edición\nAna;ana;empleado\n"))
        checked = re.search(r'name="filas" value="([^"]+)"', page)[1]
        admin.post("/o/acme/personas/invitaciones/archivo/enviar/", {"filas": checked})
        with organization_scope(organization.pk):
            invitation = Invitation.objects.get()
        assert (invitation.email, invitation.name, invitation.role) == ("inaki@acme.example", "Iñaki", "editor")
        again = admin.post("/o/acme/personas/invitaciones/archivo/enviar/", {"filas": checked}, follow=True)
        assert "Ya hay una invitación abierta" in text_of(again)

    def test_sends_nothing_that_was_tampered_with_or_shown_elsewhere(
        self, admin, client_for, organization, other_organization
    ):
        page = text_of(self.upload(admin, "nombre;correo\nIñaki;inaki@acme.example\n"))
        checked = re.search(r'name="filas" value="([^"]+)"', page)[1]
        admin.post("/o/acme/personas/invitaciones/archivo/enviar/", {"filas": checked + "x"})
        elsewhere = client_for(make_member(other_organization, "jefa@otra.example", Role.ADMIN))
        elsewhere.post("/o/otra/personas/invitaciones/archivo/enviar/", {"filas": checked})
        for one in (organization, other_organization):
            with organization_scope(one.pk):
                assert not Invitation.objects.exists()

    @pytest.mark.parametrize("text", ["", "nombre;rol\nAna;empleado\n"])
    def test_that_is_of_no_use_says_so_at_the_field(self, admin, organization, text):
        assert self.upload(admin, text).status_code == 422
