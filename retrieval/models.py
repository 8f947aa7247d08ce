"""What an organization tells its search: its own words; and what searches were measured to do."""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from skillnet.tenancy import TenantModel


class GlossaryEntry(TenantModel):
    """Words or short phrases that mean the same in an organization («caja», «TPV»)."""

    wordings = ArrayField(models.CharField(max_length=80), verbose_name=_("palabras que significan lo mismo"))
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("entrada del glosario")
        verbose_name_plural = _("glosario")
        ordering = ["wordings", "pk"]

    def __str__(self) -> str:
        return " = ".join(self.wordings)


class EvaluationRun(TenantModel):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    data_set = models.CharField(max_length=200)
    fingerprint = models.CharField(max_length=64, help_text="of the data: equal prints can be compared")
    configuration = models.CharField(max_length=60)
    settings = models.JSONField(default=dict)
    metrics = models.JSONField(default=dict)
    latency_ms = models.JSONField(default=dict)
    per_query = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("evaluación")
        verbose_name_plural = _("evaluaciones")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.data_set} · {self.configuration}"
