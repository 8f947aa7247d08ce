"""What a command needs before Django can do its work: running services and an up-to-date schema.

Nothing here happens where DATABASE_URL and REDIS_URL name real servers: those are the operator's to start and migrate.
"""

import hashlib
import os
import secrets
import sys
from collections.abc import Sequence

import environ
import psycopg
from psycopg import sql

from .errors import EmbeddedError
from .layout import CHECKOUT, make_home
from .locks import exclusive
from .supervisor import Service, database_url, ensure_started

SERVER_VARIABLES: dict[Service, str] = {"postgres": "DATABASE_URL", "valkey": "REDIS_URL"}

# These work without a database, or look after the services themselves.
WITHOUT_SERVICES = frozenset(
    {"", "help", "--help", "-h", "--version", "version", "parse", "embedded", "makemessages", "collectstatic"}
)
WITHOUT_MIGRATING = frozenset({"migrate", "makemigrations", "check", "test", "showmigrations", "sqlmigrate", "dbshell"})


def secret_key() -> str:
    """This installation's own secret, made once and kept readable by its owner alone."""
    folder = make_home()
    path = folder / "secret-key"
    if not path.exists():
        with exclusive(folder / "secret-key.lock"):
            if not path.exists():
                made = folder / "secret-key.new"
                made.touch(mode=0o600)
                made.write_text(secrets.token_urlsafe(60))
                made.replace(path)
    return path.read_text()


def prepare(arguments: Sequence[str]) -> None:
    """Start the embedded services that a management command needs, and bring their schema up to date.

    Exits with a readable message and status 1 when they cannot be started.
    """
    command = arguments[0] if arguments else ""
    if command in WITHOUT_SERVICES or {"--help", "-h"} & set(arguments):
        return
    environ.Env.read_env(CHECKOUT / ".env")  # it may name the servers; the settings read it later
    needed = [service for service, variable in SERVER_VARIABLES.items() if not os.environ.get(variable)]
    if not needed:
        return
    try:
        ensure_started(tuple(needed))
        if "postgres" in needed and command not in WITHOUT_MIGRATING:
            migrate_once()
    except EmbeddedError as error:
        sys.exit(str(error))


def migrate_once() -> None:
    """Run migrations when the checkout's differ from those last run on this database. Asking costs milliseconds."""
    wanted = migrations_print()
    if _migrated() == wanted:
        return
    with exclusive(make_home() / "migrate.lock"):
        if _migrated() == wanted:  # somebody else did it while we waited
            return
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", interactive=False, verbosity=0)
        with _owner_connection() as connection:
            connection.execute(sql.SQL("COMMENT ON SCHEMA public IS {}").format(wanted))


def _owner_connection() -> psycopg.Connection[tuple[str | None]]:
    url = database_url("owner")
    return psycopg.connect(
        host=url["HOST"],
        port=url["PORT"],
        user=url["USER"],
        password=url["PASSWORD"],
        dbname=url["NAME"],
        **url["OPTIONS"],
    )


def _migrated() -> str | None:
    """The print of the migrations last run, kept in the database itself so that both live and go together."""
    with _owner_connection() as connection:
        row = connection.execute("SELECT obj_description('public'::regnamespace)").fetchone()
    return row[0] if row else None


def migrations_print() -> str:
    """A digest of every migration file and of the libraries, some of which bring their own."""
    digest = hashlib.sha256((CHECKOUT / "requirements.txt").read_bytes())
    for path in sorted(CHECKOUT.glob("*/migrations/*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
