"""Deleting conversations with every copy of what was asked in them."""

from collections import defaultdict
from uuid import UUID

from skillnet import notifications
from tutor import reactions
from tutor.models import ConversationQuerySet, Escalation, Turn
from tutor.prepared import cache


def forget(conversations: ConversationQuerySet) -> None:
    """Delete conversations, what the bells of others say of them, and stored answers to the same questions.

    Call inside the organization's scope.
    """
    turns = Turn.objects.filter(conversation__in=conversations)
    matters: defaultdict[UUID, list[str]] = defaultdict(list)
    for escalation in Escalation.objects.filter(turn__in=turns):
        own = (reactions.matter_of(escalation), reactions.answered_matter_of(escalation))
        matters[escalation.organization_id].extend(own)
    for organization_id, theirs in matters.items():
        notifications.remove(organization_id, theirs)
    cache.forget_questions(turns.values_list("question", flat=True))
    conversations.delete()
