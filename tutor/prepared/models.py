"""What a company wrote to be answered at once, what was answered before, and what nobody could answer."""

import uuid
from typing import ClassVar, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _
from pgvector.django import VectorField

from documents.access import Reader
from documents.models import Document, DocumentQuerySet, DocumentVersion, EmbeddingModel
from skillnet.models import Classification
from skillnet.tenancy import TenantModel, TenantQuerySet


class ReviewReason(models.TextChoices):
    NONE = "", _("Al día")
    CHANGED = "changed", _("Su documento ha cambiado")
    DELETED = "deleted", _("Su documento se ha borrado")


class FaqQuerySet(TenantQuerySet):
    def readable_by(self, reader: Reader, documents: DocumentQuerySet) -> Self:
        """Entries that `reader` may know of: none of their sources lies outside `documents`, those the reader may
        read.

        With a deleted document goes what said who may read it: such an entry is its owner's and the administrators'.
        """
        hidden = FaqSource.objects.filter(entry=OuterRef("pk")).exclude(document__in=documents.order_by())
        entries = self.filter(~Exists(hidden))
        if reader.sees_everything:
            return entries
        known = ~Q(review_reason=ReviewReason.DELETED) | Q(owner=reader.user_id)
        return entries.filter(known, classification__lte=reader.clearance)

    def answering(self) -> Self:
        """Entries that answer. One whose document was deleted rests on nothing, and nobody can tell who may read it."""
        return self.filter(is_active=True).exclude(review_reason=ReviewReason.DELETED)


class FaqEntry(TenantModel):
    """A question that a company answers in its own words, in several wordings."""

    answer = models.TextField(_("respuesta"), help_text="Markdown; [Fuente N] marks its sources")
    classification = models.PositiveSmallIntegerField(
        _("clasificación"), choices=Classification, default=Classification.INTERNAL
    )
    is_active = models.BooleanField(_("activa"), default=True)
    review_reason = models.CharField(
        _("revisión"), max_length=8, choices=ReviewReason, default=ReviewReason.NONE, blank=True
    )
    hit_count = models.PositiveIntegerField(_("usos"), default=0)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects: ClassVar = FaqQuerySet.as_manager()

    class Meta:
        verbose_name = _("pregunta frecuente")
        verbose_name_plural = _("preguntas frecuentes")
        ordering = ["-updated_at", "pk"]

    def __str__(self) -> str:
        return self.question

    @property
    def question(self) -> str:
        """Its first wording."""
        first = next(iter(self.variants.all()), None)
        return first.text if first else ""


class FaqVariant(TenantModel):
    """One wording of an entry's question, with its vectors; none when the embedder was away or another model made
    them.
    """

    entry = models.ForeignKey(FaqEntry, models.CASCADE, related_name="variants")
    position = models.PositiveSmallIntegerField(default=0)
    text = models.CharField(_("pregunta"), max_length=500)
    key = models.CharField(max_length=500, help_text="its words, folded: equal keys need no vectors")
    model = models.ForeignKey(EmbeddingModel, models.SET_NULL, null=True, related_name="+")
    vector = VectorField(null=True)
    tokens = models.BinaryField(null=True, help_text="see tutor.prepared.likeness")

    class Meta:
        ordering = ["entry", "position", "pk"]
        constraints = [models.UniqueConstraint(fields=["entry", "key"], name="one_variant_a_wording")]
        indexes = [models.Index(fields=["organization", "key"], name="faq_variant_key")]

    def __str__(self) -> str:
        return self.text


class FaqSource(TenantModel):
    """What an entry rests on: a place in one version of a document, so that it is known when that is no longer
    current.
    """

    entry = models.ForeignKey(FaqEntry, models.CASCADE, related_name="sources")
    number = models.PositiveSmallIntegerField()
    document = models.ForeignKey(Document, models.CASCADE, related_name="faq_sources")
    version = models.ForeignKey(DocumentVersion, models.CASCADE, related_name="+")
    heading_path = ArrayField(models.TextField(), default=list, blank=True)
    page = models.PositiveIntegerField(null=True, blank=True)
    locator = models.JSONField(default=dict, blank=True)
    quote = models.TextField(_("cita"), blank=True)

    class Meta:
        ordering = ["entry", "number"]
        constraints = [models.UniqueConstraint(fields=["entry", "number"], name="one_faq_source_a_number")]

    def __str__(self) -> str:
        return f"[{self.number}] {self.document}"


class CachedAnswer(TenantModel):
    """An answer given before. `key` says for whom and from which documents it holds: see tutor.prepared.cache."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    key = models.CharField(max_length=64)
    question = models.TextField()
    question_key = models.TextField(help_text="its words, folded")
    model = models.ForeignKey(EmbeddingModel, models.SET_NULL, null=True, related_name="+")
    vector = VectorField(null=True)
    tokens = models.BinaryField(null=True)
    answer = models.JSONField()
    document_ids = ArrayField(models.BigIntegerField(), default=list)
    hit_count = models.PositiveIntegerField(default=0)
    answered_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        verbose_name = _("respuesta guardada")
        verbose_name_plural = _("respuestas guardadas")
        ordering = ["-answered_at"]
        constraints = [models.UniqueConstraint(fields=["key", "question_key"], name="one_cached_answer_a_question")]
        indexes = [
            models.Index(fields=["organization", "expires_at"], name="cached_answer_expiry"),
            GinIndex(fields=["document_ids"], name="cached_answer_documents"),
        ]

    def __str__(self) -> str:
        return self.question[:80]


class OpenQuestion(TenantModel):
    """A turn whose answer satisfied nobody, as one of many that may ask for the same FAQ."""

    turn = models.OneToOneField("tutor.Turn", models.CASCADE, related_name="open_question")
    model = models.ForeignKey(EmbeddingModel, models.SET_NULL, null=True, related_name="+")
    vector = VectorField(null=True)
    is_settled = models.BooleanField(default=False, help_text="answered by an entry, or put aside by a person")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.turn}"


class DismissedQuestion(TenantModel):
    """A question that nobody wants answered, whoever asks it again; it outlives the turn that asked it."""

    digest = models.CharField(max_length=64, help_text="of its words, see tutor.dismissed")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["organization", "digest"], name="one_dismissal_a_question")]

    def __str__(self) -> str:
        return self.digest
