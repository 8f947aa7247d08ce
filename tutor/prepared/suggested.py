"""Entries worth writing: what several people asked in vain, gathered by what they asked. Call inside the
organization's scope.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import numpy as np
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from documents.access import Reader
from documents.cleaning import clean_line
from documents.embedding_models import current_model
from documents.models import Document
from retrieval.pipeline import search
from retrieval.types import SearchScope
from skillnet.models import Organization
from tutor.answerers import ExtractiveAnswerer
from tutor.drafting import Draft
from tutor.grounding import Grounded, ground
from tutor.models import AnswerOrigin, Citation, FaqVariant, OpenQuestion, Turn, TurnStatus
from tutor.prepared.lookup import as_asked
from tutor.prepared.matching import question_key
from tutor.topics import grouped

LOOKED_BACK = timedelta(days=90)
LOOKED_AT = 300  # questions, the latest
EMBEDDED_AT_ONCE = 20  # of them that have no vector yet: opening the page must not take long
# Cosine distance up to which two groups are one. Not calibrated: nearer than `tutor.gaps` asks for, since one text has
# to answer all the questions of a group.
SAME_TOPIC = 0.06
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


def suggestions(organization: Organization, reader: Reader) -> list[Suggestion]:
    """Groups of questions asked at least twice in the last months without a good answer, the largest first.

    Questions that were answered from a document beyond the reader are left out: they speak of what stands there.
    """
    turns = list(open_turns(organization, reader)[:LOOKED_AT])
    by_key: dict[str, list[Turn]] = {}
    for turn in turns:
        by_key.setdefault(question_key(turn.question), []).append(turn)
    written = FaqVariant.objects.for_organization(organization).filter(key__in=by_key)
    for key in written.values_list("key", flat=True):
        by_key.pop(key, None)
    vectors = _vectors(organization, [group[0] for group in by_key.values()])
    keys = [key for key, group in by_key.items() if key and group[0].pk in vectors]
    groups = grouped(np.array([vectors[by_key[key][0].pk] for key in keys], np.float32), SAME_TOPIC)
    found = []
    for indices in groups:  # most typical first
        own = [turn for index in indices for turn in by_key[keys[index]]]
        if len(own) >= FREQUENT:
            texts = tuple(_best_written(by_key[keys[index]]) for index in indices)
            found.append(Suggestion(tuple(str(turn.pk) for turn in own), texts, len(own)))
    return sorted(found, key=lambda one: (-one.count, one.questions))


def propose(question: str, organization: Organization, reader: Reader) -> Grounded:
    """The answer that the documents a reader may read give to a question now, in their own words; empty when they give
    none.
    """
    result = search(question, SearchScope(organization.pk, reader))
    if not result.evidence:
        return Grounded("")
    draft = Draft("", ())
    for step in ExtractiveAnswerer().draft(question, result):
        if isinstance(step, Draft):
            draft = step
    return ground(draft.text, draft.sources)


def settle(organization: Organization, turn_ids: Sequence[str]) -> list[Turn]:
    """Suggest nothing more for these turns: they are answered, or nobody wants them answered. Returns them."""
    turns = list(Turn.objects.for_organization(organization).filter(pk__in=turn_ids))
    for turn in turns:
        OpenQuestion.objects.update_or_create(turn=turn, defaults={"organization": organization, "is_settled": True})
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


def _vectors(organization: Organization, turns: Sequence[Turn]) -> dict[Any, Any]:
    """Each turn's vector by its id; those that are made now are kept."""
    model = current_model()
    kept = OpenQuestion.objects.for_organization(organization).filter(turn__in=turns, model=model, vector__isnull=False)
    vectors = dict(kept.values_list("turn_id", "vector"))
    missing = [turn for turn in turns if turn.pk not in vectors][:EMBEDDED_AT_ONCE]
    made: dict[Any, Any] = {}
    for turn in missing:
        embedding = as_asked(turn.question).embedding
        if embedding is None:
            break
        made[turn.pk] = embedding.vector
    OpenQuestion.objects.bulk_create(
        [
            OpenQuestion(organization=organization, turn_id=turn_id, model=model, vector=vector)
            for turn_id, vector in made.items()
        ],
        update_conflicts=True,
        unique_fields=["turn"],
        update_fields=["model", "vector"],
    )
    return vectors | made
