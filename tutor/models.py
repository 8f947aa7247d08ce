"""Questions and cited answers."""

import uuid
from typing import ClassVar, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from courses.models import Course
from documents.models import Document, DocumentVersion
from skillnet.tenancy import TenantModel, TenantQuerySet
from tutor.prepared.models import (
    CachedAnswer,
    FaqEntry,
    FaqQuerySet,
    FaqSource,
    FaqVariant,
    OpenQuestion,
    ReviewReason,
)

__all__ = [
    "AnswerOrigin",
    "CachedAnswer",
    "Citation",
    "Conversation",
    "ConversationQuerySet",
    "FaqEntry",
    "FaqQuerySet",
    "FaqSource",
    "FaqVariant",
    "OpenQuestion",
    "ReviewReason",
    "Turn",
    "TurnStatus",
]


class ConversationQuerySet(TenantQuerySet):
    def of_user(self, user_id: int) -> Self:
        return self.filter(user_id=user_id)


class Conversation(TenantModel):
    """One person's questions in a row, in the whole library or in one course."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")
    course = models.ForeignKey(Course, models.SET_NULL, null=True, blank=True, related_name="conversations")
    title = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects: ClassVar = ConversationQuerySet.as_manager()

    class Meta:
        verbose_name = _("conversación")
        verbose_name_plural = _("conversaciones")
        ordering = ["-updated_at"]

    def __str__(self) -> str:
        return self.title or str(self.pk)


class TurnStatus(models.TextChoices):
    ASKED = "asked", _("Preguntada")
    ANSWERING = "answering", _("Respondiendo")
    DONE = "done", _("Respondida")
    FAILED = "failed", _("Sin terminar")


class AnswerOrigin(models.TextChoices):
    MODEL = "model", _("modelo de lenguaje")
    EXTRACTIVE = "extractive", _("frases del documento")
    FAQ = "faq", _("respuesta de la empresa")
    CACHE = "cache", _("respuesta guardada")
    NONE = "none", _("sin respuesta")


class Turn(TenantModel):
    """A question with its one stored answer."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="turns")
    # The form's one-time key: a double click or a resent form finds the turn it already made.
    submission = models.UUIDField(default=uuid.uuid4, editable=False)
    question = models.TextField(_("pregunta"))
    is_fresh = models.BooleanField(default=False, help_text="asked anew: no ready answer is wanted")
    status = models.CharField(_("estado"), max_length=10, choices=TurnStatus, default=TurnStatus.ASKED)
    claimed_at = models.DateTimeField(null=True, blank=True)
    answer = models.TextField(_("respuesta"), blank=True)
    evidence = models.BooleanField(_("con fuente"), null=True)
    confidence = models.FloatField(null=True)
    rung = models.CharField(max_length=12, blank=True)
    origin = models.CharField(_("origen"), max_length=10, choices=AnswerOrigin, blank=True)
    language = models.CharField(max_length=2, blank=True)
    trace = models.JSONField(default=dict, blank=True)
    asked_at = models.DateTimeField(auto_now_add=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("pregunta")
        verbose_name_plural = _("preguntas")
        ordering = ["conversation", "asked_at"]
        constraints = [models.UniqueConstraint(fields=["conversation", "submission"], name="one_turn_a_submission")]

    def __str__(self) -> str:
        return self.question[:80]


class Citation(TenantModel):
    """A numbered link from an answer to a passage. It keeps what it showed, so that old answers stay
    readable as long as their documents do.
    """

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="citations")
    number = models.PositiveSmallIntegerField()
    document = models.ForeignKey(Document, models.CASCADE, related_name="+")
    version = models.ForeignKey(DocumentVersion, models.CASCADE, related_name="+")
    heading_path = ArrayField(models.TextField(), default=list)
    page = models.PositiveIntegerField(null=True)
    locator = models.JSONField(default=dict)
    quote = models.TextField()
    passage = models.TextField()
    relevance = models.FloatField()

    class Meta:
        verbose_name = _("cita")
        verbose_name_plural = _("citas")
        ordering = ["turn", "number"]
        constraints = [models.UniqueConstraint(fields=["turn", "number"], name="one_citation_a_number")]

    def __str__(self) -> str:
        return f"[{self.number}] {self.document}"
