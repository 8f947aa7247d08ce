"""Does search know when there is no answer? Figures over questions of which some have none."""

from collections.abc import Sequence

import numpy as np

from retrieval.calibration import calibration_for
from retrieval.evaluation.corpus import ingested
from retrieval.evaluation.dataset import DataSet
from retrieval.pipeline import search
from retrieval.types import SearchResult
from skillnet.backends import get_embedder
from skillnet.tenancy import organization_scope


def searched(data_set: DataSet) -> list[SearchResult]:
    """The shipped search's result for each question, in order."""
    scope, _names = ingested(data_set)
    with organization_scope(scope.organization_id):
        return [search(query.text, scope) for query in data_set.queries]


def refusal_figures(data_set: DataSet) -> dict[str, float | int]:
    """Area under the curve of confidence, and precision and recall of refusing at the shipped threshold."""
    results = searched(data_set)
    answerable = [query.is_answerable for query in data_set.queries]
    return {
        "auc": area_under_curve(answerable, [result.confidence for result in results]),
        **refusals(answerable, [not result.evidence for result in results]),
        "threshold": calibration_for(get_embedder().model_id, "late_interaction").threshold,
    }


def area_under_curve(answerable: Sequence[bool], confidences: Sequence[float]) -> float:
    """How often a question with an answer gets more confidence than one without, ties counting half (ROC AUC)."""
    can = np.array(answerable, bool)
    values = np.array(confidences, float)
    difference = values[can][:, None] - values[~can][None, :]
    return float(((difference > 0) + 0.5 * (difference == 0)).mean()) if difference.size else 0.0


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
