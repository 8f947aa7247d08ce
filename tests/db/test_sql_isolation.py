"""Row-level security, tried statement by statement as the role that the product runs as."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from psycopg import sql
from psycopg.errors import InsufficientPrivilege

from skillnet.checks import tenant_tables
from skillnet.models import Organization
from skillnet.tenancy import organization_scope
from tests.db.isolation.database import undone
from tests.db.isolation.worlds import World, make_world

pytestmark = pytest.mark.django_db

# Functions that run with the owner's rights, and what they return: ids, counts and states, never contents. A new one
# belongs here once somebody has looked at what it gives away.
OWNERS_FUNCTIONS = {
    "courses_organizations_to_remind": "TABLE(organization_id uuid)",
    "courses_stalled_drafts": "TABLE(organization_id uuid, draft_id uuid)",
    "courses_unannounced_notices": "TABLE(organization_id uuid, notice_id bigint)",
    "documents_counts": (
        "TABLE(organization_id uuid, document_count bigint, unfinished_count bigint, failed_count bigint)"
    ),
    "documents_next_ingestion": "TABLE(organization_id uuid, version_id bigint)",
    "documents_reindexing": "TABLE(organization_id uuid)",
    "documents_state_counts": "TABLE(status text, version_count bigint)",
    "documents_token_upkeep": "TABLE(organization_id uuid, version_id bigint, has_tokens boolean)",
    "documents_unfinished_ingestion": (
        "TABLE(organization_id uuid, version_id bigint, attempt_count smallint, is_due boolean)"
    ),
    "documents_vector_counts": ("TABLE(organization_id uuid, model_id bigint, dimensions integer, chunk_count bigint)"),
    "skillnet_invitation_organization": "uuid",  # of the invitation whose secret is given
}


@pytest.fixture
def own(organization: Organization) -> World:
    return make_world(organization, "granate")


@pytest.fixture
def foreign(other_organization: Organization) -> World:
    return make_world(other_organization, "esmeralda")


def run(statement: str, *values: object, table: str = "") -> tuple[int, list[Any]]:
    """Rows touched and rows returned."""
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL(statement).format(sql.Identifier(table)) if table else statement, values)
        return cursor.rowcount, cursor.fetchall() if cursor.description else []


@contextmanager
def is_refused(error: type[Exception] = DatabaseError) -> Iterator[None]:
    with pytest.raises(error), transaction.atomic():
        yield


def tries_on(table: str, foreign: World) -> Iterator[tuple[str, Callable[[], int]]]:
    """Each verb on another organization's rows: a name, and a call that says how many rows it reached."""
    theirs = foreign.organization.pk
    yield "select", lambda: run("SELECT 1 FROM {} WHERE organization_id = %s", theirs, table=table)[0]
    yield "count", lambda: run("SELECT count(*) FROM {} WHERE organization_id = %s", theirs, table=table)[1][0][0]
    yield "lock", lambda: run("SELECT 1 FROM {} WHERE organization_id = %s FOR UPDATE", theirs, table=table)[0]
    yield (
        "update",
        lambda: run("UPDATE {} SET organization_id = organization_id WHERE organization_id = %s", theirs, table=table)[
            0
        ],
    )
    yield "delete", lambda: run("DELETE FROM {} WHERE organization_id = %s", theirs, table=table)[0]


def reached(attempt: Callable[[], int]) -> int:
    """Rows reached; none when the attempt is refused."""
    try:
        with transaction.atomic():
            return attempt()
    except DatabaseError as refusal:
        assert isinstance(refusal.__cause__, InsufficientPrivilege), refusal  # the policy's or the grants' doing
        return 0


def test_every_tenant_table_has_rows_to_try(foreign: World):
    """What is empty proves nothing: a new table needs a row in tests/db/isolation/worlds.py."""
    with organization_scope(foreign.organization.pk):
        empty = [table for table in sorted(tenant_tables()) if run("SELECT 1 FROM {} LIMIT 1", table=table)[0] == 0]
    assert empty == []


def test_no_verb_reaches_a_row_of_another_organization(own: World, foreign: World, capsys):
    count = 0
    for table in sorted(tenant_tables()):
        for name, attempt in tries_on(table, foreign):
            count += 2
            assert reached(attempt) == 0, f"{name} on {table} without a scope"
            with organization_scope(own.organization.pk):
                assert reached(attempt) == 0, f"{name} on {table} in another scope"
    for table in sorted(tenant_tables()):
        for scope in (None, own.organization.pk):
            count += 1
            with is_refused():
                if scope is not None:
                    run("SELECT set_config('app.organization_id', %s, true)", str(scope))
                run("INSERT INTO {} (organization_id) VALUES (%s)", foreign.organization.pk, table=table)
    assert count == len(tenant_tables()) * 12
    with organization_scope(foreign.organization.pk):  # the same statements do reach them in their own scope
        for table in sorted(tenant_tables()):
            assert run("SELECT 1 FROM {}", table=table)[0] > 0
    with capsys.disabled():
        print(f"\n  {count} statements on {len(tenant_tables())} tables, none reached a row", end=" ")  # noqa: T201


def test_an_insert_for_another_organization_is_refused_by_the_policy_and_not_by_a_missing_value(
    own: World, foreign: World
):
    for table in sorted(tenant_tables()):
        with organization_scope(own.organization.pk):
            with pytest.raises(DatabaseError) as refusal, transaction.atomic():
                run("INSERT INTO {} (organization_id) VALUES (%s)", foreign.organization.pk, table=table)
            assert isinstance(refusal.value.__cause__, InsufficientPrivilege), table


def test_no_row_can_be_given_to_another_organization(own: World, foreign: World):
    for table in sorted(tenant_tables()):
        with organization_scope(own.organization.pk), undone():
            moved = reached(lambda: run("UPDATE {} SET organization_id = %s", foreign.organization.pk, table=table)[0])  # noqa: B023
        assert moved == 0, table


@pytest.mark.parametrize("setting", ["", "nonsense", "00000000-0000-0000-0000-000000000000", "' OR true --", "*"])
def test_odd_scopes_see_nothing(own: World, setting: str):
    for table in sorted(tenant_tables()):
        with undone():
            run("SELECT set_config('app.organization_id', %s, true)", setting)
            try:
                with transaction.atomic():
                    assert run("SELECT 1 FROM {}", table=table)[0] == 0
            except DatabaseError as error:
                assert "uuid" in str(error)  # no identifier at all: an error, not rows


def test_functions_of_the_owner_give_ids_and_counts_alone():
    functions = run(
        "SELECT proname, pg_get_function_result(oid) FROM pg_proc"
        " WHERE prosecdef AND pronamespace = 'public'::regnamespace"
    )[1]
    assert dict(functions) == OWNERS_FUNCTIONS, "look at what the new function gives away, then list it"


def test_views_look_with_the_rights_of_who_asks():
    rows = run(
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND (relkind = 'm'"
        " OR relkind = 'v' AND NOT coalesce(reloptions::text LIKE '%%security_invoker=true%%', false))"
    )[1]
    assert rows == []


@pytest.mark.parametrize(
    "statement",
    [
        "SET ROLE skillnet_owner",
        "SET SESSION AUTHORIZATION postgres",
        "SET session_replication_role = replica",
        "ALTER TABLE documents_document DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE documents_document NO FORCE ROW LEVEL SECURITY",
        "DROP POLICY organization_isolation ON documents_document",
        "CREATE POLICY open ON documents_document USING (true)",
        "TRUNCATE documents_document CASCADE",
        "CREATE TABLE mine (id int)",
        "CREATE TEMPORARY TABLE documents_document (id int)",
        "CREATE VIEW everything AS SELECT * FROM documents_document",
        "CREATE FUNCTION peek() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'",
        "CREATE FUNCTION pg_temp.organization() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE EXTENSION dblink",
        "COPY documents_document TO PROGRAM 'cat'",
        "COPY documents_document TO '/tmp/everything'",
        "SELECT pg_read_file('/etc/passwd')",
        "SELECT lo_import('/etc/passwd')",
        "SELECT rolpassword FROM pg_authid",
        "ALTER ROLE skillnet_app BYPASSRLS",
        "GRANT skillnet_owner TO skillnet_app",
    ],
)
def test_there_is_no_way_around_the_policies(statement: str):
    with is_refused():
        run(statement.replace("%", "%%"))


def test_switching_policies_off_ends_in_an_error_and_not_in_rows(own: World):
    """`row_security = off` asks for an error wherever a policy would filter; it does not lift the policy."""
    with is_refused():
        run("SET LOCAL row_security = off")
        run("SELECT 1 FROM documents_document")


def test_statistics_of_columns_give_nothing_away(own: World):
    values = ", ".join(f"'{table}'" for table in sorted(tenant_tables()))
    assert run(f"SELECT tablename FROM pg_stats WHERE tablename IN ({values})")[1] == []


def test_a_foreign_id_in_a_statement_of_ones_own_finds_nothing(own: World, foreign: World):
    with organization_scope(own.organization.pk):
        ids = [own.ids["document_id"], foreign.ids["document_id"]]
        assert run("SELECT id FROM documents_document WHERE id = ANY(%s)", ids)[1] == [(ids[0],)]
        assert run("SELECT id FROM tutor_turn WHERE id = %s OR true", uuid.uuid4())[0] == 1
