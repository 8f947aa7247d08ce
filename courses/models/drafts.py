"""Courses and lessons being drafted from documents."""

import uuid
from datetime import timedelta
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from courses.models.structure import Course, Lesson
from skillnet.tenancy import TenantModel, TenantQuerySet

REWRITING_PATIENCE = timedelta(minutes=10)


class DraftStatus(models.TextChoices):
    OUTLINED = "outlined", _("Índice propuesto")
    QUEUED = "queued", _("En cola")
    WRITING = "writing", _("Escribiendo")
    DONE = "done", _("Listo para revisar")
    FAILED = "failed", _("Con problemas")


class CourseDraftQuerySet(TenantQuerySet):
    def due(self) -> Self:
        return self.filter(status__in=[DraftStatus.QUEUED, DraftStatus.WRITING])


class CourseDraft(TenantModel):
    """The drafting of a course: its proposed outline, and how far the writing of its lessons has come.

    `outline`: {"modules": [{"title", "summary", "goals", "lessons": [{"title", "sources": [fields of LessonSource],
    "ranges": [[document, version, first block, last block]]}]}]}. Lessons already written are not written again.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    course = models.OneToOneField(Course, models.CASCADE, related_name="draft")
    outline = models.JSONField(default=dict)
    chapters = models.JSONField(
        db_default={},
        default=dict,
        help_text="{document: [keys of the chapters chosen]}; all of a document that is not named",
    )
    status = models.CharField(_("estado"), max_length=10, choices=DraftStatus, default=DraftStatus.OUTLINED)
    progress_done = models.PositiveIntegerField(default=0)
    progress_total = models.PositiveIntegerField(default=0)
    attempt_count = models.PositiveSmallIntegerField(default=0)
    error_message = models.TextField(blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    step_at = models.DateTimeField(auto_now_add=True, help_text="when a worker last moved it on")

    objects: ClassVar = CourseDraftQuerySet.as_manager()

    class Meta:
        verbose_name = _("borrador de curso")
        verbose_name_plural = _("borradores de curso")

    def __str__(self) -> str:
        return f"{self.course} · {self.get_status_display()}"

    @property
    def current_number(self) -> int:
        """The lesson being written, counted from 1; the last one at the end."""
        return min(self.progress_done + 1, self.progress_total)


class ProposalStatus(models.TextChoices):
    PROPOSED = "proposed", _("Propuesto")
    ACCEPTED = "accepted", _("Aceptado")
    DISCARDED = "discarded", _("Descartado")


class LessonProposal(TenantModel):
    """A lesson written anew, to compare with the one that is taught. Nothing changes until a person accepts it."""

    lesson = models.ForeignKey(Lesson, models.CASCADE, related_name="proposals")
    title = models.CharField(_("título"), max_length=200)
    summary = models.TextField(_("resumen"), blank=True)
    content = models.TextField(_("contenido"))
    sources = models.JSONField(default=list, help_text="fields of LessonSource")
    quiz_items = models.JSONField(default=list, help_text="fields of QuizItem, to be reviewed once accepted")
    is_rewritten = models.BooleanField(default=False, help_text="whether its words are a language model's")
    rewriting_since = models.DateTimeField(
        null=True, blank=True, help_text="while a language model is to put it into words of its own"
    )
    status = models.CharField(max_length=10, choices=ProposalStatus, default=ProposalStatus.PROPOSED)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("propuesta de lección")
        verbose_name_plural = _("propuestas de lección")
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["lesson"], condition=models.Q(status="proposed"), name="one_open_proposal_a_lesson"
            )
        ]

    def __str__(self) -> str:
        return f"{self.lesson} · {self.get_status_display()}"

    @property
    def is_open(self) -> bool:
        """Whether a person is still to decide on it."""
        return bool(self.status == ProposalStatus.PROPOSED)

    @property
    def is_being_rewritten(self) -> bool:
        """Whether other words are to be expected; a rewriting that was lost is given up after a while."""
        since = self.rewriting_since
        return self.is_open and since is not None and timezone.now() - since < REWRITING_PATIENCE
