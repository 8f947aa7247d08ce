"""Questions inside courses drafted from the demo's manuals: the whole course searched, and the course navigated.

Run after `manage.py demo`. Drafts one course of all the manuals and one of each, and deletes them at the end. Prints
how often the passage that answers comes first and among the first three, how often there was evidence, how often a
question without an answer was refused, and the time of a search: of the whole course, with navigation, and with it
while the right lesson, or a wrong one, is open.
"""

import argparse
import json
import os
import re
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.development")

import django

django.setup()

from courses import draft_writing, drafts, navigation  # noqa: E402
from courses.models import Course, DraftStatus, Lesson  # noqa: E402
from documents.access import ADMINISTRATION  # noqa: E402
from documents.models import Document  # noqa: E402
from retrieval import registry, routing  # noqa: E402
from retrieval.pipeline import search  # noqa: E402
from retrieval.registry import Guidance  # noqa: E402
from retrieval.types import Passage, SearchResult, SearchScope  # noqa: E402
from skillnet.models import Organization  # noqa: E402
from skillnet.tenancy import organization_scope  # noqa: E402

ROOT = Path(__file__).parents[2]
QUESTIONS = (ROOT / "courses/demo/questions.jsonl", ROOT / "benchmarks/data/manual_questions.jsonl")
WAYS = ("course", "tree", "right lesson", "wrong lesson")


def holds(passage: Passage, quote: str) -> bool:
    rows = "\n".join(" | ".join(row) for row in passage.rows or ())
    return _plain(quote) in _plain(f"{passage.text}\n{rows}")


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text).casefold()


def draft_course(organization: Organization, title: str, documents: list[Document]) -> Course:
    with organization_scope(organization.pk):
        draft = drafts.propose(organization=organization, title=title, documents=documents, created_by=None)
        draft.status = DraftStatus.WRITING  # by this process
        draft.save(update_fields=["status"])
    draft_writing.run(organization.pk, draft.pk)
    return draft.course


def lessons_about(course: Course, quote: str) -> tuple[int | None, int | None]:
    """A lesson that teaches a passage, and one that does not."""
    right, wrong = None, None
    for lesson in Lesson.objects.filter(module__course=course).order_by("module__position", "position"):
        if _plain(quote) in _plain(lesson.content):
            right = right or lesson.pk
        else:
            wrong = wrong or lesson.pk
    return right, wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--share", type=float, default=routing.SURE_ENOUGH["lesson"], help="of confidence, for a lesson"
    )
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS, help="of searching; all of them unless given")
    parser.add_argument("--show", action="store_true", help="print what navigation changed")
    options = parser.parse_args()
    questions = [json.loads(line) for path in QUESTIONS for line in path.read_text(encoding="utf-8").splitlines()]
    organization = Organization.objects.get(slug="demo")
    figures: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    with organization_scope(organization.pk):
        documents = list(Document.objects.served().select_related("active_version").order_by("pk"))
    whole = draft_course(organization, "Todo", documents)
    alone = {
        document.active_version.file_name: draft_course(organization, document.title, [document])
        for document in documents
        if document.active_version
    }
    try:
        with organization_scope(organization.pk):
            for question in questions:
                measure(question, "all manuals", whole, figures, options)
                if question["doc"] in alone:
                    measure(question, "one manual", alone[question["doc"]], figures, options)
    finally:
        with organization_scope(organization.pk):
            Course.objects.filter(pk__in=[whole.pk, *(course.pk for course in alone.values())]).delete()
    print(
        f"{'course':<12} {'way':<13} {'n':>4} {'first':>6} {'in 3':>6} {'sure':>6} "
        f"{'refused':>7} {'routed':>6} {'ms':>6}"
    )
    for (kind, way), found in figures.items():
        refused, answerable = found["unanswerable"], found["first"]
        shares = [sum(found[name]) / max(len(found[name]), 1) for name in ("first", "third", "evidence")]
        print(
            f"{kind:<12} {way:<13} {len(answerable):>4} {shares[0]:6.3f} {shares[1]:6.3f} {shares[2]:6.3f} "
            f"{1 - sum(refused) / max(len(refused), 1):7.3f} {sum(found['routed']) / len(found['routed']):6.3f} "
            f"{median(found['ms']):6.1f}"
        )


def measure(
    question: dict[str, object],
    kind: str,
    course: Course,
    figures: dict[tuple[str, str], dict[str, list[float]]],
    options: argparse.Namespace,
) -> None:
    text, quote = str(question["question"]), str(question.get("quote") or "")
    right, wrong = lessons_about(course, quote) if question["answerable"] else (None, None)
    first: SearchResult | None = None
    for way in options.ways:
        lesson = {"right lesson": right, "wrong lesson": wrong}.get(way)
        if way.endswith("lesson") and lesson is None:
            continue
        walk = (lambda *_asked: Guidance()) if way == "course" else navigation.navigate
        scope = SearchScope(course.organization_id, ADMINISTRATION, course_id=course.pk, lesson_id=lesson)
        with (
            mock.patch.object(registry, "_navigations", [walk]),
            mock.patch.object(routing, "SURE_ENOUGH", {"lesson": options.share, "course_tree": 1.0}),
        ):
            if way == "course":
                search(text, scope)  # embeds the question, for all ways
            result = search(text, scope)
        found = figures[kind, way]
        found["ms"].append(result.trace["timings_ms"]["total"])
        found["routed"].append(result.rung == "course_tree")
        if not question["answerable"]:
            found["unanswerable"].append(result.evidence)
            continue
        ranks = [place for place, passage in enumerate(result.passages) if holds(passage, quote)]
        found["first"].append(ranks[:1] == [0])
        found["third"].append(bool(ranks) and ranks[0] < 3)
        found["evidence"].append(result.evidence)
        first = first or result
        before = [place for place, passage in enumerate(first.passages) if holds(passage, quote)]
        if options.show and before[:1] != ranks[:1]:
            print(
                f"{kind}, {way}: {text} {before[:1]} -> {ranks[:1]} ({first.confidence:.2f} -> {result.confidence:.2f})"
            )


if __name__ == "__main__":
    main()
