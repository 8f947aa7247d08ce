"""Measuring in the background, one configuration a step."""

import logging
from uuid import UUID

import django_rq
from django.db import close_old_connections, transaction
from django.utils.translation import gettext as _
from django_rq import job
from redis.exceptions import RedisError

from documents.jobs import QUEUE
from retrieval.evaluation.question_set import evaluate_configuration
from retrieval.models import Evaluation
from skillnet.errors import SkillNetError
from skillnet.models import Organization
from skillnet.tenancy import organization_scope

logger = logging.getLogger(__name__)


def enqueue(organization_id: UUID, evaluation_id: int) -> None:
    """Have a worker take an evaluation on. When the queue cannot be reached it stays waiting, to be started again."""
    try:
        django_rq.get_queue(QUEUE).enqueue(advance, organization_id, evaluation_id, result_ttl=0, failure_ttl=86_400)
    except RedisError as error:
        logger.warning("evaluation %s not queued: %s", evaluation_id, error)


def enqueue_on_commit(evaluation: Evaluation) -> None:
    """The same, once the present transaction has committed."""
    organization_id, evaluation_id = evaluation.organization_id, evaluation.pk
    transaction.on_commit(lambda: enqueue(organization_id, evaluation_id))


@job(QUEUE)
def advance(organization_id: UUID, evaluation_id: int) -> None:
    """Measure the next configuration of an evaluation, then queue the rest: ingestion gets its turns in between.

    Safe to run twice: a configuration is measured once, and whoever comes second leaves.
    """
    close_old_connections()
    if step(organization_id, evaluation_id):
        enqueue(organization_id, evaluation_id)


def step(organization_id: UUID, evaluation_id: int) -> bool:
    """Measure one configuration. Returns whether there are more to do."""
    try:
        with organization_scope(organization_id):
            return _measured(organization_id, evaluation_id)
    except SkillNetError as error:
        _fail(organization_id, evaluation_id, str(error.user_message))
    except Exception:  # the worker's boundary: the person waiting must hear of it
        logger.exception("evaluation %s", evaluation_id)
        _fail(organization_id, evaluation_id, _("No hemos podido medir. Inténtalo de nuevo."))
    return False


def _measured(organization_id: UUID, evaluation_id: int) -> bool:
    evaluation = (
        Evaluation.objects.for_organization(organization_id)
        .select_for_update(skip_locked=True, no_key=True)
        .filter(pk=evaluation_id)
        .exclude(state__in=[Evaluation.State.DONE, Evaluation.State.FAILED])
        .first()
    )
    if evaluation is None:
        return False
    done = set(evaluation.runs.values_list("configuration", flat=True))
    left = [name for name in evaluation.configurations if name not in done]
    if left:
        evaluate_configuration(Organization.objects.get(pk=organization_id), left[0], evaluation)
    evaluation.state = Evaluation.State.RUNNING if left[1:] else Evaluation.State.DONE
    evaluation.save(update_fields=["state"])
    return bool(left[1:])


def _fail(organization_id: UUID, evaluation_id: int, message: str) -> None:
    with organization_scope(organization_id):
        Evaluation.objects.for_organization(organization_id).filter(pk=evaluation_id).update(
            state=Evaluation.State.FAILED, error_message=message
        )
