"""What an organization tells its search (its own words, settings that differ from the product's), questions with known
answers, and stored evaluation runs.
"""

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from pgvector.django import VectorField

from documents.models import Collection, Document, EmbeddingModel
from skillnet.tenancy import TenantModel


class SettingsOverride(TenantModel):
    """What an organization, one of its collections or one of its courses does otherwise than the level above.

    `values` holds only what differs; retrieval.configuration knows the names and reads them.
    """

    collection = models.ForeignKey(Collection, models.CASCADE, null=True, blank=True, related_name="+")
    # By number: courses are known further up.
    course_id = models.PositiveBigIntegerField(null=True, blank=True)
    values = models.JSONField(default=dict)
    updated_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("ajustes de búsqueda")
        verbose_name_plural = _("ajustes de búsqueda")
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "collection", "course_id"],
                name="one_override_a_level",
                nulls_distinct=False,
            ),
            models.CheckConstraint(
                condition=Q(collection__isnull=True) | Q(course_id__isnull=True), name="override_of_one_thing"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.organization} · {self.collection or self.course_id or '-'}"


class CollectionCentroid(TenantModel):
    """The middle of a collection in one model's space: the mean of its chunks' vectors, not of unit length."""

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="+")
    model = models.ForeignKey(EmbeddingModel, models.CASCADE, related_name="+")
    vector = VectorField()
    state = models.CharField(max_length=32, help_text="of what it served when it was measured")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["collection", "model"], name="one_centroid_a_model")]

    def __str__(self) -> str:
        return f"{self.collection} · {self.model}"


class EvaluationQuestion(TenantModel):
    """A question of the organization's own, and where its answer stands: in words, section and page, so that it
    stays right when the document is read or cut anew.
    """

    question = models.CharField(_("pregunta"), max_length=500)
    is_answerable = models.BooleanField(_("tiene respuesta"), default=True)
    document = models.ForeignKey(Document, models.CASCADE, null=True, blank=True, related_name="+")
    heading_path = ArrayField(models.TextField(), default=list, blank=True)
    page = models.PositiveIntegerField(null=True, blank=True)
    passage = models.TextField(blank=True, help_text="the words that answer, as they stood when they were picked")
    expected_words = models.CharField(
        max_length=500, blank=True, default="", db_default="", help_text="what the answer must say; empty: not asked"
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("pregunta de evaluación")
        verbose_name_plural = _("preguntas de evaluación")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["organization", "question"], name="one_judgement_a_question"),
            models.CheckConstraint(
                condition=Q(is_answerable=True, document__isnull=False) | Q(is_answerable=False, document__isnull=True),
                name="answerable_questions_have_a_document",
            ),
        ]

    def __str__(self) -> str:
        return self.question


class Evaluation(TenantModel):
    """One measurement of the organization's own questions that a person asked for; its runs are the rows of a table."""

    class State(models.TextChoices):
        WAITING = "waiting", _("En cola")
        RUNNING = "running", _("Midiendo")
        DONE = "done", _("Lista")
        FAILED = "failed", _("Con problemas")

    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    configurations = ArrayField(models.CharField(max_length=60))
    error_message = models.TextField(blank=True)
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("medición")
        verbose_name_plural = _("mediciones")
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.created_at:%Y-%m-%d %H:%M}"

    @property
    def is_over(self) -> bool:
        return self.state in (self.State.DONE, self.State.FAILED)


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
    evaluation = models.ForeignKey(Evaluation, models.CASCADE, null=True, blank=True, related_name="runs")
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
