"""Streams of answers as a browser gets them, and models that write those."""

import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from documents.access import Reader
from retrieval.types import SearchScope
from skillnet.backends.fakes import FakeLanguageModel
from skillnet.models import Membership
from skillnet.tenancy import organization_scope
from tutor import answering, writing
from tutor.models import Turn
from tutor.turns import TurnTask

MANUAL = "# Plazos\nEl cliente dispone de 30 días naturales para devolver un producto no alimentario con su tique."
REPLY = ("El cliente tiene 30 días ", "naturales para devolver", " el producto [Fuente 1].")


def use_model(monkeypatch: pytest.MonkeyPatch, model: Any) -> Any:
    for module in (answering, writing):
        monkeypatch.setattr(module, "get_language_model", lambda: model)
    return model


def task(turn: Turn, membership: Membership) -> TurnTask:
    return TurnTask(turn.pk, turn.question, SearchScope(turn.organization_id, Reader.of(membership)))


def stored(turn: Turn) -> Turn:
    with organization_scope(turn.organization_id):
        return Turn.objects.get(pk=turn.pk)


def render(turn_id: uuid.UUID) -> str:
    return Turn.objects.get(pk=turn_id).answer


def events(body: bytes) -> list[tuple[str, str]]:
    """Names and data of the server-sent events in `body`, comments left out."""
    found = []
    for block in body.decode().split("\n\n"):
        fields = [line.partition(": ")[::2] for line in block.splitlines()]
        names = [value for name, value in fields if name == "event"]
        if names:
            found.append((names[0], "\n".join(value for name, value in fields if name == "data")))
    return found


def answer_over_http(client: Client, turn: Turn) -> str:
    """The final form of a turn's answer, as a browser gets it."""
    response = client.get(reverse("tutor:stream", args=["acme", turn.pk]))
    return dict(events(b"".join(response.streaming_content)))["final"]


class SlowModel(FakeLanguageModel):
    """Moves the clock on before each piece, and lets somebody look on between two pieces."""

    def __init__(self, clock: "Clock", seconds: int, pieces: tuple[str, ...], **kwargs: Any) -> None:
        super().__init__(pieces, **kwargs)
        self._clock = clock
        self._seconds = seconds
        self.between: Callable[[], object] = int

    def _reply(self) -> Iterator[str]:
        for piece in super()._reply():
            self._clock.pass_by(self._seconds)
            self.between()
            yield piece


class Clock:
    def __init__(self) -> None:
        self.now = timezone.now()

    def pass_by(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)
