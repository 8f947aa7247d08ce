"""Writing entries of the FAQ. One use case and one transaction each; call inside the organization's scope."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from documents.embedding_models import current_model
from documents.models import Document, DocumentVersion, ParsedContent
from skillnet.backends import get_embedder
from skillnet.models import Organization, User
from tutor.grounding import QUOTE_WORDS
from tutor.locating import find_place
from tutor.models import FaqEntry, FaqQuerySet, FaqSource, FaqVariant, ReviewReason
from tutor.prepared import telling
from tutor.prepared.errors import AlreadyAsked, QuoteNotFound
from tutor.prepared.likeness import encode_tokens
from tutor.prepared.lookup import as_asked
from tutor.prepared.matching import question_key
from tutor.wording import word_count, word_key

COMPLETED_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class BoundSource:
    """Words of a document's served version, and where they stand."""

    version: DocumentVersion
    quote: str
    page: int | None = None
    heading_path: tuple[str, ...] = ()
    locator: dict[str, Any] = field(default_factory=dict)


def bind_source(document: Document, quote: str, *, page: int | None = None) -> BoundSource:
    """Find quoted words in what a document serves. `page`, when given, is where to look first.

    Raises: QuoteNotFound.
    """
    version = document.active_version
    content = ParsedContent.objects.filter(version=version).first() if version is not None else None
    key = word_key(quote)
    if version is None or content is None or not key or word_count(quote) > QUOTE_WORDS:
        raise QuoteNotFound
    for pages in ((page, page), (None, None)):
        place = find_place(quote, quote, content.blocks, pages=pages, heading_path=())
        if place is not None:
            return BoundSource(version, quote, place.page, place.heading_path, place.locator)
    if f" {key} " not in f" {word_key(content.markdown)} ":
        raise QuoteNotFound
    return BoundSource(version, quote)


@transaction.atomic
def save_entry(
    *,
    organization: Organization,
    owner: User | None,
    questions: Sequence[str],
    answer: str,
    classification: int,
    is_active: bool = True,
    sources: Sequence[BoundSource] = (),
    entry: FaqEntry | None = None,
) -> FaqEntry:
    """Write an entry, or `entry` anew: then it counts as reviewed, and rests on its sources' served versions.

    `owner` answers for a new entry; an old one is handed over to them, or with None stays whose it is. `questions` are
    the wordings, the first one its name; equal ones count once.
    Raises: AlreadyAsked.
    """
    wordings = {question_key(question): question for question in reversed(questions) if question_key(question)}
    wordings = dict(reversed(wordings.items()))
    others = FaqVariant.objects.for_organization(organization).filter(key__in=wordings)
    if others.exclude(entry=entry).exists():
        raise AlreadyAsked
    before = None if entry is None else entry.owner_id
    entry = entry or FaqEntry(organization=organization)
    entry.owner = owner or entry.owner
    entry.answer = answer
    entry.classification = classification
    entry.is_active = is_active
    entry.review_reason = ReviewReason.NONE
    entry.save()
    entry.variants.exclude(key__in=wordings).delete()
    known = {variant.key: variant for variant in entry.variants.all()}
    for position, (key, text) in enumerate(wordings.items()):
        variant = known.get(key) or FaqVariant(organization=organization, entry=entry, key=key)
        variant.position, variant.text = position, text
        if variant.vector is None or key not in known:
            _embed(variant)
        variant.save()
    entry.sources.all().delete()
    FaqSource.objects.bulk_create(
        FaqSource(
            organization=organization,
            entry=entry,
            number=number,
            document_id=source.version.document_id,
            version=source.version,
            heading_path=list(source.heading_path),
            page=source.page,
            locator=source.locator,
            quote=source.quote,
        )
        for number, source in enumerate(sources, start=1)
    )
    telling.settle_reviewed(organization.pk, {before, entry.owner_id})
    return entry


@transaction.atomic
def delete_entry(entry: FaqEntry) -> None:
    """Remove an entry: nobody has to review it any more."""
    organization_id, owner_id = entry.organization_id, entry.owner_id
    entry.delete()
    telling.settle_reviewed(organization_id, {owner_id})


@transaction.atomic
def set_active(entries: FaqQuerySet, *, is_active: bool) -> int:
    """Let entries answer, or not. Returns how many."""
    return entries.update(is_active=is_active)


@transaction.atomic
def complete_vectors(organization: Organization) -> int:
    """Embed wordings that have no vector of the current model, some at a time. Returns how many were."""
    missing = FaqVariant.objects.for_organization(organization).exclude(model__name=get_embedder().model_id)
    done = 0
    for variant in missing.order_by("pk")[:COMPLETED_AT_ONCE]:
        if not _embed(variant):
            break
        variant.save(update_fields=["model", "vector", "tokens"])
        done += 1
    return done


def _embed(variant: FaqVariant) -> bool:
    embedding = as_asked(variant.text).embedding
    if embedding is None:  # the embedder is away: found by its words, completed when the list is next opened
        return False
    variant.model = current_model()
    variant.vector = embedding.vector
    variant.tokens = encode_tokens(embedding.tokens)
    return True
