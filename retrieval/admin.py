"""Staff pages for evaluation runs of the chosen organization."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from retrieval.models import EvaluationRun
from skillnet.admin import CREATED, ReadOnlyAdmin, column


@admin.register(EvaluationRun)
class EvaluationRunAdmin(ReadOnlyAdmin):
    list_display = (
        column("data_set", _("preguntas")),
        column("configuration", _("forma de buscar")),
        column("fingerprint", _("huella de los datos")),
        CREATED,
    )
    list_filter = ("configuration",)
    search_fields = ("data_set", "fingerprint")
