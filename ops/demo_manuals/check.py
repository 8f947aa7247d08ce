"""Check the demo's facts against its manuals: `PYTHONPATH=. python ops/demo_manuals/check.py`.

Every quote of `questions.jsonl` stands word for word under its heading, and on its page where it names one.
Every source of a lesson exists, in its place in the headings. Every answer word of a suggested question
stands in the section it names. Run it after a change to the manuals: pages move.
"""
# mypy: allow-untyped-calls
# (PyMuPDF has no types.)

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import docx
import pymupdf
from docx.table import Table

from courses.demo.content import COURSE, MANUALS, MANUALS_FOLDER, SUGGESTED_QUESTIONS

QUESTIONS = MANUALS_FOLDER.parent / "questions.jsonl"


@dataclass(slots=True)
class Section:
    heading_path: tuple[str, ...]
    page: int | None
    text: str = ""
    pages: dict[int, str] = field(default_factory=dict)  # the section's own words by page


def main() -> int:
    manuals = {manual.file: list(_sections(MANUALS_FOLDER / manual.file)) for manual in MANUALS}
    problems = [*_wrong_questions(manuals), *_wrong_sources(manuals), *_wrong_suggestions(manuals)]
    sys.stdout.writelines(f"{problem}\n" for problem in problems)
    sys.stdout.write(f"{len(problems)} problems\n")
    return 1 if problems else 0


def _wrong_questions(manuals: dict[str, list[Section]]) -> Iterator[str]:
    for line in QUESTIONS.read_text(encoding="utf-8").splitlines():
        question = json.loads(line)
        if not question["answerable"]:
            continue
        section = _find(manuals[question["doc"]], question["heading"])
        if section is None:
            yield f"No heading {question['heading']!r}: {question['question']}"
        elif question["quote"] not in section.text:
            yield f"Quote not under {question['heading']!r}: {question['quote']}"
        elif section.page is not None and question["quote"] not in section.pages.get(question["page"], ""):
            yield f"Quote not on page {question['page']}, but on {list(section.pages)}: {question['quote']}"


def _wrong_sources(manuals: dict[str, list[Section]]) -> Iterator[str]:
    known = {(name, section.heading_path, section.page) for name, found in manuals.items() for section in found}
    for module in COURSE.modules:
        for lesson in module.lessons:
            for source in lesson.sources:
                if (source.manual, source.heading_path, source.page) not in known:
                    yield f"Lesson {lesson.title!r} rests on what is not there: {source}"


def _wrong_suggestions(manuals: dict[str, list[Section]]) -> Iterator[str]:
    for question in SUGGESTED_QUESTIONS:
        section = _find(manuals[question.manual or ""], question.heading or "")
        if section is None or section.page != question.page:
            yield f"No heading {question.heading!r} on page {question.page}"
            continue
        for words in question.answer_words:
            if words not in section.text:
                yield f"{words!r} is not under {question.heading!r}"


def _find(sections: list[Section], heading: str) -> Section | None:
    return next((section for section in sections if section.heading_path[-1] == heading), None)


def _sections(path: Path) -> Iterator[Section]:
    """The file's sections in order, each with its own words, white space folded."""
    match path.suffix:
        case ".pdf":
            yield from _pdf_sections(path)
        case ".docx":
            yield from _sections_of_lines(_docx_lines(path))
        case _:
            yield from _sections_of_lines(_markdown_lines(path))


def _pdf_sections(path: Path) -> Iterator[Section]:
    with pymupdf.open(path) as document:
        outline = document.get_toc()
        body = pymupdf.Rect(0, 64, document[0].rect.width, document[0].rect.height - 56)
        pages = [_folded(document[number].get_text(clip=body)) for number in range(document.page_count)]
    trail: list[str] = []
    for index, (level, heading, page) in enumerate(outline):
        trail = [*trail[: level - 1], heading]
        _, next_heading, last = outline[index + 1] if index + 1 < len(outline) else (0, None, len(pages))
        section = Section(tuple(trail), page)
        for number in range(page, last + 1):
            start = pages[number - 1].index(heading) + len(heading) if number == page else 0
            end = pages[number - 1].index(next_heading, start) if next_heading and number == last else None
            section.pages[number] = pages[number - 1][start:end].strip()
        section.text = " ".join(section.pages.values())
        yield section


def _sections_of_lines(lines: Iterator[tuple[int, str]]) -> Iterator[Section]:
    """Sections from lines with their heading level; 0 is body text."""
    trail: list[str] = []
    section: Section | None = None
    for level, text in lines:
        if level:
            if section is not None:
                yield section
            trail = [*trail[: level - 1], text]
            section = Section(tuple(trail), None)
        elif section is not None:
            section.text = _folded(f"{section.text} {text}")
    if section is not None:
        yield section


def _docx_lines(path: Path) -> Iterator[tuple[int, str]]:
    for block in docx.Document(str(path)).iter_inner_content():
        if isinstance(block, Table):
            yield from ((0, " | ".join(cell.text for cell in row.cells)) for row in block.rows)
        else:
            style = block.style.name if block.style is not None else ""
            found = re.fullmatch(r"Heading (\d)", style or "")
            yield int(found[1]) if found else 0, block.text


def _markdown_lines(path: Path) -> Iterator[tuple[int, str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        marks, text = re.fullmatch(r"(#*) ?(.*)", line.replace("**", ""), re.S).groups()  # type: ignore[union-attr]
        yield len(marks), text


def _folded(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    sys.exit(main())
