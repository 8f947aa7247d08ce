"""One database for a test run, made from a migrated template, used as the role that owns nothing."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.core.management.commands import flush
from django.db import connections
from django.db.backends.postgresql.operations import DatabaseOperations
from django.test import Client
from psycopg import sql
from pytest_django.plugin import DjangoDbBlocker

from skillnet import embedded
from skillnet.embedded.bootstrap import migrations_print
from skillnet.embedded.locks import exclusive
from skillnet.models import Membership, Organization, Role
from skillnet.tenancy import organization_scope
from tests import factories

RUN = f"test_skillnet_{os.getpid()}"
KEPT_TABLES = {"django_migrations", "django_content_type", "auth_permission"}


def _connect(role: embedded.Role, name: str) -> psycopg.Connection[Any]:
    url = embedded.database_url(role, name)
    return psycopg.connect(
        host=url["HOST"],
        port=url["PORT"],
        user=url["USER"],
        password=url["PASSWORD"] or None,
        dbname=name,
        autocommit=True,
        **url["OPTIONS"],
    )


def _use(name: str) -> None:
    for alias in ("default", "owner"):
        connections[alias].close()
        connections[alias].settings_dict["NAME"] = name


def _template() -> str:
    """A migrated, empty database, kept between runs until a migration changes."""
    name = f"test_template_{migrations_print()[:12]}"
    with exclusive(embedded.home() / "tests.lock"), _connect("superuser", "postgres") as server:
        known = [row[0] for row in server.execute("SELECT datname FROM pg_database").fetchall()]
        for left in known:  # by runs that were killed, or of migrations since changed
            pid = left.removeprefix("test_skillnet_").removesuffix("_other")
            if left.startswith("test_skillnet_") and not Path(f"/proc/{pid}").exists():
                embedded.drop_database(left)
        if name not in known:
            making = f"{name}_making"
            embedded.drop_database(making)
            embedded.create_database(making)
            _use(making)
            call_command("migrate", database="owner", interactive=False, verbosity=0)
            _use("postgres")
            server.execute(
                sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(making), sql.Identifier(name))
            )
    return name


def _create(name: str, template: str) -> None:
    embedded.drop_database(name)
    with _connect("superuser", "postgres") as server:
        server.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} OWNER skillnet_owner").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )
        # What a power cut could take from a test is of no use to anybody.
        server.execute(sql.SQL("ALTER DATABASE {} SET synchronous_commit = off").format(sql.Identifier(name)))
    embedded.provision_database(name)  # a database's privileges are not copied from its template


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    embedded.ensure_started()
    with django_db_blocker.unblock():
        _create(RUN, _template())
        _use(RUN)
    yield
    with django_db_blocker.unblock():
        connections.close_all()
        embedded.drop_database(RUN)


@pytest.fixture
def another_database(transactional_db: None) -> Iterator[Callable[[], None]]:
    """A way to change over to a second database of the same schema, empty, for the rest of the test."""
    _create(f"{RUN}_other", _template())
    yield lambda: _use(f"{RUN}_other")
    _use(RUN)
    embedded.drop_database(f"{RUN}_other")


@pytest.fixture(autouse=True, scope="session")
def _tables_are_emptied() -> Iterator[None]:
    """Tests with real transactions empty the tables afterwards, which the runtime role may not do.

    Only rows are deleted, and only where there are some: emptying every table by TRUNCATE writes hundreds of files.
    What Django keeps of its own models stays, so nothing has to be made again.
    """

    def delete_rows(_self: DatabaseOperations, _statements: list[str]) -> None:
        with _connect("superuser", RUN) as connection:
            connection.execute("SET session_replication_role = replica")  # in any order, whatever refers to whatever
            tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
            for name in {row[0] for row in tables} - KEPT_TABLES:
                connection.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(name)))

    patch = pytest.MonkeyPatch()
    patch.setattr(DatabaseOperations, "execute_sql_flush", delete_rows)
    patch.setattr(flush, "emit_post_migrate_signal", lambda *_args, **_kwargs: None)
    yield
    patch.undo()


@pytest.fixture
def organization(db: None) -> Organization:
    return factories.make_organization("acme")


@pytest.fixture
def other_organization(db: None) -> Organization:
    return factories.make_organization("otra")


@pytest.fixture
def scope(organization: Organization) -> Iterator[None]:
    """The scope of `organization`, open for the whole test."""
    with organization_scope(organization.pk):
        yield


@pytest.fixture
def admin_membership(organization: Organization) -> Membership:
    return factories.make_member(organization, "admin@acme.example", Role.ADMIN)


@pytest.fixture
def employee_membership(organization: Organization) -> Membership:
    return factories.make_member(organization, "empleada@acme.example", Role.EMPLOYEE)


@pytest.fixture
def client_for() -> Callable[[Membership], Client]:
    """A browser in which a member has logged in."""

    def log_in(membership: Membership) -> Client:
        client = Client()
        client.force_login(membership.user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return log_in
