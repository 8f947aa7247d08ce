"""Where a question is looked for: everywhere the scope allows, or first where a course speaks of it."""

from collections.abc import Sequence
from dataclasses import replace

from documents.strategy import uses_full_text
from retrieval.candidates import readable_documents
from retrieval.conversation import rank_in_conversation
from retrieval.legs import Asked
from retrieval.question import has_quotes
from retrieval.ranking import Ranked
from retrieval.registry import sections_about
from retrieval.trace import Trace
from retrieval.types import SearchScope, Section


def rank_by_route(asked: Asked, history: Sequence[str], trace: Trace) -> tuple[Asked, Ranked, str]:
    """The question as it was searched, what that found, and the rung that it was found on.

    Inside a course the sections that its tree names for the question come first; where they hold no evidence, all of
    the course's documents are searched. The trace names the route: course_tree, full_text, exact or across.
    """
    if (sections := _sections(asked)) is not None:
        narrowed = replace(asked, scope=replace(asked.scope, sections=tuple(sections)))
        inside = Trace()
        way, ranked = rank_in_conversation(narrowed, history, inside)
        trace.add(inside, only_times=not ranked.has_evidence)
        if ranked.has_evidence:
            trace.notes["route"] = "course_tree"
            return way, ranked, "course_tree"
    way, ranked = rank_in_conversation(asked, history, trace)
    if _is_one_small_document(asked.scope):
        trace.notes["route"] = "full_text"
        return way, ranked, "full_text"
    is_exact = has_quotes(asked.question) or (ranked.words and any(term.is_code for term in ranked.words.terms))
    trace.notes["route"] = "exact" if is_exact else "across"
    return way, ranked, "chunks"


def _sections(asked: Asked) -> Sequence[Section] | None:
    scope = asked.scope
    if scope.course_id is None or scope.sections or asked.config.advanced or not asked.question:
        return None
    return sections_about(scope.organization_id, scope.course_id, asked.question) or None


def _is_one_small_document(scope: SearchScope) -> bool:
    """Whether all there is to search is one document that is short enough to be read as a whole."""
    if scope.sections or not (len(scope.document_ids) == 1 or scope.course_id is not None):
        return False
    pages = list(readable_documents(scope).order_by().values_list("active_version__page_count", flat=True)[:2])
    return bool(pages) and uses_full_text(pages[0], is_only_document=len(pages) == 1)
