"""What comes back about an answer: feedback, and questions passed on to whoever is responsible."""

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from documents.models import Document
from skillnet import notifications
from skillnet.models import MANAGERS, Membership, Role, User
from skillnet.notification_kinds import Kind
from tutor import jobs
from tutor.models import (
    CLEAR_CONFIDENCE,
    AnswerOrigin,
    Citation,
    Escalation,
    EscalationRecipient,
    Feedback,
    Turn,
    TurnStatus,
)


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
    if not is_useful:
        jobs.read_on_commit(turn.organization_id, [turn.pk])
    return feedback


def is_in_doubt(turn: Turn) -> bool:
    """Whether an answer is unsure enough to be passed on: none at all, or one whose source is not clear.

    Never one that the company wrote: its confidence tells how alike the questions are, nothing of the answer.
    """
    if turn.status != TurnStatus.DONE:
        return turn.status == TurnStatus.FAILED
    if turn.evidence is None or turn.origin == AnswerOrigin.FAQ:  # None: nothing was asked
        return False
    return not turn.is_answered or (turn.confidence or 0.0) < CLEAR_CONFIDENCE


@transaction.atomic
def escalate(turn: Turn, *, comment: str = "", is_automatic: bool = False) -> Escalation:
    """Pass a question on to who is responsible: the owners of the documents it cites, or without any of the one that
    came nearest, while they manage documents; else the administrators.

    They are told by e-mail when the transaction has committed; once a question, however often asked for.
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
    places = EscalationRecipient.objects.bulk_create(
        EscalationRecipient(organization_id=turn.organization_id, escalation=escalation, user=user) for user in people
    )
    notifications.tell(
        organization_id=turn.organization_id,
        user_ids=[person.pk for person in people],
        kind=Kind.QUESTION_PASSED_ON,
        matter=matter_of(escalation),
        subject=turn.question,
        address=reverse("tutor:inbox", args=[turn.organization.slug]),
        address_of_all=reverse("tutor:inbox", args=[turn.organization.slug]),
    )
    jobs.send_escalation_on_commit(turn.organization_id, [place.pk for place in places])
    return escalation


def responsible_for(turn: Turn) -> list[User]:
    """Who should know of a question, without the person who asked it."""
    managers = Membership.objects.active().filter(organization_id=turn.organization_id)
    if turn.conversation.user_id is not None:
        managers = managers.exclude(user_id=turn.conversation.user_id)
    managers = managers.select_related("user").order_by("pk")
    documents = set(Citation.objects.filter(turn=turn).values_list("document_id", flat=True))
    documents = documents or {(turn.trace.get("nearest") or {}).get("document")}
    owners = Document.objects.for_organization(turn.organization_id).filter(pk__in=documents - {None})
    people = [
        one.user for one in managers.filter(role__in=MANAGERS, user_id__in=owners.order_by().values("created_by"))
    ]
    return people or [one.user for one in managers.filter(role=Role.ADMIN)]


@transaction.atomic
def close_escalation(escalation: Escalation) -> None:
    escalation.handled_at = timezone.now()
    escalation.save(update_fields=["handled_at"])
    notifications.settle(escalation.organization_id, matter_of(escalation))


def matter_of(escalation: Escalation) -> str:
    """What notifications of an escalation are about."""
    return f"escalation:{escalation.pk}"


@transaction.atomic
def close_feedback(feedback: Feedback) -> None:
    Feedback.objects.filter(pk=feedback.pk).update(handled_at=timezone.now())
