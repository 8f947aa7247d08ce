"""What the tutor writes: conversations, questions, their one answer."""

import uuid
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from courses.models import Course, Lesson
from retrieval.followups import Form, Unanswered, form_of, without_opening
from skillnet.models import Organization, User
from tutor.events import Answer
from tutor.models import Citation, Conversation, Turn, TurnStatus

REMEMBERED_QUESTIONS = 5
CLAIM_LASTS = timedelta(minutes=2)


@transaction.atomic
def start_conversation(
    *,
    organization: Organization,
    user: User | None,
    course: Course | None = None,
    lesson: Lesson | None = None,
    conversation_id: uuid.UUID | None = None,
) -> Conversation:
    """A new conversation, in the whole library or in one course, there perhaps beside one of its lessons.

    Raises: IntegrityError, when the identifier is taken.
    """
    return Conversation.objects.create(
        pk=conversation_id or uuid.uuid4(), organization=organization, user=user, course=course, lesson=lesson
    )


@transaction.atomic
def open_turn(
    *,
    conversation: Conversation,
    question: str,
    submission: uuid.UUID,
    is_fresh: bool = False,
    in_library: bool = False,
) -> Turn:
    """The turn of a question, to be answered. The same submission again returns the turn it made before.

    With `is_fresh` no ready answer is given; with `in_library` a question of a course goes to all documents.
    """
    turn, created = Turn.objects.get_or_create(
        conversation=conversation,
        submission=submission,
        defaults={
            "organization_id": conversation.organization_id,
            "question": question,
            "is_fresh": is_fresh,
            "in_library": in_library,
        },
    )
    if created:
        conversation.title = conversation.title or question[:200]
        conversation.save(update_fields=["title", "updated_at"])
    return turn


def earlier_questions(turn: Turn) -> tuple[str, ...]:
    """The last questions of the conversation before this one, oldest first.

    One that exchanged a part of the one before, «¿y la E-402?», as it was understood; one without an answer as
    `Unanswered`.
    """
    earlier = Turn.objects.filter(conversation_id=turn.conversation_id, asked_at__lt=turn.asked_at)
    latest = earlier.order_by("-asked_at").only("question", "understood", "status", "evidence", "origin")
    return tuple(_asked(one) for one in reversed(list(latest[:REMEMBERED_QUESTIONS])))


def _asked(turn: Turn) -> str:
    if turn.status == TurnStatus.DONE and not turn.is_answered:
        return Unanswered(turn.question)
    if form_of(turn.question) is not Form.OPEN or turn.status != TurnStatus.DONE:
        return turn.question
    if turn.understood.endswith(turn.question) and turn.understood:
        return turn.question  # behind its topic, which is remembered as well: they would pile up
    return turn.understood or without_opening(turn.question)  # searched alone it is a topic by itself


@transaction.atomic
def claim_turn(turn_id: uuid.UUID) -> datetime | None:
    """Take a turn for answering. Only one caller gets the claim, which storing the outcome asks for; the others
    get None. A claim that is not renewed lapses after two minutes.
    """
    now = timezone.now()
    free = Q(status=TurnStatus.ASKED) | Q(status=TurnStatus.ANSWERING, claimed_at__lt=now - CLAIM_LASTS)
    claimed = Turn.objects.filter(free, pk=turn_id).update(status=TurnStatus.ANSWERING, claimed_at=now)
    return now if claimed else None


@transaction.atomic
def renew_claim(turn_id: uuid.UUID, claim: datetime) -> datetime | None:
    """The claim that takes the place of `claim` and lasts two minutes more; None when `claim` was lost."""
    now = timezone.now()
    return now if _claimed(turn_id, claim).update(claimed_at=now) else None


@transaction.atomic
def save_answer(*, turn_id: uuid.UUID, claim: datetime, answer: Answer) -> bool:
    """Store the answer of a claimed turn. False, and nothing stored, when the claim was lost or used."""
    saved = _claimed(turn_id, claim).update(
        status=TurnStatus.DONE,
        answer=answer.text,
        evidence=answer.evidence,
        confidence=answer.confidence,
        rung=answer.rung,
        origin=answer.origin,
        language=answer.language,
        understood=answer.understood,
        trace={**answer.trace, "is_replacement": answer.is_replacement},
        answered_at=timezone.now(),
    )
    if not saved:
        return False
    organization_id = Turn.objects.values_list("organization_id", flat=True).get(pk=turn_id)
    Citation.objects.bulk_create(
        Citation(
            organization_id=organization_id,
            turn_id=turn_id,
            number=cited.number,
            document_id=cited.document_id,
            version_id=cited.version_id,
            heading_path=list(cited.heading_path),
            page=cited.page,
            locator=dict(cited.locator),
            quote=cited.quote,
            passage=cited.passage,
            relevance=cited.relevance,
        )
        for cited in answer.citations
    )
    return True


@transaction.atomic
def fail_turn(*, turn_id: uuid.UUID, claim: datetime, reason: str) -> bool:
    """Close a claimed turn that could not be answered, with what to tell the person. False, and nothing stored,
    when the claim was lost or used.
    """
    failed = _claimed(turn_id, claim).update(
        status=TurnStatus.FAILED, answer=reason, evidence=False, answered_at=timezone.now()
    )
    return failed == 1


def _claimed(turn_id: uuid.UUID, claim: datetime) -> QuerySet[Turn]:
    turns: QuerySet[Turn] = Turn.objects.filter(pk=turn_id, status=TurnStatus.ANSWERING, claimed_at=claim)
    return turns
