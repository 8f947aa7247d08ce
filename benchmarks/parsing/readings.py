"""A file as three readers see it, in one shape that can be compared: headings, table rows and text, by page."""

import re
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pymupdf
import pymupdf4llm  # type: ignore[import-untyped]

from documents.parsing import DEFAULT_LIMITS, parse
from documents.parsing.types import BlockKind

Row = tuple[str, ...]
NO_OCR = replace(DEFAULT_LIMITS, ocr_seconds=1e-9)  # used up before the first picture


@dataclass(slots=True)
class Reading:
    """What a reader made of a file. Pages count from 1; `seconds` is the time for the `pages` it read."""

    headings: dict[int, list[tuple[int, str]]] = field(default_factory=lambda: defaultdict(list))  # level, text
    rows: dict[int, list[Row]] = field(default_factory=lambda: defaultdict(list))
    text: dict[int, str] = field(default_factory=dict)
    pages: int = 0
    seconds: float = 0.0


Reader = Callable[[Path, Sequence[int], bool], Reading]  # file, pages wanted, whether pictures are read by OCR


def read_with_skillnet(path: Path, pages: Sequence[int], ocr: bool) -> Reading:
    """The product's own parser. It reads whole files only, so `pages` is not looked at."""
    started = time.perf_counter()
    document = parse(path, limits=DEFAULT_LIMITS if ocr else NO_OCR)
    reading = Reading(pages=document.page_count, seconds=time.perf_counter() - started)
    texts: dict[int, list[str]] = defaultdict(list)
    for block in document.blocks:
        page = block.page or 0
        texts[page].append(block.text)
        if block.kind is BlockKind.HEADING:
            reading.headings[page].append((block.level or 0, block.text))
        reading.rows[page] += block.rows or ()
        if block.rows:
            texts[page] += [" ".join(row) for row in block.rows]
    reading.text = {page: "\n".join(parts) for page, parts in texts.items()}
    return reading


def read_with_pymupdf4llm(path: Path, pages: Sequence[int], ocr: bool) -> Reading:
    """Markdown of the wanted pages: `#` lines are headings, `|` lines are rows."""
    started = time.perf_counter()
    chunks = pymupdf4llm.to_markdown(
        str(path), pages=[page - 1 for page in pages], page_chunks=True, use_ocr=ocr, show_progress=False
    )
    reading = Reading(pages=len(pages), seconds=time.perf_counter() - started)
    for page, chunk in zip(pages, chunks, strict=True):
        text = chunk["text"].replace("<br>", " ")
        reading.text[page] = text
        for line in text.splitlines():
            if heading := re.match(r"(#+) (.+)", line):
                reading.headings[page].append((len(heading[1]), heading[2]))
            elif line.startswith("|") and not re.fullmatch(r"[|\s:-]+", line):
                reading.rows[page].append(tuple(line.strip().strip("|").split("|")))
    return reading


def read_plain(path: Path, pages: Sequence[int], ocr: bool) -> Reading:
    """The file's text as it stands: no headings, and a line is all there is of a row. Never OCR."""
    started = time.perf_counter()
    with pymupdf.open(path) as document:  # type: ignore[no-untyped-call]
        texts = {page: document[page - 1].get_text() for page in pages}
    reading = Reading(text=texts, pages=len(pages), seconds=time.perf_counter() - started)
    for page, text in texts.items():
        reading.rows[page] = [tuple(line.split()) for line in text.splitlines()]
    return reading


READERS: dict[str, Reader] = {
    "SkillNet": read_with_skillnet,
    "pymupdf4llm": read_with_pymupdf4llm,
    "get_text": read_plain,
}
