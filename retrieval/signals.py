"""What a search found, in the few numbers that tell an answer from a near miss (pure)."""

from collections.abc import Mapping, Sequence

from retrieval.keywords import Corpus, KeywordScore, Term, distinct, inverse_frequency
from retrieval.late_interaction import Interaction
from retrieval.types import Hit

HEAD = 3  # an answer stands at the head of the ranking or nowhere


def signals_of(
    semantic: Sequence[Hit],
    keyword: Sequence[Hit],
    fused: Sequence[Hit],
    scores: Mapping[int, KeywordScore],
    terms: Sequence[Term],
    corpus: Corpus,
    interactions: Mapping[int, Interaction],
) -> dict[str, float]:
    """The signals that confidence is made of, each about 0 to 1; those of a stage that did not run are missing.

    `fused` is the final order. Those of late interaction are missing unless the whole head has been through it.
    """
    if not fused:
        return {}
    signals: dict[str, float] = {}
    head = [scores.get(hit.chunk_id) for hit in fused[:HEAD]]
    information = sum(inverse_frequency(term, corpus.chunk_count) for term in distinct(terms))
    if information:
        signals["coverage"] = head[0].coverage if head[0] else 0.0
        signals["best_coverage"] = max((score.coverage for score in head if score), default=0.0)
        signals["bm25"] = max((score.bm25 for score in scores.values()), default=0.0) / information
    if semantic:
        signals["cosine"] = semantic[0].score
        rest = [hit.score for hit in semantic[1:10]]
        signals["margin"] = semantic[0].score - sum(rest) / len(rest) if rest else 0.0
    if semantic and keyword:
        signals["agreement"] = float(semantic[0].chunk_id == keyword[0].chunk_id)
    read = [interactions[hit.chunk_id] for hit in fused[:HEAD] if hit.chunk_id in interactions]
    if len(read) == len(fused[:HEAD]):
        signals["late_interaction"] = max(one.score for one in read)
        signals["weakest_tokens"] = max(one.weakest for one in read)
    return signals
