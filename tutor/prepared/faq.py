"""A company's own answers, found for a question. Call inside the organization's scope."""

from collections.abc import Mapping
from typing import Any, cast

from django.db.models import F, Prefetch
from pgvector.django import CosineDistance

from documents.access import Reader
from documents.models import Document, DocumentQuerySet
from retrieval.allowed import readable_documents
from retrieval.types import SearchScope
from tutor.events import Answer, CitedPassage
from tutor.grounding import cited_numbers, renumbered
from tutor.models import AnswerOrigin, FaqEntry, FaqQuerySet, FaqSource, FaqVariant
from tutor.prepared.likeness import decode_tokens
from tutor.prepared.matching import Asked, calibration_of, same_question

NEAREST = 12  # wordings looked at closely
RELATED = 3


def entries_for(scope: SearchScope) -> FaqQuerySet:
    """Entries that may answer in this scope: all of whose documents its reader may read there, and serve a version."""
    entries: FaqQuerySet = FaqEntry.objects.for_organization(scope.organization_id)
    documents = cast(DocumentQuerySet, readable_documents(scope))
    return entries.answering().readable_by(scope.reader, documents)


def readable_entries(organization_id: Any, reader: Reader) -> FaqQuerySet:
    """Entries that a reader may know of, whether they answer or not."""
    documents: DocumentQuerySet = Document.objects.for_organization(organization_id).readable_by(reader)
    entries: FaqQuerySet = FaqEntry.objects.for_organization(organization_id)
    return entries.readable_by(reader, documents)


def find_entry(asked: Asked, scope: SearchScope, *, in_same_words: bool = False) -> tuple[FaqEntry, float] | None:
    """The entry that answers a question, and how surely it is the same question; None when none is near enough, or
    when it must be `in_same_words` and none is.
    """
    variants = FaqVariant.objects.filter(entry__in=entries_for(scope).order_by())
    candidates = list(variants.filter(key=asked.key).order_by("pk")[:NEAREST]) if asked.key else []
    best = _best(asked, candidates)
    if best is None and not in_same_words:
        near = variants.filter(model__name=asked.model_id, vector__isnull=False)
        if near.exists() and asked.embedding is not None:  # the embedder takes longer than everything else here
            candidates = list(near.order_by(CosineDistance("vector", asked.embedding.vector), "pk")[:NEAREST])
            best = _best(asked, candidates)
    if best is None:
        return None
    sameness, variant = best
    sources = FaqSource.objects.select_related("document", "version")
    entry: FaqEntry = FaqEntry.objects.prefetch_related(Prefetch("sources", sources)).get(pk=variant.entry_id)
    return entry, sameness


def related_entries(asked: Asked, scope: SearchScope) -> list[int]:
    """Ids of the entries whose questions come nearest, best first; for when nothing better answers."""
    if asked.embedding is None:
        return []
    distance = CosineDistance("vector", asked.embedding.vector)
    near = (
        FaqVariant.objects.filter(entry__in=entries_for(scope).order_by(), model__name=asked.model_id)
        .annotate(distance=distance)
        .filter(distance__lte=calibration_of(asked.model_id).related_distance)
        .order_by("distance", "pk")
        .values_list("entry_id", flat=True)[: RELATED * 4]
    )
    return list(dict.fromkeys(near))[:RELATED]


def as_answer(entry: FaqEntry, sameness: float, language: str, times: Mapping[str, float]) -> Answer:
    """An entry as an answer, its sources numbered as it marks them; unmarked ones are named at its end.

    Marks of sources that it does not have, or no longer, are left out.
    """
    listed = list(entry.sources.all())
    answer = renumbered(entry.answer, {source.number: source.number for source in listed})
    marked = set(cited_numbers(answer))
    unmarked = "".join(f" [Fuente {source.number}]" for source in listed if source.number not in marked)
    return Answer(
        text=answer + unmarked,
        evidence=bool(listed),
        confidence=sameness,
        rung="chunks" if listed else "none",
        origin=AnswerOrigin.FAQ,
        language=language,
        citations=tuple(_cited(source) for source in listed),
        trace={"prepared": {"kind": "faq", "entry": entry.pk}, "timings_ms": dict(times)},
    )


def count_use(entry_id: int) -> None:
    FaqEntry.objects.filter(pk=entry_id).update(hit_count=F("hit_count") + 1)


def _best(asked: Asked, variants: list[FaqVariant]) -> tuple[float, FaqVariant] | None:
    scored = [(_sameness(asked, variant), variant) for variant in variants]
    best = max(scored, key=lambda pair: pair[0], default=None)
    return best if best is not None and best[0] else None


def _sameness(asked: Asked, variant: FaqVariant) -> float:
    if variant.vector is None:
        return same_question(asked, variant.text, None, None)
    tokens = decode_tokens(variant.tokens, len(variant.vector))
    return same_question(asked, variant.text, variant.vector, tokens)


def _cited(source: FaqSource) -> CitedPassage:
    return CitedPassage(
        number=source.number,
        document_id=source.document_id,
        document_title=source.document.title,
        version_id=source.version_id,
        version_number=source.version.number,
        heading_path=tuple(source.heading_path),
        page=source.page,
        locator=source.locator,
        quote=source.quote,
        passage=source.quote,
        relevance=1.0,
    )
