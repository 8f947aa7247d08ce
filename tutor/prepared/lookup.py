"""Before the documents are searched: whether an answer is ready, and after that: whether this one is worth keeping."""

import logging
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from uuid import UUID

from retrieval.configuration import config_for
from retrieval.embedding import question_with_tokens
from retrieval.followups import Form
from retrieval.types import SearchConfig, SearchScope
from skillnet.backends import get_embedder
from skillnet.backends.language import detect_language
from skillnet.backends.protocols import Embedder, PassageEmbedding
from skillnet.errors import BackendUnavailable, InvalidEmbedding
from skillnet.taking_turns import turns
from skillnet.tenancy import organization_scope
from tutor.clearness import is_clear
from tutor.events import Answer
from tutor.prepared import cache, faq
from tutor.prepared.matching import Asked

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Prepared:
    """What was found ready for a question, and what is needed to keep another answer to it.

    `key` is empty when no answer to this question may be kept; `related` are entries to offer when nothing answers.
    """

    asked: Asked
    key: str = ""
    answer: Answer | None = None
    faq_id: int | None = None
    cached_id: UUID | None = None
    related: tuple[int, ...] = ()


def prepared_answer(
    question: str,
    scope: SearchScope,
    config: SearchConfig | None = None,
    *,
    is_fresh: bool = False,
    form: Form = Form.WHOLE,
) -> Prepared:
    """The ready answer to a question, if there is one: the company's own, else one given before.

    Call inside the organization's scope. With `is_fresh` the person wants it looked up anew: nothing ready is given,
    and what is found takes the place of what was kept. `form` says what the question leaves to the conversation it is
    asked in. One that takes up what was said means something else elsewhere: it is neither looked up nor kept. A short
    one perhaps does: only a company that asks it in the same words answers it, and it is not kept.
    """
    started = perf_counter()
    asked = as_asked(question)
    if form in (Form.OPEN, Form.EMPTY):
        return Prepared(asked)
    is_whole = form is Form.WHOLE
    language = detect_language(question)
    if not is_fresh and (found := faq.find_entry(asked, scope, in_same_words=not is_whole)) is not None:
        entry, sameness = found
        times = {"prepared": _ms(started), "total": _ms(started)}
        return Prepared(asked, answer=faq.as_answer(entry, sameness, language, times), faq_id=entry.pk)
    if not is_whole:
        return Prepared(asked, related=tuple(faq.related_entries(asked, scope)))
    key = cache.cache_key(scope, config or config_for(scope), language, asked.model_id)
    if not is_fresh and (kept := cache.cached_answer(asked, key, scope.organization_id)) is not None:
        times = {"prepared": _ms(started), "total": _ms(started)}
        given = cache.from_json(kept.answer, answered_at=kept.answered_at, times=times)
        return Prepared(asked, answer=given, cached_id=kept.pk)
    related = tuple(faq.related_entries(asked, scope))
    return Prepared(asked, key="" if cache.is_unsettled(scope) else key, related=related)


def count_use(prepared: Prepared, scope: SearchScope) -> None:
    """Count that a ready answer was given. Opens the organization's scope."""
    with organization_scope(scope.organization_id):
        if prepared.faq_id is not None:
            faq.count_use(prepared.faq_id)
        elif prepared.cached_id is not None:
            cache.count_use(prepared.cached_id)


def keep(prepared: Prepared, answer: Answer, scope: SearchScope, *, days: int) -> Answer:
    """Keep an answer just given for so many days, where that is allowed; returned as it goes on, with the entries to
    offer beside it: for a question that took its topic from the conversation, those that are near to both together.

    Opens the organization's scope.
    """
    related = prepared.related
    if answer.understood and not (answer.evidence and is_clear(answer.understood, answer.confidence)):
        asked = as_asked(answer.understood)
        with turns.of(scope.organization_id), organization_scope(scope.organization_id):
            related = tuple(faq.related_entries(asked, scope))
    if prepared.key and cache.is_worth_keeping(answer):
        with organization_scope(scope.organization_id):
            cache.remember(prepared.asked, prepared.key, answer, scope.organization_id, days)
    return replace(answer, trace={**answer.trace, "related": list(related)}) if related else answer


def as_asked(question: str) -> Asked:
    """A question that the embedder reads when it has to; when it cannot be reached only the words count."""
    embedder = get_embedder()
    return Asked(question, embedder.model_id, partial(_vectors, embedder, question))


def _vectors(embedder: Embedder, question: str) -> PassageEmbedding | None:
    try:
        return question_with_tokens(embedder, question)
    except (BackendUnavailable, InvalidEmbedding) as error:
        logger.warning("No embedder: ready answers are found by their words alone: %s", error)
        return None


def _ms(started: float) -> float:
    return round((perf_counter() - started) * 1000, 1)
