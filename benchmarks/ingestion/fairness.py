"""One organization queues hundreds of files, then another queues one: how soon is the latter served?

    python benchmarks/ingestion/fairness.py [--home DIR] [--files 500]

The worker starts when everything is queued. The answer depends on whose turn it is, not on how fast a model runs,
so the fake embedder is used unless EMBEDDING_PROVIDER says otherwise.
"""

import argparse
import os
import sys
import time
from pathlib import Path

from stage import Worker, installation, manual, row, upload, wait_until


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, help="data folder of the installation; by default one that is removed")
    parser.add_argument("--files", type=int, default=500)
    parser.add_argument("--limit", type=int, default=10, help="highest position that counts as fair")
    parser.add_argument("--timeout", type=float, default=240, help="seconds to wait for the late file")
    options = parser.parse_args()
    os.environ.setdefault("EMBEDDING_PROVIDER", "fake")
    with installation(options.home):
        from skillnet.services import create_organization

        run = int(time.time())
        early = create_organization(slug=f"early-{run}", name="Temprana")
        late = create_organization(slug=f"late-{run}", name="Tardía")
        for number in range(options.files):
            upload(early, f"ficha-{number}.pdf", manual(run % 10_000 + number, 1))
        version = upload(late, "ficha.pdf", manual(1, 1))
        load = os.getloadavg()[0]
        started = time.monotonic()
        worker = Worker()
        try:
            ready = "SELECT status LIKE 'ready%%' FROM documents_documentversion WHERE id = %s"
            is_ready = wait_until(lambda: bool(row(late, ready, version)[0]), options.timeout)
            seconds = time.monotonic() - started
        finally:
            worker.stop()
        if not is_ready:
            sys.exit(f"not ready after {seconds:.0f} s")
        (moment,) = row(late, "SELECT step_at FROM documents_documentversion WHERE id = %s", version)
        (before,) = row(
            early,
            "SELECT count(*) FROM documents_documentversion WHERE status LIKE 'ready%%' AND step_at < %s",
            moment,
        )
    print(f"{options.files} files of one organization queued, then one of another; load {load:.1f}")
    print(f"ready as number {before + 1} of {options.files + 1}, {seconds:.1f} s after the worker's start")
    sys.exit(0 if before < options.limit else 1)


if __name__ == "__main__":
    main()
