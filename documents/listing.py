"""The documents a person manages, as rows of a list."""

from django.db.models import Case, Exists, F, Func, OuterRef, Q, QuerySet, TextField, Value, When
from django.db.models.expressions import Combinable
from django.utils.translation import gettext_lazy as _

from documents.cleaning import clean_line
from documents.folding import folded
from documents.models import FINAL_STATUSES, DocumentQuerySet, DocumentVersion, Status
from documents.parsing import media_types

# What people filter by: fewer states than the ingestion has.
STATES = {
    "listos": (_("Listos"), frozenset({Status.READY})),
    "avisos": (_("Listos, con avisos"), frozenset({Status.READY_WITH_WARNINGS})),
    "en-curso": (_("En curso"), frozenset(Status) - FINAL_STATUSES),
    "problemas": (_("Con problemas o cancelados"), frozenset({Status.FAILED, Status.CANCELLED})),
}
KINDS = {
    "pdf": (_("PDF"), (media_types.PDF,)),
    "word": (_("Word"), (media_types.DOCX,)),
    "powerpoint": (_("PowerPoint"), (media_types.PPTX,)),
    "excel": (_("Excel y CSV"), (media_types.XLSX, media_types.CSV)),
    "texto": (_("Texto y Markdown"), (media_types.PLAIN, media_types.MARKDOWN)),
    "web": (_("Página web"), (media_types.HTML,)),
    "subtitulos": (_("Subtítulos"), (media_types.VTT, media_types.SRT)),
}
NO_COLLECTION = "ninguna"
ORDERS = {
    "recientes": _("Más recientes"),
    "antiguos": _("Más antiguos"),
    "titulo": _("Título"),
    "estado": _("Estado"),
}
# What needs a person comes first.
_STATE_RANK = Case(
    When(status__in=STATES["problemas"][1], then=0),
    When(status__in=STATES["en-curso"][1], then=1),
    When(status=Status.READY_WITH_WARNINGS, then=2),
    default=3,
)


def newest_versions(
    documents: DocumentQuerySet,
    *,
    title: str = "",
    state: str = "",
    collection: str = "",
    kind: str = "",
    tag: str = "",
    order: str = "",
) -> QuerySet[DocumentVersion]:
    """The version of each of `documents` that was uploaded or restored last, its document and people at hand.

    The words of `title` are looked for anywhere in the title or a file's name, accents and case apart. `state`, `kind`
    and `order` are keys of STATES, KINDS and ORDERS; `collection` is an id or NO_COLLECTION. The newest upload comes
    first by default.
    """
    if title:
        files = DocumentVersion.objects.filter(document__in=documents).annotate(folded_name=folded(F("file_name")))
        documents = documents.annotate(folded_title=folded(F("title")))
        for word in clean_line(title).split():
            found = folded(Value(word))
            named = files.filter(folded_name__contains=found).values("document")  # once for all, not for each document
            documents = documents.filter(Q(folded_title__contains=found) | Q(pk__in=named))
    if collection:
        wanted = {"collection__isnull": True} if collection == NO_COLLECTION else {"collection_id": collection}
        documents = documents.filter(**wanted)
    if tag:
        documents = documents.filter(tags__contains=[tag])
    newer = DocumentVersion.objects.filter(document=OuterRef("document"), serving_order__gt=OuterRef("serving_order"))
    versions = DocumentVersion.objects.filter(~Exists(newer), document__in=documents)
    if state:
        versions = versions.filter(status__in=STATES[state][1])
    if kind:
        versions = versions.filter(media_type__in=KINDS[kind][1])
    related = ("document__collection", "document__active_version", "uploaded_by")
    return versions.select_related(*related).order_by(*_ordering(order))


def _ordering(order: str) -> tuple[Combinable | str, ...]:
    title = folded(F("document__title"))
    orders: dict[str, tuple[Combinable | str, ...]] = {
        "antiguos": ("uploaded_at", "pk"),
        "titulo": (title, "pk"),
        "estado": (_STATE_RANK, title, "pk"),
    }
    return orders.get(order, ("-uploaded_at", "-pk"))


def tags_of(documents: DocumentQuerySet) -> list[str]:
    """Every tag that one of `documents` carries, in order."""
    tags = documents.order_by().annotate(tag=Func(F("tags"), function="unnest", output_field=TextField()))
    return sorted(set(tags.values_list("tag", flat=True)), key=str.casefold)
