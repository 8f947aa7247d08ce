"""A question in, ranked passages out: the stages of a search, in order, with a trace."""

from collections.abc import Sequence

from retrieval.legs import Asked
from retrieval.passages import passages_of
from retrieval.question import MAX_CHARACTERS
from retrieval.routing import rank_by_route
from retrieval.trace import Trace
from retrieval.types import SearchConfig, SearchResult, SearchScope
from skillnet.backends.language import detect_language


def search(
    question: str, scope: SearchScope, config: SearchConfig | None = None, *, history: Sequence[str] = ()
) -> SearchResult:
    """The passages that answer a question best, best first, and how sure that is.

    `history` are the earlier questions of the conversation, oldest first: a question that goes on with one of them is
    searched together with it.
    Call inside the organization's scope. The same question and data give the same order. When the embedder cannot
    be reached the search goes on with words alone and the trace says so.
    """
    config = config or SearchConfig()
    trace = Trace()
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
        evidence=len(passages) >= max(config.minimum_sources, 1) and ranked.has_evidence,
        language=asked.language,
        rung=rung if passages else "none",
        trace=trace.as_dict(),
        searched=asked.question,
    )
