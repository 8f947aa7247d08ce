"""How long a ready answer takes beside a searched one, in this process, with an organization's own documents.

    python benchmarks/faq_cache.py --org SLUG [--questions FILE.jsonl] [--entries N]

Asks each question once by the whole pipeline (looked up anew), then from the cache, then as a FAQ entry written for
the run among N others, and prints p50 and p95 in ms, and the processor time that this process spent: on a busy
machine only that compares. The first question warms up and is not counted. What it wrote is removed at the end.
"""

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.development")

import django  # noqa: E402

django.setup()

from documents.access import ADMINISTRATION  # noqa: E402
from retrieval.embedding import question_vector, question_with_tokens  # noqa: E402
from retrieval.types import SearchScope  # noqa: E402
from skillnet.commands import organization_named  # noqa: E402
from skillnet.models import Classification, Organization  # noqa: E402
from skillnet.tenancy import organization_scope  # noqa: E402
from tutor.answering import answer  # noqa: E402
from tutor.events import Done  # noqa: E402
from tutor.models import CachedAnswer, FaqEntry  # noqa: E402
from tutor.prepared.services import save_entry  # noqa: E402

QUESTIONS = ROOT / "courses/demo/questions.jsonl"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--org", required=True)
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    parser.add_argument("--entries", type=int, default=500)
    options = parser.parse_args()
    organization = organization_named(options.org)
    scope = SearchScope(organization.pk, ADMINISTRATION)
    lines = options.questions.read_text(encoding="utf-8").splitlines()
    questions = list(dict.fromkeys(json.loads(line)["question"] for line in lines))

    def ask(question: str, *, is_fresh: bool = False) -> str:
        *_pieces, done = answer(question, scope=scope, is_fresh=is_fresh)
        assert isinstance(done, Done)
        return str(done.answer.origin)

    with organization_scope(organization.pk):
        before = set(CachedAnswer.objects.values_list("pk", flat=True))
    timed("whole pipeline", questions, lambda question: ask(question, is_fresh=True))
    timed("cache", questions, ask, only="cache")
    with written(organization, questions, options.entries):
        timed(f"FAQ among {options.entries}", [f"{question.rstrip('?')}, por favor?" for question in questions], ask)
        timed("FAQ, same words", questions, ask, only="faq")
    with organization_scope(organization.pk):
        CachedAnswer.objects.exclude(pk__in=before).delete()


@contextmanager
def written(organization: Organization, questions: list[str], count: int) -> Iterator[None]:
    """Entries for the questions, and as many others, for as long as the block runs."""
    texts = questions + [f"¿Qué dice la nota interna {number} sobre el asunto {number}?" for number in range(count)]
    with organization_scope(organization.pk):
        made = [
            save_entry(
                organization=organization,
                owner=None,
                questions=[text],
                answer="Respuesta de la empresa.",
                classification=Classification.INTERNAL,
            ).pk
            for text in texts
        ]
    try:
        yield
    finally:
        with organization_scope(organization.pk):
            FaqEntry.objects.filter(pk__in=made).delete()


def forget_questions() -> None:
    """Let the embedder read the question anew: in the product another person asks it another day."""
    question_with_tokens.cache_clear()
    question_vector.cache_clear()


def timed(name: str, questions: list[str], ask: Callable[[str], str], *, only: str = "") -> None:
    ask(questions[0])
    times: dict[str, list[tuple[float, float]]] = {}
    for question in questions:
        forget_questions()
        started, worked = time.perf_counter(), time.process_time()
        origin = ask(question)
        spent = (time.perf_counter() - started) * 1000, (time.process_time() - worked) * 1000
        times.setdefault(origin, []).append(spent)
    for origin, values in sorted(times.items()):
        if not only or origin == only:
            wall, work = (sorted(column) for column in zip(*values, strict=True))
            p95 = wall[int(0.95 * (len(wall) - 1))]
            print(
                f"{name} ({origin}): p50 {statistics.median(wall):.1f} ms, p95 {p95:.1f} ms, "
                f"processor p50 {statistics.median(work):.1f} ms, {len(values)} questions",
                flush=True,
            )


if __name__ == "__main__":
    main()
