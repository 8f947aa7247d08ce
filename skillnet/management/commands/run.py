"""The whole product on one machine: web server and worker, watched until Ctrl-C."""

import logging
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from skillnet import embedded

logger = logging.getLogger(__name__)

RESTART_SECONDS = 2.0  # a worker that dies at once must not spin
STOP_SECONDS = 10.0
LOOK_SECONDS = 0.3
SERVERS_SECONDS = 2.0  # between two looks at PostgreSQL and Valkey
# glibc gives every few threads an arena of their own, and what one has freed no other uses: 64 threads hoard.
MALLOC_ARENAS = "2"
# Counters are files mapped into memory: on a disk that is full, writing one ends its process.
MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 - a folder of this user's alone is made in it
# Python runs one thread of a process at a time, so that one process leaves a second core to the embedder alone. Each
# holds the model, though: more than two are for who asks for them.
MOST_WEB_PROCESSES = 2
KEEP_ALIVE_SECONDS = 75  # longer than people and proxies pause: what is sent while a connection is closed is lost
WEB_THREADS = 48  # of each; an answer that flows holds one, and one that works a connection to PostgreSQL


class Servers:
    """The embedded PostgreSQL and Valkey, started again when they die: nobody else would."""

    def __init__(self) -> None:
        ours: dict[embedded.Service, bool] = {
            "postgres": settings.EMBEDDED_POSTGRES,
            "valkey": settings.EMBEDDED_VALKEY,
        }
        self._needed = tuple(name for name, is_embedded in ours.items() if is_embedded)
        self._looked_at = time.monotonic()

    def keep_running(self) -> None:
        if not self._needed or time.monotonic() - self._looked_at < SERVERS_SECONDS:
            return
        try:
            embedded.ensure_started(self._needed)
        except embedded.EmbeddedError as error:  # a full disk, for one: there will be another look
            logger.warning("%s", error)
        self._looked_at = time.monotonic()


@dataclass
class Service:
    """A child process that is started again when it dies by itself."""

    name: str
    command: list[str]
    environment: Mapping[str, str] = field(default_factory=dict)  # beside ours
    process: subprocess.Popen[bytes] | None = None
    started_at: float = field(default=0.0)

    def keep_running(self) -> None:
        if self.process is not None and self.process.poll() is None:
            return
        if self.process is not None:
            logger.warning("%s ended with status %s, starting it again", self.name, self.process.returncode)
            if time.monotonic() - self.started_at < RESTART_SECONDS:
                return
        self.started_at = time.monotonic()
        # Its own session: Ctrl-C reaches this process alone, which then stops its children in order.
        self.process = subprocess.Popen(self.command, env={**os.environ, **self.environment}, start_new_session=True)

    def stop(self) -> None:
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:  # steps are resumable: a worker in the middle of one loses nothing
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def web_command(address: str, processes: int, threads: int) -> list[str]:
    """What serves the pages at `address`: so many processes, each with so many threads."""
    return [
        *(sys.executable, "-m", "gunicorn", "skillnet.wsgi:application"),
        *("--bind", address, "--worker-class", "gthread", "--workers", str(processes), "--threads", str(threads)),
        *("--timeout", "120", "--graceful-timeout", "5", "--keep-alive", str(KEEP_ALIVE_SECONDS)),
        *("--limit-request-line", "8190"),  # its most; an address may hold a long question and many documents
        *("--log-level", "warning", "--no-control-socket"),
    ]


def web_environment(processes: int, cores: int) -> dict[str, str]:
    """What the web server alone is told. Its processes share the cores out: threads of a model that wait for each other
    while another process has the core triple the time of a question.
    """
    if os.environ.get("EMBEDDING_THREADS", "0") != "0" or processes < 2:
        return {}
    return {"EMBEDDING_THREADS": str(max(1, cores // processes))}


class Command(BaseCommand):
    help = "Arranca SkillNet en este equipo: servidor web y proceso de trabajo. Ctrl-C lo para."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default=os.environ.get("HOST", "127.0.0.1"))
        parser.add_argument("--port", type=int, default=int(os.environ.get("PORT", "8000")))
        parser.add_argument(
            "--processes",
            type=int,
            default=int(os.environ.get("WEB_CONCURRENCY") or min(MOST_WEB_PROCESSES, os.cpu_count() or 1)),
            help="procesos del servidor web",
        )
        parser.add_argument("--threads", type=int, default=WEB_THREADS, help="hilos de cada proceso")
        parser.add_argument("--no-demo", action="store_true", help="no carga los datos de demostración")

    def handle(self, *args: Any, **options: Any) -> None:
        os.environ.setdefault("MALLOC_ARENA_MAX", MALLOC_ARENAS)  # for the services; read when a process starts
        port = self._free_port(options["host"], options["port"])
        # What is sent by e-mail leads here, also where the usual port was taken.
        os.environ.setdefault("PUBLIC_URL", f"http://{options['host']}:{port}")
        manage = [sys.executable, "manage.py"]
        services = [
            Service(
                "web",
                web_command(f"{options['host']}:{port}", options["processes"], options["threads"]),
                web_environment(options["processes"], os.cpu_count() or 1),
            ),
            Service("worker", [*manage, "worker"]),
        ]
        demo = None
        servers = Servers()
        stopping = False

        def stop(*_: object) -> None:
            nonlocal stopping
            stopping = True

        signal.signal(signal.SIGINT, stop)
        signal.signal(signal.SIGTERM, stop)
        folders = ExitStack()
        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:  # else /metrics would tell of the process that was asked alone
            memory = MEMORY_FOLDER if MEMORY_FOLDER.is_dir() else None
            counters = folders.enter_context(tempfile.TemporaryDirectory(prefix="skillnet-metrics-", dir=memory))
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = counters
        try:
            for service in services:
                service.keep_running()
            if not options["no_demo"]:
                demo = subprocess.Popen([*manage, "demo", "--queue"], start_new_session=True)
            self.stdout.write(f"\nSkillNet: http://{options['host']}:{port}/\nCtrl-C para parar.\n")
            while not stopping:
                servers.keep_running()
                for service in services:
                    service.keep_running()
                time.sleep(LOOK_SECONDS)
        finally:
            if demo is not None and demo.poll() is None:
                os.killpg(demo.pid, signal.SIGTERM)
                demo.wait()
            for service in reversed(services):
                service.stop()
            folders.close()
            self.stdout.write("Parado. PostgreSQL y Valkey siguen en marcha: «make stop» los para.\n")

    @staticmethod
    def _free_port(host: str, wanted: int) -> int:
        """The wanted port, or the next free one: another program may have it."""
        for port in range(wanted, wanted + 20):
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind((host, port))
                except OSError:
                    continue
                return port
        raise CommandError(f"Los puertos {wanted}–{wanted + 19} están ocupados. Elige otro con PORT=… make run")
