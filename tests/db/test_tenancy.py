"""Row-level security, seen from the role that the product runs as."""

import uuid

import pytest
from django.core.checks import run_checks
from django.db import DatabaseError, connection, connections, transaction
from django.http import HttpResponse

from documents.models import Collection
from skillnet.checks import SHARED_TABLES, tables_without_policy, tenant_tables
from skillnet.errors import NoOrganizationScope
from skillnet.tenancy import current_organization_id, organization_scope
from tests.factories import make_organization


def _names() -> list[str]:
    return list(Collection.objects.values_list("name", flat=True))


@pytest.mark.django_db
def test_every_table_is_shared_on_purpose_or_has_a_policy():
    assert tables_without_policy() == []


@pytest.mark.django_db
def test_tables_of_tenant_models_are_not_listed_as_shared():
    assert tenant_tables() & SHARED_TABLES == set()


@pytest.mark.django_db(databases=["default", "owner"])
def test_a_new_table_without_a_policy_is_found():
    with connections["owner"].cursor() as cursor:
        cursor.execute("CREATE TABLE forgotten (organization_id uuid)")
    assert tables_without_policy("owner") == ["forgotten"]


@pytest.mark.django_db(databases=["default", "owner"])
def test_a_policy_that_lets_more_through_is_found():
    with connections["owner"].cursor() as cursor:
        cursor.execute("CREATE POLICY wide_open ON documents_collection USING (true)")
    assert tables_without_policy("owner") == ["documents_collection"]


@pytest.mark.django_db
def test_functions_with_the_owners_rights_look_at_no_temporary_object():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT proname, proconfig FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace"
        )
        functions = dict(cursor.fetchall())
    assert len(functions) >= 3
    for name, settings in functions.items():
        assert settings == ["search_path=pg_catalog, public, pg_temp"], name


@pytest.mark.django_db
def test_the_runtime_role_makes_no_temporary_object():
    with pytest.raises(DatabaseError), connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE mine (id int)")


@pytest.mark.django_db
def test_start_up_checks_accept_this_database():
    assert run_checks(databases=["default"], tags=["database"]) == []


@pytest.mark.django_db
def test_the_runtime_role_owns_nothing_and_bypasses_nothing():
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolname, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user")
        assert cursor.fetchone() == ("skillnet_app", False, False)
        cursor.execute("SELECT count(*) FROM pg_class WHERE pg_get_userbyid(relowner) = current_user")
        assert cursor.fetchone() == (0,)


def test_without_a_scope_nothing_is_found_and_nothing_can_be_written(organization):
    with organization_scope(organization.pk):
        Collection.objects.create(organization=organization, name="Ventas")
    assert _names() == []
    with pytest.raises(DatabaseError), transaction.atomic():
        Collection.objects.create(organization=organization, name="Cocina")


def test_another_organizations_rows_are_neither_seen_nor_changed_nor_written(organization, other_organization):
    with organization_scope(organization.pk):
        mine = Collection.objects.create(organization=organization, name="Ventas")
    with organization_scope(other_organization.pk):
        assert _names() == []
        assert Collection.objects.filter(pk=mine.pk).update(name="robada") == 0
        assert Collection.objects.filter(pk=mine.pk).delete()[0] == 0
        with pytest.raises(DatabaseError), transaction.atomic():
            Collection.objects.create(organization=organization, name="infiltrada")
    with organization_scope(organization.pk):
        assert _names() == ["Ventas"]


def test_scopes_of_two_organizations_do_not_nest(organization, other_organization):
    with organization_scope(organization.pk), pytest.raises(NoOrganizationScope):
        organization_scope(other_organization.pk).__enter__()


def test_the_same_scope_nests_and_ends_with_the_outer_one(organization):
    with organization_scope(organization.pk):
        with organization_scope(organization.pk):
            Collection.objects.create(organization=organization, name="Ventas")
        assert _names() == ["Ventas"]
    assert current_organization_id() is None
    assert _names() == []


@pytest.mark.django_db(transaction=True, databases=["default", "owner"])  # tables are emptied as the owner
def test_a_scope_does_not_outlive_its_transaction_on_the_same_connection(transactional_db):
    organization = make_organization("acme")
    with organization_scope(organization.pk):
        Collection.objects.create(organization=organization, name="Ventas")
        connection_before = connection.connection
    assert connection.connection is connection_before
    assert _names() == []
    with pytest.raises(ZeroDivisionError), organization_scope(organization.pk):
        1 / 0  # noqa: B018 - an exception half-way
    assert _names() == []
    with organization_scope(uuid.uuid4()):
        assert _names() == []


def test_a_page_of_another_organization_does_not_exist(client_for, admin_membership, other_organization):
    response: HttpResponse = client_for(admin_membership).get(f"/o/{other_organization.slug}/documentos/")
    assert response.status_code == 404


def test_an_unknown_organization_looks_the_same(client_for, admin_membership):
    assert client_for(admin_membership).get("/o/inventada/documentos/").status_code == 404


def test_a_stranger_is_sent_to_log_in_and_back(client, organization):
    response = client.get(f"/o/{organization.slug}/documentos/")
    assert response.status_code == 302
    assert response["Location"].endswith(f"/?next=/o/{organization.slug}/documentos/")
