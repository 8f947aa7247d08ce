"""Learn how sure a search may be, and write retrieval/calibration.json.

    python benchmarks/calibrate.py --beir DIR --refusal DIR

Both folders must hold development data only: what figures are later reported on must not be seen here. The first (BEIR
layout, several rows a title) gives the coefficients: every question is searched twice, with all documents and without
those that share its right document's title. The second (queries with `metadata.answerable`) gives the thresholds.
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

from retrieval.calibration import FILE  # noqa: E402 - Django has to be set up first
from retrieval.evaluation.corpus import ingested  # noqa: E402
from retrieval.evaluation.dataset import DataSet, read_data_set  # noqa: E402
from retrieval.evaluation.refusal import area_under_curve, refusals  # noqa: E402
from retrieval.pipeline import search  # noqa: E402
from retrieval.types import SearchConfig, SearchScope  # noqa: E402
from skillnet.backends import get_embedder  # noqa: E402
from skillnet.tenancy import organization_scope  # noqa: E402

# What each kind of search has to go on. Signals that add nothing on development data are left out.
SIGNALS: Mapping[str, tuple[str, ...]] = {
    "hybrid": ("cosine", "best_coverage", "bm25", "agreement"),
    "vector": ("cosine", "best_coverage", "bm25"),
    "keyword": ("best_coverage", "bm25"),
    "meaning": ("cosine", "margin"),  # questions in a language that no document is written in
}
REGULARIZATION = 10.0  # scikit-learn's C: larger is freer

Sample = tuple[bool, Mapping[str, float]]  # whether there was an answer, and the signals of the search


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--beir", type=Path, required=True, metavar="DIR")
    parser.add_argument("--refusal", type=Path, required=True, metavar="DIR")
    arguments = parser.parse_args()
    ranking, refusal = read_data_set(arguments.beir), read_data_set(arguments.refusal, judged=False)
    calibrations = {}
    for kind, names in SIGNALS.items():
        config = SearchConfig(mode="vector" if kind == "meaning" else kind)  # type: ignore[arg-type]
        learned = _fitted(list(_with_and_without(ranking, config)), names)
        calibrations[kind] = learned | _threshold(list(_searched(refusal, config)), learned, kind)
    content = {"model_id": get_embedder().model_id, "calibrations": calibrations}
    FILE.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    print(f"written: {FILE}")


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


def _fitted(samples: Sequence[Sample], names: Sequence[str]) -> dict[str, Any]:
    values = _matrix(samples, names)
    mean, deviation = values.mean(axis=0), values.std(axis=0)
    model = LogisticRegression(C=REGULARIZATION, max_iter=1_000)
    model.fit((values - mean) / deviation, [answer for answer, _signals in samples])
    weights = model.coef_[0] / deviation  # of the signals as they come, so that nothing has to be scaled in use
    return {
        "coefficients": {name: round(float(weight), 4) for name, weight in zip(names, weights, strict=True)},
        "intercept": round(float(model.intercept_[0] - weights @ mean), 4),
    }


def _threshold(samples: Sequence[Sample], learned: Mapping[str, Any], kind: str) -> dict[str, float]:
    """The confidence below which refusing is best, by the harmonic mean of its precision and recall."""
    answers = [answer for answer, _signals in samples]
    weights = np.array(list(learned["coefficients"].values()))
    values = _matrix(samples, list(learned["coefficients"]))
    confidences = 1 / (1 + np.exp(-(values @ weights + learned["intercept"])))

    def harmonic_mean(threshold: float) -> float:
        figures = refusals(answers, list(confidences < threshold))
        total = figures["precision"] + figures["recall"]
        return 2 * figures["precision"] * figures["recall"] / total if total else 0.0

    grid = np.arange(0.05, 0.951, 0.01)
    scores = np.array([harmonic_mean(threshold) for threshold in grid])
    best = float(np.median(grid[scores >= scores.max() - 0.002]))  # the middle of the flat top is the safest
    figures = refusals(answers, list(confidences < best))
    print(
        f"{kind}: AUC {area_under_curve(answers, list(confidences)):.4f}, at {best:.2f} refusing has precision "
        f"{figures['precision']:.3f} and recall {figures['recall']:.3f}"
    )
    return {"threshold": round(best, 3)}


if __name__ == "__main__":
    main()
