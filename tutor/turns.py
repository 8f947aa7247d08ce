"""Answering a turn that was claimed: its claim renewed while text flows, what comes of it stored."""

import logging
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from retrieval.types import SearchScope
from skillnet import metrics
from skillnet.errors import SkillNetError
from skillnet.tenancy import organization_scope
from tutor import jobs, reactions, services
from tutor.answering import answer
from tutor.events import AnswerEvent, Done, Failed
from tutor.models import AnswerOrigin, Turn
from tutor.policy import policy_of_id

logger = logging.getLogger(__name__)

RENEW_EVERY = timedelta(seconds=30)  # well within services.CLAIM_LASTS


@dataclass(frozen=True, slots=True)
class TurnTask:
    """What it takes to answer a turn outside a request: plain values only."""

    turn_id: uuid.UUID
    question: str
    scope: SearchScope
    is_fresh: bool = False
    history: tuple[str, ...] = ()  # the conversation's earlier questions, oldest first


def answer_turn(task: TurnTask, claim: datetime) -> Iterator[AnswerEvent | Failed]:
    """The events of answering a claimed turn. The last one is Done or Failed and is stored before it is yielded.

    Ends without either, and stores nothing, when the claim is lost: then somebody else answers the turn.
    """
    try:
        for step in answer(task.question, scope=task.scope, history=task.history, is_fresh=task.is_fresh):
            if isinstance(step, Done):
                with organization_scope(task.scope.organization_id):
                    if not services.save_answer(turn_id=task.turn_id, claim=claim, answer=step.answer):
                        return
                evidence = {True: "yes", False: "no", None: "not_needed"}[step.answer.evidence]
                metrics.ANSWERS.labels(step.answer.origin or "none", evidence).inc()
                if step.answer.origin == AnswerOrigin.NONE:
                    jobs.read_on_commit(task.scope.organization_id, [task.turn_id])
                _pass_on_doubts(task)
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


def _pass_on_doubts(task: TurnTask) -> None:
    """Pass a question on whose answer is in doubt, where the organization wants that."""
    with organization_scope(task.scope.organization_id):  # of its own: whatever fails here, the answer stays stored
        if not policy_of_id(task.scope.organization_id).passes_on_doubts:
            return
        turn = Turn.objects.select_related("conversation").get(pk=task.turn_id)
        if reactions.is_in_doubt(turn):
            reactions.escalate(turn, is_automatic=True)


def _fail(task: TurnTask, claim: datetime, failure: Failed) -> Iterator[Failed]:
    with organization_scope(task.scope.organization_id):
        is_stored = services.fail_turn(turn_id=task.turn_id, claim=claim, reason=failure.message)
    if is_stored:
        metrics.FAILED_ANSWERS.inc()
        yield failure
