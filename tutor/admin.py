"""Staff pages for questions of the chosen organization, and for what its language model took."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from skillnet.admin import ReadOnlyAdmin, column
from tutor.models import FaqEntry, LanguageModelUsage, Turn


@admin.register(Turn)
class TurnAdmin(ReadOnlyAdmin):
    list_display = (
        "question",
        "status",
        "evidence",
        column("confidence", _("confianza")),
        "origin",
        column("asked_at", _("preguntada")),
        column("answered_at", _("contestada")),
    )
    list_filter = ("status", "evidence", "origin", "language")
    search_fields = ("question",)
    date_hierarchy = "asked_at"


@admin.register(LanguageModelUsage)
class LanguageModelUsageAdmin(ReadOnlyAdmin):
    list_display = (
        "month",
        "answers",
        column("prompt_tokens", _("tokens enviados")),
        column("reply_tokens", _("tokens recibidos")),
        "cost",
    )
    date_hierarchy = "month"


@admin.register(FaqEntry)
class FaqEntryAdmin(ReadOnlyAdmin):
    list_display = (
        "asked",
        "is_active",
        "review_reason",
        "classification",
        "hit_count",
        column("owner", _("responsable")),
        column("updated_at", _("cambiada")),
    )
    list_filter = ("is_active", "review_reason", "classification")
    search_fields = ("answer", "variants__text")
    list_select_related = ("owner",)

    @admin.display(description=_("pregunta"))
    def asked(self, entry: FaqEntry) -> str:
        return entry.question

    def get_queryset(self, request: HttpRequest) -> QuerySet[FaqEntry]:
        return super().get_queryset(request).prefetch_related("variants")  # the question is the first of them
