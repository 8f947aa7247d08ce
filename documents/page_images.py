"""Pages of PDF versions as images, with passages marked."""

import logging
from collections.abc import Sequence
from threading import Lock

import pymupdf
from django.utils.translation import gettext_lazy as _

from documents.ingestion import local_file
from documents.models import DocumentVersion
from skillnet.errors import SkillNetError

logger = logging.getLogger(__name__)

Rect = Sequence[float]  # x0, y0, x1, y1 in PDF points from the top left, as blocks and citations keep them

PDF = "application/pdf"
DPI = 110
MAX_PIXELS = 4_000_000  # a poster is drawn smaller, not refused
MARK_COLOUR = (1.0, 0.8, 0.2)
MARK_OPACITY = 0.38
_LIBRARY = Lock()  # MuPDF may be used by one thread at a time


class PageImageUnavailable(SkillNetError):
    """The page cannot be drawn: no PDF, no such page, or a damaged one."""

    code = "page_image_unavailable"
    user_message = _("No se puede mostrar la imagen de esta página. Descarga el original para verla.")


def has_page_images(version: DocumentVersion) -> bool:
    """Whether pages of this version can be drawn."""
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
    except (OSError, RuntimeError, ValueError) as error:  # what PyMuPDF and storages raise on bad files
        logger.warning("page %s of version %s cannot be drawn", page, version.pk, exc_info=True)
        raise PageImageUnavailable(str(error)) from error


def _draw(page: pymupdf.Page, highlight: Sequence[Rect]) -> bytes:
    if highlight:
        marker = page.new_shape()
        for rect in highlight:
            x0, y0, x1, y1 = rect
            marker.draw_rect(pymupdf.Rect(x0 - 1, y0 - 1, x1 + 1, y1 + 1))
        marker.finish(color=None, fill=MARK_COLOUR, fill_opacity=MARK_OPACITY)
        marker.commit()
    zoom = DPI / 72
    pixels = page.rect.width * page.rect.height * zoom * zoom
    if pixels > MAX_PIXELS:
        zoom *= (MAX_PIXELS / pixels) ** 0.5
    image: bytes = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), alpha=False).tobytes("png")
    return image
