"""Answers that are ready, and questions that they answer or not."""

from typing import Any

from documents import corrections
from documents.access import ADMINISTRATION, Reader
from documents.correcting import Correction, Place
from documents.models import Document, ParsedContent
from retrieval.types import SearchScope
from skillnet.models import Classification, Organization
from skillnet.tenancy import organization_scope
from tutor import answering
from tutor.events import Answer, Done
from tutor.models import CachedAnswer, FaqEntry
from tutor.prepared import services as faq_services

MANUAL = "# Plazos\nEl cliente dispone de 30 días naturales para devolver un producto no alimentario con su tique."
OTHER_MANUAL = (
    "# Plazos\nEl cliente dispone de 14 días naturales para devolver un producto no alimentario con su tique."
)
QUESTION = "¿Cuántos días naturales hay para devolver un producto no alimentario con tique?"
QUOTE = "30 días naturales para devolver un producto no alimentario"


def reader_scope(organization: Organization, reader: Reader = ADMINISTRATION, **filters: Any) -> SearchScope:
    return SearchScope(organization.pk, reader, **filters)


def ask(scope: SearchScope, question: str = QUESTION, **options: Any) -> Answer:
    events = list(answering.answer(question, scope=scope, **options))
    assert isinstance(events[-1], Done)
    return events[-1].answer


def make_entry(organization: Organization, document: Document | None, **values: Any) -> FaqEntry:
    with organization_scope(organization.pk):
        sources = [] if document is None else [faq_services.bind_source(document, values.pop("quote", QUOTE))]
        return faq_services.save_entry(
            organization=organization,
            owner=None,
            sources=sources,
            **{
                "questions": [QUESTION],
                "answer": "Tiene **30 días** para devolverlo.",
                "classification": Classification.INTERNAL,
                **values,
            },
        )


def cached_count(organization: Organization) -> int:
    with organization_scope(organization.pk):
        return int(CachedAnswer.objects.count())


def correct(organization: Organization, document: Document, before: str = "30 días", after: str = "45 días") -> None:
    from documents import ingestion

    with organization_scope(organization.pk):
        document.refresh_from_db()
        version = document.active_version
        assert version is not None
        blocks = ParsedContent.objects.get(version=version).blocks
        index = next(at for at, block in enumerate(blocks) if before in block["text"])
        old = blocks[index]["text"]
        change = Correction(Place(index, None, None), old, old.replace(before, after))
        assert corrections.correct(version=version, corrected_by=None, corrections=[change]) == 1
    ingestion.run(organization.pk, version.pk)
