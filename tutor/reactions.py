"""What comes back about an answer: feedback, and questions passed on to whoever is responsible."""

from collections.abc import Collection

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from documents.access import Reader
from documents.models import Document
from skillnet import notifications
from skillnet.models import MANAGERS, Membership, Role, User
from skillnet.notification_kinds import Kind
from tutor import jobs
from tutor.inbox import escalations_for, feedback_for
from tutor.models import (
    AnswerOrigin,
    Citation,
    Escalation,
    EscalationRecipient,
    FaqEntry,
    FaqVariant,
    Feedback,
    Turn,
    TurnStatus,
)
from tutor.prepared import cache
from tutor.prepared.faq import readable_entries
from tutor.prepared.matching import question_key


@transaction.atomic
def give_feedback(turn: Turn, *, is_useful: bool, comment: str) -> Feedback:
    """Keep what the person who asked thinks of the answer; a second opinion takes the place of the first.

    One that was no use is given again to nobody from what is stored, whoever it was stored for.
    """
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
        cache.forget_answer(turn.organization_id, turn.answer)
        jobs.read_on_commit(turn.organization_id, [turn.pk])
    return feedback


def is_in_doubt(turn: Turn) -> bool:
    """Whether an answer is unsure enough to be passed on: none at all, or one whose source is not called clear.

    Never one that the company wrote: its confidence tells how alike the questions are, nothing of the answer.
    """
    if turn.status != TurnStatus.DONE:
        return turn.status == TurnStatus.FAILED
    if turn.evidence is None or turn.origin == AnswerOrigin.FAQ:  # None: nothing was asked
        return False
    return not (turn.is_answered and turn.is_clear)


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


@transaction.atomic
def answer_escalation(escalation: Escalation, *, reply: str = "", entry: FaqEntry | None = None) -> None:
    """Close a question passed on with what answers it, and tell the person who asked where it stands: under their
    question.
    """
    escalation.reply, escalation.entry = reply, entry
    escalation.save(update_fields=["reply", "entry"])
    close_escalation(escalation)
    turn = escalation.turn
    asker = _asker(turn)
    if asker is None:
        return
    conversation = reverse("tutor:conversation", args=[turn.organization.slug, turn.conversation_id])
    notifications.tell(
        organization_id=turn.organization_id,
        user_ids=[asker.user_id],
        kind=Kind.QUESTION_ANSWERED,
        matter=answered_matter_of(escalation),
        subject=turn.question,
        address=f"{conversation}#turn-{turn.pk}",
        address_of_all=reverse("tutor:conversations", args=[turn.organization.slug]),
    )


@transaction.atomic
def answer_with_entry(
    entry: FaqEntry, membership: Membership, turn_ids: Collection[str] = ()
) -> tuple[list[Escalation], list[Escalation]]:
    """Answer what waits in a member's inbox with an entry just written: the questions of these turns, and those of the
    entry's own words. What people said against the answers of these turns has been dealt with as well.

    Returns those answered, and those that stay open because whoever asked may not read the entry. While the entry is
    not active all stay as they are.
    """
    if not entry.is_active:
        return [], []
    keys = set(FaqVariant.objects.filter(entry=entry).values_list("key", flat=True))  # not those it had before
    waiting = escalations_for(membership).filter(handled_at__isnull=True)
    answered, unread = [], []
    for escalation in waiting.select_related("turn__conversation", "turn__organization").order_by("pk"):
        turn = escalation.turn
        asked = {question_key(turn.question), question_key(turn.understood or turn.question)}
        if str(turn.pk) not in turn_ids and not asked & keys:
            continue
        if _may_read(entry, turn):
            answer_escalation(escalation, entry=entry)
            answered.append(escalation)
        else:
            unread.append(escalation)
    for feedback in feedback_for(membership).filter(turn__pk__in=turn_ids):
        close_feedback(feedback)
    return answered, unread


def _asker(turn: Turn) -> Membership | None:
    """The membership of whoever asked; None when they have left."""
    members = Membership.objects.active().filter(organization_id=turn.organization_id)
    found: Membership | None = members.filter(user=turn.conversation.user_id).first()
    return found


def _may_read(entry: FaqEntry, turn: Turn) -> bool:
    """Whether an entry answers whoever asked; of those who have left there is nobody to answer."""
    asker = _asker(turn)
    if asker is None:
        return True
    entries = readable_entries(turn.organization_id, Reader.of(asker)).answering()
    return bool(entries.filter(pk=entry.pk).exists())


def matter_of(escalation: Escalation) -> str:
    """What notifications of an escalation are about."""
    return f"escalation:{escalation.pk}"


def answered_matter_of(escalation: Escalation) -> str:
    """What the notification that an escalation was answered is about."""
    return f"answered:{escalation.pk}"


@transaction.atomic
def close_feedback(feedback: Feedback) -> None:
    Feedback.objects.filter(pk=feedback.pk).update(handled_at=timezone.now())
