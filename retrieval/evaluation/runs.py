"""Configurations put to the same questions: figures, stored runs, and what changed between two of them."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import ir_measures
import numpy as np
from ir_measures import RR, P, R, Success, nDCG

from retrieval.evaluation.corpus import ingested
from retrieval.evaluation.dataset import DataSet
from retrieval.models import EvaluationRun
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


def evaluate(data_set: DataSet, configuration_names: Sequence[str]) -> list[EvaluationRun]:
    """Put a data set's questions to each named configuration and store the runs, in that order."""
    scope, names = ingested(data_set)
    with organization_scope(scope.organization_id):
        search(data_set.queries[0].text, scope)  # loads the models, which is no part of a search's time
        return [_run(data_set, name, scope, names) for name in configuration_names]


def _run(data_set: DataSet, configuration: str, scope: SearchScope, names: Mapping[int, str]) -> EvaluationRun:
    config = CONFIGURATIONS[configuration]
    rankings: dict[str, list[str]] = {}
    milliseconds: list[float] = []
    for query in data_set.queries:
        result = search(query.text, scope, config)
        rankings[query.id] = [names[passage.document_id] for passage in result.passages]
        milliseconds.append(result.trace["timings_ms"]["total"])
    metrics, per_query = measured(data_set.qrels, rankings)
    logger.info("%s: recall@1 %.4f", configuration, metrics["recall@1"])
    return EvaluationRun.objects.create(
        organization_id=scope.organization_id,
        data_set=data_set.name,
        fingerprint=data_set.fingerprint,
        configuration=configuration,
        settings=asdict(config),
        metrics=metrics,
        latency_ms={
            "p50": round(float(np.percentile(milliseconds, 50)), 2),
            "p95": round(float(np.percentile(milliseconds, 95)), 2),
        },
        per_query={
            query_id: {"ranking": ranking, "metrics": per_query[query_id]} for query_id, ranking in rankings.items()
        },
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
    means = {name: sum(values[name] for values in per_query.values()) / len(per_query) for name in MEASURES}
    return means, per_query


def compare(before: EvaluationRun, after: EvaluationRun) -> dict[str, Any]:
    """What changed from one run to another: means, and the questions whose right hit moved up or down."""
    shared = before.per_query.keys() & after.per_query.keys()
    gains = {
        query_id: after.per_query[query_id]["metrics"]["mrr@10"] - before.per_query[query_id]["metrics"]["mrr@10"]
        for query_id in sorted(shared)
    }
    return {
        "same_data": before.fingerprint == after.fingerprint,
        "metrics": {name: after.metrics[name] - before.metrics[name] for name in MEASURES},
        "better": [query_id for query_id, gain in gains.items() if gain > 0],
        "worse": [query_id for query_id, gain in gains.items() if gain < 0],
    }
