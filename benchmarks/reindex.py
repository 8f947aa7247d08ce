"""Another embedding model for a large organization, while somebody searches it all the time.

    python benchmarks/reindex.py [--chunks 20000] [--dimensions 1024] [--kill 1]

Makes an installation with a fake embedder of 384 dimensions, changes it to another size with `manage.py reindex`, kills
that command on the way and begins it again. Meanwhile every search is checked: it fails when it raises, finds nothing
by meaning or misses the passage that was asked for, and its space is wrong when a score is not the cosine that the
embedder in use gives for question and passage.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent / "ingestion"))
from stage import PROJECT, installation

CHUNKS_A_DOCUMENT = 200
WORDS = [f"{first}{second}" for first in ("cala", "tori", "meno", "pesu", "ribe", "gona") for second in (
    "do", "ra", "mi", "lez", "sta", "quin", "vel", "nor", "tas", "bro")]  # fmt: skip


@dataclass
class Searching(threading.Thread):
    """One person who asks without a pause and notes how it went."""

    organization: Any
    count: int
    milliseconds: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    wrong_space: int = 0
    by_model: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)
        self.stopped = threading.Event()

    __hash__ = threading.Thread.__hash__

    def run(self) -> None:
        from django.db import connections

        chance = random.Random(1)
        while not self.stopped.is_set():
            number = chance.randrange(self.count)
            started = time.perf_counter()
            try:
                self._search(number)
            except Exception as error:  # noqa: BLE001 - whatever a search raises is what this looks for
                self.failed.append(f"{type(error).__name__}: {error}")
            self.milliseconds.append((time.perf_counter() - started) * 1000)
        connections.close_all()

    def _search(self, number: int) -> None:
        from documents.access import ADMINISTRATION
        from documents.models import Chunk
        from retrieval.allowed import allowed_chunks
        from retrieval.pipeline import search
        from retrieval.types import SearchConfig, SearchScope
        from retrieval.vector_search import semantic_hits
        from skillnet.backends import get_embedder
        from skillnet.tenancy import organization_scope

        question = text_of(number)
        scope = SearchScope(self.organization.pk, ADMINISTRATION)
        with organization_scope(self.organization.pk, snapshot=True):
            embedder = get_embedder()
            found = search(question, scope, SearchConfig(mode="vector"))
            if not found.passages or question not in found.passages[0].text:
                self.failed.append(f"passage {number} not found first")
            allowed = allowed_chunks(scope)
            assert allowed is not None
            vector = embedder.embed_query(question)
            hits = semantic_hits(scope, allowed, vector, model_id=embedder.model_id, limit=5, exact_chunks=10**9)
            texts = dict(Chunk.objects.filter(pk__in=[hit.chunk_id for hit in hits]).values_list("pk", "meaning_text"))
        if not hits:
            self.failed.append("nothing by meaning")
        for hit in hits:
            if abs(float(vector @ embedder.embed_passages([texts[hit.chunk_id]])[0]) - hit.score) > 1e-3:
                self.wrong_space += 1
        self.by_model[embedder.model_id] = self.by_model.get(embedder.model_id, 0) + 1


def text_of(number: int) -> str:
    """The one sentence of a chunk, unlike any other's."""
    chance = random.Random(number)
    return " ".join(chance.choices(WORDS, k=24)) + f" ref{number}"


def fill(organization: Any, count: int) -> None:
    """Served documents with so many chunks, their vectors and their words counted."""
    from documents import term_statistics
    from documents.embedding_models import current_model
    from documents.models import Chunk, ChunkEmbedding, Document, DocumentVersion, Status
    from skillnet.backends import get_embedder
    from skillnet.tenancy import organization_scope

    for first in range(0, count, CHUNKS_A_DOCUMENT):
        numbers = range(first, min(first + CHUNKS_A_DOCUMENT, count))
        with organization_scope(organization.pk):
            model = current_model()
            document = Document.objects.create(organization=organization, title=f"Manual {first}")
            version = DocumentVersion.objects.create(
                organization=organization,
                document=document,
                number=1,
                file=f"{first}.txt",
                sha256=f"{first:064d}",
                size=1,
                status=Status.READY,
                embedding_model=model,
                chunk_count=len(numbers),
                has_token_vectors=True,
            )
            chunks = Chunk.objects.bulk_create(
                Chunk(
                    organization=organization,
                    version=version,
                    position=place,
                    kind="paragraph",
                    text=text_of(number),
                    meaning_text=text_of(number),
                    char_start=0,
                    char_end=1,
                    token_count=26,
                    content_hash=f"{number:064d}",
                )
                for place, number in enumerate(numbers)
            )
            vectors = get_embedder().embed_passages([chunk.meaning_text for chunk in chunks])
            ChunkEmbedding.objects.bulk_create(
                ChunkEmbedding(
                    organization=organization, chunk=chunk, version=version, model=model, vector=vector, tokens=b""
                )
                for chunk, vector in zip(chunks, vectors, strict=True)
            )
            term_statistics.add_version(version)
            document.active_version = version
            document.save(update_fields=["active_version"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=20_000)
    parser.add_argument("--dimensions", type=int, default=1024)
    parser.add_argument("--kill", type=int, default=1, help="how often the command is killed on its way")
    options = parser.parse_args()
    os.environ["EMBEDDING_PROVIDER"] = "fake"
    with installation(None):
        from documents import reindexing
        from skillnet.services import create_organization
        from skillnet.tenancy import organization_scope

        organization = create_organization(slug="grande", name="Grande")
        fill(organization, options.chunks)
        name = f"fake-{options.dimensions}"
        print(f"{options.chunks} chunks, 384 to {options.dimensions}, load {os.getloadavg()[0]:.1f}", flush=True)
        person = Searching(organization, options.chunks)
        person.start()
        time.sleep(10)
        before = list(person.milliseconds)
        started = time.monotonic()
        command = [sys.executable, "manage.py", "reindex", "--org", "grande"]
        command += ["--model", name, "--dimensions", str(options.dimensions)]
        for number in range(options.kill):
            killed = subprocess.Popen(command, cwd=PROJECT)

            def done() -> int:
                with organization_scope(organization.pk):
                    return reindexing.progress(organization.pk, name, options.dimensions).done

            while done() < options.chunks * (number + 1) / (options.kill + 1) and killed.poll() is None:
                time.sleep(0.2)
            killed.kill()
            killed.wait()
            print(f"killed with {done()} of {options.chunks} made", flush=True)
        status = subprocess.run(command, cwd=PROJECT, check=False).returncode
        seconds = time.monotonic() - started
        during = person.milliseconds[len(before) :]
        time.sleep(3)
        person.stopped.set()
        person.join(60)
        print(f"exit status {status}, {seconds:.0f} s, {options.chunks / seconds:.0f} chunks/s")
        print(f"searches by model: {person.by_model}")
        for when, times in (("before", before), ("during", during)):
            cuts = statistics.quantiles(times, n=20)
            print(f"{when}: {len(times)} searches, p50 {statistics.median(times):.0f} ms, p95 {cuts[-1]:.0f} ms")
        print(f"failed {len(person.failed)} {person.failed[:3]}, scores of a wrong space {person.wrong_space}")
        sys.exit(1 if status or person.failed or person.wrong_space else 0)


if __name__ == "__main__":
    main()
