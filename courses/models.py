"""What people study: courses of modules of lessons, each lesson resting on sections of documents."""

from typing import ClassVar, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from documents.models import Document
from skillnet.models import Membership
from skillnet.tenancy import TenantModel, TenantQuerySet


class CourseStatus(models.TextChoices):
    DRAFT = "draft", _("Borrador")
    PUBLISHED = "published", _("Publicado")


class CourseQuerySet(TenantQuerySet):
    def open_to(self, membership: Membership) -> Self:
        """Courses a member may open: all for those who manage them, else the published ones they are enrolled in."""
        if membership.manages:
            return self
        return self.filter(Q(enrolments__user_id=membership.user_id), status=CourseStatus.PUBLISHED).distinct()


class Course(TenantModel):
    title = models.CharField(_("título"), max_length=200)
    slug = models.SlugField(_("identificador"), max_length=80)
    summary = models.TextField(_("resumen"), blank=True)
    status = models.CharField(_("estado"), max_length=10, choices=CourseStatus, default=CourseStatus.DRAFT)
    documents = models.ManyToManyField(Document, through="CourseDocument", related_name="courses")
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar = CourseQuerySet.as_manager()

    class Meta:
        verbose_name = _("curso")
        verbose_name_plural = _("cursos")
        ordering = ["title", "pk"]
        constraints = [models.UniqueConstraint(fields=["organization", "slug"], name="one_course_a_slug")]

    def __str__(self) -> str:
        return self.title


class CourseDocument(TenantModel):
    course = models.ForeignKey(Course, models.CASCADE, related_name="course_documents")
    document = models.ForeignKey(Document, models.CASCADE, related_name="course_documents")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["course", "document"], name="one_link_a_document")]

    def __str__(self) -> str:
        return f"{self.course} · {self.document}"


class Module(TenantModel):
    course = models.ForeignKey(Course, models.CASCADE, related_name="modules")
    title = models.CharField(_("título"), max_length=200)
    summary = models.TextField(_("resumen"), blank=True)
    position = models.PositiveIntegerField()

    class Meta:
        verbose_name = _("módulo")
        verbose_name_plural = _("módulos")
        ordering = ["course", "position"]

    def __str__(self) -> str:
        return self.title


class Lesson(TenantModel):
    module = models.ForeignKey(Module, models.CASCADE, related_name="lessons")
    title = models.CharField(_("título"), max_length=200)
    content = models.TextField(_("contenido"), help_text="Markdown")
    position = models.PositiveIntegerField()

    class Meta:
        verbose_name = _("lección")
        verbose_name_plural = _("lecciones")
        ordering = ["module", "position"]

    def __str__(self) -> str:
        return self.title


class LessonSource(TenantModel):
    """The section a lesson rests on: by document, heading path and page, so that it survives re-ingestion."""

    lesson = models.ForeignKey(Lesson, models.CASCADE, related_name="sources")
    document = models.ForeignKey(Document, models.CASCADE, related_name="lesson_sources")
    heading_path = ArrayField(models.TextField(), default=list)
    page = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        verbose_name = _("fuente de lección")
        verbose_name_plural = _("fuentes de lección")

    def __str__(self) -> str:
        return f"{self.document} · {' > '.join(self.heading_path)}"


class Enrolment(TenantModel):
    course = models.ForeignKey(Course, models.CASCADE, related_name="enrolments")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("inscripción")
        verbose_name_plural = _("inscripciones")
        constraints = [models.UniqueConstraint(fields=["course", "user"], name="one_enrolment_a_person")]

    def __str__(self) -> str:
        return f"{self.user} · {self.course}"
