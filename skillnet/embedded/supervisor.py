"""Both services together: started, asked and stopped, and where to reach them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import psycopg
from psycopg import sql

from .binaries import locate
from .errors import EmbeddedError
from .layout import home, make_home, service_account, socket_folder
from .locks import exclusive
from .postgres import SUPERUSER, PostgresServer
from .provisioning import DATABASE, fingerprint, mark_template_leakproof, provision
from .state import State, free_port, is_free
from .valkey import ValkeyServer

Service = Literal["postgres", "valkey"]
Role = Literal["app", "owner", "superuser"]
ServiceStatus = Literal["running", "starting", "stopped"]
SERVICES: tuple[Service, ...] = ("postgres", "valkey")


@dataclass(frozen=True, slots=True)
class Status:
    """How each service is: `starting` means its process lives but gives no answer."""

    postgres: ServiceStatus
    valkey: ServiceStatus


def database_url(role: Role, name: str = DATABASE) -> dict[str, Any]:
    """How to reach a database of the embedded PostgreSQL: an entry of Django's DATABASES.

    `app` reads and writes rows; `owner` may change the schema; `superuser` comes in over a socket only this
    user can reach. Starting may move the port, so ask after `ensure_started`.
    """
    state = State.load()
    if role == "superuser":
        server = _postgres(state)
        user, password, host = SUPERUSER, "", str(server.sockets)
        options: dict[str, Any] = {}
    else:
        user, password = {
            "app": ("skillnet_app", state.app_password),
            "owner": ("skillnet_maintenance", state.maintenance_password),
        }[role]
        host = "127.0.0.1"
        options = {"sslmode": "disable", "gssencmode": "disable"}  # the bundled server has neither
        if role == "owner":
            options["options"] = "-c role=skillnet_owner"
        else:
            options["prepare_threshold"] = 1  # of the statements that ask for it, from their second run on
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": user,
        "PASSWORD": password,
        "HOST": host,
        "PORT": str(state.postgres_port),
        "OPTIONS": options,
    }


def redis_url() -> str:
    """How to reach the embedded Valkey, password included. Starting may move its port: ask afterwards."""
    state = State.load()
    return f"redis://:{state.valkey_password}@127.0.0.1:{state.valkey_port}/0"


def status() -> Status:
    """How the services of this home are. Starts and makes nothing."""
    with _plain_errors():
        state = State.read()
        if state is None or not Path(state.services_folder).is_dir():
            return Status("stopped", "stopped")
        return Status(_status_of(_postgres(state)), _status_of(_valkey(state)))


def ensure_started(services: Sequence[Service] = SERVICES) -> Status:
    """Have these services running and PostgreSQL provisioned, whatever state they were left in.

    They outlive this process until `stop`. Any number of processes may call this at once.
    Raises: EmbeddedError, when a service cannot be brought up.
    """
    with _plain_errors():
        state = State.load()
        if not all(_is_up(state, service) for service in services):
            with exclusive(make_home() / "services.lock"):
                state = _with_folder(State.load())
                if "postgres" in services and not _is_up(state, "postgres"):
                    state = _start_postgres(state)
                if "valkey" in services and not _is_up(state, "valkey"):
                    state = _start_valkey(state)
        return Status(
            "running" if "postgres" in services else _status_of(_postgres(state)),
            "running" if "valkey" in services else _status_of(_valkey(state)),
        )


def stop() -> Status:
    """Stop the services of this home, and only those; everything they hold is on disk afterwards.

    Raises: EmbeddedError, when one goes on running.
    """
    with _plain_errors():
        state = State.read()
        if state is not None and Path(state.services_folder).is_dir():
            with exclusive(home() / "services.lock"):
                server = _postgres(state)
                if server.is_alive():
                    server.stop(locate(server.account))
                _valkey(state).stop()
        return status()


def provision_database(name: str) -> None:
    """Make this database of the embedded PostgreSQL, if missing, and provision it. Safe to repeat.

    Raises: EmbeddedError, when the server refuses.
    """
    state = State.load()
    server = _postgres(state)
    with _plain_errors():
        provision(server, state, name, locate(server.account))


def create_database(name: str) -> None:
    """Make this database of the embedded PostgreSQL, provisioned and empty.

    Raises: EmbeddedError, when there is one of that name.
    """
    with _plain_errors(), _postgres(State.load()).connect() as connection:
        found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone()
    if found is not None:
        raise EmbeddedError(f"Ya existe la base de datos «{name}». Elige otro nombre o bórrala antes.")
    provision_database(name)


def drop_database(name: str) -> None:
    """Remove this database of the embedded PostgreSQL, ending its sessions. None of that name is no error."""
    with _plain_errors(), _postgres(State.load()).connect() as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


@contextmanager
def _plain_errors() -> Iterator[None]:
    """Tell what the system or the server refused in our own words."""
    try:
        yield
    except psycopg.Error as error:
        raise EmbeddedError(
            f"PostgreSQL no ha podido hacerlo ({error}). Comprueba con «embedded status» que está en marcha."
        ) from error
    except OSError as error:
        raise EmbeddedError(
            f"No se puede usar {error.filename or home()} ({error.strerror}). "
            "Comprueba los permisos y el espacio en el disco, o indica otra carpeta en SKILLNET_HOME."
        ) from error


def _postgres(state: State) -> PostgresServer:
    folder = Path(state.services_folder)
    return PostgresServer(
        folder / "postgres", socket_folder(folder), state.postgres_port, service_account(folder / "postgres")
    )


def _valkey(state: State) -> ValkeyServer:
    folder = Path(state.services_folder)
    return ValkeyServer(folder / "valkey", state.valkey_port, state.valkey_password, service_account(folder / "valkey"))


def _status_of(server: PostgresServer | ValkeyServer) -> ServiceStatus:
    if server.is_ready():
        return "running"
    return "starting" if server.is_alive() else "stopped"


def _is_up(state: State, service: Service) -> bool:
    if service == "valkey":
        return _valkey(state).is_ready()
    return state.provisioned == fingerprint() and _postgres(state).is_ready()


def _with_folder(state: State) -> State:
    """The state with its services' folder there: somebody may have cleaned up by hand."""
    folder = Path(state.services_folder)
    if not folder.is_dir():
        folder.mkdir(parents=True)
        folder.chmod(0o711 if service_account(folder) else 0o700)
    return state


def _start_postgres(state: State) -> State:
    server = _postgres(state)
    binaries = locate(server.account)
    if (running_port := server.running_port()) is not None:
        port = running_port  # the state was lost, the server was not
    else:
        port = state.postgres_port if is_free(state.postgres_port) else free_port()
    if port != state.postgres_port:
        state = state.changed(postgres_port=port)
        server = _postgres(state)
    is_new = not (state.provisioned and server.data.exists())
    if not server.is_ready():
        server.start(binaries)
    if is_new:
        mark_template_leakproof(server)
    provision(server, state, DATABASE, binaries)
    return state.changed(provisioned=fingerprint())


def _start_valkey(state: State) -> State:
    server = _valkey(state)
    if not server.is_alive() and not is_free(state.valkey_port):
        state = state.changed(valkey_port=free_port())
        server = _valkey(state)
    server.start(locate(server.account))
    return state
