"""A question searched in the light of those asked before it."""

from collections.abc import Sequence
from dataclasses import replace

from retrieval.allowed import allowed_chunks
from retrieval.followups import Form, Found, form_of, goes_on, topics_of, with_topic
from retrieval.keyword_search import keyword_scores
from retrieval.legs import Asked
from retrieval.question import MAX_CHARACTERS
from retrieval.ranking import Ranked, rank
from retrieval.signals import HEAD
from retrieval.trace import Trace
from skillnet.backends.language import detect_language


def rank_in_conversation(asked: Asked, history: Sequence[str], trace: Trace) -> tuple[Asked, Ranked]:
    """The question as it was searched in the end, alone or together with its topic, and what that found.

    A question that names its topic is searched alone, once. Any other one is searched both ways, and what was found
    decides; the trace says how (`follow_up`).
    """
    form = form_of(asked.question) if history and asked.question and not asked.config.advanced else Form.WHOLE
    topics = topics_of(history) if form is not Form.WHOLE else []
    if not topics:
        return asked, rank(asked, trace)
    ways = [_asked_with(asked, topic) for topic in topics]
    traces = [Trace() for _way in ways]
    outcomes = [rank(way, trace) for way, trace in zip(ways, traces, strict=True)]
    best = max(range(len(ways)), key=lambda number: (outcomes[number].confidence, -number))
    way, outcome, taken = ways[best], outcomes[best], traces[best]
    if form is not Form.EMPTY:
        traces.append(Trace())
        alone = rank(asked, traces[-1])
        if not goes_on(form, _found(alone, alone, asked), _found(outcome, alone, asked)):
            way, outcome, taken = asked, alone, traces[-1]
    for one in traces:
        trace.add(one, only_times=one is not taken)
    trace.notes["follow_up"] = {"form": form.value, "joined": way is not asked}
    return way, outcome


def _asked_with(asked: Asked, topic: str) -> Asked:
    question = with_topic(topic, asked.question)[:MAX_CHARACTERS]
    return replace(asked, question=question, language=detect_language(question))


def _found(ranked: Ranked, alone: Ranked, asked: Asked) -> Found:
    """How sure a ranking is, and how much of the question's own words its head holds."""
    allowed = allowed_chunks(asked.scope)
    if allowed is None or alone.words is None:
        return Found(ranked.confidence, 0.0, 0.0)
    head = [hit.chunk_id for hit in ranked.hits[:HEAD]]
    _hits, scores = keyword_scores(asked.scope, allowed, alone.words.terms, alone.words.corpus, head)
    shares = [scores[chunk_id].coverage if chunk_id in scores else 0.0 for chunk_id in head]
    return Found(ranked.confidence, max(shares, default=0.0), shares[0] if shares else 0.0)
