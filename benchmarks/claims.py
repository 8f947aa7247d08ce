"""How well a language model's sentences are told apart: those that a passage bears out, and those it does not.

    python benchmarks/claims.py --ask ORG FILE.jsonl [--ask ORG FILE.jsonl …] [--cache FILE] [--show KIND]

Each line of a file holds `question`, `answerable`, `doc` and the words (`quote`) that answer. Of each question with an
answer the sentence that holds those words is written anew by rule (benchmarks/altering.py): in other words, which are
to be kept, and so that it says something else, which is to be dropped. It cites the passage it is from. Half of the
questions, chosen by a hash of their words, are to choose on; the other half is to report.
"""

import argparse
import json
import os
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import django

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.development")
django.setup()

from benchmarks.altering import FAITHFUL, UNFAITHFUL  # noqa: E402 - Django has to be set up first
from benchmarks.asking import asked  # noqa: E402
from benchmarks.judging import folded, is_reported  # noqa: E402
from retrieval.types import Passage  # noqa: E402
from tutor.claims import check_claims  # noqa: E402
from tutor.units import UnitKind  # noqa: E402

ENOUGH_WORDS = 0.7  # of those that answer, in the sentence
FEW_WORDS = 5  # shorter sentences say too little to be altered
SHOWN = 40
ELSEWHERE = "from elsewhere in the document"


@dataclass(frozen=True)
class Sample:
    """A question, the sentence that answers it, and the passage that holds the sentence."""

    question: str
    sentence: str
    title: str
    headings: Sequence[str]
    text: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ask", nargs=2, action="append", default=[], metavar=("ORG", "FILE.jsonl"))
    parser.add_argument("--cache", type=Path, metavar="FILE")
    parser.add_argument(
        "--show", metavar="KIND", help="list what of this kind was judged wrongly, of the half to choose on"
    )
    arguments = parser.parse_args()
    if arguments.cache and arguments.cache.exists():
        samples = [Sample(**kept) for kept in json.loads(arguments.cache.read_text(encoding="utf-8"))]
    else:
        samples = [sample for slug, file in arguments.ask for sample in _samples(slug, Path(file))]
        if arguments.cache:
            arguments.cache.write_text(json.dumps([asdict(sample) for sample in samples]), encoding="utf-8")
    print(f"{len(samples)} sentences")
    wrong: dict[tuple[str, bool], list[int]] = defaultdict(list)
    for kind, is_faithful, sample, claim in _claims(samples):
        is_wrong = _is_kept(sample, claim) != is_faithful
        half = is_reported(sample.question)
        wrong[kind, half].append(is_wrong)
        wrong["all that is faithful" if is_faithful else "all that is not", half].append(is_wrong)
        if is_wrong and kind == arguments.show and not half and sum(wrong[kind, half]) <= SHOWN:
            print(f"  {sample.sentence}\n  > {claim}\n")
    print("judged wrongly: chosen on / reported")
    for kind in ("as it stands", *FAITHFUL, "all that is faithful", *UNFAITHFUL, ELSEWHERE, "all that is not"):
        print(
            f"{kind:32}", *(f"{sum(found)} of {len(found)}" for half in (False, True) if (found := wrong[kind, half]))
        )


def _claims(samples: Sequence[Sample]) -> Iterator[tuple[str, bool, Sample, str]]:
    """Every kind of claim that can be made of each sentence, and whether it is to be kept."""
    for sample in samples:
        chance = random.Random(sample.question)
        yield "as it stands", True, sample, sample.sentence
        for rules, is_faithful in ((FAITHFUL, True), (UNFAITHFUL, False)):
            for kind, rule in rules.items():
                if claim := rule(sample.sentence, sample.text, chance):
                    yield kind, is_faithful, sample, claim
        others = [other.sentence for other in samples if other.title == sample.title]
        others = [sentence for sentence in others if sentence not in " ".join(sample.text.split())]
        if others:
            yield ELSEWHERE, False, sample, chance.choice(others)


def _is_kept(sample: Sample, claim: str) -> bool:
    """Whether nothing of a claim is dropped; one may have two sentences."""
    draft = f"{claim.rstrip('.')} [Fuente 1]."
    return not check_claims(draft, {1: _passage(sample)}, question=sample.question).dropped


def _passage(sample: Sample) -> Passage:
    return Passage(
        chunk_id=1,
        document_id=1,
        document_title=sample.title,
        version_id=1,
        version_number=1,
        position=0,
        kind="text",
        text=sample.text,
        heading_path=tuple(sample.headings),
        page_start=None,
        page_end=None,
        locator={},
        rows=None,
        language="es",
        score=1.0,
        legs=frozenset(),
    )


def _samples(slug: str, file: Path) -> Iterator[Sample]:
    for one in asked(slug, file, answerable_only=True):
        wanted = set(folded(one.row["quote"]).split())
        for choice in sorted(one.reading.choices, key=lambda choice: -choice.score):
            passage, unit = one.reading.passages[choice.passage], choice.unit
            held = len(wanted & set(folded(unit.text).split()))
            if (
                one.is_from_right_document(passage)
                and held >= ENOUGH_WORDS * len(wanted)
                and unit.kind is not UnitKind.ROW
                and len(unit.text.split()) >= FEW_WORDS
            ):
                yield Sample(
                    one.row["question"],
                    " ".join(unit.words.split()),
                    passage.document_title,
                    passage.heading_path,
                    passage.text,
                )
                break


if __name__ == "__main__":
    main()
