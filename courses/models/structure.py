"""Courses of modules of lessons, each lesson resting on sections of documents."""

from typing import ClassVar, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from courses.sources import Source
from documents.models import Document, DocumentVersion
from skillnet.models import Membership
from skillnet.tenancy import TenantModel, TenantQuerySet

SOURCE_WITHDRAWN = "when a document it rests on was deleted; empty once somebody has looked"


class CourseStatus(models.TextChoices):
    DRAFT = "draft", _("Borrador")
    PUBLISHED = "published", _("Publicado")


class CourseQuerySet(TenantQuerySet):
    def with_open_notices(self, membership: Membership) -> Self:
        """With `open_notice_count`: how many of its documents that a member may read have changes nobody reviewed."""
        readable = Document.objects.open_to(membership).order_by().values("pk")
        is_open = Q(notices__status="open", notices__document__in=readable)
        return self.annotate(open_notice_count=Count("notices", filter=is_open, distinct=True))

    def having_lost_a_source(self) -> Self:
        """Courses of which a document was deleted and nobody has looked since."""
        return self.filter(source_withdrawn_at__isnull=False)

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
    pass_percent = models.PositiveSmallIntegerField(
        _("aciertos para aprobar cada cuestionario (%)"),
        default=80,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
    )
    recertify_months = models.PositiveSmallIntegerField(
        _("repetir cada (meses)"), null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(120)]
    )
    recertify_on_change = models.BooleanField(
        _("repetir cuando cambie una lección"), default=False, help_text=_("Pide volver a leer lo que cambió.")
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    source_withdrawn_at = models.DateTimeField(null=True, blank=True, help_text=SOURCE_WITHDRAWN)

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
    goals = ArrayField(models.TextField(), default=list, blank=True, verbose_name=_("qué se aprende"))
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
    summary = models.TextField(_("resumen"), blank=True)
    content = models.TextField(_("contenido"), help_text="Markdown")
    composed = models.TextField(
        blank=True,
        default="",
        db_default="",
        editable=False,
        help_text="its content as it was last composed from its documents, before anybody edited it; empty: never was",
    )
    position = models.PositiveIntegerField()
    changed_at = models.DateTimeField(default=timezone.now, help_text="when what it teaches last changed")
    source_withdrawn_at = models.DateTimeField(null=True, blank=True, help_text=SOURCE_WITHDRAWN)

    class Meta:
        verbose_name = _("lección")
        verbose_name_plural = _("lecciones")
        ordering = ["module", "position"]

    def __str__(self) -> str:
        return self.title


class LessonSource(TenantModel):
    """The section a lesson rests on: by document, heading path and page, so that it survives re-ingestion.

    An empty heading path means the whole document, or, without its subsections, the text before its first heading.
    """

    lesson = models.ForeignKey(Lesson, models.CASCADE, related_name="sources")
    document = models.ForeignKey(Document, models.CASCADE, related_name="lesson_sources")
    heading_path = ArrayField(models.TextField(), default=list)
    page = models.PositiveIntegerField(null=True, blank=True)
    with_subsections = models.BooleanField(default=True, help_text="whether it rests on all below the heading too")
    part = models.PositiveSmallIntegerField(default=1, help_text="of a heading's text too long for one lesson")
    part_count = models.PositiveSmallIntegerField(default=1)
    version = models.ForeignKey(
        DocumentVersion,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="the one it was written from",
    )

    class Meta:
        verbose_name = _("fuente de lección")
        verbose_name_plural = _("fuentes de lección")

    def __str__(self) -> str:
        return f"{self.document} · {' > '.join(self.heading_path)}"

    @property
    def place(self) -> Source:
        """The same without the database."""
        return Source(tuple(self.heading_path), self.with_subsections, self.page, self.part, self.part_count)
