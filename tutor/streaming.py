"""Answer events to server-sent events. A turn is answered once, whoever listens and however often."""

import logging
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.db import DatabaseError
from django.utils.html import format_html
from django.utils.translation import gettext as _

from retrieval.types import SearchScope
from skillnet.errors import SkillNetError
from skillnet.tenancy import organization_scope
from tutor import services
from tutor.answering import answer
from tutor.events import AnswerEvent, Done, Piece, Restarted
from tutor.models import Turn, TurnStatus
from tutor.rendering import draft_html

logger = logging.getLogger(__name__)

FINISHED = frozenset({TurnStatus.DONE, TurnStatus.FAILED})
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

    Events: `answer` (HTML of the text so far), `final` (HTML of the stored answer, made by `render` inside
    the organization's scope), `done`, always sent. No scope is open between events. When the reader leaves,
    the answer is finished and stored all the same.
    """
    yield b"retry: 3000\n\n"
    try:
        yield from _live(task)
        with organization_scope(task.scope.organization_id):
            final = render(task.turn_id)
    except DatabaseError:
        logger.exception("Turn %s could not be shown", task.turn_id)
        final = format_html("<p>{}</p>", _("Algo ha fallado. Recarga la página para ver la respuesta."))
    yield event("final", final)
    yield event("done", "")


def answer_now(task: TurnTask) -> None:
    """Answer a turn, or wait for who is answering it."""
    for _waiting in _live(task):
        pass


def event(name: str, data: str) -> bytes:
    """One server-sent event; line breaks of any kind stay line breaks."""
    lines = "".join(f"data: {line}\n" for line in data.splitlines() or [""])
    return f"event: {name}\n{lines}\n".encode()


def _live(task: TurnTask) -> Iterator[bytes]:
    """The answer as it grows when it is ours to give; else signs of life until it is there."""
    if _claim(task):
        yield from _answer(task)
        return
    waiting_ends = time.monotonic() + WAIT_SECONDS
    while not _is_finished(task) and time.monotonic() < waiting_ends:
        yield b": en curso\n\n"
        time.sleep(POLL_SECONDS)
        if _claim(task):  # whoever had it is gone
            yield from _answer(task)
            return


def _answer(task: TurnTask) -> Iterator[bytes]:
    events = answer(task.question, scope=task.scope)
    text, drawn_at = "", 0.0
    try:
        while (step := _advance(events, task)) is not None:
            if isinstance(step, Restarted):
                text, drawn_at = "", 0.0
            elif isinstance(step, Piece):
                text += step.text
                if time.monotonic() - drawn_at >= REDRAW_SECONDS:
                    yield event("answer", draft_html(text, origin=step.origin))
                    drawn_at = time.monotonic()
    except GeneratorExit:  # the reader left; the question was asked all the same
        while _advance(events, task) is not None:
            continue
        raise


def _advance(events: Iterator[AnswerEvent], task: TurnTask) -> AnswerEvent | None:
    """The next event, the last one stored. None at the end; a failure ends the turn and is told to the
    person.
    """
    try:
        step = next(events, None)
        if isinstance(step, Done):
            with organization_scope(task.scope.organization_id):
                services.save_answer(turn_id=task.turn_id, answer=step.answer)
    except SkillNetError as error:
        logger.warning("Turn %s could not be answered: %s", task.turn_id, error.code)
        _fail(task, str(error.user_message))
        return None
    except Exception:  # a bug must not leave the reader waiting
        logger.exception("Turn %s could not be answered", task.turn_id)
        _fail(task, "")
        return None
    return step


def _fail(task: TurnTask, reason: str) -> None:
    with organization_scope(task.scope.organization_id):
        services.fail_turn(turn_id=task.turn_id, reason=reason)


def _claim(task: TurnTask) -> bool:
    with organization_scope(task.scope.organization_id):
        return services.claim_turn(task.turn_id)


def _is_finished(task: TurnTask) -> bool:
    with organization_scope(task.scope.organization_id):
        return Turn.objects.filter(pk=task.turn_id, status__in=FINISHED).exists()
