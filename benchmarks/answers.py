"""Ask the tutor real questions, without a language model, and judge its answers.

    python benchmarks/answers.py --files DIR QUESTIONS.jsonl [--half tuned|reported] [--failures]
    python benchmarks/answers.py --org SLUG QUESTIONS.jsonl [--half tuned|reported] [--failures]
    python benchmarks/answers.py --beir DIR [--half tuned|reported] [--failures]

A line holds `question`, `answerable` and, where there is an answer, `doc` (a file's name), the words that answer
(`quote`) and `page` or `heading`. With --files those that the questions name are ingested from DIR into an organization
of their own, once. --beir takes a folder of questions with their short answers (`metadata.answer`) over a corpus of
paragraphs, all in one organization: counted is how often the answer holds the short one.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import django

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.development")
django.setup()

from django.core.management import call_command  # noqa: E402 - Django has to be set up first

from benchmarks.asking import answer_to  # noqa: E402
from benchmarks.judging import Shown, folded, is_reported, judged  # noqa: E402
from documents.access import ADMINISTRATION  # noqa: E402
from documents.models import Document  # noqa: E402
from retrieval.evaluation.corpus import ingested  # noqa: E402
from retrieval.evaluation.dataset import read_data_set  # noqa: E402
from retrieval.types import SearchScope  # noqa: E402
from skillnet.models import Organization  # noqa: E402
from skillnet.tenancy import organization_scope  # noqa: E402
from tutor.clearness import CLEAR_CONFIDENCE  # noqa: E402
from tutor.events import Answer  # noqa: E402
from tutor.grounding import verify_quote  # noqa: E402

SLUG = "benchmark-answers"
LONGEST_ANSWER = 160  # words


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--files", type=Path, metavar="DIR")
    where.add_argument("--org", metavar="SLUG")
    where.add_argument("--beir", type=Path, metavar="DIR")
    parser.add_argument("questions", type=Path, nargs="?")
    parser.add_argument("--half", choices=("tuned", "reported"))
    parser.add_argument("--failures", action="store_true")
    arguments = parser.parse_args()
    if arguments.beir:
        _report(_short_answers(arguments.beir, arguments.half, arguments.failures))
        return
    if arguments.questions is None:
        parser.error("QUESTIONS.jsonl is missing")
    rows = [json.loads(line) for line in arguments.questions.read_text(encoding="utf-8").splitlines() if line]
    slug = arguments.org or _ingested(arguments.files, sorted({row["doc"] for row in rows}))
    chosen = [row for row in rows if _is_wanted(row["question"], arguments.half)]
    _report(_manuals(slug, chosen, arguments.failures))


def _is_wanted(question: str, half: str | None) -> bool:
    return half is None or is_reported(question) == (half == "reported")


def _ingested(folder: Path, names: Sequence[str]) -> str:
    organization, _created = Organization.objects.get_or_create(slug=SLUG, defaults={"name": SLUG})
    missing = [folder / name for name in names if name not in _file_names(organization).values()]
    if missing:
        call_command("ingest", *map(str, missing), org=SLUG)
    return SLUG


def _file_names(organization: Organization) -> Mapping[int, str]:
    with organization_scope(organization.pk):
        documents = Document.objects.for_organization(organization)
        return dict(documents.values_list("pk", "active_version__file_name"))


def _manuals(slug: str, rows: Sequence[Mapping[str, Any]], lists_failures: bool) -> Iterator[str]:
    """What each question counts for, by name."""
    organization = Organization.objects.get(slug=slug)
    names = _file_names(organization)
    scope = SearchScope(organization.pk, ADMINISTRATION)
    for row in rows:
        given = answer_to(row["question"], scope)
        yield from _of_any(given)
        is_clear = given.evidence and given.confidence >= CLEAR_CONFIDENCE
        if not row["answerable"]:
            yield "unanswerable"
            yield "unanswerable: answered" if given.evidence else "unanswerable: refused"
            if is_clear:
                yield "clear: without an answer in the documents"
            continue
        yield "answerable"
        shown = [Shown(names[one.document_id], one.page, one.heading_path, one.quote) for one in given.citations]
        verdict = judged(row, given.text, shown)
        if not given.evidence:
            yield "answerable: refused"
        if verdict.is_document_right:
            yield "right document"
        if verdict.is_place_right:
            yield "right page or section"
        if verdict.is_supported:
            yield "supporting words"
        if is_clear and not verdict.is_supported:
            yield "clear: without the supporting words"
        if lists_failures and not verdict.is_right:
            print(f"? {row['question']}\n  wanted: {row['quote']}\n  got: {' '.join(given.text.split())[:300]}")


def _short_answers(folder: Path, half: str | None, lists_failures: bool) -> Iterator[str]:
    scope, _names = ingested(read_data_set(folder))
    for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if not _is_wanted(row["text"], half):
            continue
        given = answer_to(row["text"], scope)
        yield from _of_any(given)
        yield "answerable"
        if not given.evidence:
            yield "answerable: refused"
        if given.evidence and folded(row["metadata"]["answer"]) in folded(given.text):
            yield "holds the short answer"
        elif lists_failures:
            print(
                f"? {row['text']}\n  wanted: {row['metadata']['answer']}\n  got: {' '.join(given.text.split())[:300]}"
            )


def _of_any(given: Answer) -> Iterator[str]:
    if given.evidence and given.confidence >= CLEAR_CONFIDENCE:
        yield "clear"
    if len(given.text.split()) > LONGEST_ANSWER:
        yield "too long"
    for one in given.citations:
        yield "quotes"
        yield "quotes word for word" if verify_quote(one.quote, one.passage) else "quotes that are not"


def _report(counted: Iterator[str]) -> None:
    for name, count in sorted(Counter(counted).items()):
        print(f"{count:5} {name}")


if __name__ == "__main__":
    main()
