"""Answers given before, given again to those for whom they hold. Call inside the organization's scope."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import F
from django.utils import timezone
from pgvector.django import CosineDistance

from documents.access import ADMINISTRATION
from documents.embedding_models import model_of
from documents.models import Document, DocumentVersion
from retrieval.allowed import readable_documents
from retrieval.configuration import collections_values
from retrieval.glossary import glossary_of
from retrieval.types import SearchConfig, SearchScope
from skillnet.backends import get_language_model
from skillnet.models import Organization
from tutor.events import Answer, CitedPassage
from tutor.models import AnswerOrigin, CachedAnswer
from tutor.prepared.likeness import decode_tokens, encode_tokens
from tutor.prepared.matching import Asked, question_key, same_question

NEAREST = 5  # stored questions looked at closely
KEPT_ORIGINS = frozenset({AnswerOrigin.MODEL, AnswerOrigin.EXTRACTIVE})


def cache_key(scope: SearchScope, config: SearchConfig, language: str, model_id: str) -> str:
    """For whom and from what an answer holds, as a digest.

    Organization, clearance, what is searched, the settings, those of collections as well, the glossary, the models, the
    language, and every document that the reader may read there with the state it is in: its served version and when
    work on that last moved, its title, place, classification and audience. So whatever changes a document, or what the
    reader may read, leads to another key.
    """
    organization = Organization.objects.values_list("settings", flat=True).get(pk=scope.organization_id)
    documents = readable_documents(scope).order_by("pk")
    state = documents.values_list(
        "pk",
        "title",
        "classification",
        "audience",
        "collection_id",
        "collection__settings",
        "active_version_id",
        "active_version__step_at",
    )
    language_model = get_language_model()
    content = [
        scope.organization_id,
        (scope.reader.clearance, scope.reader.sees_everything),
        asdict(replace(scope, reader=ADMINISTRATION)),
        asdict(config),
        organization,
        glossary_of(scope.organization_id),
        (model_id, "" if language_model is None else language_model.model_id),
        language,
        list(state),
        collections_values(scope.organization_id),
    ]
    return hashlib.sha256(json.dumps(content, default=str, sort_keys=True).encode()).hexdigest()


def is_unsettled(scope: SearchScope) -> bool:
    """Whether a document that the reader may read is being read in: an answer given now may lack what it says."""
    documents = Document.objects.for_organization(scope.organization_id).readable_by(scope.reader)
    versions: Any = DocumentVersion.objects.for_organization(scope.organization_id)
    versions = versions.unfinished() | versions.filter(vectors_pending=True)
    return bool(versions.filter(document__in=documents.order_by()).exists())


def cached_answer(asked: Asked, key: str, organization_id: UUID) -> CachedAnswer | None:
    """The stored answer to the same question under this key, still fresh."""
    stored: Any = CachedAnswer.objects.for_organization(organization_id)
    stored = stored.filter(key=key, expires_at__gt=timezone.now())
    same_words: CachedAnswer | None = stored.filter(question_key=asked.key).first()
    if same_words is not None and same_question(asked, same_words.question, None, None):
        return same_words
    if asked.embedding is None:
        return None
    near = stored.filter(model__name=asked.model_id).order_by(CosineDistance("vector", asked.embedding.vector))
    scored = [(_sameness(asked, one), one) for one in near[:NEAREST]]
    sameness, best = max(scored, key=lambda pair: pair[0], default=(0.0, None))
    return best if sameness else None


def remember(asked: Asked, key: str, answer: Answer, organization_id: UUID, days: int) -> None:
    """Keep an answer so many days for those who ask the same under the same key. What has expired goes."""
    now = timezone.now()
    stored: Any = CachedAnswer.objects.for_organization(organization_id)
    stored.filter(expires_at__lte=now).delete()
    if days <= 0 or not asked.key:
        return
    embedding = asked.embedding
    stored.update_or_create(
        key=key,
        question_key=asked.key,
        defaults={
            "organization_id": organization_id,
            "question": asked.text,
            "model": None if embedding is None else model_of(asked.model_id, len(embedding.vector)),
            "vector": None if embedding is None else embedding.vector,
            "tokens": None if embedding is None else encode_tokens(embedding.tokens),
            "answer": as_json(answer),
            "document_ids": sorted({cited.document_id for cited in answer.citations}),
            "hit_count": 0,
            "answered_at": now,
            "expires_at": now + timedelta(days=days),
        },
    )


def is_worth_keeping(answer: Answer) -> bool:
    """Whether an answer may be given again. What stands in for a language model may not: the key names that model, and
    the next time it may be there.
    """
    return (
        answer.evidence is True
        and answer.origin in KEPT_ORIGINS
        and (answer.origin == AnswerOrigin.MODEL or get_language_model() is None)
        and answer.confidence >= settings.SKILLNET_CACHE_MIN_CONFIDENCE
    )


def forget_documents(document_ids: list[int]) -> None:
    """Drop the answers that cite these documents. No key leads to them any more; this removes what they say."""
    CachedAnswer.objects.filter(document_ids__overlap=document_ids).delete()


def forget_questions(questions: Iterable[str]) -> None:
    """Drop the answers to these questions, whoever asked them first."""
    CachedAnswer.objects.filter(question_key__in={question_key(question) for question in questions}).delete()


def forget_answer(organization_id: UUID, text: str) -> None:
    """Drop an answer, whatever question it was given to and whoever may get it."""
    CachedAnswer.objects.for_organization(organization_id).filter(answer__text=text).delete()


def count_use(pk: UUID) -> None:
    CachedAnswer.objects.filter(pk=pk).update(hit_count=F("hit_count") + 1)


def as_json(answer: Answer) -> dict[str, Any]:
    """An answer as it is stored, without the trace of how it was found."""
    content = asdict(replace(answer, trace={}))
    content["origin"] = str(answer.origin)
    return content


def from_json(content: Mapping[str, Any], *, answered_at: datetime, times: Mapping[str, float]) -> Answer:
    """A stored answer as one that is given again: from the cache, and of when."""
    citations = tuple(
        CitedPassage(**{**cited, "heading_path": tuple(cited["heading_path"])}) for cited in content["citations"]
    )
    prepared = {"kind": "cache", "answered_at": answered_at.isoformat(), "written_by": content["origin"]}
    return Answer(
        **{
            **content,
            "citations": citations,
            "origin": AnswerOrigin.CACHE,
            "trace": {"prepared": prepared, "timings_ms": dict(times)},
        }
    )


def _sameness(asked: Asked, stored: CachedAnswer) -> float:
    if stored.vector is None:
        return 0.0
    return same_question(asked, stored.question, stored.vector, decode_tokens(stored.tokens, len(stored.vector)))
