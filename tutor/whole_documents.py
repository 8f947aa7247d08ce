"""Whole documents for a language model's prompt: short ones, and the one to look through when search finds nothing."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from django.db.models import Count, Func, Q, QuerySet, TextField, Value
from django.db.models.functions import Lower

from documents.access import course_document_ids
from documents.models import Chunk, Document, DocumentVersion
from documents.strategy import uses_full_text
from retrieval.allowed import readable_documents
from retrieval.passages import passage_of
from retrieval.types import Passage, SearchResult, SearchScope
from tutor.wording import fold, stems, word_key

FULL_TEXT = "full_text"
MIN_SHARE = 0.6  # of the question's words that the document must hold
MIN_TERMS = 2
MAX_TERMS = 24
_ACCENTED = "áàäâãéèëêíìïîóòöôõúùüûñç"
_PLAIN = "aaaaaeeeeiiiiooooouuuunc"


def with_short_documents(result: SearchResult) -> SearchResult:
    """`result` with the rest of a short document behind its best part, where the search found no other document. Call
    inside the organization's scope.
    """
    found = {passage.version_id for passage in result.passages}
    pages = DocumentVersion.objects.filter(pk__in=found).values_list("pk", "page_count")
    short = {version_id for version_id, count in pages if uses_full_text(count, is_only_document=len(found) == 1)}
    if not short:
        return result
    have = {passage.chunk_id for passage in result.passages}
    rest: dict[int, list[Chunk]] = {}
    for chunk in _chunks(short).exclude(pk__in=have):
        rest.setdefault(cast(int, chunk.version_id), []).append(chunk)
    passages: list[Passage] = []
    for passage in result.passages:
        passages.append(passage)
        passages.extend(passage_of(chunk, passage.score * 0.5) for chunk in rest.pop(passage.version_id, ()))
    return replace(result, passages=tuple(passages))


def look_through(question: str, result: SearchResult, scope: SearchScope) -> SearchResult | None:
    """The passages of the one document that holds most of the question's words, best first; None when no document
    holds enough of them.

    Looked at are the documents of the course asked in, else of the courses that the reader takes. Words are counted
    with accents and case folded. Call inside the organization's scope.
    """
    terms = _terms(question)
    if len(terms) < MIN_TERMS:
        return None
    documents = readable_documents(scope)
    if scope.course_id is None:
        documents = documents.filter(pk__in=course_document_ids(scope.reader))
    best = _fullest(documents, terms)
    if best is None:
        return None
    counted = sorted(
        ((_terms_in(chunk, terms), chunk) for chunk in _chunks({best})),
        key=lambda one: (-one[0], one[1].position),
    )
    passages = tuple(passage_of(chunk, count / len(terms)) for count, chunk in counted)
    return replace(result, passages=passages, rung=FULL_TEXT)


def _terms(question: str) -> list[str]:
    """The words that say something, accents and case folded, without the s of a plural: as they can stand in a text."""
    words = [word for word in word_key(question).split() if stems(word)]
    return sorted({re.sub(r"(?<=\w{3})e?s$", "", word) for word in words})[:MAX_TERMS]


def _fullest(documents: "QuerySet[Document]", terms: Sequence[str]) -> int | None:
    versions = documents.order_by().values("active_version_id")
    folded = Func(Lower("text"), Value(_ACCENTED), Value(_PLAIN), function="translate", output_field=TextField())
    counts = {f"term_{at}": Count("pk", filter=Q(folded__contains=term)) for at, term in enumerate(terms)}
    rows = Chunk.objects.filter(version_id__in=versions).annotate(folded=folded).values("version_id").annotate(**counts)
    needed = max(MIN_TERMS, MIN_SHARE * len(terms))
    ranked = [
        (sum(row[name] > 0 for name in counts), sum(row[name] for name in counts), -row["version_id"]) for row in rows
    ]
    best = max((one for one in ranked if one[0] >= needed), default=None)
    return None if best is None else -best[2]


def _terms_in(chunk: Chunk, terms: Sequence[str]) -> int:
    text = fold(chunk.text)
    return sum(term in text for term in terms)


def _chunks(version_ids: set[int]) -> "QuerySet[Chunk]":
    chunks: QuerySet[Chunk] = (
        Chunk.objects.filter(version_id__in=version_ids)
        .select_related("version__document")
        .defer("meaning_text", "search_vector", "heading_vector")
        .order_by("version_id", "position")
    )
    return chunks
