"""One PostgreSQL server: made, started, asked and stopped by its programs."""

import os
import re
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from .binaries import Binaries
from .errors import EmbeddedError
from .layout import Account, make_private_folder, write_for
from .processes import has_proc, is_alive, read_pid, run, who_works_in, works_in

SUPERUSER = "postgres"
START_SECONDS = 15  # a server that was killed holds its lock for some seconds
RECOVERY_SECONDS = 300  # replaying a long log after a crash
STOP_SECONDS = 60
MOST_SHARED_MEGABYTES = 1024  # several instances may share a developer's machine


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """The server whose files are in `folder`; it may not exist yet."""

    folder: Path
    sockets: Path
    port: int
    account: Account | None

    @property
    def data(self) -> Path:
        """PostgreSQL's own folder."""
        return self.folder / "data"

    @property
    def log(self) -> Path:
        """What the last start or stop said. The running server's is in its folder, a file a weekday."""
        return self.folder.with_name("postgres-startup.log")

    def connect(self, database: str = "postgres", *, timeout: int = 5) -> psycopg.Connection[Any]:
        """A superuser's connection over the socket, in autocommit.

        Raises: psycopg.OperationalError, when nobody answers within `timeout` seconds.
        """
        return psycopg.connect(
            host=str(self.sockets),
            port=self.port,
            user=SUPERUSER,
            dbname=database,
            connect_timeout=timeout,
            options="",
            autocommit=True,
        )

    def is_ready(self) -> bool:
        """Whether it answers a query, and is this server, with its files in place."""
        if not self._has_data():
            return False
        try:
            with self.connect() as connection:
                row = connection.execute("SELECT current_setting('data_directory')").fetchone()
        except psycopg.OperationalError:
            return False
        return row is not None and Path(row[0]).resolve() == self.data.resolve()

    def is_alive(self) -> bool:
        """Whether its main process runs, ready or not."""
        pid = read_pid(self._pid_file)
        return is_alive(pid, "postgres") and works_in(pid, self.data)

    def running_port(self) -> int | None:
        """The port the live server listens on, from its own pid file."""
        if not self.is_alive():
            return None
        lines = self._pid_file.read_text(encoding="utf-8").splitlines()
        return int(lines[3]) if len(lines) > 3 and lines[3].isdigit() else None

    def start(self, binaries: Binaries) -> None:
        """Bring it up from whatever state it was left in, making it on first use; returns when it answers.

        Raises: EmbeddedError, when it does not.
        """
        make_private_folder(self.folder, self.account)
        make_private_folder(self.sockets, self.account)
        if self.is_alive():
            if self._socket.exists():
                self._await_ready()  # still replaying its log, most likely
                return
            self.stop(binaries)  # somebody removed its socket: nobody can reach it any more
        if not self._has_data():
            self._initialize(binaries)
        self._write_settings()
        deadline = time.monotonic() + START_SECONDS
        self._drop_stale_locks()
        while not self._launch(binaries):
            if time.monotonic() > deadline or not self._may_pass():
                raise EmbeddedError(
                    "PostgreSQL no arranca. Mira el registro, corrige la causa y vuelve a intentarlo.",
                    log=self.log,
                )
            time.sleep(0.5)
            self._drop_stale_locks()
        self._await_ready()

    def stop(self, binaries: Binaries) -> None:
        """End it in order: sessions are closed, everything is written. No server is no error.

        Raises: EmbeddedError, when it goes on running.
        """
        if not self.is_alive():
            return
        command: list[str | Path] = [
            binaries.postgres / "pg_ctl",
            "-D",
            self.data,
            "-m",
            "fast",
            "-w",
            "-t",
            str(STOP_SECONDS),
            "stop",
        ]
        if run(command, account=self.account, log=self.log, timeout=STOP_SECONDS + 5) != 0 and self.is_alive():
            raise EmbeddedError("PostgreSQL no se detiene. Cierra lo que lo esté usando y repítelo.", log=self.log)

    @property
    def _pid_file(self) -> Path:
        return self.data / "postmaster.pid"

    @property
    def _socket(self) -> Path:
        return self.sockets / f".s.PGSQL.{self.port}"

    def _has_data(self) -> bool:
        return (self.data / "PG_VERSION").exists()

    def _initialize(self, binaries: Binaries) -> None:
        """Make an empty cluster. It gets its name last, so an interrupted attempt leaves none."""
        if self.data.exists():
            if any(self.data.iterdir()):
                raise EmbeddedError(
                    f"La carpeta {self.data} no está completa. Pon en ella una copia de seguridad o quítala."
                )
            self.data.rmdir()
        draft = self.folder / "data.new"
        if draft.exists():
            shutil.rmtree(draft)
        command: list[str | Path] = [
            *(
                binaries.postgres / "initdb",
                "-D",
                draft,
                "-U",
                SUPERUSER,
                "--encoding=UTF8",
                "--no-instructions",
            ),
            *("--auth-local=trust", "--auth-host=scram-sha-256"),
            *("--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
        ]
        # The text search parser asks the system's locale what a letter is: under plain C, «¿» is one.
        for system_locale in ("C.UTF-8", "en_US.UTF-8"):
            if run([*command, f"--locale={system_locale}"], account=self.account, log=self.log, timeout=120) == 0:
                break
        else:
            raise EmbeddedError(
                "No se pudo crear la base de datos. Comprueba que queda espacio en el disco y repítelo.",
                log=self.log,
            )
        include = f"include_if_exists = {_quoted(self._settings_file)}"
        append: list[str | Path] = ["/bin/sh", "-c", 'echo "$1" >> "$0"', draft / "postgresql.conf", include]
        if run(append, account=self.account, log=self.log, timeout=10) != 0:
            raise EmbeddedError(f"No se puede escribir en {draft}. Comprueba el disco.", log=self.log)
        draft.rename(self.data)

    @property
    def _settings_file(self) -> Path:
        return self.folder.with_suffix(".conf")

    @property
    def _access_file(self) -> Path:
        return self.folder.with_name("postgres-access.conf")

    def _write_settings(self) -> None:
        """Our settings, written at each start so that a new release's reach an old cluster."""
        write_for(
            self.account,
            self._access_file,
            "# Written at each start. The socket's folder is closed to everybody else.\n"
            "local all all trust\n"
            "host all skillnet_app,skillnet_maintenance 127.0.0.1/32 scram-sha-256\n",
        )
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self.sockets,
            "hba_file": self._access_file,
            "max_connections": 200,
            "shared_buffers": shared_buffers(),
            "work_mem": "64MB",
            "random_page_cost": 1.1,
            "jit": "off",
            "timezone": "UTC",
            "log_timezone": "UTC",
            "logging_collector": "on",
            "log_directory": self.folder / "log",
            "log_filename": "postgres-%a.log",
            "log_truncate_on_rotation": "on",
            "log_rotation_age": "1d",
            "log_rotation_size": 0,
            # Statements and details hold people's documents and questions.
            "log_min_error_statement": "panic",
            "log_error_verbosity": "terse",
        }
        lines = "".join(f"{name} = {_quoted(value)}\n" for name, value in settings.items())
        write_for(self.account, self._settings_file, f"# Written at each start: changes here are lost.\n{lines}")

    def _launch(self, binaries: Binaries) -> bool:
        command: list[str | Path] = [
            binaries.postgres / "pg_ctl",
            "-D",
            self.data,
            "-w",
            "-t",
            str(RECOVERY_SECONDS),
            "start",
        ]
        return run(command, account=self.account, log=self.log, timeout=RECOVERY_SECONDS + 5) == 0

    def _may_pass(self) -> bool:
        """Whether only remains of the previous server may have been in the way of the last start."""
        said = self.log.read_text(encoding="utf-8", errors="replace")
        return any(hint in said for hint in ("lock file", "shared memory block", "redirecting log output"))

    def _drop_stale_locks(self) -> None:
        """Remove locks that nobody holds and PostgreSQL would believe.

        Their process number may be somebody else's by now, or a killed server's that nobody collects: in many
        containers for ever. Every process of a live server works in its data folder.
        """
        if has_proc() and not who_works_in(self.data):
            self._pid_file.unlink(missing_ok=True)
            self._socket.with_name(f"{self._socket.name}.lock").unlink(missing_ok=True)

    def _await_ready(self) -> None:
        deadline = time.monotonic() + RECOVERY_SECONDS
        while not self.is_ready():
            if not self.is_alive() or time.monotonic() > deadline:
                raise EmbeddedError(
                    "PostgreSQL ha arrancado pero no responde. Mira el registro y vuelve a intentarlo.",
                    log=self.folder / "log",
                )
            time.sleep(0.1)


def shared_buffers() -> str:
    """How much memory PostgreSQL keeps for its pages: `SKILLNET_SHARED_BUFFERS`, or a quarter up to 1 GB.

    Raises: EmbeddedError, when the setting is no size such as 512MB or 4GB.
    """
    if configured := os.environ.get("SKILLNET_SHARED_BUFFERS"):
        if not re.fullmatch(r"[1-9][0-9]*(MB|GB)", configured):
            raise EmbeddedError("SKILLNET_SHARED_BUFFERS debe ser un tamaño como 512MB o 4GB.")
        return configured
    memory_megabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    return f"{max(32, min(memory_megabytes // 4, MOST_SHARED_MEGABYTES))}MB"


def _quoted(value: object) -> str:
    return "'" + str(value).replace("\\", "\\\\").replace("'", "''") + "'"
