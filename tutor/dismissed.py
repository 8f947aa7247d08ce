"""Questions that nobody wants answered, whoever asks them again. Call inside the organization's scope.

Kept apart from the turns that asked them, which go with their conversations, and by a digest of their words: deleting a
conversation leaves no copy of what was asked in it.
"""

import hashlib
from collections.abc import Iterable, Set

from django.db.models import QuerySet

from skillnet.models import Organization
from tutor.models import DismissedQuestion, Turn
from tutor.no_questions import asks_nothing
from tutor.prepared.matching import question_key


def understood(turn: Turn) -> str:
    """What a turn asks, as it is read: one that goes on with the question before it, behind that question.

    The search's own text joins both as one; of a greeting that stood before nothing is kept.
    """
    topic = turn.understood.removesuffix(turn.question).strip()
    if not turn.understood or topic == turn.understood.strip():
        return turn.understood or turn.question
    return turn.question if not topic or asks_nothing(topic) else f"{topic} — {turn.question}"


def put_aside(organization: Organization, turns: Iterable[Turn]) -> None:
    """Want no answer to what these turns ask any more."""
    digests = sorted({_digest(turn) for turn in turns})
    rows = [DismissedQuestion(organization=organization, digest=digest) for digest in digests]
    DismissedQuestion.objects.bulk_create(rows, ignore_conflicts=True)


def take_back(organization: Organization, turns: Iterable[Turn]) -> None:
    """Want an answer to what these turns ask again."""
    _put_aside(organization, {_digest(turn) for turn in turns}).delete()


def parted(organization: Organization, turns: Iterable[Turn]) -> tuple[list[Turn], list[Turn]]:
    """Those turns whose question nobody has put aside, and those whose question somebody has, each in their order."""
    digests = {turn: _digest(turn) for turn in turns}
    dismissed = set(_put_aside(organization, set(digests.values())).values_list("digest", flat=True))
    wanted = [turn for turn, digest in digests.items() if digest not in dismissed]
    return wanted, [turn for turn, digest in digests.items() if digest in dismissed]


def without_dismissed(organization: Organization, turns: Iterable[Turn]) -> list[Turn]:
    """Those turns whose question nobody has put aside, in their order."""
    wanted, _dismissed = parted(organization, turns)
    return wanted


def _put_aside(organization: Organization, digests: Set[str]) -> QuerySet[DismissedQuestion]:
    found: QuerySet[DismissedQuestion] = DismissedQuestion.objects.for_organization(organization)
    return found.filter(digest__in=digests)


def _digest(turn: Turn) -> str:
    return hashlib.sha256(question_key(understood(turn)).encode()).hexdigest()
