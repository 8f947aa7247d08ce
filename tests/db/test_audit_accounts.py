"""What happens to accounts is in the logs of the organizations that the person belongs to, and of no others."""

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.utils import translation

from skillnet import account_audit
from skillnet.audit import Action
from skillnet.models import AuditEntry, Membership, Organization, Role, User
from skillnet.tenancy import organization_scope
from tests.db.test_second_factor import PASSWORD, log_in, set_up
from tests.factories import make_member


@pytest.fixture(autouse=True)
def _no_throttling_left_over():
    cache.clear()


def acts_in(organization: Organization) -> list[str]:
    with organization_scope(organization.pk):
        return list(AuditEntry.objects.order_by("pk").values_list("action", flat=True))


def test_a_second_factor_set_and_removed_is_written_down(
    client, organization, employee_membership, django_capture_on_commit_callbacks
):
    log_in(client, employee_membership)
    with django_capture_on_commit_callbacks(execute=True):
        set_up(client)
    client.post("/cuenta/dos-pasos/totp/deactivate/")
    assert acts_in(organization) == [Action.SECOND_FACTOR_SET, Action.SECOND_FACTOR_REMOVED]


def test_a_changed_password_is_written_down_wherever_one_belongs(
    client, organization, other_organization, employee_membership
):
    second = Membership.objects.create(organization=other_organization, user=employee_membership.user)
    log_in(client, employee_membership)
    new = "otra frase bien larga"
    client.post("/cuenta/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert acts_in(organization) == acts_in(second.organization) == [Action.PASSWORD_CHANGED]


def test_a_lock_out_is_written_down_once(organization, other_organization, employee_membership):
    client = Client()
    for _try in range(8):
        client.post("/cuenta/login/", {"login": employee_membership.user.email.upper(), "password": "no-es-esta"})
        cache.clear()
    assert acts_in(organization) == [Action.LOCKED_OUT]
    assert acts_in(other_organization) == []
    with organization_scope(organization.pk):
        entry = AuditEntry.objects.get()
    assert (entry.actor, entry.target, entry.detail) == (
        None,
        str(employee_membership.user),
        "5 intentos fallidos",
    )


def test_two_people_of_one_name_are_locked_out_each_in_the_organizations_language(organization):
    for email in ("ana@acme.example", "ana.garcia@acme.example"):
        user = make_member(organization, email).user
        User.objects.filter(pk=user.pk).update(first_name="Ana", last_name="García")
        with translation.override("en"):
            account_audit._note_lock_out(email)
    with organization_scope(organization.pk):
        entries = AuditEntry.objects.order_by("pk").values_list("target", "detail")
        assert list(entries) == [
            ("ana@acme.example", "5 intentos fallidos"),
            ("ana.garcia@acme.example", "5 intentos fallidos"),
        ]


def test_attempts_on_an_address_that_nobody_has_are_in_no_log(client, organization):
    for _try in range(6):
        client.post("/cuenta/login/", {"login": "nadie@acme.example", "password": "no-es-esta"})
        cache.clear()
    assert acts_in(organization) == []


def test_erasing_somebody_by_command_is_written_down_where_it_was_done(organization, other_organization):
    person = make_member(organization, "ana@acme.example").user
    Membership.objects.create(organization=other_organization, user=person)
    call_command("erase_person", person.email, "--org", organization.slug)
    assert acts_in(organization) == [Action.MEMBER_ERASED]
    assert acts_in(other_organization) == []


def test_the_log_is_narrowed_by_part_and_searched_in_its_details(client_for, organization):
    admin = make_member(organization, "jefa@acme.example", Role.ADMIN)
    with organization_scope(organization.pk):
        for action, target, detail in (
            (Action.LOCKED_OUT, "Ana", "5 intentos"),
            (Action.GROUP_CREATED, "Noche", ""),
            (Action.INVITATION_SENT, "Beto", "Turno azul"),
        ):
            AuditEntry.objects.create(organization=organization, action=action, target=target, detail=detail)

    def rows(**query: str) -> set[str]:
        return {
            entry.target for entry, _label in client_for(admin).get("/o/acme/personas/registro/", query).context["rows"]
        }

    assert rows(accion="personas") == {"Noche", "Beto"}
    assert rows(accion="cuentas") == {"Ana"}
    assert rows(accion="group.created") == {"Noche"}
    assert rows(q="azul") == {"Beto"}
    assert rows(accion="nada-de-eso") == {"Ana", "Noche", "Beto"}
