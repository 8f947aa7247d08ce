"""An installation of its own, running as a person would run it, whose parts can be killed."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import requests

PROJECT = Path(__file__).resolve().parents[2]
START_SECONDS = 900.0  # on a machine that does much else, too
OWN = (
    "DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "MEDIA_ROOT", "EMBEDDING_MODEL", "EMBEDDING_BASE_URL",
    "SECRET_KEY",
)  # fmt: skip


class Stack:
    """`manage.py run` with a fake embedder, in a data folder that is removed at the end.

    With `megabytes` the folder is a file system of its own of that size.
    """

    def __init__(self, *, megabytes: int = 0, **environment: str) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="skillnet-faults-"))
        self.is_mounted = megabytes > 0
        if self.is_mounted:
            subprocess.run(
                ["/bin/mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "none", str(self.home)], check=True
            )
        self.home.chmod(0o711)  # PostgreSQL runs as somebody else under root, and has to pass through
        self.port = _free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **os.environ,
            **dict.fromkeys(OWN, ""),
            "DJANGO_SETTINGS_MODULE": "skillnet.settings.development",
            "EMBEDDING_PROVIDER": "fake",
            "SKILLNET_HOME": str(self.home),
            "SKILLNET_SHARED_BUFFERS": "64MB",
            "LOG_LEVEL": "WARNING",
            **environment,
        }
        os.environ.update(self.environment)  # this process looks at the same database
        self.log = Path(tempfile.gettempdir()) / f"{self.home.name}.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Begin, and return once the server says that it is ready."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "manage.py", "run", "--no-demo", "--port", str(self.port)],
                cwd=PROJECT,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        if not self.is_ready_within(START_SECONDS):
            raise RuntimeError(f"the stack did not start: {self.log}")

    def command(self, *arguments: str) -> "subprocess.Popen[bytes]":
        """A management command, begun."""
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "manage.py", *arguments], cwd=PROJECT, env=self.environment, stdout=log, stderr=log
            )

    def worker(self, **environment: str) -> "subprocess.Popen[bytes]":
        """One more worker, begun."""
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "manage.py", "worker"],
                cwd=PROJECT,
                env={**self.environment, **environment},
                stdout=log,
                stderr=log,
            )

    def is_ready_within(self, seconds: float) -> bool:
        """Whether the server said so in time."""
        return until(self._is_ready, seconds, every=0.2)

    def _is_ready(self) -> bool:
        try:
            return requests.get(f"{self.address}/readyz", timeout=3).status_code == 200
        except requests.RequestException:
            return False

    def kill(self, part: str) -> None:
        """End web, worker, postgres or valkey at once and unheard, with what they started themselves."""
        if part in ("web", "worker"):
            assert self._process is not None
            name = b"gunicorn" if part == "web" else b"manage.py\0worker"
            mine = [pid for pid in _children(self._process.pid) if name in _command(pid)]
        else:
            mine = [self._service_pid(part)]
        for pid in mine:
            for one in (pid, *_children(pid)) if part in ("web", "worker") else (pid,):
                _kill(one)

    def _service_pid(self, part: str) -> int:
        folder = self._services_folder()
        path = folder / "postgres/data/postmaster.pid" if part == "postgres" else next(folder.glob("valkey/*.pid"))
        return int(path.read_text().split()[0])

    def _services_folder(self) -> Path:
        import json

        return Path(json.loads((self.home / "state.json").read_text())["services_folder"])

    def stop(self) -> None:
        """Stop everything and remove the data folder."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(120)
            except subprocess.TimeoutExpired:  # it would start again what is killed before itself
                children = _children(self._process.pid)
                self._process.kill()
                for pid in children:
                    _kill(pid)
        subprocess.run(
            [sys.executable, "manage.py", "embedded", "stop"],
            cwd=PROJECT,
            env=self.environment,
            check=False,
            timeout=90,
        )
        services = self._services_folder()
        if services != self.home:
            shutil.rmtree(services, ignore_errors=True)
        if self.is_mounted:
            subprocess.run(["/bin/umount", str(self.home)], check=False)
        shutil.rmtree(self.home, ignore_errors=True)


class Person:
    """A browser that has logged in."""

    def __init__(self, stack: Stack, user: Any) -> None:
        from django.conf import settings
        from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
        from django.contrib.sessions.backends.db import SessionStore

        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.save()
        self._address = stack.address
        self.http = requests.Session()
        self.http.cookies.set(settings.SESSION_COOKIE_NAME, session.session_key or "", domain="127.0.0.1")
        self.http.cookies.set("csrftoken", "a" * 32, domain="127.0.0.1")
        self.http.headers.update({"X-CSRFToken": "a" * 32, "Referer": stack.address})

    def get(self, path: str, **options: Any) -> requests.Response:
        return self.http.get(self._address + path, timeout=200, **options)

    def post(self, path: str, data: dict[str, Any], **options: Any) -> requests.Response:
        return self.http.post(self._address + path, data, timeout=200, **options)


def until(condition: Callable[[], bool], seconds: float, *, every: float = 0.05) -> bool:
    """Whether the condition came true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(every)
    return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _children(pid: int) -> list[int]:
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:  # ended by itself meanwhile
        return
