"""What courses are drafted from manuals, to be read as a trainer would. No database, no models.

    python -m benchmarks.courses.drafting FILE… [--lessons]

Prints for each file: seconds, modules and lessons, words of the shortest and the longest lesson, the share of the
document's body text that some lesson reaches through its sources, what looks like a table of contents or a running
footer in the lessons, and all titles and quiz items. With `--lessons` the lessons' summaries and texts too.
"""

import argparse
import os
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from courses.drafting.items import DraftedItem
from courses.drafting.legibility import illegible_pages, legible
from courses.drafting.misreadings import casing_of
from courses.drafting.outline import OutlinedLesson, OutlinedModule, SourceDocument, outline
from courses.drafting.quizzes import draft_items
from courses.drafting.titles import is_contents
from courses.drafting.writing import WrittenLesson, write_lesson
from courses.sources import Source, ranges_of
from documents.parsing import parse
from documents.parsing.types import Block, BlockKind, ParsedDocument

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.development")  # the parsers' warnings are worded

CONTENTS_ENTRY = re.compile(r"\.{4,}\s*\d+\s*$|(?:…\s?){2,}\d+\s*$", re.MULTILINE)
PAGE_LINE = re.compile(
    r"^(?:p[áa]g(?:ina)?\.?\s*\d+(?:\s*de\s*\d+)?|\d+\s*/\s*\d+|\d+)\s*$", re.IGNORECASE | re.MULTILINE
)
FOOTER_REPEATS = 5  # a line in so many lessons is a running one


@dataclass(frozen=True, slots=True)
class Drafted:
    lesson: OutlinedLesson
    written: WrittenLesson
    items: Sequence[DraftedItem]

    @property
    def words(self) -> int:
        return len(self.written.content.split())


def draft(parsed: ParsedDocument, title: str) -> tuple[list[OutlinedModule], list[Drafted]]:
    """The modules of a course on one document, and its lessons as the product writes them."""
    blocks = parsed.blocks
    modules = outline([SourceDocument(1, 1, title, blocks)])
    casing, unread = casing_of(blocks), illegible_pages(blocks)
    lessons = []
    for lesson in (lesson for module in modules for lesson in module.lessons):
        pieces = [legible(blocks[one.first : one.last], unread) for one in lesson.ranges]
        items = draft_items([block for piece in pieces for block in piece], blocks, casing=casing)
        lessons.append(Drafted(lesson, write_lesson(lesson.title, pieces, casing), items))
    return modules, lessons


def reached_share(blocks: Sequence[Block], lessons: Sequence[Drafted]) -> float:
    """The share of the body's words that lie in a section some lesson names as its source; contents tables aside."""
    reached: set[int] = set()
    for drafted in lessons:
        for one in drafted.lesson.sources:
            source = Source(one.heading_path, one.with_subsections, one.page, one.part, one.part_count)
            for first, last in ranges_of(blocks, source):
                reached.update(range(first, last))
    body = list(_body(blocks))
    total = sum(len(blocks[at].text.split()) for at in body)
    return sum(len(blocks[at].text.split()) for at in body if at in reached) / total if total else 1.0


def _body(blocks: Sequence[Block]) -> Iterator[int]:
    in_contents = False
    for at, block in enumerate(blocks):
        if block.kind is BlockKind.HEADING:
            in_contents = is_contents(block.text)
        elif not in_contents:
            yield at


def running_lines(lessons: Sequence[Drafted]) -> list[str]:
    """Lines that look like entries of a table of contents, page numbers, or recur in many lessons."""
    found = [
        match[0].strip()
        for drafted in lessons
        for pattern in (CONTENTS_ENTRY, PAGE_LINE)
        for match in pattern.finditer(drafted.written.content)
    ]
    holders = Counter(
        line for drafted in lessons for line in {line.strip() for line in drafted.written.content.splitlines()} if line
    )
    own = {"## Datos clave", "## Glosario"}
    return found + [
        f"{count} × {line[:80]}"
        for line, count in holders.items()
        if count >= FOOTER_REPEATS and line not in own and not re.fullmatch(r"[|\s:-]+", line)
    ]


def show(path: Path, *, with_lessons: bool) -> None:
    """Draft a course from a file and print what came out."""
    started = time.perf_counter()
    parsed = parse(path)
    read = time.perf_counter()
    modules, lessons = draft(parsed, parsed.title or path.stem)
    done = time.perf_counter()
    sizes = [drafted.words for drafted in lessons]
    items = [item for drafted in lessons for item in drafted.items]
    print(f"=== {path.name}")
    print(f"seconds: {done - started:.1f} (reading {read - started:.1f}, drafting {done - read:.1f})")
    print(f"modules {len(modules)}, lessons {len(lessons)}, quiz items {len(items)}")
    print(f"words a lesson: {min(sizes, default=0)} to {max(sizes, default=0)}")
    print(f"body text reached: {reached_share(parsed.blocks, lessons):.1%}")
    print(f"contents or running lines: {running_lines(lessons) or 'none'}")
    at = iter(lessons)
    for module in modules:
        print(f"\n# {module.title}")
        for _lesson in module.lessons:
            _show_lesson(next(at), with_text=with_lessons)
    print()


def _show_lesson(drafted: Drafted, *, with_text: bool) -> None:
    sections = "; ".join(" > ".join(one.heading_path[-1:]) or "–" for one in drafted.lesson.sources)
    print(f"  - {drafted.lesson.title}  [{drafted.words} words; {sections[:120]}]")
    for item in drafted.items:
        right = item.options[int(item.answer[0])] if item.kind == "single_choice" else " / ".join(map(str, item.answer))
        print(f"      {item.kind}: {item.question}")
        print(f"        right: {right or '–'}; options: {' | '.join(item.options)}")
    if with_text:
        print(f"    SUMMARY: {drafted.written.summary}\n{drafted.written.content}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--lessons", action="store_true", help="print summaries and texts too")
    options = parser.parse_args()
    for path in options.files:
        show(path, with_lessons=options.lessons)


if __name__ == "__main__":
    main()
