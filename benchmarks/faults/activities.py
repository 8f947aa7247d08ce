"""What goes on while something is killed. Each is begun, and afterwards asked what became of it."""

import random
import shutil
import subprocess
import threading
import uuid
from abc import ABC, abstractmethod
from typing import Any

import requests
from django.db import OperationalError
from stack import Person, Stack, until

# What is answered by the language model while it lives, and by the document's own words when it does not.
MANUAL = "# Devoluciones\n\nEl cliente dispone de 30 días para devolver un producto con su tique.\n"
QUESTION = "¿De cuántos días dispone el cliente para devolver un producto con su tique?"


def text_file(seed: int, sections: int) -> bytes:
    """A manual of made-up text. Another seed gives other words."""
    lines = []
    for number in range(sections):
        lines.append(f"# Tarea {seed}-{number}")
        lines += [
            f"Antes de abrir, quien lleva el turno {seed}-{number}-{at} anota la temperatura {at} y firma el parte."
            for at in range(20)
        ]
    return "\n\n".join(lines).encode()


class Activity(ABC):
    """`spread` is how many seconds after its beginning something is killed, at most; `seconds` what all may take."""

    spread = 1.0

    def __init__(self, stack: Stack, person: Person, organization: Any, chance: random.Random, seconds: float) -> None:
        self.stack, self.person, self.organization, self.chance = stack, person, organization, chance
        self.seconds = seconds
        self.seed = chance.randrange(10**9)

    @abstractmethod
    def begin(self) -> None:
        """Start it, and return while it goes on."""

    @abstractmethod
    def finish(self) -> list[str]:
        """Do what a person would do once everything is back, and say what is not as it should be."""


class Upload(Activity):
    """Files sent by a browser, and sent again when no answer came."""

    spread = 0.6

    def begin(self) -> None:
        self.contents = [text_file(self.seed + number, 4) for number in range(6)]
        self.said: int | None = None
        self._thread = threading.Thread(target=self._send)
        self._thread.start()

    def _send(self) -> None:
        try:
            files = [("uploads", (f"m-{n}.txt", content)) for n, content in enumerate(self.contents)]
            path = f"/o/{self.organization.slug}/documentos/subir/"
            data = {"classification": "2", "audience": "everyone"}
            answer = self.person.post(path, data, files=files)
        except requests.RequestException:
            self.said = None
        else:
            # The page says of each file whether it was taken; without room on the disk it says to send it again.
            self.said = 507 if "No aceptado" in answer.text else answer.status_code

    def finish(self) -> list[str]:
        self._thread.join()
        if self.said != 200:
            self._send()
        if self.said != 200:
            return [f"sent again: status {self.said}"]
        return _all_ready(self.organization, self.contents, self.seconds)


class Ingestion(Activity):
    """A longer file that workers are reading, cutting and embedding."""

    spread = 2.0

    def begin(self, contents: list[bytes] | None = None) -> None:
        from django.core.files.base import ContentFile

        from documents.services import upload_document
        from skillnet.tenancy import organization_scope

        self.contents = contents or [text_file(self.seed, 60)]
        with organization_scope(self.organization.pk):
            upload_document(
                organization=self.organization, uploaded_by=None, file=ContentFile(self.contents[0]), name="largo.txt"
            )

    def finish(self) -> list[str]:
        return _all_ready(self.organization, self.contents, self.seconds)


class Answer(Activity):
    """A question whose answer a browser hears, and asks for again when the stream breaks off."""

    spread = 2.5

    def begin(self) -> None:
        self._thread = threading.Thread(target=self._ask)
        self.submission = str(uuid.uuid4())
        self.conversation = str(uuid.uuid4())
        self._thread.start()

    def _ask(self) -> None:
        try:
            self._post()
            self._listen()
        except (requests.RequestException, OperationalError):  # the stream broke off, or the database is away
            return

    def _post(self) -> None:
        self.person.post(
            f"/o/{self.organization.slug}/tutor/preguntar/",
            {
                "question": QUESTION,
                "submission": self.submission,
                "conversation": self.conversation,
                "fresh": "on",
            },
        )

    def _listen(self) -> None:
        from skillnet.tenancy import organization_scope
        from tutor.models import Turn

        with organization_scope(self.organization.pk):
            turn = Turn.objects.filter(submission=self.submission).first()
        if turn is not None:
            path = f"/o/{self.organization.slug}/tutor/preguntas/{turn.pk}/respuesta/"
            with self.person.get(path, stream=True) as stream:
                for _line in stream.iter_lines():
                    continue

    def finish(self) -> list[str]:
        from skillnet.tenancy import organization_scope
        from tutor.models import Turn

        self._thread.join()
        self._post()  # a browser that got no answer to its form sends it again
        self._listen()
        with organization_scope(self.organization.pk):
            turns = list(Turn.objects.filter(submission=self.submission))
        self.origin = turns[0].origin if turns else ""
        is_right = len(turns) == 1 and turns[0].status == "done" and "30 días" in turns[0].answer
        return [] if is_right else [f"turns of one question: {[(turn.status, turn.answer) for turn in turns]}"]


class _Command(Activity):
    def wait(self, process: "subprocess.Popen[bytes]") -> int:
        try:
            return process.wait(self.seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return -1


class Reindex(_Command):
    """The change to another model, by the command; run again when it was cut off."""

    spread = 4.0

    def begin(self) -> None:
        self.dimensions = str(self.chance.choice([48, 96, 128, 200, 256]))
        self.process = self._start()

    def _start(self) -> "subprocess.Popen[bytes]":
        model = f"fake-{self.dimensions}"
        return self.stack.command(
            "reindex", "--org", self.organization.slug, "--model", model, "--dimensions", self.dimensions
        )

    def finish(self) -> list[str]:
        if self.wait(self.process) != 0 and self.wait(self._start()) != 0:
            return ["the second reindex failed"]
        from documents.models import ServingModel
        from skillnet.tenancy import organization_scope

        def is_done() -> bool:
            with organization_scope(self.organization.pk):
                row = ServingModel.objects.select_related("model").get()
                return row.next_model_id is None and row.is_tidy and str(row.model.dimensions) == self.dimensions

        return [] if until(is_done, self.seconds, every=0.5) else ["the organization did not change over"]


class Backup(_Command):
    """A backup, and another when it was cut off."""

    spread = 4.0

    def begin(self) -> None:
        self.folder = self.stack.home / f"backup-{self.seed}"
        self.process = self.stack.command("backup", str(self.folder))

    def finish(self) -> list[str]:
        from skillnet.backup.errors import BackupError
        from skillnet.backup.manifest import Manifest

        found = []
        status = self.wait(self.process)
        try:
            Manifest.read(self.folder).verify(self.folder)
            is_whole = True
        except BackupError:
            is_whole = False
        if is_whole != (status == 0) and (status == 0 or not is_whole):
            found.append(f"exit status {status}, whole: {is_whole}")
        if not is_whole:
            again = self.wait(self.stack.command("backup", str(self.folder)))
            if again != 0:
                found.append(f"the second backup: exit status {again}")
            else:
                Manifest.read(self.folder).verify(self.folder)
        shutil.rmtree(self.folder, ignore_errors=True)
        return found


ACTIVITIES: dict[str, type[Activity]] = {
    "upload": Upload,
    "ingestion": Ingestion,
    "answer": Answer,
    "reindex": Reindex,
    "backup": Backup,
}


def _all_ready(organization: Any, contents: list[bytes], seconds: float) -> list[str]:
    """Each of these files is there once, and ready."""
    import hashlib

    from documents.models import DocumentVersion
    from skillnet.tenancy import organization_scope

    wanted = [hashlib.sha256(content).hexdigest() for content in contents]

    def statuses() -> list[tuple[str, ...]]:
        with organization_scope(organization.pk):
            rows = DocumentVersion.objects.filter(sha256__in=wanted).values_list("sha256", "status")
            found: dict[str, list[str]] = {sha: [] for sha in wanted}
            for sha, status in rows:
                found[sha].append(status)
        return [tuple(states) for states in found.values()]

    until(lambda: all(states in (("ready",), ("ready_with_warnings",)) for states in statuses()), seconds, every=0.3)
    wrong = [states for states in statuses() if states not in (("ready",), ("ready_with_warnings",))]
    return [f"a file ended as {states}" for states in wrong]
