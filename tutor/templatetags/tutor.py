"""Answers in templates."""

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tutor.grounding import cited_numbers
from tutor.models import CLEAR_CONFIDENCE, Citation, Turn
from tutor.question_log import result_words
from tutor.reactions import is_in_doubt
from tutor.rendering import answer_html, with_boxes

register = template.Library()

FAIR_RELEVANCE = 0.4


@register.simple_tag
def answer_of(turn: Turn, slug: str) -> SafeString:
    """A turn's stored answer as HTML, its markers leading to their sources."""
    links = {cited.number: reverse("tutor:source", args=[slug, cited.pk]) for cited in turn.citations.all()}
    return answer_html(turn.answer, origin=turn.origin, links=links)


@register.simple_tag
def logged_answer(turn: Turn) -> SafeString:
    """A turn's stored answer as HTML for who looks over somebody else's question: without links to its sources."""
    return answer_html(turn.answer, origin=turn.origin, links={})


@register.filter
def is_clear(turn: Turn) -> bool:
    """Whether the search was sure enough of the answer's sources."""
    return turn.confidence is not None and turn.confidence >= CLEAR_CONFIDENCE


@register.filter
def is_withheld(turn: Turn) -> bool:
    """Whether the answer cites a source that is not among the turn's citations, fetched for its reader: its
    document was deleted or the reader may no longer open it.
    """
    return not set(cited_numbers(turn.answer)) <= {cited.number for cited in turn.citations.all()}


@register.filter
def relevance_words(cited: Citation) -> str:
    """How well a source fits the question, in words."""
    if cited.relevance >= CLEAR_CONFIDENCE:
        return _("Relevancia alta")
    return _("Relevancia media") if cited.relevance >= FAIR_RELEVANCE else _("Relevancia baja")


@register.filter
def outdated(turn: Turn) -> Citation | None:
    """The first source of the answer whose document now serves another version; None when all are of today."""
    return next(
        (cited for cited in turn.citations.all() if cited.document.active_version_id not in (None, cited.version_id)),
        None,
    )


register.filter(with_boxes)
register.filter(is_in_doubt)
register.filter(result_words)
