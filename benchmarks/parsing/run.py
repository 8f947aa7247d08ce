"""How well and how fast PDF files are read, against pymupdf4llm and plain text, on labelled files.

    python benchmarks/parsing/run.py --corpus DIR [--only NAME …] [--ocr] [--misses]

The labels were written by people reading the pages. A file of the labels that DIR does not hold is named and left out.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pymupdf

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent), str(HERE)]

import judging  # noqa: E402 -- found through the path set above
from judging import Label, Score  # noqa: E402
from readings import NO_OCR, READERS  # noqa: E402

WHOLE = 30  # pages up to which the others read a whole file; of longer ones they read the labelled pages and the next
TEXT_PAGE = 200  # letters a page from which a file counts as one of text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True, help="folder with the labelled files")
    parser.add_argument("--only", nargs="*", default=[], help="names of files to read; all by default")
    parser.add_argument("--ocr", action="store_true", help="let both parsers read pictures too: compares other speeds")
    parser.add_argument("--misses", action="store_true", help="print what SkillNet fails in")
    options = parser.parse_args()

    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    totals = {name: Score() for name in READERS}
    pages = dict.fromkeys(READERS, 0)
    seconds = dict.fromkeys(READERS, 0.0)
    chunked_pages, chunked_seconds = 0, 0.0
    header = "file", "reader", "headings", "false", "level", "cells", "order", "pages/s"
    print("{:34} {:12} {:>9} {:>7} {:>7} {:>7} {:>7} {:>9}".format(*header))
    count_chunks = chunk_timer()
    for name, labels in judging.read_labels(HERE / "labels.tsv").items():
        path = options.corpus / name
        if options.only and name not in options.only:
            continue
        if not path.is_file():
            print(f"{name:34} not in the corpus")
            continue
        wanted, is_text = _pages(path, labels)
        for reader, read in READERS.items():
            reading = read(path, wanted, options.ocr)
            score = judging.judge(labels, reading)
            totals[reader] += score
            if is_text:
                pages[reader] += reading.pages
                seconds[reader] += reading.seconds
            print(_line(name, reader, score, reading.pages / reading.seconds), flush=True)
            if options.misses and reader == "SkillNet":
                print(*(f"    {miss}" for miss in judging.misses(labels, reading)), sep="\n")
        if is_text:
            read_pages, taken = count_chunks(path, options.ocr)
            chunked_pages += read_pages
            chunked_seconds += taken
    for reader, score in totals.items():
        print(_line("all", reader, score, pages[reader] / seconds[reader] if seconds[reader] else 0))
    if chunked_seconds:
        print(f"SkillNet, parsed and chunked: {chunked_pages / chunked_seconds:.1f} pages/s of {chunked_pages}")
    print(f"load {os.getloadavg()[0]:.1f}")


def _pages(path: Path, labels: Sequence[Label]) -> tuple[list[int], bool]:
    """The pages the others read, and whether the file is one of text."""
    with pymupdf.open(path) as document:  # type: ignore[no-untyped-call]
        count = len(document)
        sizes = [len(page.get_text().strip()) for page in document]
    text_pages = sum(size >= TEXT_PAGE for size in sizes)
    every = list(range(1, count + 1))
    if count > WHOLE:
        near = {label.page + step for label in labels for step in (0, 1)}
        every = [page for page in every if page in near]
    return every, text_pages * 2 > count


def chunk_timer() -> Callable[[Path, bool], tuple[int, float]]:
    """A function that parses and chunks a file with the embedder's own tokenizer: (pages, seconds)."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.development")
    import django

    django.setup()
    from documents.chunking import ChunkSettings, chunk_blocks
    from documents.parsing import DEFAULT_LIMITS, parse
    from skillnet.backends import get_embedder

    embedder = get_embedder()
    embedder.count_tokens("calentamiento")

    def timed(path: Path, ocr: bool) -> tuple[int, float]:
        started = time.perf_counter()
        document = parse(path, limits=DEFAULT_LIMITS if ocr else NO_OCR)
        settings = ChunkSettings(max_tokens=min(512, embedder.max_tokens))
        chunk_blocks(
            document.blocks, title=path.stem, language="es", count_tokens=embedder.count_tokens, settings=settings
        )
        return document.page_count, time.perf_counter() - started

    return timed


def _line(name: str, reader: str, score: Score, speed: float) -> str:
    def share(part: int, whole: int) -> str:
        return f"{part}/{whole}" if whole else "–"

    return (
        f"{name:34} {reader:12} {share(score.found, score.headings):>9} {share(score.marked, score.tempting):>7} "
        f"{share(score.right_steps, score.steps):>7} {share(score.cells_right, score.cells):>7} "
        f"{share(score.order_right, score.order):>7} {speed:9.1f}"
    )


if __name__ == "__main__":
    main()
