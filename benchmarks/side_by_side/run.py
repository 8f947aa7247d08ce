"""One table: other ways to search against SkillNet's, same weights, same passages, same questions, one process.

Run it in an environment that has requirements.txt of this folder beside the project's packages (benchmarks/README.md).
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import django
import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.development")
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
django.setup()

import systems  # noqa: E402
from sentence_transformers import SentenceTransformer  # noqa: E402

from documents.models import ChunkEmbedding  # noqa: E402
from retrieval.evaluation.corpus import ingested  # noqa: E402
from retrieval.evaluation.dataset import DataSet, read_data_set  # noqa: E402
from retrieval.evaluation.intervals import mean_interval  # noqa: E402
from retrieval.evaluation.runs import CONFIGURATIONS, measured  # noqa: E402
from retrieval.pipeline import search  # noqa: E402
from retrieval.types import SearchConfig  # noqa: E402
from skillnet.embedded.weights import e5_folder  # noqa: E402
from skillnet.tenancy import organization_scope  # noqa: E402

MEASURES = ("recall@1", "recall@5", "recall@10", "mrr@10", "ndcg@10")
OURS = ("keyword", "hybrid", "hybrid+rerank")

Searcher = Callable[[str], Sequence[str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--beir", type=Path, nargs="+", required=True, help="folders in BEIR layout")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="ask only every N-th question")
    options = parser.parse_args()
    known: dict[str, dict[str, Searcher]] = {}  # data sets over the same passages share what was built of them
    for folder in options.beir:
        data_set = _thinned(read_data_set(folder), options.every)
        if data_set.corpus_fingerprint not in known:
            known[data_set.corpus_fingerprint] = _searchers(data_set)
        scope, _names = ingested(data_set)
        with organization_scope(scope.organization_id):
            print(_table(data_set, known[data_set.corpus_fingerprint]), flush=True)


def _thinned(data_set: DataSet, every: int) -> DataSet:
    queries = data_set.queries[::every]
    return replace(data_set, queries=queries, qrels={query.id: data_set.qrels[query.id] for query in queries})


def _searchers(data_set: DataSet) -> dict[str, Searcher]:
    scope, names = ingested(data_set)
    torch.set_num_threads(1)  # for all alike: several threads wait for each other on a busy machine
    model = SentenceTransformer(str(e5_folder()), device="cpu")
    with organization_scope(scope.organization_id):  # the passages' vectors: made once, by the same weights
        stored = ChunkEmbedding.objects.for_organization(scope.organization_id).values_list(
            "chunk__version__document_id", "vector"
        )
        by_id = {names[document_id]: np.asarray(vector, np.float32) for document_id, vector in stored}
    vectors = np.array([by_id[row.id] for row in data_set.corpus])
    others = (
        systems.PgvectorCosine(data_set.corpus, vectors, model),
        systems.Bm25s(data_set.corpus),
        systems.Haystack(data_set.corpus, vectors, model),
        systems.Txtai(data_set.corpus, vectors, model),
    )

    def ours(question: str, config: SearchConfig) -> list[str]:
        return [names[passage.document_id] for passage in search(question, scope, config).passages]

    return {system.name: system.search for system in others} | {
        f"SkillNet, {name}": partial(ours, config=CONFIGURATIONS[name]) for name in OURS
    }


def _table(data_set: DataSet, searchers: Mapping[str, Searcher]) -> str:
    for query in data_set.queries[:10]:  # models load and caches fill before anything is timed
        for searcher in searchers.values():
            searcher(query.text)
    rankings: dict[str, dict[str, Sequence[str]]] = {name: {} for name in searchers}
    times: dict[str, list[float]] = {name: [] for name in searchers}
    for query in data_set.queries:  # one question to all in turn: what else the machine does falls on all alike
        for name, searcher in searchers.items():
            started = time.perf_counter()
            rankings[name][query.id] = searcher(query.text)
            times[name].append((time.perf_counter() - started) * 1000)
    lines = [
        f"\n{data_set.name}: {len(data_set.queries)} questions, {len(data_set.corpus)} passages\n",
        "| | " + " | ".join(MEASURES) + " | p50 ms | p95 ms |",
        "| --- |" + " --- |" * (len(MEASURES) + 2),
    ]
    return "\n".join(lines + [_line(name, data_set, rankings[name], times[name]) for name in searchers])


def _line(name: str, data_set: DataSet, rankings: Mapping[str, Sequence[str]], times: Sequence[float]) -> str:
    means, per_query = measured(data_set.qrels, rankings)
    cells = []
    for measure in MEASURES:
        interval = mean_interval([values[measure] for values in per_query.values()])
        cells.append(f"{means[measure]:.3f} ({interval.low:.3f}–{interval.high:.3f})".replace("0.", "."))
    milliseconds = [f"{np.percentile(times, at):.0f}" for at in (50, 95)]
    return f"| {name} | " + " | ".join([*cells, *milliseconds]) + " |"


if __name__ == "__main__":
    main()
