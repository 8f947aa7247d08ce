"""«Fuente actualizada — revisar»: what changed under a course, and what became of each lesson that rests on it."""

from typing import ClassVar, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from courses.models.structure import Course, Lesson
from documents.models import Document, DocumentVersion
from skillnet.models import Membership
from skillnet.tenancy import TenantModel, TenantQuerySet


class NoticeStatus(models.TextChoices):
    OPEN = "open", _("Por revisar")
    CLOSED = "closed", _("Revisado")


class UpdateNoticeQuerySet(TenantQuerySet):
    def open(self) -> Self:
        return self.filter(status=NoticeStatus.OPEN)

    def open_to(self, membership: Membership) -> Self:
        """Those about documents that a member may read."""
        return self.filter(document__in=Document.objects.open_to(membership).order_by())


class UpdateNotice(TenantModel):
    """A document of a course got a new version whose sections differ from the one before.

    While it is open, still newer versions of the document widen it: `from_version` stays, `to_version` follows.
    """

    course = models.ForeignKey(Course, models.CASCADE, related_name="notices")
    document = models.ForeignKey(Document, models.CASCADE, related_name="notices")
    from_version = models.ForeignKey(DocumentVersion, models.CASCADE, related_name="+")
    to_version = models.ForeignKey(DocumentVersion, models.CASCADE, related_name="+")
    changes = models.JSONField(
        default=list, help_text="[{heading_path, before_path, change, page}]; change as in documents.diffing.Change"
    )
    dropped_questions = models.JSONField(
        default=list, help_text="whose stored answers rested on what changed, and went with the version before"
    )
    status = models.CharField(_("estado"), max_length=10, choices=NoticeStatus, default=NoticeStatus.OPEN)
    created_at = models.DateTimeField(auto_now_add=True)
    announced_at = models.DateTimeField(null=True, blank=True, help_text="when the administration was told by e-mail")
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    objects: ClassVar = UpdateNoticeQuerySet.as_manager()

    class Meta:
        verbose_name = _("aviso de cambios")
        verbose_name_plural = _("avisos de cambios")
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["course", "document"], condition=models.Q(status="open"), name="one_open_notice_a_source"
            )
        ]

    def __str__(self) -> str:
        return f"{self.course} · {self.document}"


class Resolution(models.TextChoices):
    OPEN = "open", _("Por revisar")
    REGENERATED = "regenerated", _("Borrador aceptado")
    EDITED = "edited", _("Editada")
    NOT_NEEDED = "not_needed", _("No hace falta")


class TouchedLesson(TenantModel):
    """A lesson that rests on sections which changed, and what was decided about it."""

    notice = models.ForeignKey(UpdateNotice, models.CASCADE, related_name="touched_lessons")
    lesson = models.ForeignKey(Lesson, models.CASCADE, related_name="touched")
    changes = models.JSONField(default=list, help_text="those of the notice that touch it")
    quiz_item_ids = ArrayField(models.BigIntegerField(), default=list, help_text="of its questions that are touched")
    is_orphaned = models.BooleanField(default=False, help_text="whether a heading it rests on has vanished")
    resolution = models.CharField(max_length=12, choices=Resolution, default=Resolution.OPEN)
    reason = models.TextField(_("motivo"), blank=True)
    resolved_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    resolved_at = models.DateTimeField(null=True, blank=True)
    reread_asked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("lección afectada")
        verbose_name_plural = _("lecciones afectadas")
        ordering = ["notice", "lesson__module__position", "lesson__position", "pk"]
        constraints = [models.UniqueConstraint(fields=["notice", "lesson"], name="one_touch_a_lesson")]

    def __str__(self) -> str:
        return f"{self.notice} · {self.lesson}"
