"""Text of scanned PDF pages through Tesseract, where its language data is installed."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from documents.parsing.limits import ParseLimits
from documents.parsing.mupdf import PDF_ERRORS, pymupdf
from documents.parsing.pdf_lines import Box, Line, PageText, Upright, picture_share

_PROJECT = Path(__file__).resolve().parents[2]
# Where the parser is shut in, the folder that holds our packages cannot be listed, and imports would not find them.
_CHILD = """
import sys
from importlib.util import module_from_spec, spec_from_file_location
project = sys.argv.pop(1)
for name in ("documents", "skillnet"):
    folder = f"{project}/{name}"
    spec = spec_from_file_location(name, f"{folder}/__init__.py", submodule_search_locations=[folder])
    sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])
from documents.parsing.pdf_ocr_child import main
main()
"""
_DPI = 200  # pages of a scanned document
_QUICK_DPI = 150  # single pictures of a document that has text
_PROCESSES = 2  # at work on the pages of one file
_FEW_LETTERS = 3  # a page with fewer has no text
_CAPTION = 150  # letters a page may have beside the picture that holds its text
_FULL_PAGE = 0.5  # of the page that such a picture covers
_FEWEST_FOUND = 10  # letters: fewer are specks
_MANY_DRAWINGS = 150  # letters drawn as outlines
_WORD = re.compile(r"^[(«\"“¿¡'‘]*[^\W\d_]{2,24}(?:[-'’][^\W\d_]{1,20})*[.,;:)»\"”?!'’…]*$")
_VOWEL = re.compile(r"[aeiouyáéíóúüàèìòùâêîôûäöãõ]", re.IGNORECASE)
_NUMBER = re.compile(r"^[(]?[\d.,:/%€$º°ª-]+[).,;:]*$")
_GOOD_SHARE = 0.72
_MOST = 0.5  # of a line's area that the page's own lines cover where they say the same
_ALIKE = 2.5  # times as high: lines that may be the same


@cache
def tessdata() -> str | None:
    """Folder of Tesseract's language data; None where there is no Tesseract, or Spanish is not among its data."""
    try:
        folder = Path(pymupdf.get_tessdata())
    except RuntimeError:  # how it says that there is none
        return None
    return str(folder) if (folder / "spa.traineddata").exists() else None


def wants_reading(page: Any, known: PageText) -> bool:
    """Whether a page's text may be in its pictures: it has none of its own, or a few words beside a large picture."""
    if known.is_ocr or known.letters >= _CAPTION:
        return False
    try:
        return _has_picture(page) if known.letters < _FEW_LETTERS else picture_share(page) > _FULL_PAGE
    except PDF_ERRORS:  # a page too damaged to ask
        return False


def _has_picture(page: Any) -> bool:
    """Whether a page without text shows something that may hold words."""
    area = abs(page.rect.width * page.rect.height) or 1.0
    shown: float = sum(abs(pymupdf.Rect(info["bbox"]).get_area()) for info in page.get_image_info())
    return bool(shown > 0.05 * area) or len(page.get_bboxlog()) > _MANY_DRAWINGS


def read_pictures(path: Path, wanted: Sequence[PageText], limits: ParseLimits, *, quick: bool) -> list[PageText]:
    """The wanted pages of a PDF that Tesseract could read in time, with the lines they had and those it found.

    What stands where a page has text already, or a running line, is not taken again. `quick` is for single pictures
    in a document of text. The time limit holds inside a page too.
    """
    dpi = _QUICK_DPI if quick else _DPI
    folder = tessdata()
    zoom = (dpi / 72) ** 2
    sized = [
        page
        for page in wanted
        if (page.frame[2] - page.frame[0]) * (page.frame[3] - page.frame[1]) * zoom <= limits.pixels
    ][: limits.ocr_pages]
    if folder is None or not sized:
        return []
    shares = [sized[start::_PROCESSES] for start in range(min(_PROCESSES, len(sized)))]
    with ThreadPoolExecutor(_PROCESSES) as pool:
        output = b"".join(pool.map(lambda pages: _read(path, pages, dpi, folder, limits.ocr_seconds), shares))
    known = {page.number: page for page in sized}
    answers = [json.loads(line) for line in output.splitlines()]
    read = [_with_found(known[answer["number"]], answer) for answer in answers]
    return [page for page in read if page is not None]


def _read(path: Path, pages: Sequence[PageText], dpi: int, folder: str, seconds: float) -> bytes:
    """The lines a child process printed in its time, whole ones only."""
    numbers = [str(page.number) for page in pages]
    try:
        output = subprocess.run(
            [sys.executable, "-c", _CHILD, str(_PROJECT), str(path.absolute()), str(dpi), folder, *numbers],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
            check=False,
        ).stdout
    except subprocess.TimeoutExpired as late:
        output = late.stdout or b""
    return output[: output.rfind(b"\n") + 1]


def _with_found(known: PageText, answer: dict[str, Any]) -> PageText | None:
    """The page with what was found in its picture; None when that is nothing or no language."""
    straight = [line for line in known.lines if not line.is_slanted]
    found = PageText(known.number, Upright(answer["turn"]), tuple(answer["frame"]), is_ocr=True)
    lines = [Line(**{**line, "pieces": ()}) for line in answer["lines"]]
    taken = [
        found.upright.apply(known.upright.undo(box)) for box in (*known.margin_boxes, *(one.box for one in straight))
    ]
    found.lines = [line for line in lines if not _is_covered(line, taken)]
    if found.letters < _FEWEST_FOUND or good_word_share(text_of(found)) < 0.4:
        return None
    if straight and found.upright != known.upright:  # the picture lies across the page's own words
        return None
    found.lines += [_apart(line, known.upright, found.upright) if line.is_slanted else line for line in known.lines]
    return found


def _is_covered(line: Line, boxes: Sequence[Box]) -> bool:
    """Whether most of a line lies under boxes of about its height."""
    alike = [box for box in boxes if line.height / _ALIKE <= box[3] - box[1] <= line.height * _ALIKE]
    area = (line.x1 - line.x0) * line.height
    return sum(_shared_area(line.box, box) for box in alike) > _MOST * area


def _shared_area(one: Box, other: Box) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(width, 0.0) * max(height, 0.0)


def _apart(line: Line, was: Upright, now: Upright) -> Line:
    """A watermark on the page as it is turned now, out of the order of its rows."""
    x0, y0, x1, y1 = now.apply(was.undo(line.box))
    return replace(line, x0=x0, y0=y0, x1=x1, y1=y1, is_turned=True)


def text_of(page: PageText) -> str:
    return "\n".join(line.text for line in page.lines)


def good_word_share(text: str) -> float:
    """Share of a text's tokens that look like words or numbers: low where letters were guessed from a bad picture."""
    tokens = list(_tokens(text))
    if not tokens:
        return 0.0
    return sum(map(_looks_right, tokens)) / len(tokens)


def is_poor(text: str) -> bool:
    """Whether recognized text has too many tokens that are no words."""
    return good_word_share(text) < _GOOD_SHARE


def _tokens(text: str) -> Iterator[str]:
    return (token for token in text.split() if token not in ("-", "–", "—", "•", "|", "a", "y", "o", "e", "u", "&"))


def _looks_right(token: str) -> bool:
    if _NUMBER.match(token):
        return True
    if not _WORD.match(token):
        return False
    letters = "".join(char for char in token if char.isalpha())
    is_cased_right = letters.islower() or letters.isupper() or letters[1:].islower()
    return is_cased_right and (_VOWEL.search(letters) is not None or (letters.isupper() and len(letters) <= 5))
