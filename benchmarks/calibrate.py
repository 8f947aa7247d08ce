"""Learn how sure a search may be, and write retrieval/calibration.json.

    python benchmarks/calibrate.py --beir DIR --refusal DIR --org SLUG --questions FILE.jsonl [FILE.jsonl …]

All of it must be development data: what figures are later reported on must not be seen here. The first folder (BEIR
layout, several rows a title) holds questions that repeat their passage's words: each is searched twice, with all
documents and without those that share its right document's title. The files (`question` and `answerable` on each line)
hold questions as people type them, to an organization's manuals. Both weigh the same. The second folder (queries with
`metadata.answerable`) gives the thresholds.
"""

import argparse
import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import django
import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.development")
django.setup()

from documents.access import ADMINISTRATION  # noqa: E402 - Django has to be set up first
from retrieval.calibration import FILE, Calibration, write_calibrations  # noqa: E402 - Django has to be set up first
from retrieval.evaluation.corpus import ingested  # noqa: E402
from retrieval.evaluation.dataset import DataSet, read_data_set  # noqa: E402
from retrieval.evaluation.refusal import area_under_curve, refusals  # noqa: E402
from retrieval.pipeline import search  # noqa: E402
from retrieval.types import SearchConfig, SearchScope  # noqa: E402
from skillnet.backends import get_embedder  # noqa: E402
from skillnet.models import Organization  # noqa: E402
from skillnet.tenancy import organization_scope  # noqa: E402

# What each kind of search has to go on. Signals that add nothing on development data are left out.
SIGNALS: Mapping[str, tuple[str, ...]] = {
    "late_interaction": ("weakest_tokens", "cosine", "bm25"),
    "hybrid": ("cosine", "best_coverage", "bm25", "agreement"),
    "vector": ("cosine", "best_coverage", "bm25"),
    "keyword": ("best_coverage", "bm25"),
    "meaning": ("cosine", "margin"),  # questions in a language that no document is written in
}
CONFIGURATIONS: Mapping[str, SearchConfig] = {
    "late_interaction": SearchConfig(),
    "hybrid": SearchConfig(rerank="none"),
    "vector": SearchConfig(mode="vector", rerank="none"),
    "keyword": SearchConfig(mode="keyword", rerank="none"),
    "meaning": SearchConfig(mode="vector", rerank="none"),
}
REGULARIZATION = 10.0  # scikit-learn's C: larger is freer

Sample = tuple[bool, Mapping[str, float]]  # whether there was an answer, and the signals of the search


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--beir", type=Path, required=True, metavar="DIR")
    parser.add_argument("--refusal", type=Path, required=True, metavar="DIR")
    parser.add_argument("--org", required=True, metavar="SLUG")
    parser.add_argument("--questions", type=Path, required=True, nargs="+", metavar="FILE.jsonl")
    arguments = parser.parse_args()
    ranking, refusal = read_data_set(arguments.beir), read_data_set(arguments.refusal, judged=False)
    calibrations = {}
    for kind, names in SIGNALS.items():
        config = CONFIGURATIONS[kind]
        passages = list(_with_and_without(ranking, config))
        manuals = list(_asked(arguments.org, arguments.questions, config)) if kind != "meaning" else []
        learned = _fitted([passages, manuals], names)
        held_out = list(_searched(refusal, config))
        threshold = _best_threshold(_answers(held_out), _confidences(held_out, learned))
        calibrations[kind] = learned | {"threshold": threshold}
        if manuals:
            _report(f"{kind}, manuals", _answers(manuals), _confidences(manuals, learned), threshold)
        _report(f"{kind}, refusal set", _answers(held_out), _confidences(held_out, learned), threshold)
    write_calibrations(get_embedder().model_id, calibrations)
    print(f"written: {FILE}")


def _asked(slug: str, files: Sequence[Path], config: SearchConfig) -> Iterator[Sample]:
    organization = Organization.objects.get(slug=slug)
    scope = SearchScope(organization.pk, ADMINISTRATION)
    with organization_scope(organization.pk):
        for line in (line for file in files for line in file.read_text(encoding="utf-8").splitlines() if line):
            row = json.loads(line)
            yield bool(row["answerable"]), _signals(row["question"], scope, config)


def _with_and_without(data_set: DataSet, config: SearchConfig) -> Iterator[Sample]:
    scope, names = ingested(data_set)
    titles = {row.id: row.title for row in data_set.corpus}
    by_title: defaultdict[str, set[int]] = defaultdict(set)
    for document_id, name in names.items():
        by_title[titles[name]].add(document_id)
    with organization_scope(scope.organization_id):
        for query in data_set.queries:
            right = by_title[titles[next(iter(data_set.qrels[query.id]))]]
            rest = tuple(document_id for document_id in names if document_id not in right)
            yield True, _signals(query.text, scope, config)
            yield False, _signals(query.text, replace(scope, document_ids=rest), config)


def _searched(data_set: DataSet, config: SearchConfig) -> Iterator[Sample]:
    scope, _names = ingested(data_set)
    with organization_scope(scope.organization_id):
        for query in data_set.queries:
            yield query.is_answerable, _signals(query.text, scope, config)


def _signals(question: str, scope: SearchScope, config: SearchConfig) -> Mapping[str, float]:
    signals: Mapping[str, float] = search(question, scope, config).trace["signals"]
    return signals


def _matrix(samples: Sequence[Sample], names: Sequence[str]) -> NDArray[np.float64]:
    return np.array([[signals.get(name, 0.0) for name in names] for _answer, signals in samples])


def _answers(samples: Sequence[Sample]) -> NDArray[np.bool_]:
    return np.array([answer for answer, _signals in samples], bool)


def _fitted(groups: Sequence[Sequence[Sample]], names: Sequence[str]) -> dict[str, Any]:
    """Coefficients learned from groups of samples that weigh the same, and so do yes and no in each."""
    samples = [sample for group in groups for sample in group]
    importance = np.concatenate([_balanced(_answers(group)) for group in groups if group])
    values = _matrix(samples, names)
    mean, deviation = values.mean(axis=0), values.std(axis=0)
    model = LogisticRegression(C=REGULARIZATION, max_iter=1_000)
    model.fit((values - mean) / deviation, _answers(samples), sample_weight=importance)
    weights = model.coef_[0] / deviation  # of the signals as they come, so that nothing has to be scaled in use
    return {
        "coefficients": {name: round(float(weight), 4) for name, weight in zip(names, weights, strict=True)},
        "intercept": round(float(model.intercept_[0] - weights @ mean), 4),
    }


def _balanced(answers: NDArray[np.bool_]) -> NDArray[np.float64]:
    weights: NDArray[np.float64] = np.where(answers, 250 / answers.sum(), 250 / (~answers).sum())
    return weights


def _confidences(samples: Sequence[Sample], learned: Mapping[str, Any]) -> NDArray[np.float64]:
    calibration = Calibration(learned["coefficients"], learned["intercept"], 0.0)
    return np.array([calibration.confidence(signals) for _answer, signals in samples])


def _best_threshold(answers: NDArray[np.bool_], confidences: NDArray[np.float64]) -> float:
    """The confidence below which refusing is best, by the harmonic mean of its precision and recall.

    Of thresholds that are as good as the best the highest: to refuse wrongly does less harm than to answer wrongly.
    """

    def harmonic_mean(threshold: float) -> float:
        figures = refusals(list(answers), list(confidences < threshold))
        total = figures["precision"] + figures["recall"]
        return 2 * figures["precision"] * figures["recall"] / total if total else 0.0

    grid = np.arange(0.05, 0.951, 0.01)
    scores = np.array([harmonic_mean(threshold) for threshold in grid])
    return round(float(grid[scores >= scores.max() - 0.002].max()), 3)


def _report(name: str, answers: NDArray[np.bool_], confidences: NDArray[np.float64], threshold: float) -> None:
    refused = confidences < threshold
    figures = refusals(list(answers), list(refused))
    print(
        f"{name}: AUC {area_under_curve(list(answers), list(confidences)):.4f}; under {threshold:.3f}, refused of the "
        f"answerable {refused[answers].mean():.3f}, of the others {figures['recall']:.3f}, "
        f"precision {figures['precision']:.3f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
