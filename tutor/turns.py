"""Answering a turn that was claimed: its claim renewed while text flows, what comes of it stored."""

import logging
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from retrieval.types import SearchScope
from skillnet.errors import SkillNetError
from skillnet.tenancy import organization_scope
from tutor import services
from tutor.answering import answer
from tutor.events import AnswerEvent, Done, Failed

logger = logging.getLogger(__name__)

RENEW_EVERY = timedelta(seconds=30)  # well within services.CLAIM_LASTS


@dataclass(frozen=True, slots=True)
class TurnTask:
    """What it takes to answer a turn outside a request: plain values only."""

    turn_id: uuid.UUID
    question: str
    scope: SearchScope
    is_fresh: bool = False


def answer_turn(task: TurnTask, claim: datetime) -> Iterator[AnswerEvent | Failed]:
    """The events of answering a claimed turn. The last one is Done or Failed and is stored before it is yielded.

    Ends without either, and stores nothing, when the claim is lost: then somebody else answers the turn.
    """
    try:
        for step in answer(task.question, scope=task.scope, is_fresh=task.is_fresh):
            if isinstance(step, Done):
                with organization_scope(task.scope.organization_id):
                    if not services.save_answer(turn_id=task.turn_id, claim=claim, answer=step.answer):
                        return
            elif timezone.now() - claim >= RENEW_EVERY:
                with organization_scope(task.scope.organization_id):
                    renewed = services.renew_claim(task.turn_id, claim)
                if renewed is None:
                    return
                claim = renewed
            yield step
    except SkillNetError as error:
        logger.warning("Turn %s could not be answered: %s", task.turn_id, error.code)
        yield from _fail(task, claim, Failed(error.code, str(error.user_message)))
    except Exception:  # a bug must not leave the turn open nor its reader waiting
        logger.exception("Turn %s could not be answered", task.turn_id)
        message = _("No hemos podido responder. Inténtalo de nuevo en unos minutos.")
        yield from _fail(task, claim, Failed(SkillNetError.code, message))


def _fail(task: TurnTask, claim: datetime, failure: Failed) -> Iterator[Failed]:
    with organization_scope(task.scope.organization_id):
        is_stored = services.fail_turn(turn_id=task.turn_id, claim=claim, reason=failure.message)
    if is_stored:
        yield failure
