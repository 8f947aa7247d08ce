"""Configurations put to the same questions: figures, and the runs as they are stored."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

import ir_measures
import numpy as np
from ir_measures import RR, P, R, Success, nDCG

from retrieval.evaluation.corpus import ingested
from retrieval.evaluation.dataset import DataSet
from retrieval.models import Evaluation, EvaluationRun
from retrieval.pipeline import search
from retrieval.types import SearchConfig, SearchScope
from skillnet.tenancy import organization_scope

logger = logging.getLogger(__name__)

CONFIGURATIONS: Mapping[str, SearchConfig] = {
    "vector": SearchConfig(mode="vector", rerank="none"),
    "vector+rerank": SearchConfig(mode="vector", rerank="late_interaction"),
    "keyword": SearchConfig(mode="keyword", rerank="none"),
    "hybrid": SearchConfig(mode="hybrid", rerank="none"),
    "hybrid+rerank": SearchConfig(mode="hybrid", rerank="late_interaction"),
    "hybrid+rerank+mmr": SearchConfig(mode="hybrid", rerank="late_interaction", diversity=True),
}
MEASURES = {
    "recall@1": R @ 1,
    "recall@5": R @ 5,
    "recall@10": R @ 10,
    "precision@5": P @ 5,
    "hit@10": Success @ 10,
    "mrr@10": RR @ 10,
    "ndcg@10": nDCG @ 10,
}
_NAMES = {measure: name for name, measure in MEASURES.items()}


@dataclass(frozen=True, slots=True)
class Data:
    """What was asked of what: equal fingerprints can be compared."""

    organization_id: UUID
    name: str
    fingerprint: str
    qrels: Mapping[str, Mapping[str, int]]  # question -> what is right, with its relevance


@dataclass(frozen=True, slots=True)
class Answered:
    """What a configuration gave for one question: the names of its hits, best first, and how long it took."""

    ranking: Sequence[str]
    milliseconds: float


def evaluate(data_set: DataSet, configuration_names: Sequence[str]) -> list[EvaluationRun]:
    """Put a data set's questions to each named configuration and store the runs, in that order."""
    scope, names = ingested(data_set)
    data = Data(scope.organization_id, data_set.name, data_set.fingerprint, data_set.qrels)
    with organization_scope(scope.organization_id):
        search(data_set.queries[0].text, scope)  # loads the models, which is no part of a search's time
        return [
            stored_run(data, name, CONFIGURATIONS[name], _answers(data_set, CONFIGURATIONS[name], scope, names))
            for name in configuration_names
        ]


def _answers(
    data_set: DataSet, config: SearchConfig, scope: SearchScope, names: Mapping[int, str]
) -> dict[str, Answered]:
    found: dict[str, Answered] = {}
    for query in data_set.queries:
        result = search(query.text, scope, config)
        ranking = [names[passage.document_id] for passage in result.passages]
        found[query.id] = Answered(ranking, result.trace["timings_ms"]["total"])
    return found


def stored_run(
    data: Data,
    configuration: str,
    config: SearchConfig,
    answers: Mapping[str, Answered],
    *,
    evaluation: Evaluation | None = None,
    further_metrics: Mapping[str, float] | None = None,
) -> EvaluationRun:
    """Measure one configuration's answers to the judged questions and store the run, each question's values in it."""
    metrics, per_query = measured(data.qrels, {name: answers[name].ranking for name in data.qrels})
    milliseconds = [answer.milliseconds for answer in answers.values()]
    logger.info("%s: recall@1 %.4f", configuration, metrics["recall@1"])
    return EvaluationRun.objects.create(
        organization_id=data.organization_id,
        evaluation=evaluation,
        data_set=data.name,
        fingerprint=data.fingerprint,
        configuration=configuration,
        settings={**asdict(config), "fingerprint": config.fingerprint()},
        metrics={**metrics, **(further_metrics or {})},
        latency_ms={
            "p50": round(float(np.percentile(milliseconds, 50)), 2),
            "p95": round(float(np.percentile(milliseconds, 95)), 2),
        },
        per_query={name: {"ranking": list(answers[name].ranking), "metrics": per_query[name]} for name in data.qrels},
    )


def measured(
    qrels: Mapping[str, Mapping[str, int]], rankings: Mapping[str, Sequence[str]]
) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """The mean of each measure over all judged questions, and each question's own values."""
    # Scores say the order and nothing else, so that the library breaks no ties of its own.
    run = {
        query_id: {document: -float(rank) for rank, document in reversed(list(enumerate(ranking)))}
        for query_id, ranking in rankings.items()
    }
    measures = list(MEASURES.values())
    judged = {query_id: dict(judgements) for query_id, judgements in qrels.items()}
    per_query: dict[str, dict[str, float]] = {query_id: dict.fromkeys(MEASURES, 0.0) for query_id in judged}
    for value in ir_measures.iter_calc(measures, judged, run):
        per_query[value.query_id][_NAMES[value.measure]] = float(value.value)
    means = {name: sum(values[name] for values in per_query.values()) / max(1, len(per_query)) for name in MEASURES}
    return means, per_query


def report(run: EvaluationRun) -> dict[str, Any]:
    """A run as the command line prints it. Identifiers are strings."""
    return {
        "id": str(run.pk),
        "config": run.configuration,
        "data_set": run.data_set,
        "metrics": run.metrics,
        "latency_ms": run.latency_ms,
    }
