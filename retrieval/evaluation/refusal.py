"""Does search know when there is no answer? Figures over questions of which some have none."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrieval.calibration import calibration_for
from retrieval.configuration import config_for
from retrieval.evaluation.answers import Given, faithfulness
from retrieval.evaluation.corpus import ingested
from retrieval.evaluation.dataset import DataSet
from retrieval.pipeline import search
from retrieval.registry import answering
from retrieval.types import SearchResult
from skillnet.backends import get_embedder
from skillnet.tenancy import organization_scope

TENTHS = 10


def answered(data_set: DataSet, results: Sequence[SearchResult]) -> list[Given]:
    """What is said to each question, from what was found for it; nothing while nobody answers."""
    who = answering()
    scope, _names = ingested(data_set)
    if who is None:
        return []
    with organization_scope(scope.organization_id):
        config = config_for(scope)
        return [who(result, scope, config) for result in results]


def searched(data_set: DataSet) -> list[SearchResult]:
    """The shipped search's result for each question, in order."""
    scope, _names = ingested(data_set)
    with organization_scope(scope.organization_id):
        return [search(query.text, scope) for query in data_set.queries]


def refusal_figures(data_set: DataSet) -> dict[str, Any]:
    """Area under the curve of confidence, precision and recall of refusing at the shipped threshold, and how far
    confidence can be taken at its word (see `reliability`), all of the search; and in `answers` the refusing of whoever
    answers from it, with their own threshold.
    """
    results = searched(data_set)
    given = answered(data_set, results)
    answerable = [query.is_answerable for query in data_set.queries]
    return {
        "auc": area_under_curve(answerable, [result.confidence for result in results]),
        **refusals(answerable, [not result.evidence for result in results]),
        "threshold": calibration_for(get_embedder().model_id, "late_interaction").threshold,
        "reliability": reliability(answerable, [result.confidence for result in results]),
        **({"answers": _of_answers(answerable, given)} if given else {}),
    }


def _of_answers(answerable: Sequence[bool], given: Sequence[Given]) -> dict[str, Any]:
    who = answering()
    assert who is not None
    return {
        **refusals(answerable, [not one.is_answer for one in given]),
        "threshold": who.threshold(),
        **faithfulness(given),
    }


def area_under_curve(answerable: Sequence[bool], confidences: Sequence[float]) -> float:
    """How often a question with an answer gets more confidence than one without, ties counting half (ROC AUC)."""
    can = np.array(answerable, bool)
    values = np.array(confidences, float)
    difference = values[can][:, None] - values[~can][None, :]
    return float(((difference > 0) + 0.5 * (difference == 0)).mean()) if difference.size else 0.0


def reliability(answerable: Sequence[bool], confidences: Sequence[float]) -> list[dict[str, float | int]]:
    """For each tenth of confidence with questions in it: how many, their mean confidence, and the share that can be
    answered. A confidence that means what it says has the last two alike.
    """
    can = np.array(answerable, float)
    values = np.array(confidences, float)
    tenths = np.minimum((values * TENTHS).astype(int), TENTHS - 1)
    return [
        {
            "from": tenth / TENTHS,
            "to": (tenth + 1) / TENTHS,
            "questions": int((tenths == tenth).sum()),
            "confidence": round(float(values[tenths == tenth].mean()), 4),
            "answerable": round(float(can[tenths == tenth].mean()), 4),
        }
        for tenth in sorted({int(tenth) for tenth in tenths})
    ]


def refusals(answerable: Sequence[bool], refused: Sequence[bool]) -> dict[str, float | int]:
    """Precision and recall of refusing, and how many questions were answered and refused."""
    right = sum(no and not can for no, can in zip(refused, answerable, strict=True))
    refused_count, unanswerable_count = sum(refused), len(answerable) - sum(answerable)
    return {
        "precision": right / refused_count if refused_count else 0.0,
        "recall": right / unanswerable_count if unanswerable_count else 0.0,
        "answered": len(answerable) - refused_count,
        "refused": refused_count,
    }
