"""Staff pages for evaluation runs of the chosen organization."""

from django.contrib import admin

from retrieval.models import EvaluationRun
from skillnet.admin import ReadOnlyAdmin


@admin.register(EvaluationRun)
class EvaluationRunAdmin(ReadOnlyAdmin):
    list_display = ("data_set", "configuration", "fingerprint", "created_at")
    list_filter = ("configuration",)
    search_fields = ("data_set", "fingerprint")
