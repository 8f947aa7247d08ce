"""The kinds of things that people are told, and the sentence of each."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from skillnet.models import Notification


class Kind(models.TextChoices):
    """Stored as they are: never change a value, add another. The label is the sentence that people read."""

    SOURCE_UPDATED = "course.source", _("Fuente actualizada: revisa el curso «%(subject)s».")
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
    QUESTION_PASSED_ON = "question.passed_on", _("Una pregunta espera tu respuesta: «%(subject)s»")


def text_of(notification: Notification) -> str:
    """A notification as a sentence in the present language."""
    return str(Kind(notification.kind).label) % {"subject": notification.subject}
