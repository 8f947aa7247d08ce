"""Roles, extension and privileges in the databases of the embedded PostgreSQL."""

import hashlib
import subprocess
from pathlib import Path

from .binaries import Binaries
from .errors import EmbeddedError
from .layout import CHECKOUT, home
from .locks import exclusive
from .postgres import SUPERUSER, PostgresServer
from .state import State

SCRIPT = CHECKOUT / "ops" / "provision.sql"
DATABASE = "skillnet"


def fingerprint() -> str:
    """Changes whenever the provisioning script does."""
    return hashlib.sha256(SCRIPT.read_bytes()).hexdigest()


def provision(server: PostgresServer, state: State, name: str, binaries: Binaries) -> None:
    """Make that database if missing and give it roles, extension and privileges. Safe to repeat.

    Raises: EmbeddedError, when the server refuses.
    """
    variables = {
        "app_password": state.app_password,
        "maintenance_password": state.maintenance_password,
        "database": name,
    }
    # On standard input, not as arguments: those can be read by everybody on the machine.
    script = "".join(f"\\set {key} {_psql_quoted(value)}\n" for key, value in variables.items())
    script += SCRIPT.read_text(encoding="utf-8")
    command: list[str | Path] = [
        *(binaries.postgres / "psql", "--no-psqlrc", "--quiet", "--no-password"),
        *("-h", server.sockets, "-p", str(server.port), "-U", SUPERUSER, "-d", "postgres"),
    ]
    # Roles belong to the whole server: two scripts at once would trip over each other.
    with exclusive(home() / "provision.lock"):
        done = subprocess.run(
            command,
            input=script,
            capture_output=True,
            encoding="utf-8",
            env={"LC_ALL": "C.UTF-8"},
            check=False,
        )
    if done.returncode != 0:
        raise EmbeddedError(
            f"No se pudo preparar la base de datos «{name}»: {done.stderr.strip()} "
            "Corrige la causa y vuelve a ejecutar «embedded start»."
        )


def mark_template_leakproof(server: PostgresServer) -> None:
    """Databases made later, by whatever tool, are born with the mark that full-text search needs."""
    with server.connect("template1") as connection:
        connection.execute("ALTER FUNCTION pg_catalog.ts_match_vq(tsvector, tsquery) LEAKPROOF")


def _psql_quoted(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"
