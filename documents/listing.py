"""The documents a person manages, as rows of a list."""

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext_lazy as _

from documents.models import FINAL_STATUSES, DocumentQuerySet, DocumentVersion, Status

# What people filter by: fewer states than the ingestion has.
STATES = {
    "listos": (_("Listos"), frozenset({Status.READY})),
    "avisos": (_("Listos, con avisos"), frozenset({Status.READY_WITH_WARNINGS})),
    "en-curso": (_("En curso"), frozenset(Status) - FINAL_STATUSES),
    "problemas": (_("Con problemas o cancelados"), frozenset({Status.FAILED, Status.CANCELLED})),
}


def newest_versions(documents: DocumentQuerySet, *, title: str = "", state: str = "") -> QuerySet[DocumentVersion]:
    """The newest version of each of `documents`, newest upload first, its document and people at hand.

    `title` is looked for anywhere in the title; `state` is a key of STATES.
    """
    if title:
        documents = documents.filter(title__icontains=title)
    newer = DocumentVersion.objects.filter(document=OuterRef("document"), number__gt=OuterRef("number"))
    versions = DocumentVersion.objects.filter(~Exists(newer), document__in=documents)
    if state:
        versions = versions.filter(status__in=STATES[state][1])
    related = ("document__collection", "document__active_version", "uploaded_by")
    return versions.select_related(*related).order_by("-uploaded_at", "-pk")
