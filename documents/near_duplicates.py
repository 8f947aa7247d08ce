"""Documents of an organization that say nearly the same. Call inside the organization's scope."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Count
from django.utils.translation import gettext as _

from documents.models import Chunk, Document, DocumentQuerySet, DocumentVersion, ParsedContent
from documents.similarity import likeness

CODE = "near_duplicate"
ALIKE = 0.6  # of the pieces, or of the runs of words
MOST_NAMED = 3


def warnings_about(version: DocumentVersion) -> list[dict[str, Any]]:
    """A warning for each served document that is nearly the same as this version, the likest first.

    Warnings carry the other document's id and not its title: who reads one may not be one who may read the other.
    """
    shares = _shared_pieces(version)
    for document_id, share in _shared_words(version).items():
        shares[document_id] = max(share, shares.get(document_id, 0.0))
    alike = sorted((share, document_id) for document_id, share in shares.items() if share >= ALIKE)
    message = _("Se parece mucho a otro documento.")
    return [
        {"code": CODE, "message": message, "page": None, "document_id": document_id}
        for _share, document_id in alike[: -MOST_NAMED - 1 : -1]
    ]


def named_in(warnings: Iterable[dict[str, Any]]) -> list[int]:
    """Ids of the documents that a version's warnings call nearly the same."""
    return [warning["document_id"] for warning in warnings if warning["code"] == CODE]


def known_to_reader(versions: Iterable[DocumentVersion], readable: DocumentQuerySet) -> dict[int, list[Document]]:
    """For each version's id, the documents nearly the same as it that are among the `readable` ones."""
    named = {version.pk: named_in(version.warnings) for version in versions}
    ids = {document_id for row in named.values() for document_id in row}
    documents = readable.in_bulk(ids) if ids else {}
    return {pk: [documents[one] for one in row if one in documents] for pk, row in named.items()}


def others(warnings: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The warnings that are about the version alone."""
    return [warning for warning in warnings if warning["code"] != CODE]


def _shared_pieces(version: DocumentVersion) -> dict[int, float]:
    """For other served documents, the share of this version's distinct pieces that they hold too."""
    own = set(version.chunks.values_list("content_hash", flat=True))
    rows = (
        Chunk.objects.filter(
            organization_id=version.organization_id,
            content_hash__in=own,
            version__document_where_active__isnull=False,
        )
        .exclude(version__document_id=version.document_id)
        .order_by()
        .values_list("version__document_id")
        .annotate(count=Count("content_hash", distinct=True))
    )
    return {document_id: count / len(own) for document_id, count in rows}


def _shared_words(version: DocumentVersion) -> dict[int, float]:
    """For other served documents, how alike their words are."""
    own = ParsedContent.objects.filter(version=version).values_list("signature", flat=True).first()
    if not own:
        return {}
    rows = (
        ParsedContent.objects.filter(
            organization_id=version.organization_id,
            version__document_where_active__isnull=False,
            signature__overlap=own,
        )
        .exclude(version__document_id=version.document_id)
        .values_list("version__document_id", "signature")
    )
    return {document_id: likeness(own, known) for document_id, known in rows}
