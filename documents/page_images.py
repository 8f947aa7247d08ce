"""Pages of PDF versions as images, with passages marked."""

import logging
from collections.abc import Sequence
from threading import Lock

import numpy as np
import pymupdf
from django.utils.translation import gettext_lazy as _

from documents.ingestion import local_file
from documents.models import DocumentVersion
from documents.parsing.mupdf import PDF_ERRORS
from skillnet.errors import SkillNetError

logger = logging.getLogger(__name__)

Rect = Sequence[float]  # x0, y0, x1, y1 in PDF points from the top left, as blocks and citations keep them

PDF = "application/pdf"
DPI = 110
MAX_PIXELS = 4_000_000  # a poster is drawn smaller, not refused
MARK_COLOUR = (1.0, 0.87, 0.45)  # what a marked white pixel keeps of red, green and blue
MARK_MARGIN = 2  # pixels beside a rectangle
UNREADABLE: tuple[type[Exception], ...] = (OSError, *PDF_ERRORS)
_LIBRARY = Lock()  # MuPDF may be used by one thread at a time


class PageImageUnavailable(SkillNetError):
    """The page cannot be drawn: no PDF, no such page, or a damaged one."""

    code = "page_image_unavailable"
    user_message = _("No se puede mostrar la imagen de esta página. Descarga el original para verla.")


def has_page_images(version: DocumentVersion) -> bool:
    """Whether pages of this version can be drawn. Its type is known once it was read, in a process of its own:
    a file that brings the PDF library down never gets here."""
    return version.media_type == PDF


def render_page(version: DocumentVersion, page: int, highlight: Sequence[Rect] = ()) -> bytes:
    """Page `page` (from 1) of a PDF version as PNG, the rectangles of `highlight` marked.

    Raises: PageImageUnavailable.
    """
    if not has_page_images(version):
        raise PageImageUnavailable(f"version {version.pk} is {version.media_type or 'unread'}")
    try:
        with local_file(version) as path, _LIBRARY, pymupdf.open(path, filetype="pdf") as document:
            if not 1 <= page <= document.page_count:
                raise PageImageUnavailable(f"version {version.pk} has no page {page}")
            return _draw(document[page - 1], highlight)
    except UNREADABLE as error:
        logger.warning("page %s of version %s cannot be drawn", page, version.pk, exc_info=True)
        raise PageImageUnavailable(str(error)) from error


def _draw(page: pymupdf.Page, highlight: Sequence[Rect]) -> bytes:
    zoom = DPI / 72
    pixels = page.rect.width * page.rect.height * zoom * zoom
    if pixels > MAX_PIXELS:
        zoom *= (MAX_PIXELS / pixels) ** 0.5
    scale = pymupdf.Matrix(zoom, zoom)
    drawn = page.get_pixmap(matrix=scale, colorspace=pymupdf.csRGB, alpha=False)
    if highlight:
        # On the pixels, not in the file: drawing in a page that is both rotated and cropped lands beside the words.
        boxes = [(pymupdf.Rect(*rect) * page.rotation_matrix * scale).round() for rect in highlight]
        drawn = _marked(drawn, boxes)
    image: bytes = drawn.tobytes("png")
    return image


def _marked(drawn: pymupdf.Pixmap, boxes: Sequence[pymupdf.IRect]) -> pymupdf.Pixmap:
    """The picture with a felt pen over `boxes` (in pixels): what is dark stays dark."""
    samples = np.frombuffer(drawn.samples, dtype=np.uint8).reshape(drawn.height, drawn.stride)
    picture = samples[:, : drawn.width * 3].reshape(drawn.height, drawn.width, 3).copy()
    untouched = np.ones((drawn.height, drawn.width), dtype=bool)
    for box in boxes:
        left, top = max(box.x0 - MARK_MARGIN, 0), max(box.y0, 0)
        untouched[top : max(box.y1, 0), left : max(box.x1 + MARK_MARGIN, 0)] = False
    inked = (picture * MARK_COLOUR).astype(np.uint8)
    return pymupdf.Pixmap(
        pymupdf.csRGB, drawn.width, drawn.height, np.where(untouched[..., None], picture, inked).tobytes(), 0
    )
