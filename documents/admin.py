"""Staff pages for documents of the chosen organization."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from documents import jobs, reindexing, serving
from documents.models import Collection, Document, DocumentVersion, EmbeddingModel, ServingModel
from documents.services import reingest_version, retry_version
from skillnet import audit
from skillnet.admin import CREATED, ReadOnlyAdmin, TenantAdmin, column
from skillnet.backends import configured_model
from skillnet.errors import SkillNetError
from skillnet.models import Organization, User


def _note(request: HttpRequest, version: DocumentVersion) -> None:
    """The organization finds in its log what staff did with its documents."""
    assert isinstance(request.user, User)  # staff pages have no anonymous visitors
    audit.record(version.organization, request.user, audit.Action.DOCUMENT_RETRIED, version)


def _reindex(request: HttpRequest, organization: Organization) -> None:
    try:
        reindexing.begin(organization.pk, configured_model())
    except SkillNetError as error:
        messages.error(request, str(error.user_message))
    else:
        assert isinstance(request.user, User)
        with translation.override(organization.language):
            target, detail = _("Búsqueda por significado"), _("se prepara de nuevo")
            audit.record(organization, request.user, audit.Action.SETTINGS_CHANGED, target, detail=detail)
        jobs.enqueue_on_commit()
        messages.success(request, _("En marcha: «Modelos de búsqueda» dice cómo va."))


@admin.register(Collection)
class CollectionAdmin(TenantAdmin):
    list_display = ("name",)
    search_fields = ("name",)


@admin.register(Document)
class DocumentAdmin(ReadOnlyAdmin):
    list_display = (
        "title",
        "collection",
        "classification",
        "audience",
        "language",
        "version_in_use",
        CREATED,
    )
    list_filter = ("classification", "audience", "language", "collection")
    search_fields = ("title",)
    list_select_related = ("collection", "active_version")

    @admin.display(description=_("versión en uso"))
    def version_in_use(self, document: Document) -> int | None:
        return None if document.active_version is None else document.active_version.number


@admin.register(DocumentVersion)
class DocumentVersionAdmin(ReadOnlyAdmin):
    list_display = (
        column("document", _("documento")),
        "number",
        "status",
        column("error_code", _("motivo")),
        "page_count",
        column("attempt_count", _("intentos")),
        column("uploaded_at", _("subida")),
        column("step_at", _("último paso")),
    )
    list_filter = ("status", "error_code", "media_type", "vectors_pending", "embedding_model")
    search_fields = ("document__title", "file_name", "sha256")
    list_select_related = ("document",)
    date_hierarchy = "uploaded_at"
    actions = ("retry", "reingest", "reindex")

    @admin.action(description=_("Reintentar las que han fallado o se cancelaron"))
    def retry(self, request: HttpRequest, queryset: QuerySet[DocumentVersion]) -> None:
        done = 0
        for version in queryset.select_related("organization").order_by("pk"):
            try:
                retry_version(version)
            except SkillNetError as error:
                text = _("«%(version)s»: %(reason)s") % {"version": version, "reason": error.user_message}
                messages.warning(request, text)
            else:
                _note(request, version)
                done += 1
        messages.success(request, _("En cola: %(count)d.") % {"count": done})

    @admin.action(description=_("Volver a leer el archivo desde el principio"))
    def reingest(self, request: HttpRequest, queryset: QuerySet[DocumentVersion]) -> None:
        for version in queryset.select_related("organization").order_by("pk"):
            reingest_version(version)
            _note(request, version)
        messages.success(request, _("En cola: %(count)d.") % {"count": queryset.count()})

    @admin.action(description=_("Preparar la búsqueda de su organización con el modelo configurado"))
    def reindex(self, request: HttpRequest, queryset: QuerySet[DocumentVersion]) -> None:
        version = queryset.select_related("organization").first()
        assert version is not None  # an action has at least one row
        _reindex(request, version.organization)


@admin.register(ServingModel)
class ServingModelAdmin(ReadOnlyAdmin):
    """Which model the chosen organization is searched with, and how far the change to another has come."""

    list_display = (
        column("organization", _("organización")),
        "model",
        "is_configured",
        "next_model",
        "made",
        "switched_at",
        "is_tidied",
    )
    list_select_related = ("organization", "model", "next_model")
    actions = ("reindex",)

    @admin.display(description=_("limpieza terminada"), boolean=True, ordering="is_tidy")
    def is_tidied(self, row: ServingModel) -> bool:
        return row.is_tidy

    @admin.display(description=_("es el configurado"), boolean=True)
    def is_configured(self, row: ServingModel) -> bool:
        return serving.own_model(row.organization_id) is None

    @admin.action(description=_("Preparar la búsqueda con el modelo configurado"))
    def reindex(self, request: HttpRequest, queryset: QuerySet[ServingModel]) -> None:
        for row in queryset.select_related("organization"):
            _reindex(request, row.organization)

    @admin.display(description=_("preparado"))
    def made(self, row: ServingModel) -> str:
        model = row.next_model or row.model
        if model is None:
            return ""
        state = reindexing.progress(row.organization_id, model.name, model.dimensions)
        return _("%(done)d de %(chunks)d") % {"done": state.done, "chunks": state.chunks}


@admin.register(EmbeddingModel)
class EmbeddingModelAdmin(admin.ModelAdmin[EmbeddingModel]):
    list_display = (column("name", _("nombre")), column("dimensions", _("dimensiones")))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: EmbeddingModel | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: EmbeddingModel | None = None) -> bool:
        return False
