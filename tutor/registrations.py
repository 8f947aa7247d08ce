"""What the tutor tells the lowest app when it asks."""

from typing import Any

from skillnet.models import User
from tutor.forgetting import forget
from tutor.models import Conversation, EscalationRecipient, Turn


def conversations_of(user: User) -> list[dict[str, Any]]:
    """What a person asked and was answered, for their own data."""
    conversations = Conversation.objects.filter(user=user).order_by("created_at")
    conversations = conversations.prefetch_related("turns__feedback", "turns__escalation")
    return [
        {
            "title": conversation.title,
            "created_at": conversation.created_at,
            "turns": [
                {
                    "question": turn.question,
                    "answer": turn.answer,
                    "asked_at": turn.asked_at,
                    "feedback": _feedback(turn),
                    "passed_on": _escalation(turn),
                }
                for turn in conversation.turns.all()
            ],
        }
        for conversation in conversations
    ]


def erase_conversations(user: User) -> None:
    """Delete what a person asked, with the answers, and their places among those whom questions are passed on to."""
    EscalationRecipient.objects.filter(user=user).delete()
    forget(Conversation.objects.filter(user=user))


def _feedback(turn: Turn) -> dict[str, Any] | None:
    given = getattr(turn, "feedback", None)
    return None if given is None else {"is_useful": given.is_useful, "comment": given.comment}


def _escalation(turn: Turn) -> dict[str, Any] | None:
    passed_on = getattr(turn, "escalation", None)
    if passed_on is None:
        return None
    return {"comment": passed_on.comment, "created_at": passed_on.created_at, "reply": passed_on.reply}
