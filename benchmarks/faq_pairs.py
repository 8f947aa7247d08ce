"""How well ready answers tell the same question from a near miss, on the pairs of data/faq_pairs.tsv.

    python benchmarks/faq_pairs.py [--fit]

Prints hits and false hits of both halves. With --fit it chooses the likeness threshold on the tuning half alone (what
98 % of the pairs that agree in words reach there, rounded down) and writes tutor/prepared/calibration.json.
"""

import argparse
import csv
import json
import os
import sys
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.development")

import django  # noqa: E402

django.setup()

from skillnet.backends import get_embedder  # noqa: E402
from tutor.prepared import matching  # noqa: E402
from tutor.prepared.agreement import agree  # noqa: E402
from tutor.prepared.likeness import likeness  # noqa: E402

PAIRS = Path(__file__).resolve().parent / "data/faq_pairs.tsv"
KEPT = 0.98


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    with PAIRS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    embedder = get_embedder()
    texts = sorted({text for row in rows for text in (row["question"], row["other"])})
    embeddings = {text: embedder.embed_query_with_tokens(text) for text in texts}
    if options.fit:
        agreeing = sorted(
            likeness(embeddings[row["question"]], embeddings[row["other"]].vector, embeddings[row["other"]].tokens)
            for row in rows
            if row["half"] == "tune" and row["kind"] == "paraphrase" and agree(row["question"], row["other"]).is_full
        )
        threshold = int(agreeing[int((1 - KEPT) * len(agreeing))] * 100) / 100
        content = json.loads(matching.FILE.read_text(encoding="utf-8"))
        content.setdefault(embedder.model_id, {})["threshold"] = threshold
        matching.FILE.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
        matching.calibrations.cache_clear()
    print(f"threshold {matching.calibration_of(embedder.model_id).threshold}")
    total: dict[str, list[bool]] = {"same": [], "other": []}
    for half in ("tune", "held"):
        found: dict[str, list[bool]] = {"same": [], "other": []}
        for row in (row for row in rows if row["half"] == half):
            asked = matching.Asked(row["question"], embedder.model_id, partial(embeddings.get, row["question"]))
            other = embeddings[row["other"]]
            is_hit = matching.same_question(asked, row["other"], other.vector, other.tokens) > 0
            found["same" if row["kind"] == "paraphrase" else "other"].append(is_hit)
        report(half, found)
        total = {name: total[name] + found[name] for name in total}
    report("all", total)


def report(name: str, found: dict[str, list[bool]]) -> None:
    hits, misses = found["same"], found["other"]
    print(
        f"{name}: hits {sum(hits)} of {len(hits)} ({sum(hits) / len(hits):.1%}), "
        f"false hits {sum(misses)} of {len(misses)} ({sum(misses) / len(misses):.1%})"
    )


if __name__ == "__main__":
    main()
