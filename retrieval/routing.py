"""Where a question is looked for: everywhere the scope allows, and first where a course speaks of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from documents.strategy import uses_full_text
from retrieval.allowed import readable_documents, readable_now
from retrieval.collection_routing import nearest_collections
from retrieval.conversation import rank_in_conversation
from retrieval.embedding import question_with_tokens
from retrieval.legs import Asked
from retrieval.passages import readable_passages
from retrieval.question import has_quotes
from retrieval.ranking import Ranked, rank
from retrieval.registry import navigate
from retrieval.trace import Trace
from retrieval.types import SearchScope, Section
from skillnet.backends import get_embedder
from skillnet.errors import BackendUnavailable, InvalidEmbedding

# A search of those places must be surer than this share of how sure one of the whole course is, for what it found to
# come first. Of the lesson that somebody reads less is asked: they probably mean it.
SURE_ENOUGH: Final[Mapping[str, float]] = {"lesson": 0.95, "course_tree": 1.0}


def rank_by_route(asked: Asked, history: Sequence[str], trace: Trace) -> tuple[Asked, Ranked, str]:
    """The question as it was searched, what that found, and the rung that it was found on.

    Inside a course the passage that answers best in what the open lesson rests on comes first, else the best one of
    the lessons that the course's tree names; both only where they are evidence as good as the best of the whole
    course, which follows in its own order. The trace names the route: lesson, course_tree, full_text, exact or across.
    """
    asked = _in_nearest_collections(asked, trace)
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


def _in_nearest_collections(asked: Asked, trace: Trace) -> Asked:
    """The question to the collections that it is probably about, where that is wanted and nothing else narrows it."""
    scope, config = asked.scope, asked.config
    is_narrow = scope.document_ids or scope.course_id is not None or scope.collection_id is not None or scope.sections
    if not config.route_collections or is_narrow or config.mode == "keyword" or config.advanced or not asked.question:
        return asked
    embedder = get_embedder()
    try:
        # With tokens, as the semantic leg will ask for it.
        vector = question_with_tokens(embedder, asked.question).vector
    except (BackendUnavailable, InvalidEmbedding):  # the semantic leg will meet and report the same
        return asked
    with trace.stage("collections"):
        nearest = nearest_collections(scope.organization_id, vector, embedder.model_id)
    trace.notes["collections"] = list(nearest)
    return replace(asked, scope=replace(scope, routed_to=nearest))


def _inside_course(asked: Asked, whole: Ranked, trace: Trace) -> Ranked | None:
    """The ranking that begins in a place of the course; None where no place has evidence good enough."""
    scope = asked.scope
    if scope.course_id is None or scope.sections or asked.config.advanced or not whole.hits:
        return None
    with trace.stage("navigation"):
        guidance = navigate(scope.organization_id, scope.course_id, asked.question, scope.lesson_id, scope.lessons)
    for route, sections in (("lesson", guidance.lesson), ("course_tree", guidance.tree)):
        ranked = _beginning_in(sections, asked, whole, trace, share=SURE_ENOUGH[route]) if sections else None
        if ranked is not None:
            trace.notes["route"] = route
            return ranked
    return None


def _beginning_in(
    sections: tuple[Section, ...], asked: Asked, whole: Ranked, trace: Trace, *, share: float
) -> Ranked | None:
    """The ranking of the whole course where its best passage is from these sections, else with their best one first
    if a search of them is sure enough (by `share`); None if it is not.
    """
    narrowed = replace(asked, scope=replace(asked.scope, sections=sections))
    if whole.has_evidence and readable_passages(asked.scope, readable_now(narrowed.scope), [whole.hits[0].chunk_id]):
        return whole
    place = Trace()
    ranked = rank(narrowed, place)
    trace.add(place, only_times=True)
    if not ranked.has_evidence or ranked.confidence <= whole.confidence * share:
        return None
    return _with_first(ranked, whole)


def _with_first(first: Ranked, rest: Ranked) -> Ranked:
    """The best of one ranking before all of another; as sure as the first."""
    best = first.hits[0]
    tail = [hit for hit in rest.hits if hit.chunk_id != best.chunk_id]
    top = max([best.score, *(hit.score for hit in tail)])
    words = first.words
    if words is not None and rest.words is not None:
        words = replace(words, scores={**rest.words.scores, **words.scores})
    return replace(
        first,
        hits=[replace(best, score=top), *tail],
        allowed=rest.allowed,
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
