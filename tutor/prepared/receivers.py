"""What ready answers do when the documents they rest on change."""

from typing import Any
from uuid import UUID

from documents.models import Document, DocumentVersion, ParsedContent
from documents.signals import document_deleted, model_switched, version_published
from skillnet.models import Organization
from skillnet.tenancy import organization_scope
from tutor.models import FaqEntry, FaqSource, ReviewReason
from tutor.prepared import cache, services, telling
from tutor.wording import word_key


def connect() -> None:
    """Listen to the documents. Once a process; again is harmless."""
    version_published.connect(review_entries, dispatch_uid="faq_review_entries")
    document_deleted.connect(withdraw_entries, dispatch_uid="faq_withdraw_entries")
    model_switched.connect(complete_entries, dispatch_uid="faq_complete_entries")


def review_entries(*, version: DocumentVersion, **_kwargs: Any) -> None:
    """Flag the entries that rest on another version of a document, or on words that a correction took away.

    They go on answering, with the version they rest on and the notice that it is no longer the current one: most
    changes touch other pages, and no answer at all would be worse than one that says how old its source is.
    """
    cache.forget_documents([version.document_id])
    sources = FaqSource.objects.filter(document_id=version.document_id)
    stale = list(sources.exclude(version=version).values_list("entry_id", flat=True))
    bound = list(sources.filter(version=version))
    if bound:
        words = f" {word_key(_markdown(version))} "
        stale += [source.entry_id for source in bound if f" {word_key(source.quote)} " not in words]
    entries = FaqEntry.objects.filter(pk__in=stale, review_reason=ReviewReason.NONE)
    flagged = list(entries.values_list("pk", flat=True))
    FaqEntry.objects.filter(pk__in=flagged).update(review_reason=ReviewReason.CHANGED)
    telling.tell_owners(version.document, flagged)


def withdraw_entries(*, document: Document, **_kwargs: Any) -> None:
    """Flag the entries that rest on a document about to be deleted. They stop answering: with the document goes what
    said who may read them.
    """
    cache.forget_documents([document.pk])
    entries = FaqEntry.objects.filter(sources__document=document).distinct()
    flagged = list(entries.order_by().values_list("pk", flat=True))
    telling.tell_owners(document, flagged)  # while it can be told who may read of it
    FaqEntry.objects.filter(pk__in=flagged).update(review_reason=ReviewReason.DELETED)


def complete_entries(*, organization_id: UUID, **_kwargs: Any) -> None:
    """Give every wording its vector of the model that the organization is searched with from now on.

    Some at a time, each lot in a transaction of its own. Until then they are found by their words.
    """
    organization = Organization.objects.get(pk=organization_id)
    done = True
    while done:
        with organization_scope(organization_id):
            done = bool(services.complete_vectors(organization))


def _markdown(version: DocumentVersion) -> str:
    return ParsedContent.objects.filter(version=version).values_list("markdown", flat=True).first() or ""
