"""Who takes a course, how far they are, and the record of having finished."""

import uuid
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from courses.models.structure import Course, Lesson
from skillnet.models import Group
from skillnet.tenancy import TenantModel, TenantQuerySet


class GroupAssignment(TenantModel):
    """A course that everyone in a group takes, those included who join later."""

    course = models.ForeignKey(Course, models.CASCADE, related_name="group_assignments")
    group = models.ForeignKey(Group, models.CASCADE, related_name="course_assignments")
    due_days = models.PositiveSmallIntegerField(
        _("días para terminarlo"),
        null=True,
        blank=True,
        help_text=_("Desde el día en que se le asigna a cada persona."),
    )
    assigned_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("asignación a un grupo")
        verbose_name_plural = _("asignaciones a grupos")
        constraints = [models.UniqueConstraint(fields=["course", "group"], name="one_assignment_a_group")]

    def __str__(self) -> str:
        return f"{self.course} · {self.group}"


class EnrolmentQuerySet(TenantQuerySet):
    def unfinished(self) -> Self:
        return self.filter(completed_at__isnull=True)


class Enrolment(TenantModel):
    """One person taking a course. `completed_at` is empty again while they must repeat it."""

    course = models.ForeignKey(Course, models.CASCADE, related_name="enrolments")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    assignment = models.ForeignKey(
        GroupAssignment, models.SET_NULL, null=True, blank=True, related_name="enrolments", help_text="through a group"
    )
    due_on = models.DateField(_("fecha límite"), null=True, blank=True)
    completed_at = models.DateTimeField(null=True, blank=True)
    expires_on = models.DateField(_("caduca"), null=True, blank=True)
    restarted_at = models.DateTimeField(null=True, blank=True, help_text="when they began to repeat it")
    due_reminder_days = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="the last reminder by itself was sent at most this many days before `due_on`"
    )
    expiry_reminded_at = models.DateTimeField(null=True, blank=True)
    reminded_at = models.DateTimeField(null=True, blank=True, help_text="when somebody last had them reminded")
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar = EnrolmentQuerySet.as_manager()

    class Meta:
        verbose_name = _("inscripción")
        verbose_name_plural = _("inscripciones")
        constraints = [models.UniqueConstraint(fields=["course", "user"], name="one_enrolment_a_person")]

    def __str__(self) -> str:
        return f"{self.user} · {self.course}"


class LessonProgress(TenantModel):
    """A lesson that a person has done, and whether they were asked to read it again."""

    enrolment = models.ForeignKey(Enrolment, models.CASCADE, related_name="progress")
    lesson = models.ForeignKey(Lesson, models.CASCADE, related_name="progress")
    done_at = models.DateTimeField()
    reread_asked_at = models.DateTimeField(null=True, blank=True, help_text="empty again once it was read again")

    class Meta:
        verbose_name = _("lección hecha")
        verbose_name_plural = _("lecciones hechas")
        constraints = [models.UniqueConstraint(fields=["enrolment", "lesson"], name="one_progress_a_lesson")]
        indexes = [
            models.Index(fields=["lesson"], name="progress_to_reread", condition=Q(reread_asked_at__isnull=False))
        ]

    def __str__(self) -> str:
        return f"{self.enrolment} · {self.lesson}"


class Completion(TenantModel):
    """The lasting record that someone finished a course. It keeps what it says, whatever becomes of the course."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    course = models.ForeignKey(Course, models.SET_NULL, null=True, related_name="completions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    course_title = models.CharField(max_length=200)
    completed_at = models.DateTimeField()
    expires_on = models.DateField(null=True)
    percent = models.PositiveSmallIntegerField(null=True, help_text="right answers over its quizzes; null: it has none")
    documents = models.JSONField(default=list, help_text="what was taught: [{title, version, published_at}]")

    class Meta:
        verbose_name = _("curso terminado")
        verbose_name_plural = _("cursos terminados")
        ordering = ["-completed_at"]

    def __str__(self) -> str:
        return f"{self.user} · {self.course_title}"

    @property
    def number(self) -> str:
        """By which a certificate is looked up: the first 48 bits of its id, as 3F2A-9C41-77DE."""
        digits = self.id.hex[:12].upper()
        return "-".join(digits[at : at + 4] for at in range(0, 12, 4))
