"""What nobody could answer: unanswered questions grouped by topic, with the section where an answer would belong."""

import hashlib
import logging
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from django.core.cache import cache
from django.db.models import QuerySet
from django.utils import timezone
from redis.exceptions import RedisError

from documents.access import Reader
from documents.models import Document
from skillnet.backends import get_embedder
from skillnet.backends.protocols import Vector
from skillnet.errors import BackendUnavailable, InvalidEmbedding
from skillnet.models import Classification, Membership, Organization
from tutor.dismissed import parted, put_aside, take_back, understood, without_dismissed
from tutor.models import FaqVariant, Turn
from tutor.no_questions import asks_nothing
from tutor.prepared.faq import readable_entries
from tutor.prepared.matching import calibration_of, question_key
from tutor.topics import grouped
from tutor.wording import word_key

logger = logging.getLogger(__name__)

READ_QUESTIONS = 300  # the latest; grouping takes the square of it
SINCE = timedelta(days=90)
WORDINGS = 5
KEPT_SECONDS = 7 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Gap:
    """Unanswered questions about one matter, latest first. `question` is the one nearest to all the others."""

    question: str
    turns: tuple[Turn, ...]
    document: Document | None = None
    section: tuple[str, ...] = ()

    @property
    def others(self) -> tuple[Turn, ...]:
        return tuple(turn for turn in self.turns if turn.question != self.question)

    @property
    def wordings(self) -> str:
        """How it was asked, one wording a line, `question` first: few enough to stand in an address."""
        asked = (self.question, *map(understood, self.turns))
        by_words = {question_key(text): text for text in reversed(asked)}
        by_words = {question_key(self.question): self.question} | by_words
        return "\n".join(list(by_words.values())[:WORDINGS])


def gaps_of(organization: Organization) -> list[Gap]:
    """The organization's gaps of the last 90 days, the most asked first. Call inside its scope."""
    related = _unanswered(organization).select_related("conversation__course", "escalation")
    turns = _open(organization, related.order_by("-asked_at")[:READ_QUESTIONS])
    if not turns:
        return []
    questions = [understood(turn) for turn in turns]
    vectors = _vectors(questions)
    distance = calibration_of(get_embedder().model_id).same_topic_distance
    groups = _by_words(questions) if vectors is None else grouped(vectors, distance)
    documents = _documents(organization, turns)
    gaps = [_gap(turns, group, documents) for group in groups]
    return sorted(gaps, key=lambda gap: (-len(gap.turns), -gap.turns[0].asked_at.timestamp()))


def most_asked(organization: Organization) -> list[Gap]:
    """The questions of the last 90 days that nobody could answer, by their words alone, the most asked first.

    For a page that has no time to compare meanings, as `gaps_of` does. Call inside the organization's scope.
    """
    turns = _unanswered(organization).select_related("conversation")
    turns = turns.only("question", "understood", "asked_at", "trace", "conversation__user")
    latest = _open(organization, turns.order_by("-asked_at")[:READ_QUESTIONS])
    groups = _by_words([understood(turn) for turn in latest])
    groups.sort(key=lambda group: (-len(group), group[0]))
    return [_gap(latest, group, {}) for group in groups]


def dismissed_gaps(organization: Organization) -> list[Gap]:
    """What was put aside of the questions of the last 90 days, by its words alone, the latest first.

    Call inside the organization's scope.
    """
    turns = _unanswered(organization).select_related("conversation").order_by("-asked_at")[:READ_QUESTIONS]
    _wanted, dismissed = parted(organization, turns)
    return [_gap(dismissed, group, {}) for group in _by_words([understood(turn) for turn in dismissed])]


def dismiss(organization: Organization, turn_ids: Iterable[str]) -> list[Turn]:
    """Report what these turns ask no more, whoever asks it again, nor suggest to answer it. Returns them."""
    turns = _unanswered_among(organization, turn_ids)
    put_aside(organization, turns)
    return turns


def restore(organization: Organization, turn_ids: Iterable[str]) -> list[Turn]:
    """Report what these turns ask again, after it was put aside. Returns those that were."""
    _wanted, dismissed = parted(organization, _unanswered_among(organization, turn_ids))
    take_back(organization, dismissed)
    return dismissed


def _unanswered_among(organization: Organization, turn_ids: Iterable[str]) -> list[Turn]:
    return list(Turn.objects.for_organization(organization).unanswered().filter(pk__in=turn_ids))


def _open(organization: Organization, turns: Iterable[Turn]) -> list[Turn]:
    """Those that ask something which nobody has put aside, and that no entry answers since."""
    asking = [turn for turn in turns if not asks_nothing(turn.question)]
    return _without_entry(organization, without_dismissed(organization, asking))


def _unanswered(organization: Organization) -> QuerySet[Turn]:
    found: QuerySet[Turn] = (
        Turn.objects.for_organization(organization).unanswered().filter(asked_at__gte=timezone.now() - SINCE)
    )
    return found


def _without_entry(organization: Organization, turns: Iterable[Turn]) -> list[Turn]:
    """Without those that an FAQ entry answers since, in the same words and for whoever asked: nothing is left to be
    written for them. One that was there before did not answer.
    """
    keys = {turn: question_key(turn.question) for turn in turns}
    variants = FaqVariant.objects.for_organization(organization).filter(key__in=set(keys.values()))
    written: defaultdict[str, list[tuple[int, datetime]]] = defaultdict(list)
    for key, entry, changed_at in variants.values_list("key", "entry", "entry__updated_at"):
        written[key].append((entry, changed_at))
    since = {
        turn: {entry for entry, changed_at in written[key] if changed_at >= turn.asked_at} for turn, key in keys.items()
    }
    askers = {turn.conversation.user_id for turn, entries in since.items() if entries}
    readable = _answering(organization, askers, {entry for entries in since.values() for entry in entries})
    return [turn for turn, entries in since.items() if not entries & readable.get(turn.conversation.user_id, set())]


def _answering(organization: Organization, askers: Set[int | None], entries: Set[int]) -> dict[int | None, set[int]]:
    """The ids of those entries that answer each of the askers; whoever left is taken for a new employee."""
    members = Membership.objects.filter(organization=organization, user__in=askers - {None})
    readers: dict[int | None, Reader] = {member.user_id: Reader.of(member) for member in members}
    return {
        asker: set(
            readable_entries(organization.pk, readers.get(asker, Reader(None, Classification.INTERNAL)))
            .answering()
            .filter(pk__in=entries)
            .values_list("pk", flat=True)
        )
        for asker in askers
    }


def _gap(turns: Sequence[Turn], group: Sequence[int], documents: Mapping[int, Document]) -> Gap:
    """A group of the turns, named by its first; shown latest first, as `turns` are."""
    question = understood(turns[group[0]])
    own = tuple(turns[at] for at in sorted(group))
    nearest = Counter(
        (near["document"], tuple(near["section"]))
        for turn in own
        if (near := turn.trace.get("nearest")) and near["document"] in documents
    )
    if not nearest:
        return Gap(question, own)
    (document_id, section), _count = nearest.most_common(1)[0]
    return Gap(question, own, documents[document_id], section)


def _documents(organization: Organization, turns: Sequence[Turn]) -> dict[int, Document]:
    wanted = {near["document"] for turn in turns if (near := turn.trace.get("nearest"))}
    documents: dict[int, Document] = Document.objects.for_organization(organization).in_bulk(wanted)
    return documents


def _by_words(questions: Sequence[str]) -> list[list[int]]:
    """Without an embedder only questions of the same words are one group."""
    groups: dict[str, list[int]] = {}
    for index, question in enumerate(questions):
        groups.setdefault(word_key(question), []).append(index)
    return list(groups.values())


def _vectors(questions: Sequence[str]) -> Vector | None:
    """A unit vector a question, kept for a week; None without an embedder."""
    embedder = get_embedder()
    keys = [
        "question-vector:" + hashlib.sha256(f"{embedder.model_id}\n{question}".encode()).hexdigest()
        for question in questions
    ]
    kept = _kept(set(keys))
    try:
        made = {
            key: embedder.embed_query(question).astype(np.float32)
            for key, question in dict(zip(keys, questions, strict=True)).items()
            if key not in kept
        }
    except (BackendUnavailable, InvalidEmbedding):
        logger.warning("No embedder: unanswered questions are grouped by their words alone")
        return None
    _keep(made)
    known = kept | made
    return np.stack([known[key] for key in keys])


def _kept(keys: set[str]) -> dict[str, Vector]:
    try:
        return dict(cache.get_many(keys))
    except RedisError as error:
        logger.warning("question vectors are made anew, the cache cannot be reached: %s", error)
        return {}


def _keep(vectors: dict[str, Vector]) -> None:
    try:
        cache.set_many(vectors, KEPT_SECONDS)
    except RedisError as error:
        logger.warning("question vectors are not kept, the cache cannot be reached: %s", error)
