"""The whole product in a data folder of its own, started and stopped as a person would."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
START_SECONDS = 600.0  # on a machine that does much else, too
STOP_SECONDS = 180.0
LOOK_SECONDS = 0.2
MAIL_SECONDS = 180.0
# What would lead the stack to servers or settings of somebody else; empty beats a .env file too.
FOREIGN_SETTINGS = (
    "DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "MEDIA_ROOT", "LLM_BASE_URL", "LLM_API_KEY", "LLM_MODEL",
    "EMBEDDING_MODEL", "EMBEDDING_BASE_URL", "EMBEDDING_API_KEY", "SECRET_KEY",
)  # fmt: skip


class Stack:
    """`manage.py run` on a free port, with services, files and demo data that nothing else uses."""

    def __init__(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="sn-e2e-"))
        self.home.chmod(0o711)  # PostgreSQL runs as somebody else under root, and has to pass through
        self.log = self.home / "run.log"
        port = _free_port()
        self.address = f"http://127.0.0.1:{port}"
        self._environment = {
            **{name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"},
            **dict.fromkeys(FOREIGN_SETTINGS, ""),
            "EMBEDDING_PROVIDER": "local",
            "EMBEDDING_PRECISION": "float32",  # finding out which is faster takes a new home half a minute
            "SKILLNET_HOME": str(self.home),
            "PYTHONUNBUFFERED": "1",
            "PUBLIC_URL": self.address,
            "EMAIL_URL": f"filemail:///{self.home}/mail",
        }
        with self.log.open("wb") as log:
            self._run = subprocess.Popen(
                [sys.executable, "manage.py", "run", "--host", "127.0.0.1", "--port", str(port)],
                cwd=CHECKOUT,
                env=self._environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C on the tests leaves the order of stopping to `stop`
            )

    def wait_until_ready(self) -> None:
        """Return once the server says that it is ready. Raises: RuntimeError, with what `run` printed."""
        deadline = time.monotonic() + START_SECONDS
        while not self._is_ready():
            if self._run.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the stack did not start:\n{self.printed()}")
            time.sleep(LOOK_SECONDS)

    def _is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/readyz", timeout=5) as response:  # noqa: S310 - our own address
                return bool(json.load(response)["embedder"])  # without it pages are served too, but find less
        except (urllib.error.URLError, OSError):
            return False

    def printed(self) -> str:
        """All that `run` and its children printed so far."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def manage(self, *arguments: str) -> str:
        """Run a management command in this stack and return what it printed. Raises: AssertionError."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=CHECKOUT,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=STOP_SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"{arguments[0]}: {done.stderr}"
        return done.stdout

    def mail_to(self, address: str) -> str:
        """The newest e-mail to an address, as text; waits until there is one. Raises: AssertionError."""
        deadline = time.monotonic() + MAIL_SECONDS
        while time.monotonic() < deadline:
            for file in sorted(self.home.glob("mail/*.log"), reverse=True):
                for message in reversed(list(_messages_in(file))):
                    if message["To"] == address:
                        body = message.get_body(("plain",))
                        return str(body.get_content()) if body else ""
            time.sleep(LOOK_SECONDS)
        raise AssertionError(f"no e-mail to {address}")

    def worker_pid(self) -> int | None:
        """The process of this stack's worker; None between its end and its next start."""
        children = [pid for pid in _processes() if _parent_of(pid) == self._run.pid]
        return next((pid for pid in children if _command_of(pid).endswith("manage.py worker")), None)

    def stop(self, *, keep_log_in: Path) -> None:
        """Stop everything, remove the data folder. Raises: AssertionError, naming processes that stayed."""
        try:
            if self._run.poll() is None:
                self._run.send_signal(signal.SIGINT)
                self._run.wait(STOP_SECONDS)
        finally:
            self.manage("embedded", "stop")
            keep_log_in.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.log, keep_log_in)
            left = [_command_of(pid) for pid in _processes() if self._owns(pid)]
            shutil.rmtree(self.home)
        assert not left, f"still running after the stop: {left}"

    def _owns(self, pid: int) -> bool:
        home = os.fsencode(self.home)
        try:
            process = Path("/proc", str(pid))
            is_dead = process.joinpath("stat").read_text().rpartition(")")[2].split()[0] == "Z"
            named = home in process.joinpath("cmdline").read_bytes() or home in process.joinpath("environ").read_bytes()
        except OSError:  # gone meanwhile, or somebody else's
            return False
        return named and not is_dead


def _messages_in(file: Path) -> list[EmailMessage]:
    """The e-mails of one file that Django's file backend wrote, in order."""
    parts = file.read_bytes().split(b"\n" + b"-" * 79 + b"\n")
    return [
        message_from_bytes(part.lstrip(), _class=EmailMessage, policy=policy.default) for part in parts if part.strip()
    ]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _processes() -> list[int]:
    return [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdecimal()]


def _parent_of(pid: int) -> int | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:  # gone meanwhile
        return None
    return int(stat.rpartition(")")[2].split()[1])  # the name in brackets may hold anything


def _command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:  # gone meanwhile
        return ""
