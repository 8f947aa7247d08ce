"""Entries worth writing: what several people asked in vain, gathered by what they asked. Call inside the
organization's scope.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from documents.access import Reader
from documents.cleaning import clean_line
from documents.models import Document
from retrieval.configuration import config_for
from retrieval.pipeline import search
from retrieval.types import SearchScope
from skillnet.backends import get_embedder
from skillnet.models import Organization
from tutor.dismissed import without_dismissed
from tutor.emergencies import emergency_in
from tutor.grounding import Grounded
from tutor.models import AnswerOrigin, Citation, FaqVariant, OpenQuestion, Turn, TurnStatus
from tutor.no_questions import asks_nothing
from tutor.own_words import in_own_words
from tutor.prepared.matching import calibration_of, question_key
from tutor.prepared.open_questions import vectors_of
from tutor.topics import grouped

LOOKED_BACK = timedelta(days=90)
LOOKED_AT = 300  # questions, the latest
FREQUENT = 2  # people or times

# Turns that left somebody without an answer worth having. A disliked answer of an entry asks for another text of it,
# not for another entry.
UNSATISFYING = Q(origin=AnswerOrigin.NONE) | (Q(feedback__is_useful=False) & ~Q(origin=AnswerOrigin.FAQ))


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Questions that ask for one entry: the most typical first."""

    turn_ids: tuple[str, ...]
    questions: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Suggestions:
    """What was found, and the turns whose meaning is not known yet: they are gathered by their words alone."""

    found: list[Suggestion]
    unread: tuple[UUID, ...] = ()


def _distance() -> float:
    """Nearer than questions of one topic: one text has to answer all of a group."""
    return calibration_of(get_embedder().model_id).same_answer_distance


def suggestions(organization: Organization, reader: Reader) -> Suggestions:
    """Groups of questions asked at least twice in the last months without a good answer, the largest first.

    Questions that were answered from a document beyond the reader are left out: they speak of what stands there.
    """
    by_key: dict[str, list[Turn]] = {}
    latest = open_turns(organization, reader).only("question", "understood", "language")[:LOOKED_AT]
    for turn in without_dismissed(organization, latest):
        if not asks_nothing(turn.question):
            by_key.setdefault(question_key(turn.question), []).append(turn)
    written = FaqVariant.objects.for_organization(organization).filter(key__in=by_key)
    for key in ("", *written.values_list("key", flat=True)):
        by_key.pop(key, None)
    first = {key: group[0].pk for key, group in by_key.items()}  # as all of its words
    vectors = vectors_of(organization.pk, list(first.values()))
    read = [key for key in by_key if first[key] in vectors]
    alike = grouped(np.array([vectors[first[key]] for key in read], np.float32), _distance())
    groups = [[read[at] for at in indices] for indices in alike]  # most typical first
    groups += [[key] for key in by_key if first[key] not in vectors]
    found = []
    for keys in groups:
        own = [turn for key in keys for turn in by_key[key]]
        if len(own) >= FREQUENT:
            texts = tuple(_best_written(by_key[key]) for key in keys)
            found.append(Suggestion(tuple(str(turn.pk) for turn in own), texts, len(own)))
    return Suggestions(
        sorted(found, key=lambda one: (-one.count, one.questions)),
        tuple(pk for pk in first.values() if pk not in vectors),
    )


def propose(question: str, organization: Organization, reader: Reader) -> Grounded:
    """The answer that the documents a reader may read give to a question now, in their own words; empty when they give
    none, read as closely as when the tutor answers, and for an emergency: what helps there is for people to write.
    """
    if emergency_in(question) is not None:
        return Grounded("")
    scope = SearchScope(organization.pk, reader)
    config = config_for(scope)
    return in_own_words(search(question, scope, config), scope, config)


def settle(organization: Organization, turn_ids: Sequence[str], *, without: Sequence[str] = ()) -> list[Turn]:
    """Suggest nothing more for these turns, but those that ask one of `without`: they are answered, or nobody wants
    them answered. Returns them.
    """
    kept = {question_key(text) for text in without}
    found = Turn.objects.for_organization(organization).filter(pk__in=turn_ids)
    turns = [turn for turn in found if question_key(turn.question) not in kept]
    OpenQuestion.objects.bulk_create(
        [OpenQuestion(organization=organization, turn=turn, is_settled=True) for turn in turns],
        update_conflicts=True,
        unique_fields=["turn"],
        update_fields=["is_settled"],
    )
    return turns


def open_turns(organization: Organization, reader: Reader) -> "QuerySet[Turn]":
    """The questions of the last months without a good answer that nobody has settled, the latest first.

    Those answered from a document beyond the reader are left out.
    """
    readable = Document.objects.for_organization(organization).readable_by(reader).order_by()
    beyond = Citation.objects.for_organization(organization).exclude(document__in=readable)
    turns: Any = Turn.objects.for_organization(organization).filter(
        UNSATISFYING,
        ~Exists(beyond.filter(turn=OuterRef("pk"))),
        status=TurnStatus.DONE,
        asked_at__gte=timezone.now() - LOOKED_BACK,
    )
    found: QuerySet[Turn] = turns.exclude(open_question__is_settled=True).order_by("-asked_at", "pk")
    return found


def _best_written(turns: Sequence[Turn]) -> str:
    """Of questions with the same words, one with question marks and accents if there is one; as a sentence begins and
    ends.
    """
    texts = [(clean_line(turn.question), turn.language) for turn in turns]
    text, language = max(texts, key=lambda one: ("¿" in one[0], not one[0].isascii(), not one[0].isupper(), one[0]))
    if text.isupper():
        text = text.lower()
    if language == "es" and text.endswith("?") and "¿" not in text:
        text = f"¿{text}"
    first = 1 if text.startswith("¿") else 0
    return text[:first] + text[first : first + 1].upper() + text[first + 1 :]
