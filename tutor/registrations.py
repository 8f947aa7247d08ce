"""What the tutor tells the lowest app when it asks."""

from typing import Any

from skillnet.models import User
from tutor.models import Conversation


def conversations_of(user: User) -> list[dict[str, Any]]:
    """What a person asked and was answered, for their own data."""
    conversations = Conversation.objects.filter(user=user).prefetch_related("turns").order_by("created_at")
    return [
        {
            "title": conversation.title,
            "created_at": conversation.created_at,
            "turns": [
                {"question": turn.question, "answer": turn.answer, "asked_at": turn.asked_at}
                for turn in conversation.turns.all()
            ],
        }
        for conversation in conversations
    ]
