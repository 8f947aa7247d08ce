"""Where a question is looked for: everywhere the scope allows, and first where a course speaks of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from documents.strategy import uses_full_text
from retrieval.candidates import readable_documents
from retrieval.conversation import rank_in_conversation
from retrieval.legs import Asked
from retrieval.question import has_quotes
from retrieval.ranking import Ranked, rank
from retrieval.registry import navigate
from retrieval.signals import HEAD
from retrieval.trace import Trace
from retrieval.types import SearchScope

# How sure a search of those places must be, beside one of the whole course, for what it found to come first. A lesson
# that somebody reads may be a little less sure: they probably mean it.
SURE_ENOUGH: Final[Mapping[str, float]] = {"lesson": 0.9, "course_tree": 1.0}


def rank_by_route(asked: Asked, history: Sequence[str], trace: Trace) -> tuple[Asked, Ranked, str]:
    """The question as it was searched, what that found, and the rung that it was found on.

    Inside a course what the open lesson rests on comes first, else the sections that the course's tree names for the
    question; both only where they hold evidence as good as the rest of the course does, which follows behind. The
    trace names the route: lesson, course_tree, full_text, exact or across.
    """
    way, ranked = rank_in_conversation(asked, history, trace)
    inside = _inside_course(way, ranked, trace)
    if inside is not None:
        return way, inside, "course_tree"
    if _is_one_small_document(asked.scope):
        trace.notes["route"] = "full_text"
        return way, ranked, "full_text"
    is_exact = has_quotes(asked.question) or (ranked.words and any(term.is_code for term in ranked.words.terms))
    trace.notes["route"] = "exact" if is_exact else "across"
    return way, ranked, "chunks"


def _inside_course(asked: Asked, whole: Ranked, trace: Trace) -> Ranked | None:
    """The ranking with the best of one place of the course first; None where no place has evidence good enough."""
    scope = asked.scope
    if scope.course_id is None or scope.sections or asked.config.advanced or not whole.hits:
        return None
    with trace.stage("navigation"):
        guidance = navigate(scope.organization_id, scope.course_id, asked.question, scope.lesson_id)
    for route, sections in (("lesson", guidance.lesson), ("course_tree", guidance.tree)):
        if not sections:
            continue
        place = Trace()
        ranked = rank(replace(asked, scope=replace(scope, sections=sections)), place)
        trace.add(place, only_times=True)
        if ranked.has_evidence and ranked.confidence >= whole.confidence * SURE_ENOUGH[route]:
            trace.notes["route"] = route
            return _followed_by(ranked, whole)
    return None


def _followed_by(first: Ranked, rest: Ranked) -> Ranked:
    """The head of one ranking before all of another; as sure as the first."""
    head = list(first.hits[:HEAD])
    leading = {hit.chunk_id for hit in head}
    tail = [hit for hit in rest.hits if hit.chunk_id not in leading]
    scale = min(head[-1].score / tail[0].score, 1.0) if tail and tail[0].score > 0 else 1.0
    words = first.words
    if words is not None and rest.words is not None:
        words = replace(words, scores={**rest.words.scores, **words.scores})
    return replace(
        first,
        hits=[*head, *(replace(hit, score=hit.score * scale) for hit in tail)],
        words=words,
        cosines={**rest.cosines, **first.cosines},
        tokens={**rest.tokens, **first.tokens},
    )


def _is_one_small_document(scope: SearchScope) -> bool:
    """Whether all there is to search is one document that is short enough to be read as a whole."""
    if scope.sections or not (len(scope.document_ids) == 1 or scope.course_id is not None):
        return False
    pages = list(readable_documents(scope).order_by().values_list("active_version__page_count", flat=True)[:2])
    return bool(pages) and uses_full_text(pages[0], is_only_document=len(pages) == 1)
