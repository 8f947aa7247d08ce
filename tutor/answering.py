"""From a question to a cited answer: retrieve, draft, ground. Yields events."""

import logging
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from django.utils.translation import gettext as _

from documents.models import ParsedContent
from retrieval.pipeline import search
from retrieval.types import SearchConfig, SearchResult, SearchScope
from skillnet.backends import get_language_model
from skillnet.errors import BackendUnavailable
from skillnet.tenancy import organization_scope
from tutor.answerers import ExtractiveAnswerer, GenerativeAnswerer
from tutor.drafting import Draft
from tutor.events import Answer, AnswerEvent, CitedPassage, Done, Piece, Restarted
from tutor.grounding import GroundedCitation, ground
from tutor.locating import find_place, place_of_chunk, standing_quote
from tutor.models import AnswerOrigin
from tutor.prepared.lookup import Prepared, count_use, keep, prepared_answer
from tutor.prompts import NO_EVIDENCE
from tutor.reading import assessed

logger = logging.getLogger(__name__)


def answer(
    question: str, *, scope: SearchScope, config: SearchConfig | None = None, is_fresh: bool = False
) -> Iterator[AnswerEvent]:
    """Answer a question: with what is ready for it (unless `is_fresh`), else from the documents in scope.

    Opens the organization's scope to search and to place the citations, never while text flows.
    Yields: pieces of text, a restart when a language model stopped half-way, and last of all Done.
    Raises: SkillNetError, when the search fails.
    """
    started = perf_counter()
    with organization_scope(scope.organization_id, snapshot=True):  # a version may be switched meanwhile
        prepared = prepared_answer(question, scope, config, is_fresh=is_fresh)
        result = None if prepared.answer else search(question, scope, config)
    if prepared.answer is not None or result is None:
        yield from _given(prepared, scope)
        return
    result = assessed(result)
    searched = perf_counter()
    if not (result.evidence and result.passages):
        yield Done(keep(prepared, _no_evidence(result, scope, {"total": _ms(started)}), scope))
        return
    drafted = yield from _draft(question, result)
    grounded = ground(drafted.draft.text, drafted.draft.sources)
    with organization_scope(scope.organization_id):
        citations = _placed(grounded.citations)
    times = {"search": _ms(started, searched), "answer": _ms(searched), "total": _ms(started)}
    if not citations:
        yield Done(keep(prepared, _no_evidence(result, scope, times), scope))
        return
    given = Answer(
        text=grounded.text,
        evidence=True,
        confidence=result.confidence,
        rung=result.rung,
        origin=drafted.origin,
        language=result.language,
        citations=citations,
        is_replacement=drafted.is_replacement,
        trace=_trace(result, times),
    )
    yield Done(keep(prepared, given, scope))


def _given(prepared: Prepared, scope: SearchScope) -> Iterator[AnswerEvent]:
    """A ready answer, in the same events as any other."""
    assert prepared.answer is not None
    yield Piece(prepared.answer.text, prepared.answer.written_by)
    count_use(prepared, scope)
    yield Done(prepared.answer)


@dataclass(frozen=True, slots=True)
class _Drafted:
    """A draft and how it came about."""

    draft: Draft
    origin: AnswerOrigin
    is_replacement: bool = False


def _draft(question: str, result: SearchResult) -> Generator[AnswerEvent, None, _Drafted]:
    """Draft with the language model when there is one; with the documents' own sentences when there is none
    or it fails.
    """
    has_text = False
    if (model := get_language_model()) is not None:
        writer = GenerativeAnswerer(model)
        try:
            for step in writer.draft(question, result):
                if isinstance(step, Draft):
                    return _Drafted(step, writer.origin)
                has_text = True
                yield Piece(step, writer.origin)
        except BackendUnavailable:
            logger.warning("The language model failed; answering with the documents' own sentences")
            if has_text:
                yield Restarted()
    chooser = ExtractiveAnswerer()
    draft = Draft("", ())
    for step in chooser.draft(question, result):
        if isinstance(step, Draft):
            draft = step
        else:
            yield Piece(step, chooser.origin)
    return _Drafted(draft, chooser.origin, is_replacement=has_text)


def _no_evidence(result: SearchResult, scope: SearchScope, times: dict[str, float]) -> Answer:
    if scope.course_id is None:
        advice = _("Prueba con otras palabras o consúltalo con tu responsable.")
    else:
        advice = _("Prueba con otras palabras, pregunta en toda la biblioteca o consúltalo con tu responsable.")
    return Answer(
        text=f"{NO_EVIDENCE}\n\n{advice}",
        evidence=False,
        confidence=result.confidence,
        rung="none",
        origin=AnswerOrigin.NONE,
        language=result.language,
        trace=_trace(result, times),
    )


def _placed(citations: Sequence[GroundedCitation]) -> tuple[CitedPassage, ...]:
    """The citations with the page, section and rectangles of what they quote."""
    versions = {citation.passage.version_id for citation in citations}
    blocks: dict[int, list[dict[str, Any]]] = dict(
        ParsedContent.objects.filter(version_id__in=versions).values_list("version_id", "blocks")
    )
    return tuple(_cited(citation, blocks.get(citation.passage.version_id, [])) for citation in citations)


def _cited(citation: GroundedCitation, blocks: Sequence[dict[str, Any]]) -> CitedPassage:
    passage = citation.passage
    quote = standing_quote(citation.quote, citation.focus, blocks)
    place = find_place(
        quote,
        citation.focus,
        blocks,
        pages=(passage.page_start, passage.page_end),
        heading_path=passage.heading_path,
    ) or place_of_chunk(passage.page_start, passage.locator, passage.heading_path)
    return CitedPassage(
        number=citation.number,
        document_id=passage.document_id,
        document_title=passage.document_title,
        version_id=passage.version_id,
        version_number=passage.version_number,
        heading_path=place.heading_path or passage.heading_path,
        page=place.page,
        locator=place.locator,
        quote=quote,
        passage=passage.text,
        relevance=citation.relevance,
    )


def _trace(result: SearchResult, times: dict[str, float]) -> dict[str, Any]:
    return {"search": dict(result.trace), "timings_ms": times}


def _ms(start: float, end: float | None = None) -> float:
    return round(((perf_counter() if end is None else end) - start) * 1000, 1)
