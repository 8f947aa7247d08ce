"""Answers in templates."""

import uuid
from collections.abc import Container
from datetime import datetime
from typing import Any

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from courses.models import Course, Lesson
from documents.access import Reader
from skillnet.models import Membership
from tutor.asking import asks_several
from tutor.clearness import CLEAR_CONFIDENCE
from tutor.emergencies import emergency_in
from tutor.forms import QuestionForm
from tutor.grounding import cited_numbers
from tutor.models import AnswerOrigin, Citation, FaqEntry, Turn, TurnStatus
from tutor.prepared.faq import readable_entries
from tutor.question_log import result_words, rung_words
from tutor.quoting import QuotedLine, lines_of_quote
from tutor.reactions import is_in_doubt
from tutor.rendering import answer_html, with_boxes

register = template.Library()

FAIR_RELEVANCE = 0.4


@register.simple_tag
def answer_of(turn: Turn, slug: str) -> SafeString:
    """A turn's stored answer as HTML, its markers leading to their sources."""
    links = {cited.number: reverse("tutor:source", args=[slug, cited.pk]) for cited in turn.citations.all()}
    return answer_html(turn.answer, origin=written_by(turn), links=links)


@register.simple_tag
def one_time_key() -> str:
    """A key for one question: sent twice it makes one turn."""
    return str(uuid.uuid4())


@register.filter
def answered_before(turn: Turn) -> datetime | None:
    """When an answer from the cache was first given; None for other answers."""
    given = _prepared(turn).get("answered_at")
    return datetime.fromisoformat(given) if given else None


@register.filter
def written_by(turn: Turn) -> str:
    """Who wrote the answer: of one from the cache, whoever did when it was first given."""
    return str(_prepared(turn).get("written_by", turn.origin))


@register.simple_tag
def related_questions(turn: Turn, membership: Membership) -> list[str]:
    """The questions with a prepared answer that came nearest, as far as the reader may still have them answered."""
    ids = turn.trace.get("related") or []
    if not ids:
        return []
    entries = readable_entries(membership.organization_id, Reader.of(membership)).answering()
    by_id = entries.prefetch_related("variants").in_bulk(ids)
    return [by_id[pk].question for pk in ids if pk in by_id]


@register.simple_tag
def written_answer(entry: FaqEntry) -> SafeString:
    """An entry's answer as HTML, without the marks of its sources."""
    return answer_html(entry.answer, origin=AnswerOrigin.FAQ, links={})


def _prepared(turn: Turn) -> dict[str, Any]:
    prepared: dict[str, Any] = turn.trace.get("prepared") or {}
    return prepared


@register.simple_tag
def logged_answer(turn: Turn) -> SafeString:
    """A turn's stored answer as HTML for who looks over somebody else's question: without links to its sources."""
    return answer_html(turn.answer, origin=written_by(turn), links={})


@register.inclusion_tag("tutor/_lesson_panel.html", takes_context=True)
def lesson_tutor(context: Context, lesson: Lesson, course: Course) -> dict[str, Any]:
    """The tutor beside a lesson, with a conversation of its own that begins with its first question."""
    form = QuestionForm(initial={"curso": course.pk, "leccion": lesson.pk}, auto_id="tutor_%s")
    kept = {name: context[name] for name in ("organization", "request", "csrf_token") if name in context}
    return {**kept, "lesson": lesson, "course": course, "form": form}


@register.filter
def place_words(turn: Turn) -> str:
    """Where in a course an answer comes from; empty for those of the whole library."""
    conversation = turn.conversation
    if conversation.course_id is None:
        return ""
    if turn.in_library:
        return _("Respuesta de toda la biblioteca")
    if conversation.lesson_id is not None and turn.trace.get("search", {}).get("route") == "lesson":
        return _("Respuesta de esta lección")
    return _("Respuesta de este curso")


@register.filter
def tells_of_emergency(turn: Turn) -> bool:
    """Whether somebody may be in danger: help comes before any answer."""
    return emergency_in(turn.question) is not None


@register.filter
def tells_something(turn: Turn) -> bool:
    """Whether an answer answers: from documents, by the company, or out of general knowledge."""
    return turn.is_answered or (turn.status == TurnStatus.DONE and turn.rung == "general")


@register.filter
def is_withheld(turn: Turn) -> bool:
    """Whether the answer cites a source that is not among the turn's citations, fetched for its reader: its
    document was deleted or the reader may no longer open it.
    """
    return not set(cited_numbers(turn.answer)) <= {cited.number for cited in turn.citations.all()}


@register.filter
def may_be_shown(turn: Turn, entries: Container[int] | None) -> bool:
    """Whether somebody who is asked for help may be shown the answer that was given: nothing of it is withheld, and of
    the company's own answers it is one of those `entries`; None where all may be shown.
    """
    is_theirs = entries is None or written_by(turn) != AnswerOrigin.FAQ or _prepared(turn).get("entry") in entries
    return is_theirs and not is_withheld(turn)


@register.filter
def relevance_words(cited: Citation) -> str:
    """How well a source fits the question, in words."""
    if cited.relevance >= CLEAR_CONFIDENCE:
        return _("Relevancia alta")
    return _("Relevancia media") if cited.relevance >= FAIR_RELEVANCE else _("Relevancia baja")


@register.filter
def quoted_lines(cited: Citation, words: int = 0) -> tuple[QuotedLine, ...]:
    """The words that a source is cited for, the rows of tables by their columns; cut after so many `words`, if any."""
    return lines_of_quote(with_boxes(cited.quote), with_boxes(cited.passage), words=words)


@register.filter
def outdated(turn: Turn) -> Citation | None:
    """The first source of the answer whose document now serves another version; None when all are of today."""
    return next(
        (cited for cited in turn.citations.all() if cited.document.active_version_id not in (None, cited.version_id)),
        None,
    )


register.filter(asks_several)
register.filter(is_in_doubt)
register.filter(result_words)
register.filter(rung_words)
