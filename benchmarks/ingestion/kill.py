"""A worker is killed at random moments of ingestion; nothing may be lost, doubled or left behind.

    python benchmarks/ingestion/kill.py [--home DIR] [--rounds 10] [--pages 30]

Each round queues a generated PDF, sends SIGKILL to the worker in one of the steps (in turns; the moment within a step
is random), starts another and asks SQL for the end state. With EMBEDDING_PROVIDER=fake in the environment no model is
loaded.
"""

import argparse
import os
import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stage import Worker, installation, manual, row, upload, wait_until

# The state to wait for, and up to how many seconds later the worker is killed. A try is counted just before a step
# begins and forgotten when its work is committed: with it counted, the kill falls into the work itself.
STEPS = {
    "parse": ("status = 'parsing' AND attempt_count > 0", 0.6),
    "chunk": ("status = 'chunking' AND attempt_count > 0", 0.1),
    "embed": ("status = 'embedding' AND attempt_count > 0 AND progress_done < progress_total", 0.4),
    "switch": ("status = 'embedding' AND attempt_count > 0 AND progress_done = progress_total", 0.02),
}
POLL_SECONDS = 0.002
ORPHAN_SECONDS = 10  # that a killed worker's own processes have to notice
END_STATE = """
    SELECT version.status, version.active,
        (SELECT count(*) FROM documents_chunk WHERE version_id = version.id),
        (SELECT count(DISTINCT position) FROM documents_chunk WHERE version_id = version.id),
        (SELECT coalesce(max(position) + 1, 0) FROM documents_chunk WHERE version_id = version.id),
        (SELECT count(*) FROM documents_chunkembedding WHERE version_id = version.id),
        (SELECT count(DISTINCT chunk_id) FROM documents_chunkembedding WHERE version_id = version.id),
        (SELECT count(*) FROM documents_chunk WHERE draft_of_id IS NOT NULL),
        (SELECT count(*) FROM documents_chunkembedding WHERE version_id IS NULL),
        (SELECT chunk_count FROM documents_corpusstatistic),
        (SELECT count(*) FROM documents_chunk WHERE version_id IS NOT NULL)
    FROM (
        SELECT v.id, v.status, coalesce(d.active_version_id = v.id, false) AS active
        FROM documents_documentversion v JOIN documents_document d ON d.id = v.document_id WHERE v.id = %s
    ) version
"""


@dataclass(frozen=True, slots=True)
class EndState:
    status: str
    active: bool
    chunks: int
    positions: int
    last: int
    vectors: int
    chunks_with_vector: int
    drafts: int
    draft_vectors: int
    counted: int  # chunks in the organization's statistics, all documents together
    served: int  # and in the table

    @property
    def is_right(self) -> bool:
        return (
            self.status in ("ready", "ready_with_warnings")
            and self.active
            and 0 < self.chunks == self.positions == self.last == self.vectors == self.chunks_with_vector
            and self.drafts == self.draft_vectors == 0
            and self.counted == self.served
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, help="data folder of the installation; by default one that is removed")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--pages", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0, help="0 takes the clock's")
    parser.add_argument("--timeout", type=float, default=120, help="seconds a round waits for the end")
    options = parser.parse_args()
    seed = options.seed or int(time.time())
    chance = random.Random(seed)
    print(f"seed {seed}, {options.pages} pages a file, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with installation(options.home):
        from skillnet.services import create_organization

        organization = create_organization(slug=f"kill-{seed}", name="Benchmark")
        heads = "#", "aimed at", "killed in", "end", "s to end", "chunks", "vectors", "drafts", "orphans", "right"
        print("{:>2} {:>9} {:>26} {:>20} {:>9} {:>7} {:>8} {:>7} {:>8} {:>6}".format(*heads), flush=True)
        worker = Worker()
        right = 0
        try:
            for number in range(1, options.rounds + 1):
                step = list(STEPS)[(number - 1) % len(STEPS)]
                content = manual(seed % 10_000 + number, options.pages)
                version = upload(organization, f"manual-{number}.pdf", content)
                moment, children = _kill(worker, organization, version, step, chance, options.timeout)
                worker = Worker()
                seconds, end = _end(organization, version, options.timeout)
                wait_until(lambda: not any(map(_is_alive, children)), ORPHAN_SECONDS, every=0.2)  # noqa: B023 -- used at once
                orphans = sum(map(_is_alive, children))
                right += end.is_right and not orphans
                print(
                    f"{number:>2} {step:>9} {moment:>26} {end.status:>20} {seconds:>9.1f} {end.chunks:>7} "
                    f"{end.vectors:>8} {end.drafts:>7} {orphans:>8} {'yes' if end.is_right else 'NO':>6}",
                    flush=True,
                )
        finally:
            worker.stop()
    print(f"{right} of {options.rounds} rounds right, load {os.getloadavg()[0]:.1f}")
    sys.exit(0 if right == options.rounds else 1)


def _kill(
    worker: Worker, organization: Any, version: int, step: str, chance: random.Random, timeout: float
) -> tuple[str, list[int]]:
    """Kill the worker in a step of a version. Returns where the version stood, and the worker's own processes."""
    condition, spread = STEPS[step]
    query = f"SELECT ({condition}) OR status LIKE 'ready%%' FROM documents_documentversion WHERE id = %s"  # noqa: S608
    wait_until(lambda: bool(row(organization, query, version)[0]), timeout, every=POLL_SECONDS)
    time.sleep(chance.uniform(0, spread))
    children = worker.children()
    worker.kill()
    status, done, total, tries = row(
        organization,
        "SELECT status, progress_done, progress_total, attempt_count FROM documents_documentversion WHERE id = %s",
        version,
    )
    return f"{status} {done}/{total}{' at work' if tries else ''}", children


def _end(organization: Any, version: int, timeout: float) -> tuple[float, EndState]:
    """Wait for a version's final status. Returns the seconds it took, and the end state."""
    started = time.monotonic()
    query = (
        "SELECT status IN ('ready', 'ready_with_warnings', 'failed', 'cancelled') "
        "FROM documents_documentversion WHERE id = %s"
    )
    wait_until(lambda: bool(row(organization, query, version)[0]), timeout, every=0.2)
    return time.monotonic() - started, EndState(*row(organization, END_STATE, version))


def _is_alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False


if __name__ == "__main__":
    main()
