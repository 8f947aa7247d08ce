"""How well update notices find the lessons that an edit of a manual touches.

    python benchmarks/courses/notices.py FILE… [--rounds N] [--misses]

Each file is read once and outlined into lessons. Scripted edits then make newer versions of it: of its blocks, and, for
Markdown and Word, of the file itself, which is read again. Which lessons an edit touches is known from where it was
made. No database, no model. Edits that a document has no place for (no table, say) are left out and counted.
"""

import argparse
import os
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.development")  # the parsers' warnings are worded

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent), str(HERE)]

from edits import BLOCK_EDITS  # noqa: E402 -- found through the path set above
from file_edits import EDITORS, FILE_EDITS  # noqa: E402

from courses.drafting.outline import OutlinedLesson, SourceDocument, outline  # noqa: E402
from courses.sources import Source  # noqa: E402
from courses.touching import VersionComparison  # noqa: E402
from documents.parsing import parse  # noqa: E402
from documents.parsing.types import Block  # noqa: E402

QUIET = ("nothing changed", "layout only")


@dataclass
class Manual:
    """A document as it was read, and the lessons made of it."""

    path: Path
    blocks: list[Block]
    lessons: list[OutlinedLesson]

    @property
    def taught(self) -> frozenset[int]:
        return frozenset(at for lesson in self.lessons for one in lesson.ranges for at in range(one.first, one.last))

    def lessons_on(self, concerned: tuple[int, ...]) -> set[int]:
        """The lessons, by number, written from one of these blocks."""
        return {
            number
            for number, lesson in enumerate(self.lessons)
            for one in lesson.ranges
            if any(one.first <= at < one.last for at in concerned)
        }

    def touched(self, comparison: VersionComparison) -> set[int]:
        """The lessons, by number, that a notice would name."""
        return {
            number
            for number, lesson in enumerate(self.lessons)
            for source in lesson.sources
            if (touch := comparison.touch(
                Source(source.heading_path, source.with_subsections, source.page, source.part, source.part_count)
            )).changes or touch.is_orphaned
        }  # fmt: skip


@dataclass
class Tally:
    edits: int = 0
    notices: int = 0
    right: int = 0
    wrong: int = 0
    missed: int = 0
    said: list[str] = field(default_factory=list)

    def add(self, expected: set[int], found: set[int], *, has_notice: bool, label: str) -> None:
        self.edits += 1
        self.notices += has_notice
        self.right += len(expected & found)
        self.wrong += len(found - expected)
        self.missed += len(expected - found)
        if expected != found:
            self.said.append(f"{label}: missed {sorted(expected - found)}, wrong {sorted(found - expected)}")

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0


def read(path: Path) -> Manual:
    blocks = list(parse(path).blocks)
    modules = outline([SourceDocument(1, 1, path.stem, blocks)])
    return Manual(path, blocks, [lesson for module in modules for lesson in module.lessons])


def newer_versions(
    manual: Manual, number: int, folder: Path
) -> Iterator[tuple[str, str, list[Block] | None, tuple[int, ...]]]:
    """(kind, where, newer blocks, concerned blocks) of every edit; newer blocks are None where there is no place."""
    for kind, edit in BLOCK_EDITS.items():
        made = edit(manual.blocks, manual.taught, random.Random(f"{manual.path.name}:{kind}:{number}"))
        yield kind, "blocks", made and made.after, made.concerned if made else ()
    if manual.path.suffix not in EDITORS:
        return
    for kind, change in FILE_EDITS.items():
        file = EDITORS[manual.path.suffix](manual.path)
        chance = random.Random(f"{manual.path.name}:{kind}:{number}")
        concerned = change(file, manual.blocks, manual.taught, chance)
        if concerned is None:
            yield kind, "file", None, ()
            continue
        written = folder / manual.path.name
        file.save(written)
        yield kind, "file", list(parse(written).blocks), concerned


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=1, help="how often each kind of edit is made, at other places")
    parser.add_argument("--misses", action="store_true", help="print every edit whose lessons were not all found")
    options = parser.parse_args()

    tallies: defaultdict[tuple[str, str], Tally] = defaultdict(Tally)
    left_out = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in options.files:
            manual = read(path)
            print(f"{path.name}: {len(manual.blocks)} blocks, {len(manual.lessons)} lessons", flush=True)
            for number in range(options.rounds):
                for kind, where, after, concerned in newer_versions(manual, number, Path(folder)):
                    if after is None:
                        left_out += 1
                        continue
                    comparison = VersionComparison(manual.blocks, after)
                    tallies[kind, where].add(
                        manual.lessons_on(concerned),
                        manual.touched(comparison),
                        has_notice=bool(comparison.changes),
                        label=f"{path.name}, {kind} in {where}, round {number}",
                    )
    _report(tallies, left_out, misses=options.misses)


def _report(tallies: dict[tuple[str, str], Tally], left_out: int, *, misses: bool) -> None:
    print(f"\n{'edit':<20}{'in':<8}{'edits':>6}{'notices':>9}{'precision':>11}{'recall':>8}")
    total = Tally()
    for (kind, where), tally in sorted(tallies.items()):
        print(f"{kind:<20}{where:<8}{tally.edits:>6}{tally.notices:>9}{tally.precision:>11.3f}{tally.recall:>8.3f}")
        for name in ("edits", "notices", "right", "wrong", "missed"):
            setattr(total, name, getattr(total, name) + getattr(tally, name))
        total.said += tally.said
    print(f"{'all':<28}{total.edits:>6}{total.notices:>9}{total.precision:>11.3f}{total.recall:>8.3f}")
    false = sum(tally.notices for (kind, _where), tally in tallies.items() if kind in QUIET)
    print(f"notices on what did not change: {false}; edits without a place: {left_out}")
    if misses:
        print(*total.said, sep="\n")


if __name__ == "__main__":
    main()
