"""Text of scanned PDF pages through Tesseract, where its language data is installed."""

import os
import re
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from documents.parsing.limits import ParseLimits
from documents.parsing.mupdf import PDF_ERRORS, pymupdf
from documents.parsing.pdf_lines import Box, PageText, read_page

_DPI = 200  # pages of a scanned document
_QUICK_DPI = 150  # single pictures of a document that has text
_MANY_DRAWINGS = 150  # letters drawn as outlines
_WORD = re.compile(r"^[(«\"“¿¡'‘]*[^\W\d_]{2,24}(?:[-'’][^\W\d_]{1,20})*[.,;:)»\"”?!'’…]*$")
_VOWEL = re.compile(r"[aeiouyáéíóúüàèìòùâêîôûäöãõ]", re.IGNORECASE)
_NUMBER = re.compile(r"^[(]?[\d.,:/%€$º°ª-]+[).,;:]*$")
_GOOD_SHARE = 0.72


@cache
def tessdata() -> str | None:
    """Folder of Tesseract's language data; None where Spanish is not among it."""
    folder = os.environ.get("TESSDATA_PREFIX") or pymupdf.get_tessdata()
    return str(folder) if folder and (Path(folder) / "spa.traineddata").exists() else None


class OcrBudget:
    """What reading pictures may cost in one file: pages and seconds."""

    def __init__(self, pages: int, seconds: float) -> None:
        self._pages = pages
        self._deadline = time.monotonic() + seconds

    def take(self) -> bool:
        """Whether one more page may be read."""
        self._pages -= 1
        return self._pages >= 0 and time.monotonic() < self._deadline


def has_picture(page: Any) -> bool:
    """Whether a page without text shows something that may hold words."""
    area = abs(page.rect.width * page.rect.height) or 1.0
    shown: float = sum(abs(pymupdf.Rect(info["bbox"]).get_area()) for info in page.get_image_info())
    return bool(shown > 0.05 * area) or len(page.get_bboxlog()) > _MANY_DRAWINGS


def read_picture(page: Any, known: PageText, limits: ParseLimits, *, quick: bool) -> PageText | None:
    """The page's text as Tesseract reads it, running lines of `known` apart; None when it cannot or finds nothing."""
    dpi = _QUICK_DPI if quick else _DPI
    number, folder = known.number, tessdata()
    pixels = page.rect.width * page.rect.height * (dpi / 72) ** 2
    if folder is None or pixels > limits.pixels:
        return None
    try:
        textpage = page.get_textpage_ocr(language="spa", dpi=dpi, full=True, tessdata=folder)
        found = read_page(page, number, textpage=textpage)
    except PDF_ERRORS:  # Tesseract gave up on this picture
        return None
    found.is_ocr = True
    found.lines = [line for line in found.lines if not any(_overlap(line.box, box) for box in known.margin_boxes)]
    return found if found.letters >= 10 and good_word_share(text_of(found)) >= 0.4 else None


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


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
