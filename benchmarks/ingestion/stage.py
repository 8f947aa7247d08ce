"""An installation of its own for a benchmark: embedded services, an organization, generated files and a worker."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pymupdf

PROJECT = Path(__file__).resolve().parent.parent.parent
SENTENCES = (
    "Antes de abrir, la persona del turno {n} comprueba la cámara {n} y anota la temperatura en la hoja.",
    "Si la lectura {n} pasa de 8 grados, retira el producto y avisa a quien lleva la calidad.",
    "El parte {n} se guarda dos años en el archivo de la segunda planta, junto a los albaranes.",
    "Quien firma el punto {n} responde de que el equipo quedó limpio, seco y desconectado.",
    "Las devoluciones del lote {n} se aceptan durante 30 días con el comprobante de compra.",
)


@contextmanager
def installation(home: Path | None) -> Iterator[None]:
    """Start services under `home` and set Django up for them; stop them at the end.

    Without `home` a folder is made for the occasion and removed. Exits where the environment names a real server.
    """
    os.environ["SKILLNET_HOME"] = str(home or Path(tempfile.gettempdir()) / f"skillnet-benchmark-{os.getpid()}")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.development")
    os.environ.setdefault("LOG_LEVEL", "ERROR")
    os.chdir(PROJECT)
    sys.path.insert(0, str(PROJECT))
    from skillnet.embedded import stop
    from skillnet.embedded.bootstrap import prepare

    prepare(["worker"])
    if os.environ.get("DATABASE_URL") or os.environ.get("REDIS_URL"):
        sys.exit("DATABASE_URL or REDIS_URL names a server: this benchmark only writes to one of its own.")
    import django

    django.setup()
    from django.db import connections

    try:
        yield
    finally:
        connections.close_all()
        stop()
        if home is None:
            shutil.rmtree(os.environ["SKILLNET_HOME"])


class Worker:
    """A `manage.py worker` of its own."""

    def __init__(self) -> None:
        self._process = subprocess.Popen([sys.executable, "manage.py", "worker"], cwd=PROJECT)

    def kill(self) -> None:
        """End it at once and unheard, as the kernel does when memory runs out."""
        self._process.kill()
        self._process.wait()

    def children(self) -> list[int]:
        """Process ids of what it started itself."""
        path = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        return [int(pid) for pid in path.read_text().split()] if path.exists() else []

    def stop(self) -> None:
        """Ask it to end, and make it after ten seconds."""
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()


def manual(seed: int, pages: int) -> bytes:
    """A PDF of made-up text: `pages` pages with a heading each. Another seed gives other words."""
    with pymupdf.open() as document:  # type: ignore[no-untyped-call]
        for number in range(1, pages + 1):
            page = document.new_page()
            page.insert_text((72, 72), f"{number}. Tarea {seed}-{number}", fontsize=18)
            lines = [SENTENCES[at % len(SENTENCES)].format(n=seed * 1000 + number * 30 + at) for at in range(26)]
            page.insert_textbox((72, 100, 523, 800), " ".join(lines), fontsize=11)
        return bytes(document.tobytes())


def upload(organization: Any, name: str, content: bytes) -> int:
    """Queue a file as a new document. Returns its version's id."""
    from django.core.files.base import ContentFile

    from documents.services import upload_document
    from skillnet.tenancy import organization_scope

    with organization_scope(organization.pk):
        outcome = upload_document(organization=organization, uploaded_by=None, file=ContentFile(content), name=name)
        return int(outcome.version.pk)


def row(organization: Any, query: str, *parameters: Any) -> tuple[Any, ...]:
    """The one row that a query gives inside an organization's scope."""
    from django.db import connection

    from skillnet.tenancy import organization_scope

    with organization_scope(organization.pk), connection.cursor() as cursor:
        cursor.execute(query, parameters)
        return tuple(cursor.fetchone())


def wait_until(condition: Callable[[], bool], seconds: float, *, every: float = 0.02) -> bool:
    """Whether the condition came true in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(every)
    return False
