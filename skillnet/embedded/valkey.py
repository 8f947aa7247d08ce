"""One Valkey server: the queue's store, which survives a crash with everything but its last second."""

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from .binaries import Binaries
from .errors import EmbeddedError
from .layout import Account, make_private_folder, write_for
from .processes import has_proc, is_alive, read_pid, run, who_works_in, works_in

PROGRAM = "valkey-server"
START_SECONDS = 15
STOP_SECONDS = 30


@dataclass(frozen=True, slots=True)
class ValkeyServer:
    """The server whose files are in `folder`; it may not exist yet."""

    folder: Path
    port: int
    password: str
    account: Account | None

    @property
    def log(self) -> Path:
        """What it said since its last start."""
        return self.folder / "valkey.log"

    def connect(self) -> redis.Redis:
        """A client of this server; connects at its first command."""
        return redis.Redis(
            host="127.0.0.1",
            port=self.port,
            password=self.password,
            socket_connect_timeout=2,
            socket_timeout=5,
            retry=Retry(NoBackoff(), 0),  # silence is an answer here
        )

    def is_ready(self) -> bool:
        """Whether it answers, and its files are in place. Nobody else's server takes our password."""
        if not self.folder.is_dir():
            return False
        try:
            with self.connect() as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def is_alive(self) -> bool:
        """Whether its process runs, ready or not."""
        pid = read_pid(self._pid_file)
        return is_alive(pid, PROGRAM) and works_in(pid, self.folder)

    def start(self, binaries: Binaries) -> None:
        """Bring it up; returns when it answers.

        Raises: EmbeddedError, when it does not.
        """
        make_private_folder(self.folder, self.account)
        if self.is_alive() and (self.is_ready() or (self._is_busy() and self._becomes_ready())):
            return
        self._end()  # one whose password or folder was lost: two servers must not share a folder
        self._write_settings()
        output = self.folder.with_name("valkey-startup.log")
        status = run([binaries.valkey_server, self._settings_file], account=self.account, log=output, timeout=10)
        if status != 0:
            raise EmbeddedError(
                "Valkey no arranca. Mira el registro, corrige la causa y vuelve a intentarlo.",
                log=self.log if self.log.exists() else output,
            )
        if not self._becomes_ready():
            raise EmbeddedError(
                "Valkey ha arrancado pero no responde. Mira el registro y vuelve a intentarlo.", log=self.log
            )

    def stop(self) -> None:
        """End it in order, everything written. No server is no error.

        Raises: EmbeddedError, when it goes on running.
        """
        if self.is_ready():
            with self.connect() as client:
                client.shutdown()
        self._end()

    @property
    def _pid_file(self) -> Path:
        return self.folder / "valkey.pid"

    @property
    def _settings_file(self) -> Path:
        return self.folder.with_suffix(".conf")

    def _write_settings(self) -> None:
        settings = (
            ("bind", "127.0.0.1"),
            ("port", self.port),
            ("requirepass", self.password),
            ("daemonize", "yes"),
            ("dir", self.folder),
            ("pidfile", self._pid_file),
            ("logfile", self.log),
            ("loglevel", "warning"),
            ("appendonly", "yes"),
            ("appendfsync", "everysec"),
            ("save", ""),
            ("maxmemory-policy", "noeviction"),
        )
        self.log.unlink(missing_ok=True)
        write_for(
            self.account,
            self._settings_file,
            "".join(f"{name} {_quoted(value)}\n" for name, value in settings),
        )

    def _is_busy(self) -> bool:
        """Whether it is still reading its file or has too much to do; refusing our password is neither."""
        try:
            with self.connect() as client:
                client.ping()
        except (redis.BusyLoadingError, redis.TimeoutError):
            return True
        except redis.RedisError:
            return False
        return False

    def _becomes_ready(self) -> bool:
        deadline = time.monotonic() + START_SECONDS
        while not self.is_ready():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        return True

    def _servers(self) -> list[int]:
        """The live servers of this folder, those that somebody removed it under included."""
        candidates = who_works_in(self.folder) if has_proc() else [read_pid(self._pid_file)]
        return [pid for pid in candidates if pid is not None and is_alive(pid, PROGRAM)]

    def _end(self) -> None:
        for pid in self._servers():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        while self._servers():
            if time.monotonic() > deadline:
                raise EmbeddedError("Valkey no se detiene. Mira el registro y vuelve a intentarlo.", log=self.log)
            time.sleep(0.05)


def _quoted(value: object) -> str:
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'
