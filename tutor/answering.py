"""From a question to a cited answer: retrieve, draft, ground, rung by rung. Yields events."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any

from django.utils.translation import gettext as _

from courses.tree_search import Branch
from documents.models import ParsedContent
from retrieval.configuration import config_for, limits_of, strictest
from retrieval.followups import Form, form_of
from retrieval.pipeline import search
from retrieval.types import SearchConfig, SearchResult, SearchScope
from skillnet.backends import get_embedder, get_language_model
from skillnet.backends.protocols import Embedder
from skillnet.taking_turns import turns
from skillnet.tenancy import organization_scope
from tutor.clearness import is_clear
from tutor.courtesy import courtesy_reply, is_courtesy
from tutor.emergencies import emergency_in, led_to_instructions
from tutor.events import Answer, AnswerEvent, CitedPassage, Done, Piece, Waited
from tutor.grounding import GroundedCitation, ground
from tutor.guiding import lessons_named, tree_to_read
from tutor.locating import find_place, place_of_chunk, standing_quote
from tutor.models import AnswerOrigin
from tutor.policy import policy_of_id
from tutor.prepared.lookup import Prepared, count_use, keep, prepared_answer
from tutor.reading import DOUBTFUL, assessed, with_limits
from tutor.suggestions import next_questions
from tutor.whole_documents import FULL_TEXT, look_through
from tutor.writing import Writer, Written

FOLLOW_UP = "follow_up"
COURTESY = "courtesy"  # the rung of what answers no question


def answer(
    question: str,
    *,
    scope: SearchScope,
    config: SearchConfig | None = None,
    history: Sequence[str] = (),
    is_fresh: bool = False,
) -> Iterator[AnswerEvent]:
    """Answer a question: with what is ready for it (unless `is_fresh`), else from the documents in scope, else from the
    rungs below.

    `history` holds the conversation's earlier questions, oldest first. The trace of a clear answer holds what may be
    asked next, under FOLLOW_UP. Opens the organization's scope to search, to count and to place the citations, never
    while a language model is waited for.
    Yields: signs that it goes on, pieces of text, a restart when they are void and others follow, and last of all Done.
    Raises: SkillNetError, when the search fails.
    """
    if reply := courtesy_reply(question):
        yield from _returned(reply)
        return
    history = [earlier for earlier in history if not is_courtesy(earlier)]
    started = perf_counter()
    look_up = partial(_looked_up, question, scope, config, history, is_fresh=is_fresh)
    model = get_language_model()
    ready = look_up(asks_model=model is not None)
    if model is not None and ready.tree:
        lessons = lessons_named(model, question, history, ready.tree, scope)
        yield Waited()
        ready = look_up(lessons=lessons)  # all of it again: what holds may be another since
    if ready.prepared.answer is not None or ready.result is None:
        yield from _given(ready.prepared, scope, [*history, question])
        return
    yield Waited()
    times = _Times(started, perf_counter())
    with Writer(question, scope.organization_id, ready.embedder) as writer:
        given = yield from _answered(question, ready.result, scope, times, writer)
        writer.is_by_model = given.origin == AnswerOrigin.MODEL
    kept = keep(ready.prepared, given, scope, days=_days_kept(given, ready.result, scope, ready.config))
    yield Done(_with_follow_up(kept, scope, [*history, question]))


@dataclass(frozen=True, slots=True)
class _LookedUp:
    """What there is for a question: an answer that is ready, or what the search found, or a course's tree that a
    language model is to read before the search.
    """

    prepared: Prepared
    config: SearchConfig
    embedder: Embedder  # the search's: another one may follow before the answer is written
    result: SearchResult | None = None
    tree: Sequence[Branch] = ()


def _looked_up(
    question: str,
    scope: SearchScope,
    config: SearchConfig | None,
    history: Sequence[str],
    *,
    is_fresh: bool,
    asks_model: bool = False,
    lessons: tuple[int, ...] | None = None,
) -> _LookedUp:
    with turns.of(scope.organization_id):
        with organization_scope(scope.organization_id, snapshot=True):  # a version may be switched meanwhile
            config = config or config_for(scope)
            embedder = get_embedder()
            form = form_of(question) if history else Form.WHOLE
            prepared = prepared_answer(question, scope, config, is_fresh=is_fresh, form=form)
            if prepared.answer:
                return _LookedUp(prepared, config, embedder)
            if asks_model and (tree := tree_to_read(scope)):
                return _LookedUp(prepared, config, embedder, tree=tree)
            result = with_limits(_found(question, replace(scope, lessons=lessons), config, history), scope, config)
        return _LookedUp(prepared, config, embedder, assessed(result, config, embedder))


def _found(question: str, scope: SearchScope, config: SearchConfig, history: Sequence[str]) -> SearchResult:
    """What a search finds for a question, in the conversation that it belongs to."""
    return with_instructions(search(question, scope, config, history=history), scope, config)


def with_instructions(result: SearchResult, scope: SearchScope, config: SearchConfig) -> SearchResult:
    """What a search found; for a question that tells of an emergency, what says something to do about that."""
    emergency = emergency_in(result.question)
    if emergency is None:
        return result
    return led_to_instructions(result, search(emergency.wording, scope, config), emergency)


def _returned(reply: str) -> Iterator[AnswerEvent]:
    """A greeting or thanks given back: no search, no source, nothing to rate."""
    yield Piece(reply, "")
    yield Done(Answer(text=reply, evidence=None, confidence=1.0, rung=COURTESY, origin="", language=""))


def _days_kept(given: Answer, result: SearchResult, scope: SearchScope, config: SearchConfig) -> int:
    """For how many days an answer may be kept, by the strictest of the documents it cites."""
    cited = {citation.document_id for citation in given.citations}
    limits = result.limits
    if given.rung == FULL_TEXT:  # the document that was looked through may be none of those found
        with organization_scope(scope.organization_id):
            limits = limits_of(config, scope, cited)
    return strictest(config, limits, cited).cache_days


def _given(prepared: Prepared, scope: SearchScope, asked: Sequence[str]) -> Iterator[AnswerEvent]:
    """A ready answer, in the same events as any other."""
    assert prepared.answer is not None
    yield Piece(prepared.answer.text, prepared.answer.written_by)
    count_use(prepared, scope)
    yield Done(_with_follow_up(prepared.answer, scope, asked))


def _with_follow_up(given: Answer, scope: SearchScope, asked: Sequence[str]) -> Answer:
    """An answer with what may be asked next, where it is clear. Its sources are its reader's to read. The last question
    of those `asked` is the one that it answers.
    """
    is_settled = given.origin == AnswerOrigin.FAQ or is_clear(asked[-1], given.confidence)
    if not given.citations or not is_settled:
        return given
    with organization_scope(scope.organization_id):
        questions = next_questions(given.citations, asked)
    return replace(given, trace={**given.trace, FOLLOW_UP: questions}) if questions else given


def _answered(
    question: str, result: SearchResult, scope: SearchScope, times: "_Times", writer: Writer
) -> Generator[AnswerEvent, None, Answer]:
    """The answer from what the search found; from lower rungs when that is no evidence, or when a language model finds
    nothing in it that holds.
    """
    if result.evidence and result.passages:
        written = yield from writer.write(result)
        if (found := _cited(written, result, scope, times)) is not None:
            return found
        yield from writer.withdraw()
        result = replace(result, confidence=min(result.confidence, DOUBTFUL))
    if get_language_model() is not None:
        lower = yield from _lower_rungs(question, result, scope, writer, times)
        if lower is not None:
            return lower
    return _no_evidence(result, scope, times, writer.notes)


def _lower_rungs(
    question: str, result: SearchResult, scope: SearchScope, writer: Writer, times: "_Times"
) -> Generator[AnswerEvent, None, Answer | None]:
    """What a language model may still find: in the document of a course that holds the question's words, then in what
    it knows by itself, where the organization allows that. Each rung is tried only when the one above gave nothing, and
    with the topic that the question goes on with.
    """
    question = result.searched or question
    with organization_scope(scope.organization_id):
        whole = look_through(question, result, scope)
        allows_general_knowledge = policy_of_id(scope.organization_id).general_knowledge
    if whole is not None and not writer.was_put_to_model(whole.passages):
        written = yield from writer.look(whole)
        if (found := _cited(written, whole, scope, times)) is not None:
            return found
        yield from writer.withdraw()
    text = (yield from writer.general(question)) if allows_general_knowledge else ""
    if not text:
        return None
    notes = {name: note for name, note in writer.notes.items() if name != "dropped_claims"}  # nothing of this text was
    return Answer(
        text=text,
        evidence=False,
        confidence=result.confidence,
        rung="general",
        origin=AnswerOrigin.MODEL,
        language=result.language,
        trace=_trace(result, times, {**notes, "nearest": _nearest(result)}),
        understood=_understood(result),
    )


@dataclass(frozen=True, slots=True)
class _Times:
    """When answering began and when the search was done, by perf_counter."""

    started: float
    searched: float

    def as_ms(self) -> dict[str, float]:
        return {
            "search": _ms(self.started, self.searched),
            "answer": _ms(self.searched),
            "total": _ms(self.started),
        }


def _cited(written: Written, result: SearchResult, scope: SearchScope, times: _Times) -> Answer | None:
    """The draft with its citations checked and placed; None when none of them holds."""
    grounded = ground(written.draft.text, written.draft.sources)
    if not grounded.citations:
        return None
    with organization_scope(scope.organization_id):
        citations = placed(grounded.citations)
    return Answer(
        text=grounded.text,
        evidence=True,
        confidence=result.confidence,
        rung=result.rung,
        origin=written.origin,
        language=result.language,
        citations=citations,
        is_replacement=written.is_replacement,
        trace=_trace(result, times, written.notes),
        understood=_understood(result),
    )


def _no_evidence(result: SearchResult, scope: SearchScope, times: _Times, notes: Mapping[str, Any]) -> Answer:
    if scope.course_id is None:
        advice = _("Prueba con otras palabras o consúltalo con tu responsable.")
    else:
        advice = _("Prueba con otras palabras, pregunta en toda la biblioteca o consúltalo con tu responsable.")
    if emergency_in(result.question) is not None:
        advice = _("Si hay alguien en peligro, llama ya al teléfono de emergencias y avisa a tu responsable.")
    nothing = _("No tengo información sobre esto en los documentos disponibles.")  # prompts.NO_EVIDENCE, to be read
    return Answer(
        text=f"{nothing}\n\n{advice}",
        evidence=False,
        confidence=result.confidence,
        rung="none",
        origin=AnswerOrigin.NONE,
        language=result.language,
        trace=_trace(result, times, {**notes, "nearest": _nearest(result)}),
        understood=_understood(result),
    )


def _understood(result: SearchResult) -> str:
    """The question as it was searched; empty when it was searched as asked."""
    return "" if result.searched.strip() in ("", result.question.strip()) else result.searched


def _nearest(result: SearchResult) -> dict[str, Any]:
    """The section that came nearest to the question: where an answer would belong."""
    if not result.passages:
        return {}
    best = result.passages[0]
    return {"document": best.document_id, "section": list(best.heading_path)}


def placed(citations: Sequence[GroundedCitation]) -> tuple[CitedPassage, ...]:
    """The citations with the page, section and rectangles of what they quote."""
    versions = {citation.passage.version_id for citation in citations}
    blocks: dict[int, list[dict[str, Any]]] = dict(
        ParsedContent.objects.filter(version_id__in=versions).values_list("version_id", "blocks")
    )
    return tuple(_shown(citation, blocks.get(citation.passage.version_id, [])) for citation in citations)


def _shown(citation: GroundedCitation, blocks: Sequence[dict[str, Any]]) -> CitedPassage:
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


def _trace(result: SearchResult, times: _Times, notes: Mapping[str, Any]) -> dict[str, Any]:
    return {"search": dict(result.trace), "timings_ms": times.as_ms(), **notes}


def _ms(start: float, end: float | None = None) -> float:
    return round(((perf_counter() if end is None else end) - start) * 1000, 1)
