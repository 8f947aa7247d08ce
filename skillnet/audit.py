"""The log of what administrators do in their organization."""

from collections.abc import Sequence

from django.db import models
from django.utils.translation import gettext_lazy as _

from skillnet.access import OrganizationRequest
from skillnet.models import AuditEntry, Organization, User


class Action(models.TextChoices):
    """Stored as they are: never change a value, add another."""

    MEMBER_ROLE = "member.role", _("Cambio de rol o acceso")
    MEMBER_GROUPS = "member.groups", _("Cambio de grupos de una persona")
    MEMBER_REMOVED = "member.removed", _("Persona quitada")
    MEMBER_ERASED = "member.erased", _("Datos de una persona borrados")
    MEMBER_DEACTIVATED = "member.deactivated", _("Acceso desactivado")
    MEMBER_REACTIVATED = "member.reactivated", _("Acceso reactivado")
    PASSWORD_CHANGED = "account.password", _("Contraseña cambiada")
    SECOND_FACTOR_SET = "account.second_factor", _("Verificación en dos pasos activada")
    SECOND_FACTOR_REMOVED = "account.second_factor_removed", _("Verificación en dos pasos quitada")
    LOCKED_OUT = "account.locked_out", _("Acceso bloqueado por intentos fallidos")
    INVITATION_SENT = "invitation.sent", _("Invitación enviada")
    INVITATION_RESENT = "invitation.resent", _("Invitación enviada de nuevo")
    INVITATION_WITHDRAWN = "invitation.withdrawn", _("Invitación retirada")
    INVITATION_ACCEPTED = "invitation.accepted", _("Invitación aceptada")
    GROUP_CREATED = "group.created", _("Grupo creado")
    GROUP_RENAMED = "group.renamed", _("Grupo renombrado")
    GROUP_DELETED = "group.deleted", _("Grupo borrado")
    GROUP_MEMBERS = "group.members", _("Personas de un grupo")
    DOCUMENT_UPLOADED = "document.uploaded", _("Documento subido")
    DOCUMENT_VERSION = "document.version", _("Versión nueva de un documento")
    DOCUMENT_RESTORED = "document.restored", _("Versión anterior restaurada")
    DOCUMENT_CORRECTED = "document.corrected", _("Texto de un documento corregido")
    DOCUMENT_RETRIED = "document.retried", _("Lectura de un documento reintentada")
    DOCUMENT_CANCELLED = "document.cancelled", _("Lectura de un documento cancelada")
    DOCUMENT_CHANGED = "document.changed", _("Datos de un documento cambiados")
    DOCUMENT_ACCESS = "document.access", _("Quién puede leer un documento")
    DOCUMENT_DELETED = "document.deleted", _("Documento borrado")
    COLLECTION_CREATED = "collection.created", _("Colección creada")
    COLLECTION_CHANGED = "collection.changed", _("Colección cambiada")
    COLLECTION_DELETED = "collection.deleted", _("Colección borrada")
    COURSE_CREATED = "course.created", _("Curso creado")
    COURSE_WRITTEN = "course.written", _("Lecciones de un curso encargadas")
    COURSE_CHANGED = "course.changed", _("Curso cambiado")
    COURSE_PART_DELETED = "course.part_deleted", _("Parte de un curso borrada")
    COURSE_QUESTION_SAVED = "course.question_saved", _("Pregunta de un curso guardada")
    COURSE_QUESTIONS_APPROVED = "course.questions_approved", _("Preguntas de un curso aprobadas")
    COURSE_QUESTION_DELETED = "course.question_deleted", _("Pregunta de un curso borrada")
    COURSE_ASSIGNED = "course.assigned", _("Curso asignado")
    COURSE_UNASSIGNED = "course.unassigned", _("Curso retirado a quien lo tenía")
    COURSE_DUE = "course.due", _("Fecha límite de un curso cambiada")
    COURSE_REMINDED = "course.reminded", _("Recordatorio de un curso enviado")
    COURSE_PUBLISHED = "course.published", _("Curso publicado")
    COURSE_WITHDRAWN = "course.withdrawn", _("Curso vuelto a borrador")
    COURSE_IMPORTED = "course.imported", _("Curso importado")
    COURSE_DELETED = "course.deleted", _("Curso borrado")
    LESSON_REGENERATED = "course.lesson_regenerated", _("Borrador de lección pedido")
    LESSON_ACCEPTED = "course.lesson_accepted", _("Borrador de lección aceptado")
    LESSON_DISCARDED = "course.lesson_discarded", _("Borrador de lección descartado")
    LESSON_KEPT = "course.lesson_kept", _("Lección que se queda como está")
    LESSON_REREAD = "course.lesson_reread", _("Relectura de una lección pedida")
    NOTICE_CLOSED = "course.notice_closed", _("Aviso de cambios cerrado")
    FAQ_SAVED = "faq.saved", _("Respuesta frecuente guardada")
    FAQ_DELETED = "faq.deleted", _("Respuesta frecuente borrada")
    FAQ_IMPORTED = "faq.imported", _("Respuestas frecuentes importadas")
    FAQ_DISMISSED = "faq.dismissed", _("Sugerencia de respuesta descartada")
    GAP_RESTORED = "question.gap_restored", _("Pregunta descartada recuperada")
    QUESTION_PASSED_ON = "question.passed_on", _("Pregunta enviada a su responsable")
    QUESTION_CLOSED = "question.closed", _("Aviso sobre una pregunta cerrado")
    EVALUATION_QUESTION_SAVED = "evaluation.question_saved", _("Pregunta de evaluación guardada")
    EVALUATION_QUESTION_DELETED = "evaluation.question_deleted", _("Pregunta de evaluación quitada")
    EVALUATION_STARTED = "evaluation.started", _("Evaluación encargada")
    GLOSSARY_CHANGED = "glossary.changed", _("Glosario cambiado")
    EXPORTED = "data.exported", _("Datos descargados")
    SETTINGS_CHANGED = "settings.changed", _("Ajuste cambiado")
    SEEN_AS_EMPLOYEE = "view.employee", _("Ver como empleado")


# What people filter by: the beginnings of actions, by a word for the address.
FAMILIES = {
    "personas": (_("Personas"), ("member.", "invitation.", "group.")),
    "cuentas": (_("Cuentas y accesos"), ("account.",)),
    "documentos": (_("Documentos"), ("document.", "collection.")),
    "cursos": (_("Cursos"), ("course.",)),
    "respuestas": (_("Respuestas"), ("faq.", "glossary.", "question.", "evaluation.")),
    "ajustes": (_("Ajustes y datos"), ("settings.", "data.", "view.")),
}


def record(
    organization: Organization, actor: User | None, action: Action, target: object, *, detail: object = ""
) -> AuditEntry:
    """Write down an act, inside the transaction that does it. `target` and `detail` are kept as the words they are now,
    with «…» where they were too long.

    `actor` is None for what the system itself does. Call inside the organization's scope.
    """
    return AuditEntry.objects.create(
        organization=organization,
        actor=actor,
        actor_name=str(actor or "")[:254],
        action=action,
        target=_cut(str(target), 300),
        detail=_cut(str(detail), 500),
    )


def note(request: OrganizationRequest, action: Action, target: object, *, detail: object = "") -> AuditEntry:
    """`record` an act of the person who asks, in their organization."""
    return record(request.organization, request.user, action, target, detail=detail)


def listed(people: Sequence[object]) -> str:
    """People as a detail: how many, where they are several, and then their names, of which the last may be cut off."""
    names = ", ".join(map(str, people))
    return f"{len(people)}: {names}" if len(people) > 1 else names


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"
