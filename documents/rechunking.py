"""Cutting documents anew after the settings for it have changed."""

from django.db import transaction

from documents import services
from documents.holding import hold_until_commit
from documents.models import READY_STATUSES, DocumentQuerySet, DocumentVersion


@transaction.atomic
def queue_again(documents: DocumentQuerySet) -> int:
    """Queue what `documents` serve to be cut and embedded anew from what was read; no file is read again.

    What is served stays until the new pieces are ready. Versions still being ingested are left alone. Returns how many
    were queued. Raises: VersionBusy.
    """
    served = DocumentVersion.objects.filter(
        document_where_active__in=documents.order_by(), status__in=READY_STATUSES
    ).order_by("pk")
    versions = list(served)
    for version in versions:
        hold_until_commit(version.pk)
        services.queue_from_text(DocumentVersion.objects.select_for_update(no_key=True).get(pk=version.pk))
    return len(versions)
