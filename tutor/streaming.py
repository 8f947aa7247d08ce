"""Answer events to server-sent events. A turn is answered once, whoever listens and however often."""

import logging
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import datetime

from django.utils.html import format_html
from django.utils.translation import gettext as _

from skillnet.taking_turns import turns
from skillnet.tenancy import organization_scope
from tutor import services
from tutor.events import Piece, Restarted, Waited
from tutor.models import Turn, TurnStatus
from tutor.rendering import draft_html
from tutor.turns import TurnTask, answer_turn

logger = logging.getLogger(__name__)

OPEN = frozenset({TurnStatus.ASKED, TurnStatus.ANSWERING})
ALIVE = b": en curso\n\n"  # a comment, for proxies that take a silent stream for a dead one: the browser hears nothing
POLL_SECONDS = 0.3
WAIT_SECONDS = 150.0  # longer than a claim lasts, so that who waits takes over a lost one
# A proxy that gathers 4 kB before it passes anything on would hold the first words back until the answer is long
# enough: a comment of that size pushes them through, at once and then once a second.
PADDING = b":" + b" " * 4096 + b"\n\n"
PAD_SECONDS = 1.0
REDRAW_SECONDS = 0.1  # text that grows faster than the eye reads is not sent piece by piece


def stream(task: TurnTask, *, render: Callable[[uuid.UUID], str]) -> Iterator[bytes]:
    """Answer a turn, or wait for who is answering it, and send it as it grows.

    Events: `answer` (HTML of the text so far), `final` (HTML of the stored answer, made by `render` inside
    the organization's scope), `done`. The last two are sent whatever goes wrong. No scope is open between
    events. When the reader leaves, the answer is finished and stored all the same.
    """
    yield b"retry: 3000\n\n" + PADDING
    try:
        yield from _live(task)
        with turns.of(task.scope.organization_id), organization_scope(task.scope.organization_id):
            final = render(task.turn_id)
    except Exception:  # without the closing event a browser asks for ever
        logger.exception("Turn %s could not be shown", task.turn_id)
        final = format_html("<p>{}</p>", _("Algo ha fallado. Recarga la página para ver la respuesta."))
    yield event("final", final)
    yield event("done", "")


def answer_now(task: TurnTask) -> None:
    """Answer a turn, or wait for who is answering it. What goes wrong is logged: the turn's page tells of it."""
    try:
        for _event in _live(task):
            continue
    except Exception:  # the page that leads back to the turn must follow
        logger.exception("Turn %s could not be answered", task.turn_id)


def event(name: str, data: str) -> bytes:
    """One server-sent event; line breaks of any kind stay line breaks."""
    lines = "".join(f"data: {line}\n" for line in data.splitlines() or [""])
    return f"event: {name}\n{lines}\n".encode()


def _live(task: TurnTask) -> Iterator[bytes]:
    """The answer as it grows when it is ours to give; else signs of life until it is there."""
    waiting_ends = time.monotonic() + WAIT_SECONDS
    while True:
        if (claim := _claim(task)) is not None:
            yield from _answer(task, claim)
        if not _is_open(task) or time.monotonic() >= waiting_ends:
            return
        yield ALIVE
        time.sleep(POLL_SECONDS)


def _answer(task: TurnTask, claim: datetime) -> Iterator[bytes]:
    events = answer_turn(task, claim)
    text, drawn_at, padded_at = "", 0.0, float("-inf")
    try:
        for step in events:
            if isinstance(step, Restarted):
                text, drawn_at = "", 0.0
            elif isinstance(step, Waited):
                yield ALIVE
            elif isinstance(step, Piece):
                text += step.text
                if time.monotonic() - drawn_at >= REDRAW_SECONDS:
                    drawn_at = time.monotonic()
                    drawn = event("answer", draft_html(text, origin=step.origin))
                    if drawn_at - padded_at >= PAD_SECONDS:
                        drawn, padded_at = drawn + PADDING, drawn_at
                    yield drawn
    except GeneratorExit:  # the reader left; the question was asked all the same
        for _step in events:
            continue
        raise


def _claim(task: TurnTask) -> datetime | None:
    with organization_scope(task.scope.organization_id):
        return services.claim_turn(task.turn_id)


def _is_open(task: TurnTask) -> bool:
    """Whether an answer may still come: not when it is there, nor when the turn was deleted."""
    with organization_scope(task.scope.organization_id):
        return Turn.objects.filter(pk=task.turn_id, status__in=OPEN).exists()
