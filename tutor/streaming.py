"""Answer events to server-sent events. A turn is answered once, whoever listens and however often."""

import logging
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.db import close_old_connections
from django.utils.translation import gettext as _

from retrieval.types import SearchScope
from skillnet.errors import SkillNetError
from skillnet.tenancy import organization_scope
from tutor import services
from tutor.answering import answer
from tutor.events import AnswerEvent, Done, Piece, Restarted
from tutor.rendering import draft_html

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.3
WAIT_SECONDS = 150.0  # longer than a claim lasts, so that who waits takes over a lost one
REDRAW_SECONDS = 0.1  # text that grows faster than the eye reads is not sent piece by piece


@dataclass(frozen=True, slots=True)
class TurnTask:
    """What it takes to answer a turn outside a request: plain values only."""

    turn_id: uuid.UUID
    question: str
    scope: SearchScope


def stream(task: TurnTask, *, render: Callable[[uuid.UUID], str]) -> Iterator[bytes]:
    """Answer a turn, or wait for who is answering it, and send it as it grows.

    Events: `answer` (HTML of the text so far), `final` (HTML of the stored answer, made by `render` inside the
    organization's scope), `done`, always sent. No scope is open between events. When the reader leaves, the answer is
    finished and stored all the same.
    """
    try:
        yield b"retry: 3000\n\n"
        yield from _live(task)
        yield _final(task, render)
        yield event("done", "")
    finally:
        close_old_connections()


def answer_now(task: TurnTask) -> None:
    """Answer a turn, or wait for who is answering it."""
    for _waiting in _live(task):
        pass


def event(name: str, data: str) -> bytes:
    """One server-sent event; line breaks of any kind stay line breaks."""
    lines = "".join(f"data: {line}\n" for line in data.splitlines() or [""])
    return f"event: {name}\n{lines}\n".encode()


def _live(task: TurnTask) -> Iterator[bytes]:
    try:
        with organization_scope(task.scope.organization_id):
            is_ours = services.claim_turn(task.turn_id)
        if not is_ours:
            is_ours = yield from _wait(task)
        if is_ours:
            yield from _answer(task)
    except Exception:
        logger.exception("Turn %s could not be answered", task.turn_id)


def _wait(task: TurnTask) -> Iterator[bytes]:
    raise NotImplementedError


def _answer(task: TurnTask) -> Iterator[bytes]:
    raise NotImplementedError


def _final(task: TurnTask, render: Callable[[uuid.UUID], str]) -> bytes:
    raise NotImplementedError
