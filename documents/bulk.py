"""What is done with several documents at once. All or nothing; call inside the organization's scope."""

from django.db import transaction
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from documents import services
from documents.errors import FAULTS_OF_FILE
from documents.listing import newest_versions
from documents.models import Collection, DocumentQuerySet, DocumentVersion, Status


class BulkAction(TextChoices):
    MOVE = "mover", _("Mover a una colección")
    CLASSIFY = "reclasificar", _("Cambiar la clasificación")
    RETRY = "reintentar", _("Reintentar")
    DELETE = "borrar", _("Borrar")


def to_retry(documents: DocumentQuerySet) -> list[DocumentVersion]:
    """The newest versions of `documents` that failed or were cancelled and may go well now."""
    stopped = newest_versions(documents).filter(status__in=(Status.FAILED, Status.CANCELLED))
    return list(stopped.exclude(status=Status.FAILED, error_code__in=FAULTS_OF_FILE).order_by("pk"))


def unreadable(documents: DocumentQuerySet) -> list[DocumentVersion]:
    """The newest versions of `documents` that failed for what their file is: another try would fail, too."""
    failed = newest_versions(documents).filter(status=Status.FAILED, error_code__in=FAULTS_OF_FILE)
    return list(failed.order_by("document__title", "pk"))


@transaction.atomic
def move(documents: DocumentQuerySet, collection: Collection | None) -> int:
    """Put documents into a collection, or into none. Returns how many."""
    return documents.update(collection=collection)


@transaction.atomic
def classify(documents: DocumentQuerySet, classification: int) -> int:
    """Give documents a classification. Returns how many."""
    return documents.update(classification=classification)


@transaction.atomic
def retry(documents: DocumentQuerySet) -> int:
    """Queue again what had failed or was cancelled. Returns how many."""
    versions = to_retry(documents)
    for version in versions:
        services.retry_version(version)
    return len(versions)


@transaction.atomic
def delete(documents: DocumentQuerySet) -> int:
    """Remove documents with all that belongs to them. Returns how many."""
    found = list(documents.order_by("pk"))
    for document in found:
        services.delete_document(document)
    return len(found)
