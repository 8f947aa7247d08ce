"""A question searched in the light of those asked before it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from retrieval.allowed import allowed_chunks
from retrieval.followups import Form, Found, Unanswered, form_of, goes_on, topics_of, with_topic
from retrieval.keyword_search import keyword_scores
from retrieval.legs import Asked
from retrieval.question import MAX_CHARACTERS
from retrieval.ranking import Ranked, rank
from retrieval.rephrasing import with_part_exchanged
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
    exchanged = [way for topic in topics if (way := _asked_with(asked, with_part_exchanged(topic, asked.question)))]
    joined = [way for topic in topics if (way := _asked_with(asked, with_topic(topic, asked.question)))]
    alone = None if form is Form.EMPTY else _Way.of(asked)
    tried = [] if alone is None else [alone]
    chosen = alone
    # A topic that nothing was found for is not taken up as surely.
    is_doubtful = form is Form.OPEN and isinstance(topics[0], Unanswered)
    for ways in filter(None, (exchanged, joined)):
        outcomes = [_Way.of(way) for way in ways]
        tried += outcomes
        best = max(outcomes, key=lambda one: one.ranked.confidence)  # of equals the first: the latest topic
        if alone is None or goes_on(Form.SHORT if is_doubtful else form, alone.found(alone), best.found(alone)):
            chosen = best
            break
    assert chosen is not None  # without a question of its own the first way is taken
    for one in tried:
        trace.add(one.trace, only_times=one is not chosen)
    trace.notes["follow_up"] = {"form": form.value, "joined": chosen is not alone}
    return chosen.asked, chosen.ranked


def _asked_with(asked: Asked, question: str) -> Asked | None:
    if not question:
        return None
    question = question[:MAX_CHARACTERS]
    return replace(asked, question=question, language=detect_language(question))


@dataclass(frozen=True, slots=True)
class _Way:
    """One way of asking, and what it found."""

    asked: Asked
    ranked: Ranked
    trace: Trace

    @classmethod
    def of(cls, asked: Asked) -> "_Way":
        trace = Trace()
        return cls(asked, rank(asked, trace), trace)

    def found(self, alone: "_Way") -> Found:
        return _found(self.ranked, alone.ranked, alone.asked)


def _found(ranked: Ranked, alone: Ranked, asked: Asked) -> Found:
    """How sure a ranking is, and how much of the question's own words its head holds."""
    allowed = allowed_chunks(asked.scope)
    if allowed is None or alone.words is None:
        return Found(ranked.confidence, 0.0, 0.0)
    head = [hit.chunk_id for hit in ranked.hits[:HEAD]]
    _hits, scores = keyword_scores(asked.scope, allowed, alone.words.terms, alone.words.corpus, head)
    shares = [scores[chunk_id].coverage if chunk_id in scores else 0.0 for chunk_id in head]
    return Found(ranked.confidence, max(shares, default=0.0), shares[0] if shares else 0.0)
