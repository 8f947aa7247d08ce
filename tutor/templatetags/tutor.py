"""Answers in templates."""

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString

from tutor.models import Turn
from tutor.rendering import answer_html

register = template.Library()

CLEAR_CONFIDENCE = 0.7


@register.simple_tag
def answer_of(turn: Turn, slug: str) -> SafeString:
    """A turn's stored answer as HTML, its markers leading to their sources."""
    links = {cited.number: reverse("tutor:source", args=[slug, cited.pk]) for cited in turn.citations.all()}
    return answer_html(turn.answer, origin=turn.origin, links=links)


@register.filter
def is_clear(turn: Turn) -> bool:
    """Whether the search was sure enough of the answer's sources."""
    return turn.confidence is not None and turn.confidence >= CLEAR_CONFIDENCE
