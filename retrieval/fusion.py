"""Several rankings of the same chunks become one."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.types import Hit, Leg


@dataclass(frozen=True, slots=True)
class Ranking:
    """What one leg found, best first, and how much it counts."""

    leg: Leg
    weight: float
    hits: Sequence[Hit]


def reciprocal_rank_fusion(rankings: Sequence[Ranking], *, k: int = 60) -> list[Hit]:
    """Merge rankings, best first, by the sum of weight / (k + rank), rank counted from 1.

    Each hit carries the set of legs that found it. Ties go to document, then position, so equal inputs give equal
    output. A ranking of weight 0 adds its legs and no score.
    Source: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", SIGIR 2009; the weights are ours.
    """
    scores: defaultdict[int, float] = defaultdict(float)
    legs: defaultdict[int, set[Leg]] = defaultdict(set)
    places: dict[int, tuple[int, int]] = {}
    for ranking in rankings:
        for rank, hit in enumerate(ranking.hits, start=1):
            scores[hit.chunk_id] += ranking.weight / (k + rank)
            legs[hit.chunk_id].add(ranking.leg)
            places[hit.chunk_id] = hit.place
    best_first = sorted(scores, key=lambda chunk_id: (-scores[chunk_id], places[chunk_id], chunk_id))
    return [
        Hit(chunk_id, scores[chunk_id], places[chunk_id], frozenset(legs[chunk_id])) for chunk_id in best_first
    ]
