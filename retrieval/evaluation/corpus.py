"""A data set's corpus as documents of a hidden organization, ingested once and found again by its fingerprint."""

import hashlib
import logging
from collections.abc import Mapping
from uuid import UUID

from django.utils import timezone

from documents import term_statistics
from documents.access import ADMINISTRATION
from documents.ingestion import embedded
from documents.models import Chunk, ChunkEmbedding, Document, DocumentVersion, EmbeddingModel, Status
from retrieval.evaluation.dataset import DataSet, Row
from retrieval.types import SearchScope
from skillnet.backends import get_embedder
from skillnet.backends.language import detect_language
from skillnet.models import Organization
from skillnet.tenancy import organization_scope

logger = logging.getLogger(__name__)

SLUG_PREFIX = "evaluation-"
LAYOUT = 3  # of the documents made here: another number ingests anew
BATCH = 64


def ingested(data_set: DataSet) -> tuple[SearchScope, Mapping[int, str]]:
    """Make sure the corpus is searchable. Returns its scope, and corpus ids by document id.

    One row is one document of one chunk, its title the heading. The title is not repeated before the text that is
    embedded: the prefix tells sections of one manual apart, and here, where many rows share a title, recall@1 of the
    semantic leg falls by .008 with it.
    """
    embedder = get_embedder()
    seed = f"{LAYOUT}\n{embedder.model_id}\n{data_set.corpus_fingerprint}"
    slug = SLUG_PREFIX + hashlib.sha256(seed.encode()).hexdigest()[:16]
    organization, _created = Organization.objects.get_or_create(slug=slug, defaults={"name": data_set.name[:120]})
    with organization_scope(organization.pk):
        if not Document.objects.for_organization(organization).exists():
            logger.info("ingesting %s: %s rows", data_set.name, len(data_set.corpus))
            _ingest(organization.pk, data_set)
        names = Document.objects.for_organization(organization).values_list("pk", "active_version__file_name")
        return SearchScope(organization.pk, ADMINISTRATION), dict(names)


def _ingest(organization_id: UUID, data_set: DataSet) -> None:
    embedder = get_embedder()
    model, _created = EmbeddingModel.objects.get_or_create(
        name=embedder.model_id, defaults={"dimensions": embedder.dimensions}
    )
    language = detect_language(" ".join(row.text for row in data_set.corpus[:20]))
    for start in range(0, len(data_set.corpus), BATCH):
        rows = data_set.corpus[start : start + BATCH]
        documents = Document.objects.bulk_create(
            Document(organization_id=organization_id, title=(row.title or row.id)[:300], language=language)
            for row in rows
        )
        versions = DocumentVersion.objects.bulk_create(
            _version(document, row, model) for document, row in zip(documents, rows, strict=True)
        )
        chunks = Chunk.objects.bulk_create(
            _chunk(version, row, language) for version, row in zip(versions, rows, strict=True)
        )
        ChunkEmbedding.objects.bulk_create(
            ChunkEmbedding(
                organization_id=organization_id,
                chunk=chunk,
                version_id=chunk.version_id,
                model=model,
                vector=vector,
                tokens=tokens,
            )
            for chunk, (vector, tokens) in zip(chunks, embedded(chunks), strict=True)
        )
        for document, version in zip(documents, versions, strict=True):
            document.active_version = version
        Document.objects.bulk_update(documents, ["active_version"])
    term_statistics.rebuild(organization_id)


def _version(document: Document, row: Row, model: EmbeddingModel) -> DocumentVersion:
    return DocumentVersion(
        organization_id=document.organization_id,
        document=document,
        number=1,
        file_name=row.id[:200],
        sha256=hashlib.sha256(row.text.encode()).hexdigest(),
        size=len(row.text.encode()),
        media_type="text/plain",
        page_count=1,
        uploaded_at=timezone.now(),
        status=Status.READY,
        embedding_model=model,
    )


def _chunk(version: DocumentVersion, row: Row, language: str) -> Chunk:
    return Chunk(
        organization_id=version.organization_id,
        version=version,
        position=0,
        kind="paragraph",
        text=row.text.replace("\0", ""),
        meaning_text=row.text.replace("\0", ""),
        heading=row.title,
        heading_path=[row.title] if row.title else [],
        level=1 if row.title else 0,
        language=language,
        char_start=0,
        char_end=len(row.text),
        token_count=get_embedder().count_tokens(row.text),
        content_hash=hashlib.sha256(row.text.encode()).hexdigest(),
    )
