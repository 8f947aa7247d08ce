"""The kinds of things that people are told, and the sentence of each."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from skillnet.models import Notification


class Kind(models.TextChoices):
    """Stored as they are: never change a value, add another. The label is the sentence that people read."""

    SOURCE_UPDATED = "course.source", _("Fuente actualizada: revisa el curso «%(subject)s».")
    SOURCE_WITHDRAWN = "course.source_withdrawn", _("Fuente retirada: revisa el curso «%(subject)s».")
    COURSE_WRITTEN = "course.written", _("Las lecciones de «%(subject)s» están escritas: revísalas.")
    COURSE_NOT_WRITTEN = "course.not_written", _("No hemos podido acabar de escribir «%(subject)s».")
    COURSE_ASSIGNED = "course.assigned", _("Tienes un curso nuevo: «%(subject)s».")
    COURSE_DUE = "course.due", _("Se acerca la fecha límite de «%(subject)s».")
    COURSE_OVERDUE = "course.overdue", _("El plazo de «%(subject)s» ya ha pasado.")
    COURSE_EXPIRED = "course.expired", _("Tu certificado de «%(subject)s» ha caducado.")
    COURSE_PENDING = "course.pending", _("Tienes pendiente el curso «%(subject)s».")
    REREAD_ASKED = "course.reread", _("Tienes lecciones por releer en «%(subject)s».")
    DOCUMENT_READY = "document.ready", _("«%(subject)s» ya está listo.")
    DOCUMENT_FAILED = "document.failed", _("No hemos podido leer «%(subject)s».")
    FAQ_TO_REVIEW = "faq.to_review", _("«%(subject)s» ha cambiado o ya no está: revisa tus preguntas frecuentes.")
    QUESTION_PASSED_ON = "question.passed_on", _("Una pregunta espera tu respuesta: «%(subject)s»")
    QUESTION_ANSWERED = "question.answered", _("Han respondido a tu pregunta: «%(subject)s»")


# The sentence of several of a kind, for kinds that come in numbers and are dealt with on one page.
_OF_SEVERAL = {
    Kind.SOURCE_UPDATED: ngettext_lazy(
        "%(count)d aviso de fuente actualizada: revisa los cursos.",
        "%(count)d avisos de fuente actualizada: revisa los cursos.",
        "count",
    ),
    Kind.SOURCE_WITHDRAWN: ngettext_lazy(
        "%(count)d curso con una fuente retirada: revísalo.",
        "%(count)d cursos con una fuente retirada: revísalos.",
        "count",
    ),
    Kind.COURSE_ASSIGNED: ngettext_lazy("Tienes %(count)d curso nuevo.", "Tienes %(count)d cursos nuevos.", "count"),
    Kind.DOCUMENT_READY: ngettext_lazy("%(count)d documento listo.", "%(count)d documentos listos.", "count"),
    Kind.DOCUMENT_FAILED: ngettext_lazy(
        "No hemos podido leer %(count)d archivo.", "No hemos podido leer %(count)d archivos.", "count"
    ),
    Kind.QUESTION_PASSED_ON: ngettext_lazy(
        "%(count)d pregunta espera tu respuesta.", "%(count)d preguntas esperan tu respuesta.", "count"
    ),
    Kind.QUESTION_ANSWERED: ngettext_lazy(
        "Han respondido a %(count)d pregunta tuya.", "Han respondido a %(count)d preguntas tuyas.", "count"
    ),
}


def can_be_gathered(kind: str) -> bool:
    """Whether several of a kind can be told in one sentence."""
    return kind in _OF_SEVERAL


def text_of(notification: Notification) -> str:
    """A notification as a sentence in the present language."""
    if notification.gathered_count:
        return str(_OF_SEVERAL[Kind(notification.kind)] % {"count": notification.gathered_count})
    return str(Kind(notification.kind).label) % {"subject": notification.subject}
