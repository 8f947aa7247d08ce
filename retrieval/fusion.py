"""Several rankings of the same chunks become one."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.spread import mean_and_deviation
from retrieval.types import Hit, Leg


@dataclass(frozen=True, slots=True)
class Ranking:
    """What one leg found, best first, and how much it counts."""

    leg: Leg
    weight: float
    hits: Sequence[Hit]


def reciprocal_rank_fusion(rankings: Sequence[Ranking], *, k: int = 60, strength: float = 0.0) -> list[Hit]:
    """Merge rankings, best first, by the sum of weight * (1 / (k + rank) + strength * z), rank counted from 1.

    z is how far a hit's score lies above its ranking's mean, in standard deviations. Ranks alone often leave the first
    two places tied, one leg preferring one and the other the other; a little of z lets the leg that is surer decide.
    Each hit carries the set of legs that found it. Ties go to document, then position, so equal inputs give equal
    output. A ranking of weight 0 adds its leg and no score.
    Source: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", SIGIR 2009; weights and strength are ours.
    """
    scores: defaultdict[int, float] = defaultdict(float)
    legs: defaultdict[int, set[Leg]] = defaultdict(set)
    places: dict[int, tuple[int, int]] = {}
    for ranking in rankings:
        values = [hit.score for hit in ranking.hits]
        mean, deviation = mean_and_deviation(values) if values else (0.0, 1.0)
        for rank, hit in enumerate(ranking.hits, start=1):
            z = (hit.score - mean) / deviation
            scores[hit.chunk_id] += ranking.weight * (1 / (k + rank) + strength * z)
            legs[hit.chunk_id].add(ranking.leg)
            places[hit.chunk_id] = hit.place
    best_first = sorted(scores, key=lambda chunk_id: (-scores[chunk_id], places[chunk_id], chunk_id))
    return [Hit(chunk_id, scores[chunk_id], places[chunk_id], frozenset(legs[chunk_id])) for chunk_id in best_first]
