"""Answers in templates."""

import uuid
from datetime import datetime
from typing import Any

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from documents.access import Reader
from skillnet.models import Membership
from tutor.grounding import cited_numbers
from tutor.models import Citation, Turn
from tutor.prepared.faq import readable_entries
from tutor.rendering import answer_html, with_boxes

register = template.Library()

CLEAR_CONFIDENCE = 0.85  # of the answers above it one in fifty has none in the documents, see benchmarks/README.md
FAIR_RELEVANCE = 0.4


@register.simple_tag
def answer_of(turn: Turn, slug: str) -> SafeString:
    """A turn's stored answer as HTML, its markers leading to their sources."""
    links = {cited.number: reverse("tutor:source", args=[slug, cited.pk]) for cited in turn.citations.all()}
    return answer_html(turn.answer, origin=_prepared(turn).get("written_by", turn.origin), links=links)


@register.simple_tag
def one_time_key() -> str:
    """A key for one question: sent twice it makes one turn."""
    return str(uuid.uuid4())


@register.filter
def answered_before(turn: Turn) -> datetime | None:
    """When an answer from the cache was first given; None for other answers."""
    given = _prepared(turn).get("answered_at")
    return datetime.fromisoformat(given) if given else None


@register.simple_tag
def related_questions(turn: Turn, membership: Membership) -> list[str]:
    """The questions with a prepared answer that came nearest, as far as the reader may still have them answered."""
    ids = turn.trace.get("related") or []
    if not ids:
        return []
    entries = readable_entries(membership.organization_id, Reader.of(membership)).answering()
    by_id = entries.prefetch_related("variants").in_bulk(ids)
    return [by_id[pk].question for pk in ids if pk in by_id]


def _prepared(turn: Turn) -> dict[str, Any]:
    prepared: dict[str, Any] = turn.trace.get("prepared") or {}
    return prepared


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


register.filter(with_boxes)
