"""Ask the tutor every question that SkillNet makes of a heading and could offer, and see where the answer comes from.

    python benchmarks/offered_questions.py SLUG [SLUG …] [--failures]

For each organization: of how many questions the first source, or any, stands in that section or below it.
"""

import argparse
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import django

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.development")
django.setup()

from benchmarks.asking import answer_to  # noqa: E402 - Django has to be set up first
from documents.access import ADMINISTRATION  # noqa: E402
from documents.models import Document, ParsedContent  # noqa: E402
from retrieval.types import SearchScope  # noqa: E402
from skillnet.models import Organization  # noqa: E402
from skillnet.tenancy import organization_scope  # noqa: E402
from tutor.events import CitedPassage  # noqa: E402
from tutor.suggestions import question_about  # noqa: E402

Section = tuple[int, str]  # a document and a heading in it


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("organizations", nargs="+", metavar="SLUG")
    parser.add_argument("--failures", action="store_true")
    arguments = parser.parse_args()
    for slug in arguments.organizations:
        counts = Counter(_judged(Organization.objects.get(slug=slug), arguments.failures))
        print(slug, dict(sorted(counts.items())))


def _judged(organization: Organization, lists_failures: bool) -> Iterator[str]:
    """What each question counts for, by name."""
    scope = SearchScope(organization.pk, ADMINISTRATION)
    for question, sections in _offered(organization).items():
        given = answer_to(question, scope)
        inside = [not sections.isdisjoint(_sections_of(one)) for one in given.citations]
        outcome = _outcome(inside) if given.evidence else "refused"
        if outcome != "first source" and lists_failures:
            print(f"{outcome}: {question} ({given.confidence:.2f}) {' '.join(given.text.split())[:160]}")
        yield "questions"
        yield outcome


def _outcome(inside: Sequence[bool]) -> str:
    return "first source" if inside[:1] == [True] else "a source" if any(inside) else "elsewhere"


def _sections_of(cited: CitedPassage) -> set[Section]:
    return {(cited.document_id, heading) for heading in cited.heading_path}


def _offered(organization: Organization) -> Mapping[str, set[Section]]:
    """The questions, and the sections whose headings make them."""
    offered: defaultdict[str, set[Section]] = defaultdict(set)
    with organization_scope(organization.pk):
        served = Document.objects.for_organization(organization).served()
        parsed = ParsedContent.objects.filter(version__in=served.values("active_version"))
        for document_id, blocks in parsed.values_list("version__document_id", "blocks"):
            paths = [block["heading_path"] for block in blocks if block["kind"] == "heading"]
            for path in filter(None, paths):
                if question := question_about(path[-1]):
                    offered[question].add((document_id, path[-1]))
    return offered


if __name__ == "__main__":
    main()
