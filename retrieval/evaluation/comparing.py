"""What changed from one stored run to another over the same questions."""

from collections.abc import Mapping
from typing import Any

from retrieval.evaluation.intervals import mean_interval
from retrieval.evaluation.runs import MEASURES
from retrieval.models import EvaluationRun

DECIDING = "mrr@10"  # by this a question counts as better or worse


def compare(before: EvaluationRun, after: EvaluationRun) -> dict[str, Any]:
    """For each measure the mean difference, its 95 % interval (paired bootstrap over the questions that both runs
    judged), and in how many questions the second run won and lost. `better` and `worse` name questions whose first
    right hit moved up or down.
    """
    shared = sorted(before.per_query.keys() & after.per_query.keys())
    differences = {name: _differences(before.per_query, after.per_query, shared, name) for name in MEASURES}
    moved = differences[DECIDING]
    return {
        "same_data": before.fingerprint == after.fingerprint,
        "questions": len(shared),
        "metrics": {name: _mean(values) for name, values in differences.items()},
        "intervals": {name: _interval(values) for name, values in differences.items()},
        "better": [question for question, gain in zip(shared, moved, strict=True) if gain > 0],
        "worse": [question for question, gain in zip(shared, moved, strict=True) if gain < 0],
    }


def _differences(
    before: Mapping[str, Any], after: Mapping[str, Any], questions: list[str], measure: str
) -> list[float]:
    return [after[name]["metrics"][measure] - before[name]["metrics"][measure] for name in questions]


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _interval(values: list[float]) -> dict[str, Any]:
    interval = mean_interval(values)
    return {
        "difference": _mean(values),
        "low": interval.low,
        "high": interval.high,
        "is_more_than_chance": interval.excludes_zero,
        "wins": sum(value > 0 for value in values),
        "losses": sum(value < 0 for value in values),
    }
