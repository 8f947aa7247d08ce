"""Questions and cited answers."""

import uuid
from typing import ClassVar, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from courses.models import Course, Lesson
from documents.models import Document, DocumentVersion
from skillnet.tenancy import TenantModel, TenantQuerySet
from tutor.clearness import is_clear
from tutor.prepared.models import (
    CachedAnswer,
    DismissedQuestion,
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
    "DismissedQuestion",
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
    """One person's questions in a row, in the whole library or in one course, there perhaps beside a lesson."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")
    course = models.ForeignKey(Course, models.SET_NULL, null=True, blank=True, related_name="conversations")
    lesson = models.ForeignKey(Lesson, models.SET_NULL, null=True, blank=True, related_name="+")
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


# Conditions on turns. What a company answers in its own words is answered, whether its documents say it or not.
ANSWERED = Q(status=TurnStatus.DONE) & (Q(evidence=True) | Q(origin=AnswerOrigin.FAQ))
WITH_SOURCE = Q(status=TurnStatus.DONE, evidence=True)
UNANSWERED = Q(status=TurnStatus.DONE, evidence=False) & ~Q(origin=AnswerOrigin.FAQ)


class TurnQuerySet(TenantQuerySet):
    def finished(self) -> Self:
        return self.filter(status__in=[TurnStatus.DONE, TurnStatus.FAILED])

    def unanswered(self) -> Self:
        """Those that neither a document nor the company itself answered, whatever the person was told instead."""
        return self.filter(UNANSWERED)


class Turn(TenantModel):
    """A question with its one stored answer."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="turns")
    # The form's one-time key: a double click or a resent form finds the turn it already made.
    submission = models.UUIDField(default=uuid.uuid4, editable=False)
    question = models.TextField(_("pregunta"))
    is_fresh = models.BooleanField(default=False, help_text="asked anew: no ready answer is wanted")
    in_library = models.BooleanField(default=False, help_text="asked of all documents from within a course")
    status = models.CharField(_("estado"), max_length=10, choices=TurnStatus, default=TurnStatus.ASKED)
    claimed_at = models.DateTimeField(null=True, blank=True)
    answer = models.TextField(_("respuesta"), blank=True)
    evidence = models.BooleanField(_("con fuente"), null=True)
    confidence = models.FloatField(null=True)
    rung = models.CharField(max_length=12, blank=True)
    origin = models.CharField(_("origen"), max_length=10, choices=AnswerOrigin, blank=True)
    language = models.CharField(max_length=2, blank=True)
    trace = models.JSONField(default=dict, blank=True)
    understood = models.TextField(blank=True, help_text="the question as it was searched, when that differs")
    asked_at = models.DateTimeField(auto_now_add=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar = TurnQuerySet.as_manager()

    class Meta:
        verbose_name = _("pregunta")
        verbose_name_plural = _("preguntas")
        ordering = ["conversation", "asked_at"]
        indexes = [models.Index(fields=["organization", "-asked_at"], name="turn_latest")]
        constraints = [models.UniqueConstraint(fields=["conversation", "submission"], name="one_turn_a_submission")]

    def __str__(self) -> str:
        return self.question[:80]

    @property
    def is_answered(self) -> bool:
        """Whether it meets ANSWERED."""
        return self.status == TurnStatus.DONE and (bool(self.evidence) or self.origin == AnswerOrigin.FAQ)

    @property
    def is_clear(self) -> bool:
        """Whether its answer is shown as one with a clear source, see `tutor.clearness`."""
        return is_clear(self.question, self.confidence)


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


class Feedback(TenantModel):
    """What the person who asked thought of the answer."""

    turn = models.OneToOneField(Turn, models.CASCADE, related_name="feedback")
    is_useful = models.BooleanField(_("útil"))
    comment = models.TextField(_("comentario"), blank=True)
    given_at = models.DateTimeField(auto_now=True)
    handled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("valoración")
        verbose_name_plural = _("valoraciones")
        ordering = ["-given_at"]

    def __str__(self) -> str:
        return str(self.turn)


class Escalation(TenantModel):
    """A question passed on to whoever is responsible: by the person who asked, or by itself when in doubt."""

    turn = models.OneToOneField(Turn, models.CASCADE, related_name="escalation")
    is_automatic = models.BooleanField(default=False)
    comment = models.TextField(_("comentario"), blank=True)
    recipients = models.ManyToManyField(settings.AUTH_USER_MODEL, through="EscalationRecipient", related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    handled_at = models.DateTimeField(null=True, blank=True)
    reply = models.TextField(_("respuesta"), blank=True, db_default="")
    entry = models.ForeignKey(
        FaqEntry, models.SET_NULL, null=True, blank=True, related_name="+", help_text="the entry that answers it"
    )

    class Meta:
        verbose_name = _("aviso al responsable")
        verbose_name_plural = _("avisos al responsable")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return str(self.turn)


class EscalationRecipient(TenantModel):
    escalation = models.ForeignKey(Escalation, models.CASCADE, related_name="places")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["escalation", "user"], name="one_notice_a_recipient")]

    def __str__(self) -> str:
        return f"{self.user} · {self.escalation}"


class LanguageModelUsage(TenantModel):
    """What the language model wrote for an organization in one month: how many answers, and what all of it took."""

    month = models.DateField(_("mes"), help_text="its first day")
    answers = models.PositiveIntegerField(_("respuestas"), default=0)
    prompt_tokens = models.PositiveBigIntegerField(default=0)
    reply_tokens = models.PositiveBigIntegerField(default=0)
    cost = models.DecimalField(_("coste"), max_digits=14, decimal_places=6, default=0)

    class Meta:
        verbose_name = _("uso del modelo")
        verbose_name_plural = _("uso del modelo")
        ordering = ["-month"]
        constraints = [models.UniqueConstraint(fields=["organization", "month"], name="one_usage_a_month")]

    def __str__(self) -> str:
        return f"{self.organization} · {self.month:%Y-%m}"
