"""What administrators do that is to be found in the log: requests, and what is written down after each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from documents.models import Document, Status
from skillnet.audit import Action
from tests.db.isolation.worlds import World
from tutor.dismissed import put_aside
from tutor.models import Turn

WORD = "granate"


@dataclass(frozen=True, slots=True)
class Act:
    """A request, and what is to be found in the log after it. `{names}` in the address are ids of the world."""

    action: Action
    address: str
    data: Callable[[World], dict[str, Any]] = lambda world: {}
    method: str = "post"
    target: str = WORD
    status: Status | None = None  # of the document's version before it
    prepare: Callable[[World], Any] = lambda world: None  # before it, in the organization's scope


def text_file(name: str, text: str = "") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, (text or f"# Caja {WORD}\nLa caja {WORD} se abre a las nueve.").encode())


def put_the_gap_aside() -> None:
    Turn.objects.update(status="done", evidence=False, origin="none")
    turn = Turn.objects.get()
    put_aside(turn.organization, [turn])


ACTS = {
    "upload": Act(
        Action.DOCUMENT_UPLOADED,
        "documentos/subir/",
        lambda w: {"uploads": text_file(f"{WORD}.md")},
        target=WORD.capitalize(),
    ),
    "new version": Act(
        Action.DOCUMENT_VERSION, "documentos/{document_id}/version-nueva/", lambda w: {"file": text_file("v2.md")}
    ),
    "try again": Act(Action.DOCUMENT_RETRIED, "documentos/versiones/{version_id}/reintentar/", status=Status.CANCELLED),
    "try several again": Act(
        Action.DOCUMENT_RETRIED,
        "documentos/acciones/",
        lambda w: {"accion": "reintentar", "documento": w.ids["document_id"]},
        status=Status.CANCELLED,
    ),
    "cancel": Act(Action.DOCUMENT_CANCELLED, "documentos/versiones/{version_id}/cancelar/", status=Status.PARSING),
    "delete": Act(Action.DOCUMENT_DELETED, "documentos/{document_id}/borrar/"),
    "reclassify several": Act(
        Action.DOCUMENT_ACCESS,
        "documentos/acciones/",
        lambda w: {"accion": "reclasificar", "documento": w.ids["document_id"], "classification": "3"},
    ),
    "delete several": Act(
        Action.DOCUMENT_DELETED,
        "documentos/acciones/",
        lambda w: {"accion": "borrar", "documento": w.ids["document_id"]},
    ),
    "export what was read": Act(Action.EXPORTED, "documentos/{document_id}/v{number}/texto.md", method="get"),
    "export as blocks": Act(Action.EXPORTED, "documentos/{document_id}/v{number}/texto.json", method="get"),
    "collection": Act(Action.COLLECTION_CREATED, "documentos/colecciones/", lambda w: {"name": f"Nueva {WORD}"}),
    "glossary": Act(Action.GLOSSARY_CHANGED, "buscar/glosario/", lambda w: {"lines": f"tpv, caja {WORD}"}),
    "forget a word": Act(Action.GLOSSARY_CHANGED, "buscar/glosario/{glossary_id}/borrar/"),
    "withdraw a course": Act(Action.COURSE_WITHDRAWN, "cursos/{course_id}/publicar/"),
    "delete a course": Act(Action.COURSE_DELETED, "cursos/{course_id}/borrar/"),
    "export a course": Act(Action.EXPORTED, "cursos/{course_id}/exportar/", method="get"),
    "export progress": Act(Action.EXPORTED, "cursos/{course_id}/personas/exportar/", method="get"),
    "export certificates": Act(Action.EXPORTED, "cursos/certificados/exportar/", method="get", target="Certificados"),
    "export questions": Act(
        Action.EXPORTED, "tutor/registro/exportar.csv", method="get", target="Registro de preguntas"
    ),
    "export answers": Act(Action.EXPORTED, "tutor/faq/exportar/", method="get", target="Preguntas frecuentes"),
    "answer": Act(
        Action.FAQ_SAVED,
        "tutor/faq/nueva/",
        lambda w: {
            "questions": f"¿Qué es {WORD}?",
            "answer": "Un color.",
            "classification": "2",
            "is_active": "on",
            "turns": "",
        },
    ),
    "import answers": Act(
        Action.FAQ_IMPORTED,
        "tutor/faq/importar/",
        lambda w: {"file": text_file(f"{WORD}.csv", f"pregunta;respuesta\n¿Y {WORD}?;Un color\n")},
    ),
    "delete an answer": Act(Action.FAQ_DELETED, "tutor/faq/{entry_id}/borrar/"),
    "invite": Act(
        Action.INVITATION_SENT,
        "personas/invitaciones/nueva/",
        lambda w: {"email": f"{WORD}@acme.example", "role": "employee", "clearance": "2"},
    ),
    "withdraw an invitation": Act(
        Action.INVITATION_WITHDRAWN, "personas/invitaciones/{invitation_id}/retirar/", target="nueva@acme.example"
    ),
    "group": Act(Action.GROUP_CREATED, "personas/grupos/", lambda w: {"name": f"Noche {WORD}"}),
    "prepare the search anew": Act(
        Action.SETTINGS_CHANGED, "documentos/preparar-busqueda/", target="Búsqueda por significado"
    ),
    "search settings": Act(Action.SETTINGS_CHANGED, "ajustes-de-busqueda/restaurar/", target=""),
    "rename a collection": Act(
        Action.COLLECTION_CHANGED, "documentos/colecciones/{collection_id}/", lambda w: {"name": f"Otra {WORD}"}
    ),
    "delete a collection": Act(
        Action.COLLECTION_DELETED,
        "documentos/colecciones/{collection_id}/borrar/",
        prepare=lambda w: Document.objects.update(collection=None),
    ),
    "move several": Act(
        Action.DOCUMENT_CHANGED,
        "documentos/acciones/",
        lambda w: {"accion": "mover", "documento": w.ids["document_id"]},
    ),
    "name a document": Act(
        Action.DOCUMENT_CHANGED,
        "documentos/{document_id}/datos/",
        lambda w: {"title": f"Sueldos {WORD}", "classification": "2", "audience": "everyone"},
    ),
    "glossary entry": Act(
        Action.GLOSSARY_CHANGED, "buscar/glosario/{glossary_id}/", lambda w: {"wordings": f"tpv, {WORD}"}
    ),
    "change an answer": Act(
        Action.FAQ_SAVED,
        "tutor/faq/{entry_id}/",
        lambda w: {"questions": f"¿Qué es {WORD}?", "answer": "Un color.", "classification": "2", "is_active": "on"},
    ),
    "dismiss a suggestion": Act(
        Action.FAQ_DISMISSED, "tutor/faq/sugeridas/descartar/", lambda w: {"turns": str(w.ids["turn_id"])}
    ),
    "dismiss a gap": Act(
        Action.FAQ_DISMISSED,
        "tutor/huecos/descartar/",
        lambda w: {"turns": str(w.ids["turn_id"])},
        prepare=lambda w: Turn.objects.update(status="done", evidence=False, origin="none"),
    ),
    "take back a gap": Act(
        Action.GAP_RESTORED,
        "tutor/huecos/recuperar/",
        lambda w: {"turns": str(w.ids["turn_id"])},
        prepare=lambda w: put_the_gap_aside(),
    ),
    "pass a question on": Act(Action.QUESTION_PASSED_ON, "tutor/registro/{turn_id}/pedir/"),
    "close a question passed on": Act(Action.QUESTION_CLOSED, "tutor/avisos/{escalation_id}/cerrar/"),
    "look at a course that lost a document": Act(Action.NOTICE_CLOSED, "cursos/{course_id}/fuente-retirada/"),
    "answer a question passed on": Act(
        Action.QUESTION_CLOSED, "tutor/avisos/{escalation_id}/responder/", lambda w: {"respuesta": "Mañana."}
    ),
    "close what people said": Act(Action.QUESTION_CLOSED, "tutor/valoraciones/{feedback_id}/cerrar/"),
    "question to measure with": Act(
        Action.EVALUATION_QUESTION_SAVED,
        "evaluacion/preguntas/nueva/",
        lambda w: {"pregunta": f"¿Y {WORD}?", "respuesta": "ninguno"},
    ),
    "drop a question to measure with": Act(
        Action.EVALUATION_QUESTION_DELETED, "evaluacion/preguntas/{question_id}/borrar/"
    ),
    "measure": Act(
        Action.EVALUATION_STARTED,
        "evaluacion/medir/",
        lambda w: {"configuraciones": ["keyword"]},
        target="Solo palabras",
    ),
    "go on measuring": Act(Action.EVALUATION_STARTED, "evaluacion/{evaluation_id}/seguir/", target="Solo palabras"),
    "tutor settings": Act(
        Action.SETTINGS_CHANGED, "tutor/ajustes/", lambda w: {"monthly_tokens": "1000"}, target="Ajustes del tutor"
    ),
    "restore a collection's settings": Act(
        Action.SETTINGS_CHANGED, "ajustes-de-busqueda/colecciones/{collection_id}/restaurar/", target=""
    ),
    "restore a course's settings": Act(
        Action.SETTINGS_CHANGED, "ajustes-de-busqueda/cursos/{course_id}/restaurar/", target=""
    ),
    "rename a group": Act(
        Action.GROUP_RENAMED, "personas/grupos/{group_id}/nombre/", lambda w: {"name": f"Tarde {WORD}"}
    ),
    "delete a group": Act(Action.GROUP_DELETED, "personas/grupos/{group_id}/borrar/"),
    "take out of a group": Act(Action.GROUP_MEMBERS, "personas/grupos/{group_id}/personas/{place_id}/quitar/"),
    "see as an employee": Act(Action.SEEN_AS_EMPLOYEE, "personas/ver-como-empleado/", target=""),
    "invite again": Act(
        Action.INVITATION_RESENT, "personas/invitaciones/{invitation_id}/reenviar/", target="nueva@acme.example"
    ),
}
