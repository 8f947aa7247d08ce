"""Pages of PDF files as pictures, with passages marked. For a process with limits: `documents.parsing.sandbox`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from documents.parsing.errors import DamagedFile
from documents.parsing.limits import DrawLimits
from documents.parsing.mupdf import PDF_ERRORS, failure, pymupdf
from documents.parsing.pdf_marking import Rect, fitted

_DPI = 110
_MARK_COLOUR = (1.0, 0.87, 0.45)  # what a marked white pixel keeps of red, green and blue
_MARK_MARGIN = 2  # pixels beside a rectangle


def draw_page(path: Path, page: int, marks: Sequence[Rect], limits: DrawLimits, *, quote: str = "") -> bytes:
    """Page `page` (from 1) of a PDF as PNG, the rectangles of `marks` marked; of them only the words of `quote`, if
    given and found.

    Raises: DamagedFile, LimitExceeded. MuPDF can neither be interrupted nor bounded here.
    """
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    try:
        with pymupdf.open(path, filetype="pdf") as document:
            if not 1 <= page <= document.page_count:
                raise DamagedFile(f"no page {page}")
            return _draw(document[page - 1], marks, quote, limits.pixels)
    except PDF_ERRORS as error:
        raise failure(error) from error
    finally:
        pymupdf.TOOLS.store_shrink(100)


def _draw(page: Any, marks: Sequence[Rect], quote: str, most_pixels: int) -> bytes:
    zoom = _DPI / 72
    pixels = page.rect.width * page.rect.height * zoom * zoom
    if pixels > most_pixels:
        zoom *= (most_pixels / pixels) ** 0.5
    scale = pymupdf.Matrix(zoom, zoom)
    drawn = page.get_pixmap(matrix=scale, colorspace=pymupdf.csRGB, alpha=False)
    if marks:
        if quote:
            marks = fitted(marks, page.get_text("words"), quote)
        # On the pixels, not in the file: drawing in a page that is both rotated and cropped lands beside the words.
        drawn = _marked(drawn, [(pymupdf.Rect(*rect) * page.rotation_matrix * scale).round() for rect in marks])
    image: bytes = drawn.tobytes("png")
    return image


def _marked(drawn: Any, boxes: Sequence[Any]) -> Any:
    """The picture with a felt pen over `boxes` (in pixels): what is dark stays dark."""
    import numpy as np  # most pages are drawn unmarked

    samples = np.frombuffer(drawn.samples, dtype=np.uint8).reshape(drawn.height, drawn.stride)
    picture = samples[:, : drawn.width * 3].reshape(drawn.height, drawn.width, 3).copy()
    untouched = np.ones((drawn.height, drawn.width), dtype=bool)
    for box in boxes:
        left, top = max(box.x0 - _MARK_MARGIN, 0), max(box.y0, 0)
        untouched[top : max(box.y1, 0), left : max(box.x1 + _MARK_MARGIN, 0)] = False
    inked = (picture * _MARK_COLOUR).astype(np.uint8)
    return pymupdf.Pixmap(
        pymupdf.csRGB, drawn.width, drawn.height, np.where(untouched[..., None], picture, inked).tobytes(), 0
    )
