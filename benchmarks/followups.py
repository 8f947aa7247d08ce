"""Conversations about the demo manuals: is a follow-up searched with its topic, and a new topic without the old one?

Run after `manage.py demo`. Prints how often the passage that answers comes first and among the first three, for the
question alone, always together with the latest question, and as the product decides.
"""

import json
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.development")

import django

django.setup()

from documents.access import ADMINISTRATION  # noqa: E402
from retrieval.pipeline import search  # noqa: E402
from retrieval.types import Passage, SearchScope  # noqa: E402
from skillnet.models import Organization  # noqa: E402
from skillnet.tenancy import organization_scope  # noqa: E402

CONVERSATIONS = Path(__file__).parent / "data" / "conversations.jsonl"


def rank_of(quote: str, passages: tuple[Passage, ...]) -> int:
    """The place of the first passage that holds a quote, from 1; 99 for none."""
    for place, passage in enumerate(passages, start=1):
        rows = "\n".join(" | ".join(row) for row in passage.rows or ())
        if _plain(quote) in _plain(f"{passage.text}\n{rows}"):
            return place
    return 99


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).casefold()


def main() -> None:
    organization = Organization.objects.get(slug="demo")
    conversations = [json.loads(line) for line in CONVERSATIONS.read_text(encoding="utf-8").splitlines()]
    ranks: dict[tuple[str, str], list[int]] = {}
    wrong: list[str] = []
    with organization_scope(organization.pk):
        scope = SearchScope(organization.pk, ADMINISTRATION)
        for talk in conversations:
            question, history, kind = talk["question"], talk["history"], talk["kind"]
            decided = search(question, scope, history=history)
            results = {
                "alone": search(question, scope),
                "joined": search(f"{history[-1]} {question}", scope),
                "decided": decided,
            }
            for way, result in results.items():
                ranks.setdefault((kind, way), []).append(rank_of(talk["quote"], result.passages))
            if (decided.searched != question) != (kind == "follow_up"):
                wrong.append(f"{kind}: {history} {question} -> {decided.searched}")
    for (kind, way), places in sorted(ranks.items()):
        first, third = (sum(place <= limit for place in places) / len(places) for limit in (1, 3))
        print(f"{kind:<10} {way:<8} n={len(places)} first {first:.3f} first three {third:.3f}")
    print(f"decided otherwise than labelled: {len(wrong)}", *wrong, sep="\n  ")


if __name__ == "__main__":
    main()
