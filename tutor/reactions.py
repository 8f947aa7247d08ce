"""What comes back about an answer: feedback, and questions passed on to whoever is responsible."""

import logging
import smtplib
from collections.abc import Sequence

from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _

from skillnet.models import MANAGERS, Membership, Role, User
from tutor.models import CLEAR_CONFIDENCE, Citation, Escalation, EscalationRecipient, Feedback, Turn, TurnStatus

logger = logging.getLogger(__name__)


@transaction.atomic
def give_feedback(turn: Turn, *, is_useful: bool, comment: str) -> Feedback:
    """Keep what the person who asked thinks of the answer; a second opinion takes the place of the first."""
    feedback, _created = Feedback.objects.update_or_create(
        turn=turn,
        defaults={
            "organization_id": turn.organization_id,
            "is_useful": is_useful,
            "comment": comment,
            "handled_at": None,
        },
    )
    return feedback


def is_in_doubt(turn: Turn) -> bool:
    """Whether an answer is unsure enough to be passed on: no source, or one the search was not sure of."""
    if turn.status != TurnStatus.DONE:
        return turn.status == TurnStatus.FAILED
    if turn.evidence is None:  # nothing was asked
        return False
    return not turn.evidence or (turn.confidence or 0.0) < CLEAR_CONFIDENCE


@transaction.atomic
def escalate(turn: Turn, *, inbox_url: str, comment: str = "", is_automatic: bool = False) -> Escalation:
    """Pass a question on to who is responsible: the owners of the documents it cites while they manage documents, else
    the administrators. They are told by e-mail when the transaction has committed; once a question, however often
    asked for.
    """
    escalation, created = Escalation.objects.get_or_create(
        turn=turn,
        defaults={
            "organization_id": turn.organization_id,
            "is_automatic": is_automatic,
            "comment": comment,
        },
    )
    if not created:
        return escalation
    people = responsible_for(turn)
    EscalationRecipient.objects.bulk_create(
        EscalationRecipient(organization_id=turn.organization_id, escalation=escalation, user=user) for user in people
    )
    context = {"turn": turn, "escalation": escalation, "inbox_url": inbox_url}
    transaction.on_commit(lambda: _tell(people, context))
    return escalation


def responsible_for(turn: Turn) -> list[User]:
    """Who should know of a question, without the person who asked it."""
    managers = Membership.objects.filter(organization_id=turn.organization_id, user__is_active=True)
    if turn.conversation.user_id is not None:
        managers = managers.exclude(user_id=turn.conversation.user_id)
    managers = managers.select_related("user").order_by("pk")
    owners = Citation.objects.filter(turn=turn, document__created_by__isnull=False).values("document__created_by")
    people = [one.user for one in managers.filter(role__in=MANAGERS, user_id__in=owners)]
    return people or [one.user for one in managers.filter(role=Role.ADMIN)]


@transaction.atomic
def close_escalation(escalation: Escalation) -> None:
    escalation.handled_at = timezone.now()
    escalation.save(update_fields=["handled_at"])


@transaction.atomic
def close_feedback(feedback: Feedback) -> None:
    Feedback.objects.filter(pk=feedback.pk).update(handled_at=timezone.now())


def _tell(people: Sequence[User], context: dict[str, object]) -> None:
    for person in people:
        message = EmailMultiAlternatives(
            subject=_("Una pregunta al tutor necesita tu respuesta"),
            body=render_to_string("tutor/email/escalation.txt", {**context, "person": person}),
            to=[person.email],
        )
        message.attach_alternative(
            render_to_string("tutor/email/escalation.html", {**context, "person": person}), "text/html"
        )
        try:
            message.send()
        except (smtplib.SMTPException, OSError):  # the record in the product stays, and the question was answered
            logger.exception("An escalation could not be sent by e-mail")
