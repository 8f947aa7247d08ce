"""Questions at the end of a lesson, and what people answered."""

from typing import ClassVar, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from courses.models.structure import Lesson
from documents.models import Document
from skillnet.tenancy import TenantModel, TenantQuerySet


class QuizKind(models.TextChoices):
    SINGLE_CHOICE = "single_choice", _("Elegir una")
    ORDER = "order", _("Ordenar los pasos")
    FILL = "fill", _("Completar la cifra")


class QuizItemQuerySet(TenantQuerySet):
    def asked(self) -> Self:
        """Those a person has checked; nothing else is ever put to employees."""
        return self.filter(is_reviewed=True)


class QuizItem(TenantModel):
    """A question with exactly one right answer, tied to the passage that answers it.

    single_choice: `options` as shown, `answer` [index of the right one]. order: `options` in the right order, `answer`
    empty. fill: `options` empty, `answer` the accepted spellings.
    """

    lesson = models.ForeignKey(Lesson, models.CASCADE, related_name="quiz_items")
    kind = models.CharField(_("tipo"), max_length=14, choices=QuizKind)
    question = models.TextField(_("pregunta"))
    options = ArrayField(models.TextField(), default=list, blank=True)
    answer = models.JSONField(default=list)
    explanation = models.TextField(_("explicación"), blank=True)
    document = models.ForeignKey(Document, models.SET_NULL, null=True, related_name="+")
    heading_path = ArrayField(models.TextField(), default=list)
    page = models.PositiveIntegerField(null=True, blank=True)
    quote = models.TextField(_("pasaje"), blank=True)
    is_reviewed = models.BooleanField(_("revisada"), default=False)
    position = models.PositiveIntegerField()

    objects: ClassVar = QuizItemQuerySet.as_manager()

    class Meta:
        verbose_name = _("pregunta de cuestionario")
        verbose_name_plural = _("preguntas de cuestionario")
        ordering = ["lesson", "position", "pk"]

    def __str__(self) -> str:
        return self.question[:80]


class QuizAttempt(TenantModel):
    """One try at a lesson's quiz. It keeps the questions as they were put."""

    lesson = models.ForeignKey(Lesson, models.CASCADE, related_name="attempts")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    answers = models.JSONField(default=list, help_text="[{item, question, given, expected, is_right}]")
    percent = models.PositiveSmallIntegerField()
    is_passed = models.BooleanField()
    taken_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("intento")
        verbose_name_plural = _("intentos")
        ordering = ["-taken_at"]
        indexes = [models.Index(fields=["lesson", "user"], name="attempts_of_a_person")]

    def __str__(self) -> str:
        return f"{self.user} · {self.lesson}: {self.percent} %"
