"""A question in, ranked passages out: the stages of a search, in order, with a trace."""

from collections.abc import Sequence

from retrieval.configuration import config_for
from retrieval.legs import Asked
from retrieval.passages import passages_of
from retrieval.question import MAX_CHARACTERS
from retrieval.routing import rank_by_route
from retrieval.trace import Trace
from retrieval.types import Leg, Passage, SearchConfig, SearchResult, SearchScope
from skillnet.backends.language import detect_language


def search(
    question: str, scope: SearchScope, config: SearchConfig | None = None, *, history: Sequence[str] = ()
) -> SearchResult:
    """The passages that answer a question best, best first, and how sure that is.

    `history` are the earlier questions of the conversation, oldest first: a question that goes on with one of them is
    searched together with it.
    Call inside the organization's scope. The same question and data give the same order. When the embedder cannot
    be reached the search goes on with words alone and the trace says so. Without `config` the settings stored for the
    scope apply.
    """
    config = config or config_for(scope)
    trace = Trace()
    trace.notes["settings"] = config.fingerprint()
    question = question[:MAX_CHARACTERS].strip()
    with trace.stage("language"):
        language = detect_language(question)
    asked, ranked, rung = rank_by_route(Asked(question, language, scope, config), history, trace)
    with trace.stage("passages"):
        passages = passages_of(ranked, asked.scope, config, trace)
    trace.notes["signals"] = dict(ranked.signals)
    return SearchResult(
        question=question,
        passages=tuple(passages),
        confidence=ranked.confidence if passages else 0.0,
        evidence=ranked.has_evidence and has_enough_sources(passages, config.minimum_sources),
        language=asked.language,
        rung=rung if passages else "none",
        trace=trace.as_dict(),
        searched=asked.question,
        threshold=ranked.threshold,
    )


def has_enough_sources(passages: Sequence[Passage], minimum: int) -> bool:
    """Whether there are as many sources as are asked for, at least one.

    Where more than one is asked for, passages count that every leg found which found anything. One may be found by
    meaning alone: who asks in everyday words shares none with the passage that answers.
    """
    if minimum <= 1:
        return bool(passages)
    legs = frozenset[Leg]().union(*(passage.legs for passage in passages))
    return sum(passage.legs == legs for passage in passages) >= minimum
