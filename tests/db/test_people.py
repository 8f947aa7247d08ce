"""The members of an organization, as its administrators see and change them."""

import pytest

from skillnet.models import AuditEntry, Group, GroupMember, Membership, Role
from skillnet.tenancy import organization_scope
from tests.factories import make_member


@pytest.fixture
def admin(client_for, admin_membership):
    return client_for(admin_membership)


@pytest.fixture
def kitchen(organization):
    with organization_scope(organization.pk):
        return Group.objects.create(organization=organization, name="Cocina")


def join(group, membership):
    with organization_scope(group.organization_id):
        return GroupMember.objects.create(organization_id=group.organization_id, group=group, user=membership.user)


def acts(organization) -> list[str]:
    with organization_scope(organization.pk):
        return list(AuditEntry.objects.values_list("action", flat=True))


def page_of(client, address):
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_the_list_shows_the_organizations_people_and_no_others(admin, employee_membership, other_organization):
    make_member(other_organization, "ajena@otra.example")
    page = page_of(admin, "/o/acme/personas/")
    assert "empleada@acme.example" in page
    assert "ajena@otra.example" not in page


def test_the_list_is_searched_and_filtered(admin, organization, employee_membership, kitchen):
    join(kitchen, employee_membership)
    make_member(organization, "edita@acme.example", Role.EDITOR, is_active=False)
    for query, found in (
        ("q=emplead", "empleada@"),
        ("rol=editor", "edita@"),
        ("estado=desactivadas", "edita@"),
        (f"grupo={kitchen.pk}", "empleada@"),
    ):
        page = page_of(admin, f"/o/acme/personas/?{query}")
        assert [name for name in ("empleada@", "edita@") if name in page] == [found], query
    assert "Nadie coincide" in page_of(admin, "/o/acme/personas/?q=nadie")
    assert "empleada@" in page_of(admin, "/o/acme/personas/?rol=reina&grupo=999&pagina=x")


def test_the_list_needs_few_queries_however_long_it_is(admin, organization, django_assert_max_num_queries):
    for number in range(30):
        make_member(organization, f"persona{number}@acme.example")
    admin.get("/o/acme/personas/")
    with django_assert_max_num_queries(15):
        assert "Página 1 de 2" in page_of(admin, "/o/acme/personas/")


@pytest.mark.parametrize("role", [Role.EDITOR, Role.EMPLOYEE])
@pytest.mark.parametrize("address", ["", "invitaciones/", "invitaciones/nueva/", "grupos/", "seguridad/", "registro/"])
def test_only_administrators_open_these_pages(client_for, organization, role, address):
    client = client_for(make_member(organization, "otra@acme.example", role))
    assert client.get(f"/o/acme/personas/{address}").status_code == 404


def test_role_access_and_groups_are_changed_and_written_down(admin, organization, employee_membership, kitchen):
    address = f"/o/acme/personas/{employee_membership.pk}/"
    admin.post(address, {"role": "editor", "clearance": "3", "groups": [kitchen.pk]})
    employee_membership.refresh_from_db()
    assert (employee_membership.role, employee_membership.clearance) == ("editor", 3)
    assert acts(organization) == ["member.groups", "member.role"]
    with organization_scope(organization.pk):
        assert GroupMember.objects.get().user_id == employee_membership.user_id
    admin.post(address, {"role": "editor", "clearance": "3"})
    with organization_scope(organization.pk):
        assert not GroupMember.objects.exists()


def test_a_group_of_another_organization_cannot_be_joined(admin, other_organization, organization, employee_membership):
    with organization_scope(organization.pk):
        Group.objects.create(organization=organization, name="Propio")
    with organization_scope(other_organization.pk):
        foreign = Group.objects.create(organization=other_organization, name="Ajeno")
    data = {"role": "employee", "clearance": "2", "groups": [foreign.pk]}
    assert admin.post(f"/o/acme/personas/{employee_membership.pk}/", data).status_code == 422


def test_nobody_takes_the_administration_from_themselves(admin, organization, admin_membership):
    make_member(organization, "jefa@acme.example", Role.ADMIN)
    response = admin.post(f"/o/acme/personas/{admin_membership.pk}/", {"role": "employee", "clearance": "2"})
    assert response.status_code == 422
    assert "No puedes quitarte" in response.content.decode()
    admin.post(f"/o/acme/personas/{admin_membership.pk}/acceso/", {"activo": "0"})
    admin.post(f"/o/acme/personas/{admin_membership.pk}/quitar/")
    admin_membership.refresh_from_db()
    assert (admin_membership.role, admin_membership.is_active) == ("admin", True)


def test_the_last_administrator_stays(organization, admin_membership):
    from skillnet import people

    other = make_member(organization, "jefa@acme.example", Role.ADMIN, is_active=False)
    with organization_scope(organization.pk):
        for leave in (
            lambda: people.change_access(admin_membership, role=Role.EDITOR, clearance=2, by=other.user),
            lambda: people.set_active(admin_membership, is_active=False, by=other.user),
            lambda: people.remove(admin_membership, by=other.user),
        ):
            with pytest.raises(people.LastAdmin):
                leave()


def test_one_of_two_administrators_may_become_something_else(admin, organization):
    other = make_member(organization, "jefa@acme.example", Role.ADMIN)
    admin.post(f"/o/acme/personas/{other.pk}/", {"role": "editor", "clearance": "2"})
    other.refresh_from_db()
    assert other.role == "editor"


def test_who_is_deactivated_stays_outside_until_they_are_reactivated(
    admin, client_for, organization, employee_membership
):
    person = client_for(employee_membership)
    assert person.get("/o/acme/cursos/").status_code == 200
    admin.post(f"/o/acme/personas/{employee_membership.pk}/acceso/", {"activo": "0"})
    assert person.get("/o/acme/cursos/").status_code == 404
    assert "Ya no tienes acceso a Acme" in person.get("/").content.decode()
    admin.post(f"/o/acme/personas/{employee_membership.pk}/acceso/", {"activo": "1"})
    assert person.get("/o/acme/cursos/").status_code == 200
    assert acts(organization) == ["member.reactivated", "member.deactivated"]


def test_removal_says_what_happens_and_ends_membership_and_groups(admin, organization, employee_membership, kitchen):
    join(kitchen, employee_membership)
    address = f"/o/acme/personas/{employee_membership.pk}/quitar/"
    page = page_of(admin, address)
    assert "Dejará de poder entrar" in page
    assert "Cocina" in page
    assert Membership.objects.filter(pk=employee_membership.pk).exists()
    admin.post(address)
    assert not Membership.objects.filter(pk=employee_membership.pk).exists()
    with organization_scope(organization.pk):
        assert not GroupMember.objects.exists()
    assert acts(organization) == ["member.removed"]


def test_the_last_visit_is_noted(admin, client_for, employee_membership):
    assert "Nunca" in page_of(admin, f"/o/acme/personas/{employee_membership.pk}/")
    client_for(employee_membership).get("/o/acme/cursos/")
    assert "Nunca" not in page_of(admin, f"/o/acme/personas/{employee_membership.pk}/")


class TestSeeingAsEmployee:
    def test_shows_what_an_employee_sees_until_told_otherwise(self, admin, organization, admin_membership):
        admin.post("/o/acme/personas/ver-como-empleado/")
        page = admin.get("/o/acme/", follow=True).content.decode()
        assert "Estás viendo SkillNet como un empleado" in page
        assert admin.get("/o/acme/documentos/").status_code == 404
        assert admin.get("/o/acme/personas/").status_code == 404
        admin.post("/o/acme/personas/volver/")
        assert admin.get("/o/acme/documentos/").status_code == 200
        admin_membership.refresh_from_db()
        assert admin_membership.role == Role.ADMIN
        assert acts(organization) == ["view.employee"]

    def test_hides_confidential_documents(self, admin, organization, admin_membership):
        from tests.factories import make_document

        secret = make_document(organization, "Salarios", classification=3)
        assert admin.get(f"/o/acme/documentos/{secret.pk}/").status_code == 200
        admin.post("/o/acme/personas/ver-como-empleado/")
        assert admin.get(f"/o/acme/documentos/{secret.pk}/").status_code == 404

    def test_holds_in_one_organization_alone(self, admin, admin_membership, other_organization):
        Membership.objects.create(organization=other_organization, user=admin_membership.user, role=Role.ADMIN)
        admin.post("/o/acme/personas/ver-como-empleado/")
        assert admin.get("/o/otra/documentos/").status_code == 200

    def test_is_for_administrators(self, client_for, employee_membership):
        assert client_for(employee_membership).post("/o/acme/personas/ver-como-empleado/").status_code == 404


class TestGroups:
    def test_are_made_renamed_and_removed(self, admin, organization):
        made = admin.post("/o/acme/personas/grupos/", {"name": "Sala"})
        address = made["Location"]
        admin.post(f"{address}nombre/", {"name": "Sala y barra"})
        assert "Sala y barra" in page_of(admin, "/o/acme/personas/grupos/")
        admin.post(f"{address}borrar/")
        assert "Aún no hay grupos" in page_of(admin, "/o/acme/personas/grupos/")
        assert acts(organization) == ["group.deleted", "group.renamed", "group.created"]

    def test_names_are_taken_once(self, admin, kitchen):
        response = admin.post("/o/acme/personas/grupos/", {"name": "COCINA"})
        assert response.status_code == 422
        assert "Ya hay un grupo" in response.content.decode()

    def test_people_join_and_leave(self, admin, organization, employee_membership, kitchen):
        address = f"/o/acme/personas/grupos/{kitchen.pk}/"
        assert "empleada@" in page_of(admin, f"{address}?q=emplead")
        admin.post(address, {"persona": [employee_membership.user_id, "x"]})
        with organization_scope(organization.pk):
            place = GroupMember.objects.get()
        admin.post(f"{address}personas/{place.pk}/quitar/")
        with organization_scope(organization.pk):
            assert not GroupMember.objects.exists()
        assert acts(organization) == ["group.members", "group.members"]

    def test_strangers_cannot_be_added(self, admin, organization, other_organization, kitchen):
        stranger = make_member(other_organization, "ajena@otra.example")
        admin.post(f"/o/acme/personas/grupos/{kitchen.pk}/", {"persona": [stranger.user_id]})
        with organization_scope(organization.pk):
            assert not GroupMember.objects.exists()

    def test_joining_enrols_in_the_groups_courses_and_deletion_names_them(
        self, admin, organization, employee_membership, kitchen
    ):
        from courses import enrolling
        from courses.models import Course, Enrolment
        from documents.models import DocumentAudience
        from tests.factories import make_document

        document = make_document(organization, "Recetas", audience="groups")
        with organization_scope(organization.pk):
            DocumentAudience.objects.create(organization=organization, document=document, group=kitchen)
            course = Course.objects.create(organization=organization, title="Higiene", slug="higiene")
            enrolling.assign_to_group(course=course, group=kitchen, assigned_by=None)
        admin.post(f"/o/acme/personas/grupos/{kitchen.pk}/", {"persona": [employee_membership.user_id]})
        with organization_scope(organization.pk):
            assert Enrolment.objects.get().user_id == employee_membership.user_id
        page = page_of(admin, f"/o/acme/personas/grupos/{kitchen.pk}/borrar/")
        assert "Curso «Higiene»" in page
        assert "Documento «Recetas»: nadie más que administración podrá leerlo" in page


class TestAuditLog:
    def test_shows_who_did_what_and_filters(self, admin, employee_membership, admin_membership, kitchen):
        admin.post(f"/o/acme/personas/{employee_membership.pk}/", {"role": "editor", "clearance": "2"})
        admin.post(f"/o/acme/personas/grupos/{kitchen.pk}/nombre/", {"name": "Fogones"})
        page = page_of(admin, "/o/acme/personas/registro/")
        assert "Cambio de rol o acceso" in page
        assert "antes Empleado · Interna, ahora Edición · Interna" in page
        assert "admin@acme.example" in page
        filtered = page_of(admin, "/o/acme/personas/registro/?accion=group.renamed&desde=2001-01-01")
        assert "Fogones" in filtered
        assert "ahora Edición" not in filtered
        assert "Nada coincide" in page_of(admin, "/o/acme/personas/registro/?hasta=2001-01-01")

    def test_shows_nothing_of_other_organizations(self, admin, client_for, other_organization):
        client = client_for(make_member(other_organization, "jefa@otra.example", Role.ADMIN))
        client.post("/o/otra/personas/grupos/", {"name": "Secreto"})
        assert "Secreto" not in page_of(admin, "/o/acme/personas/registro/")

    def test_holds_what_becomes_of_documents(self, admin, organization):
        from tests.factories import make_document

        first, second = make_document(organization, "Uno"), make_document(organization, "Dos")
        admin.post(
            "/o/acme/documentos/acciones/", {"accion": "reclasificar", "documento": first.pk, "classification": 3}
        )
        admin.post(f"/o/acme/documentos/{second.pk}/borrar/")
        assert acts(organization) == ["document.deleted", "document.access"]
