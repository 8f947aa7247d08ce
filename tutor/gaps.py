"""What nobody could answer: unanswered questions grouped by topic, with the section where an answer would belong."""

import hashlib
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
from django.core.cache import cache
from django.utils import timezone
from sklearn.cluster import AgglomerativeClustering

from documents.models import Document
from skillnet.backends import get_embedder
from skillnet.backends.protocols import Vector
from skillnet.errors import BackendUnavailable, InvalidEmbedding
from skillnet.models import Organization
from tutor.models import Turn
from tutor.wording import word_key

logger = logging.getLogger(__name__)

READ_QUESTIONS = 300  # the latest; grouping takes the square of it
SINCE = timedelta(days=90)
KEPT_SECONDS = 7 * 24 * 3600
# Cosine distance under which two groups are one, average linkage: by the bundled model's vectors on the project's own
# questions, those about one matter stay under it and those about two go over it.
SAME_TOPIC = 0.12


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


def gaps_of(organization: Organization) -> list[Gap]:
    """The organization's gaps of the last 90 days, the most asked first. Call inside its scope."""
    turns = list(
        Turn.objects.for_organization(organization)
        .unanswered()
        .filter(asked_at__gte=timezone.now() - SINCE)
        .select_related("conversation__course", "escalation")
        .order_by("-asked_at")[:READ_QUESTIONS]
    )
    if not turns:
        return []
    questions = [turn.understood or turn.question for turn in turns]
    vectors = _vectors(questions)
    labels = _by_words(questions) if vectors is None else _by_meaning(vectors)
    groups: dict[int, list[int]] = {}
    for at, label in enumerate(labels):
        groups.setdefault(label, []).append(at)
    documents = _documents(organization, turns)
    gaps = [_gap([turns[at] for at in group], _middle(vectors, group), documents) for group in groups.values()]
    return sorted(gaps, key=lambda gap: (-len(gap.turns), -gap.turns[0].asked_at.timestamp()))


def _gap(turns: list[Turn], middle: int, documents: dict[int, Document]) -> Gap:
    nearest = Counter(
        (near["document"], tuple(near["section"]))
        for turn in turns
        if (near := turn.trace.get("nearest")) and near["document"] in documents
    )
    question = turns[middle].understood or turns[middle].question
    if not nearest:
        return Gap(question, tuple(turns))
    (document_id, section), _count = nearest.most_common(1)[0]
    return Gap(question, tuple(turns), documents[document_id], section)


def _documents(organization: Organization, turns: Sequence[Turn]) -> dict[int, Document]:
    wanted = {near["document"] for turn in turns if (near := turn.trace.get("nearest"))}
    documents: dict[int, Document] = Document.objects.for_organization(organization).in_bulk(wanted)
    return documents


def _middle(vectors: Vector | None, group: Sequence[int]) -> int:
    """Which of the group is nearest to all of it."""
    if vectors is None or len(group) < 3:
        return len(group) - 1  # asked first
    inside = vectors[list(group)]
    return int(np.argmax(inside @ inside.sum(axis=0)))


def _by_meaning(vectors: Vector) -> list[int]:
    if len(vectors) == 1:
        return [0]
    grouping = AgglomerativeClustering(
        n_clusters=None, distance_threshold=SAME_TOPIC, metric="cosine", linkage="average"
    )
    return [int(label) for label in grouping.fit_predict(vectors)]


def _by_words(questions: Sequence[str]) -> list[int]:
    """Without an embedder only questions of the same words are one group."""
    known: dict[str, int] = {}
    return [known.setdefault(word_key(question), len(known)) for question in questions]


def _vectors(questions: Sequence[str]) -> Vector | None:
    """A unit vector a question, kept for a week; None without an embedder."""
    embedder = get_embedder()
    keys = [
        "question-vector:" + hashlib.sha256(f"{embedder.model_id}\n{question}".encode()).hexdigest()
        for question in questions
    ]
    kept = cache.get_many(set(keys))
    try:
        made = {
            key: embedder.embed_query(question).astype(np.float32)
            for key, question in dict(zip(keys, questions, strict=True)).items()
            if key not in kept
        }
    except (BackendUnavailable, InvalidEmbedding):
        logger.warning("No embedder: unanswered questions are grouped by their words alone")
        return None
    cache.set_many(made, KEPT_SECONDS)
    known = kept | made
    return np.stack([known[key] for key in keys])
