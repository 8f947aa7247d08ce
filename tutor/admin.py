"""Staff pages for questions of the chosen organization, and for what its language model took."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from skillnet.admin import ReadOnlyAdmin
from tutor.models import FaqEntry, LanguageModelUsage, Turn


@admin.register(Turn)
class TurnAdmin(ReadOnlyAdmin):
    list_display = ("question", "status", "evidence", "confidence", "origin", "asked_at", "answered_at")
    list_filter = ("status", "evidence", "origin", "language")
    search_fields = ("question",)
    date_hierarchy = "asked_at"


@admin.register(LanguageModelUsage)
class LanguageModelUsageAdmin(ReadOnlyAdmin):
    list_display = ("month", "answers", "prompt_tokens", "reply_tokens", "cost")
    date_hierarchy = "month"


@admin.register(FaqEntry)
class FaqEntryAdmin(ReadOnlyAdmin):
    list_display = ("question", "is_active", "review_reason", "classification", "hit_count", "owner", "updated_at")
    list_filter = ("is_active", "review_reason", "classification")
    search_fields = ("answer", "variants__text")
    list_select_related = ("owner",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[FaqEntry]:
        return super().get_queryset(request).prefetch_related("variants")  # the question is the first of them
