"""What administrators do to courses that is to be found in the log."""

from datetime import timedelta

from django.utils import timezone

from courses import enrolling
from courses.drafting.chapters import key_of
from courses.drafting.editing import edition
from courses.drafting.tree import Node
from courses.models import Course, CourseDraft, DraftStatus, LessonSource, QuizItem
from courses.quiz_forms import passage_key
from skillnet.audit import Action
from tests.db.acts import WORD, Act
from tests.db.isolation.worlds import World
from tests.factories import make_member

SENTENCE = f"El plus {WORD} de nocturnidad es de 90 euros al mes."
OUTLINE = {"modules": [{"title": "Uno", "lessons": [{"title": "Una", "sources": [], "ranges": []}]}]}
HEADING = [f"Salarios {WORD}"]


def add_colleague(world: World) -> int:
    """Another member; returns the membership's id."""
    return make_member(world.organization, "luz@acme.example").pk


def assign_to_colleague(world: World) -> None:
    """Somebody who has the course still to do."""
    course = Course.objects.get(pk=world.ids["course_id"])
    member = make_member(world.organization, "luz@acme.example")
    enrolling.enrol(course=course, user_ids=[member.user_id])


def rest_on_the_document(world: World) -> None:
    """A lesson and a question whose passage stands in the document, the question still to be approved."""
    LessonSource.objects.filter(pk=world.ids["source_id"]).update(heading_path=HEADING)
    QuizItem.objects.filter(pk=world.ids["item_id"]).update(
        document_id=world.ids["document_id"], heading_path=HEADING, quote=SENTENCE, is_reviewed=False
    )


def fail_the_draft(world: World) -> None:
    CourseDraft.objects.filter(pk=world.ids["draft_id"]).update(status=DraftStatus.FAILED)


def outline_the_draft(world: World) -> None:
    CourseDraft.objects.filter(pk=world.ids["draft_id"]).update(status=DraftStatus.OUTLINED, outline=OUTLINE)


def question(world: World) -> dict[str, str]:
    return {
        "question": f"¿De cuánto es el plus {WORD}?",
        "quote": SENTENCE,
        "passage": passage_key(world.ids["document_id"], HEADING),
        "option_0": "90 euros",
        "option_1": "100 euros",
        "right": "0",
    }


def lesson(world: World) -> dict[str, str]:
    rows = {"TOTAL_FORMS": "0", "INITIAL_FORMS": "0", "MIN_NUM_FORMS": "0", "MAX_NUM_FORMS": "1000"}
    return {
        "title": f"Lección {WORD}",
        "content": "Texto.",
        "accion": "guardar",
        **{f"sources-{name}": value for name, value in rows.items()},
    }


COURSE_ACTS = {
    "create a course": Act(
        Action.COURSE_CREATED, "cursos/nuevo/vacio/", lambda w: {"title": f"Nuevo {WORD}", "pass_percent": "80"}
    ),
    "draft a course": Act(
        Action.COURSE_CREATED,
        "cursos/nuevo/",
        lambda w: {"title": f"Nuevo {WORD}", "documents": w.ids["document_id"]},
    ),
    "draft a course of chapters": Act(
        Action.COURSE_CREATED,
        f"cursos/nuevo/capitulos/?title=Nuevo+{WORD}&documents={{document_id}}",
        lambda w: {f"capitulos-{w.ids['document_id']}": key_of(Node("", tuple(HEADING), 1, 0, 0))},
    ),
    "have lessons written": Act(
        Action.COURSE_WRITTEN,
        "cursos/borradores/{draft_id}/cambiar/",
        lambda w: {"accion": "escribir", "edicion": edition(OUTLINE)},
        prepare=outline_the_draft,
    ),
    "have lessons written again": Act(
        Action.COURSE_WRITTEN, "cursos/borradores/{draft_id}/reintentar/", prepare=fail_the_draft
    ),
    "change a course": Act(
        Action.COURSE_CHANGED, "cursos/{course_id}/editar/", lambda w: {"title": f"Otro {WORD}", "pass_percent": "80"}
    ),
    "create a module": Act(
        Action.COURSE_CHANGED, "cursos/{course_id}/modulos/nuevo/", lambda w: {"title": "Módulo nuevo"}
    ),
    "change a module": Act(Action.COURSE_CHANGED, "cursos/modulos/{module_id}/editar/", lambda w: {"title": "Módulo"}),
    "delete a module": Act(Action.COURSE_PART_DELETED, "cursos/modulos/{module_id}/borrar/"),
    "create a lesson": Act(Action.COURSE_CHANGED, "cursos/modulos/{module_id}/lecciones/nueva/", lesson),
    "change a lesson": Act(Action.COURSE_CHANGED, "cursos/lecciones/{lesson_id}/editar/", lesson),
    "delete a lesson": Act(Action.COURSE_PART_DELETED, "cursos/lecciones/{lesson_id}/borrar/"),
    "put in order": Act(
        Action.COURSE_CHANGED,
        "cursos/{course_id}/ordenar/",
        lambda w: {"accion": f"mover:l{w.ids['lesson_id']}>m{w.ids['module_id']}>despues"},
    ),
    "write a question": Act(
        Action.COURSE_QUESTION_SAVED,
        "cursos/lecciones/{lesson_id}/preguntas/nueva/{kind}/",
        question,
        prepare=rest_on_the_document,
    ),
    "change a question": Act(
        Action.COURSE_QUESTION_SAVED, "cursos/preguntas/{item_id}/editar/", question, prepare=rest_on_the_document
    ),
    "approve a question": Act(
        Action.COURSE_QUESTIONS_APPROVED, "cursos/preguntas/{item_id}/aprobar/", prepare=rest_on_the_document
    ),
    "approve all questions": Act(
        Action.COURSE_QUESTIONS_APPROVED,
        "cursos/lecciones/{lesson_id}/preguntas/aprobar/",
        prepare=rest_on_the_document,
    ),
    "delete a question": Act(Action.COURSE_QUESTION_DELETED, "cursos/preguntas/{item_id}/borrar/"),
    "assign to people": Act(
        Action.COURSE_ASSIGNED,
        "cursos/{course_id}/personas/asignar/",
        lambda w: {"personas-members": add_colleague(w)},
    ),
    "assign to a group": Act(
        Action.COURSE_ASSIGNED,
        "cursos/{course_id}/personas/asignar-grupo/",
        lambda w: {"grupo-group": w.ids["group_id"]},
    ),
    "take someone off": Act(Action.COURSE_UNASSIGNED, "cursos/inscripciones/{enrolment_id}/quitar/"),
    "take a group off": Act(Action.COURSE_UNASSIGNED, "cursos/asignaciones/{assignment_id}/quitar/"),
    "another date": Act(
        Action.COURSE_DUE,
        "cursos/inscripciones/{enrolment_id}/plazo/",
        lambda w: {"due_on": (timezone.localdate() + timedelta(days=9)).isoformat()},
    ),
    "remind": Act(Action.COURSE_REMINDED, "cursos/{course_id}/personas/recordar/", prepare=assign_to_colleague),
    "keep a lesson as it is": Act(
        Action.LESSON_KEPT,
        "cursos/avisos/lecciones/{touched_id}/no-hace-falta/",
        lambda w: {f"l{w.ids['touched_id']}-reason": "Ya lo dice."},
    ),
    "draft a lesson anew": Act(
        Action.LESSON_REGENERATED,
        "cursos/avisos/lecciones/{touched_id}/regenerar/",
        prepare=rest_on_the_document,
    ),
    "draft a module anew": Act(
        Action.LESSON_REGENERATED,
        "cursos/avisos/{notice_id}/modulos/{module_id}/regenerar/",
        prepare=rest_on_the_document,
    ),
    "ask to read again": Act(Action.LESSON_REREAD, "cursos/avisos/lecciones/{touched_id}/releer/"),
    "accept a draft": Act(Action.LESSON_ACCEPTED, "cursos/propuestas/{proposal_id}/aceptar/"),
    "discard a draft": Act(Action.LESSON_DISCARDED, "cursos/propuestas/{proposal_id}/descartar/"),
    "close a notice": Act(Action.NOTICE_CLOSED, "cursos/avisos/{notice_id}/cerrar/", lambda w: {"confirmado": "1"}),
}
