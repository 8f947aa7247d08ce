"""How long a search takes in organizations of very different size that share one database.

    python benchmarks/scale/run.py [--questions 200] [--json FILE] [--index hnsw|ivfflat|none] [--first] [--small]

The first run makes a database of its own in the embedded PostgreSQL (300,000 chunks, 500 organizations by a Zipf law)
and keeps it; later runs find it there. Everything is measured as the runtime role, through `retrieval.pipeline.search`,
with question vectors made beforehand in place of the embedder's.
"""

import argparse
import json
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.development")
os.environ.setdefault("LOG_LEVEL", "ERROR")
PROJECT = Path(__file__).resolve().parent.parent.parent
os.chdir(PROJECT)
sys.path.insert(0, str(PROJECT))
from skillnet.embedded.bootstrap import prepare as prepare_services  # noqa: E402 - the path has to be set first

prepare_services(["worker"])
if os.environ.get("DATABASE_URL"):
    sys.exit("DATABASE_URL names a server: this benchmark only writes to the embedded one.")
import django  # noqa: E402

django.setup()

import database  # noqa: E402 - Django has to be set up first
import numpy as np  # noqa: E402
from django.conf import settings  # noqa: E402
from django.db import connection, connections  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from synthetic import DIMENSIONS, WORDS_A_CHUNK, Writer  # noqa: E402

from documents import vector_indexes  # noqa: E402
from documents.access import ADMINISTRATION  # noqa: E402
from documents.models import ChunkEmbedding  # noqa: E402
from documents.token_vectors import encode  # noqa: E402
from retrieval import pipeline  # noqa: E402
from retrieval.allowed import allowed_chunks  # noqa: E402
from retrieval.types import SearchConfig, SearchScope  # noqa: E402
from retrieval.vector_search import semantic_hits  # noqa: E402
from retrieval.vocabulary import vocabulary_of  # noqa: E402
from skillnet import backends  # noqa: E402
from skillnet.backends.protocols import PassageEmbedding  # noqa: E402
from skillnet.models import Organization  # noqa: E402
from skillnet.tenancy import organization_scope  # noqa: E402

RECALL_AT = 20
SIZES = {"100k": 0, "15k": 3, "500": 48}  # by rank, of the organizations in the default data set
WITHOUT_RERANKING, RERANKED = SearchConfig(rerank="none"), SearchConfig()
EXACT = 10**9  # chunks up to which everything is compared


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    vector: NDArray[np.float32]
    tokens: NDArray[np.float32]


class Prepared:
    """An embedder that knows its questions."""

    model_id = database.MODEL
    dimensions = DIMENSIONS
    supports_tokens = True

    def __init__(self, questions: Sequence[Question]) -> None:
        self._known = {question.text: question for question in questions}

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._known[text].vector

    def embed_query_with_tokens(self, text: str) -> PassageEmbedding:
        known = self._known[text]
        return PassageEmbedding(known.vector, known.tokens, np.zeros((len(known.tokens), 2), np.int32))


def embed_only(questions: Sequence[Question]) -> None:
    """Give everybody who asks for the embedder one that knows these questions and refuses all others."""
    prepared = Prepared(questions)
    backends._embedder = lambda _choice: prepared  # type: ignore[assignment, return-value]
    if backends.get_embedder() is not prepared:  # else the real one's time would be measured
        sys.exit("skillnet.backends._embedder no longer makes the embedder: find out what does, and replace that.")


def questions_for(organization: Organization, count: int) -> list[Question]:
    """Questions about chunks of the organization, drawn at random."""
    rng = np.random.default_rng(11)
    writer = Writer()
    with organization_scope(organization.pk):
        ids = list(ChunkEmbedding.objects.order_by("pk").values_list("pk", flat=True))
        chosen = rng.choice(ids, size=min(count, len(ids)), replace=False)
        rows = ChunkEmbedding.objects.filter(pk__in=chosen.tolist()).order_by("pk").values_list("chunk__text", "vector")
        made = [writer.question(rng, text, np.asarray(vector, np.float32)) for text, vector in rows]
    return [Question(text, vector, _tokens(rng, vector, 14)) for text, vector in made]


def _tokens(rng: np.random.Generator, vector: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    rows = vector + rng.standard_normal((count, DIMENSIONS)).astype(np.float32) / np.sqrt(DIMENSIONS)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def store_tokens(scope: SearchScope, questions: Sequence[Question]) -> None:
    """Give the chunks that reranking will look at their token vectors: those of all chunks would take 10 GB."""
    rng = np.random.default_rng(5)
    with organization_scope(scope.organization_id):
        for question in questions:
            hits = pipeline.search(question.text, scope, SearchConfig(rerank="none", top_k=30)).passages
            ids = [hit.chunk_id for hit in hits]
            for row in ChunkEmbedding.objects.filter(chunk_id__in=ids, tokens__isnull=True):
                count = WORDS_A_CHUNK * 3 // 2
                vectors = _tokens(rng, np.asarray(row.vector, np.float32), count)
                row.tokens = encode(PassageEmbedding(row.vector, vectors, np.ones((count, 2), np.int32)))
                row.save(update_fields=["tokens"])


def times_ms(run: Callable[[Question], object], questions: Sequence[Question]) -> NDArray[np.float64]:
    taken = []
    for question in questions:
        started = time.perf_counter()
        run(question)
        taken.append((time.perf_counter() - started) * 1000)
    return np.array(taken)


def searching(scope: SearchScope, config: SearchConfig) -> Callable[[Question], dict[str, float]]:
    """A search as a request makes it: in a scope, and so a transaction, of its own."""

    def run(question: Question) -> dict[str, float]:
        with organization_scope(scope.organization_id):
            return dict(pipeline.search(question.text, scope, config).trace["timings_ms"])

    return run


@contextmanager
def as_owner() -> Iterator[None]:
    """Queries of the schema's owner, whom no policy binds, with the runtime role's settings."""
    runtime, owner = connections["default"], connections["owner"]
    owner.ensure_connection()
    owner.connection.prepare_threshold = runtime.connection.prepare_threshold
    connections["default"] = owner
    try:
        with owner.cursor() as cursor:
            cursor.execute("SET max_parallel_workers_per_gather = 0; SET jit = off")
        yield
    finally:
        connections["default"] = runtime


def go_first() -> None:
    """Put this process and its servers before whatever else the machine does, as on a machine that only searches."""
    pids = [os.getpid()]
    for alias in ("default", "owner"):
        with connections[alias].cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            pids.append(cursor.fetchone()[0])
    for pid in pids:
        os.sched_setscheduler(pid, os.SCHED_RR, os.sched_param(1))


def recall(scope: SearchScope, questions: Sequence[Question]) -> float:
    """How many of the nearest chunks the semantic leg finds, against comparing all."""
    found = 0.0
    with organization_scope(scope.organization_id):
        allowed = allowed_chunks(scope)
        assert allowed is not None
        for question in questions:
            hits = [
                semantic_hits(scope, allowed, question.vector, model_id=database.MODEL, limit=30, exact_chunks=limit)
                for limit in (SearchConfig().exact_chunks, EXACT)
            ]
            shipped, exact = ({hit.chunk_id for hit in leg[:RECALL_AT]} for leg in hits)
            found += len(shipped & exact) / len(exact)
    return found / len(questions)


def measure(organization: Organization, count: int) -> dict[str, Any]:
    scope = SearchScope(organization.pk, ADMINISTRATION)
    questions = questions_for(organization, count)
    embed_only(questions)
    store_tokens(scope, questions)
    plain, reranked = searching(scope, WITHOUT_RERANKING), searching(scope, RERANKED)
    times_ms(plain, questions[:10])  # connections, caches and statements
    as_runtime, stages, added = [], [], []
    with as_owner():
        times_ms(plain, questions[:10])
    without_policies = []
    for question in questions:  # side by side, so that whatever else the machine does meets all of them
        as_runtime += list(times_ms(plain, [question]))
        with as_owner():
            without_policies += list(times_ms(plain, [question]))
        reranking = reranked(question)
        added.append(reranking.get("rerank", 0.0))
        stages.append(plain(question))
    with organization_scope(organization.pk):
        chunk_count = vocabulary_of(organization.pk).corpus.chunk_count
    space = next(one for one in vector_indexes.spaces() if one.organization_id == organization.pk)
    index = vector_indexes.existing().get(space.index_name)
    return {
        "chunks": chunk_count,
        "questions": len(questions),
        "semantic_leg": index.kind if index and chunk_count > SearchConfig().exact_chunks else "exact",
        "search_ms": _percentiles(as_runtime),
        "semantic_ms": _percentiles([stage["semantic"] for stage in stages]),
        "keyword_ms": _percentiles([stage["keyword"] for stage in stages]),
        "rerank_ms": _percentiles(added),
        "without_policies_ms": _percentiles(without_policies),
        f"recall@{RECALL_AT}": round(recall(scope, questions), 4),
    }


def _percentiles(values: Sequence[float]) -> dict[str, float]:
    return {"p50": round(float(np.percentile(values, 50)), 2), "p95": round(float(np.percentile(values, 95)), 2)}


def table(result: dict[str, Any]) -> str:
    """The result as rows for people and for benchmarks/README.md."""
    columns = ("search_ms", "semantic_ms", "keyword_ms", "rerank_ms", "without_policies_ms")
    lines = ["| organization | leg | recall@20 | " + " | ".join(name[:-3] for name in columns) + " |"]
    lines.append("| --- " * (len(columns) + 3) + "|")
    for row in result["organizations"]:
        cells = " | ".join(f"{row[name]['p50']:.1f} / {row[name]['p95']:.1f}" for name in columns)
        lines.append(f"| {row['chunks']:,} | {row['semantic_leg']} | {row['recall@20']:.4f} | {cells} |")
    lines.append(f"p50 / p95 in ms; memory of this process at most {result['memory_mb']} MB")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=200, help="for each organization")
    parser.add_argument("--index", choices=["hnsw", "ivfflat", "none"], default="hnsw")
    parser.add_argument("--small", action="store_true", help="3,000 chunks, to try the benchmark itself")
    parser.add_argument("--first", action="store_true", help="before all other processes; wants root's rights")
    parser.add_argument("--json", type=Path, help="write the result there as well")
    options = parser.parse_args()
    size = database.Size(20, 3_000, 1_000) if options.small else database.Size(500, 300_000, 100_000)
    database.prepare(size)
    settings.SKILLNET_VECTOR_INDEX = settings.SKILLNET_VECTOR_INDEX | {"kind": options.index}
    started = time.perf_counter()
    done = vector_indexes.tend()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_size_pretty(pg_database_size(current_database()))")
        database_size = cursor.fetchone()[0]
    if options.first:
        go_first()
    ranks = {"largest": 0, "smallest": 10} if options.small else SIZES
    result = {
        "load": os.getloadavg()[0],
        "database": database_size,
        "indexes_built": [space.chunk_count for space in done.build],
        "index_seconds": round(time.perf_counter() - started, 1),
        "indexes": {index.name: index.size for index in vector_indexes.existing().values()},
        "organizations": [
            measure(Organization.objects.get(slug=f"org-{rank}"), options.questions) for rank in ranks.values()
        ],
        "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    print(table(result))
    if options.json:
        options.json.write_text(json.dumps(result, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
