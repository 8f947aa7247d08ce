"""The questions of an organization as rows of a list: filters, and the table that leaves the product."""

import csv
import io
from collections.abc import Iterator
from datetime import date
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from skillnet.models import Organization
from skillnet.spreadsheets import inert
from tutor.models import ANSWERED, UNANSWERED, WITH_SOURCE, AnswerOrigin, Turn, TurnStatus

RESULTS: dict[str, tuple[Any, Q]] = {
    "respondidas": (gettext_lazy("Respondidas"), ANSWERED),
    "con-fuente": (gettext_lazy("Con fuente"), WITH_SOURCE),
    "sin-respuesta": (gettext_lazy("Sin respuesta en los documentos"), UNANSWERED),
    "fallidas": (gettext_lazy("No se pudieron responder"), Q(status=TurnStatus.FAILED)),
}
FEEDBACK: dict[str, tuple[Any, dict[str, Any]]] = {
    "util": (gettext_lazy("Útil"), {"feedback__is_useful": True}),
    "no-util": (gettext_lazy("No útil"), {"feedback__is_useful": False}),
    "sin-valorar": (gettext_lazy("Sin valorar"), {"feedback__isnull": True}),
}
RUNGS: dict[str, Any] = {
    "chunks": gettext_lazy("Encontrada buscando en los documentos"),
    "course_tree": gettext_lazy("Encontrada por las lecciones del curso"),
    "full_text": gettext_lazy("Encontrada leyendo un documento entero"),
    "general": gettext_lazy("No procede de documentos de tu empresa"),
    "none": gettext_lazy("No encontrada"),
}


def questions_of(
    organization: Organization,
    *,
    text: str = "",
    result: str = "",
    feedback: str = "",
    origin: str = "",
    course: str = "",
    since: date | None = None,
    until: date | None = None,
) -> QuerySet[Turn]:
    """An organization's questions, latest first, with what a list shows of them.

    `text` is looked for in question and answer. `result`, `feedback` and `origin` are keys of RESULTS, FEEDBACK and
    AnswerOrigin, `course` an id; both dates are included.
    """
    turns: QuerySet[Turn] = Turn.objects.for_organization(organization)
    if text:
        turns = turns.filter(question__icontains=text) | turns.filter(answer__icontains=text)
    if result:
        turns = turns.filter(RESULTS[result][1])
    if feedback:
        turns = turns.filter(**FEEDBACK[feedback][1])
    if origin:
        turns = turns.filter(origin=origin)
    if course:
        turns = turns.filter(conversation__course_id=int(course))
    if since:
        turns = turns.filter(asked_at__date__gte=since)
    if until:
        turns = turns.filter(asked_at__date__lte=until)
    related = ("conversation__user", "conversation__course", "feedback", "escalation")
    return turns.select_related(*related).order_by("-asked_at", "pk")


def as_csv(turns: QuerySet[Turn], *, with_names: bool) -> Iterator[str]:
    """The questions as lines of a table for spreadsheets: semicolons, UTF-8 with its mark, no cell a formula."""
    yield "\ufeff" + _line(
        [
            _("Fecha"),
            *([_("Persona")] if with_names else []),
            _("Pregunta"),
            _("Respuesta"),
            _("Resultado"),
            _("Confianza"),
            _("Origen"),
            _("Cómo se encontró"),
            _("Curso"),
            _("Valoración"),
            _("Comentario"),
        ]
    )
    for turn in turns.iterator(chunk_size=500):
        yield _line(_cells(turn, with_names=with_names))


def _cells(turn: Turn, *, with_names: bool) -> list[Any]:
    feedback = getattr(turn, "feedback", None)
    user, course = turn.conversation.user, turn.conversation.course
    return [
        f"{timezone.localtime(turn.asked_at):%Y-%m-%d %H:%M}",
        *([str(user or "")] if with_names else []),
        turn.question,
        turn.answer,
        result_words(turn),
        "" if turn.confidence is None else f"{turn.confidence:.2f}".replace(".", ","),
        str(AnswerOrigin(turn.origin).label) if turn.origin else "",
        rung_words(turn),
        course.title if course else "",
        "" if feedback is None else str(FEEDBACK["util" if feedback.is_useful else "no-util"][0]),
        "" if feedback is None else feedback.comment,
    ]


def result_words(turn: Turn) -> str:
    """How a question ended, in words."""
    if turn.status == TurnStatus.FAILED:
        return str(RESULTS["fallidas"][0])
    if turn.status != TurnStatus.DONE:
        return _("Respondiendo")
    if turn.evidence is None:
        return _("No era una pregunta")
    if turn.is_answered and not turn.evidence:
        return _("Respuesta de la empresa")
    return str(RESULTS["con-fuente" if turn.evidence else "sin-respuesta"][0])


def rung_words(turn: Turn) -> str:
    """On which step of the search the answer was found, in words; empty where none was searched for."""
    if turn.status != TurnStatus.DONE or turn.evidence is None or turn.origin == AnswerOrigin.FAQ:
        return ""
    return str(RUNGS.get(turn.rung, ""))


def _line(cells: list[Any]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=";").writerow([inert(str(cell)) for cell in cells])
    return buffer.getvalue()
