"""Pages of PDF versions as images, with passages marked.

They are drawn in a child process with limits on time and memory, never in the web process: MuPDF holds Python's lock
while it draws, and a file of a few hundred bytes can ask for minutes. Pages drawn a short while ago are kept in memory,
and so is the word that a page took too long.
"""

import hashlib
import json
import logging
from collections.abc import Sequence
from threading import Lock

from django.core.cache.backends.locmem import LocMemCache
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext_lazy as _

from documents.models import DocumentVersion
from documents.parsing.errors import LimitExceeded, ParseError
from documents.parsing.limits import DrawLimits
from documents.parsing.sandbox import ParserProcess
from documents.storage import local_file
from skillnet.errors import SkillNetError

logger = logging.getLogger(__name__)

Rect = Sequence[float]  # x0, y0, x1, y1 in PDF points from the top left, as blocks and citations keep them

PDF = "application/pdf"
LIMITS = DrawLimits()
WAIT_SECONDS = 3.0  # for another page to be drawn
KEPT_SECONDS = 600
KEPT_PAGES = 64
KEPT_BYTES = 1024 * 1024  # of one image; photographs in full size are drawn again

_drawer = ParserProcess()  # one for all threads: starting it takes longer than drawing most pages
_drawer_lock = Lock()
# Of this process alone: the shared cache holds the jobs' queue, which must not be pushed out by pictures.
_kept = LocMemCache("page-images", {"TIMEOUT": KEPT_SECONDS, "OPTIONS": {"MAX_ENTRIES": KEPT_PAGES}})


class PageImageUnavailable(SkillNetError):
    """The page cannot be drawn: no PDF, no such page, or a damaged one."""

    code = "page_image_unavailable"
    user_message = _("No se puede mostrar la imagen de esta página. Descarga el original para verla.")


class PageTooCostly(PageImageUnavailable):
    """Drawing the page takes more time or memory than a page may take."""

    code = "page_too_costly"
    user_message = _(
        "Esta página es demasiado compleja para dibujarla a tiempo. Lee su texto o descarga el original para verla."
    )


class DrawingBusy(PageImageUnavailable):
    """Other pages are being drawn."""

    code = "drawing_busy"
    user_message = _("Ahora mismo se están dibujando otras páginas. Vuelve a intentarlo en unos segundos.")
    retryable = True


def has_page_images(version: DocumentVersion) -> bool:
    """Whether pages of this version can be drawn. Its type is known once it was read."""
    return version.media_type == PDF


def render_page(version: DocumentVersion, page: int, highlight: Sequence[Rect] = (), quote: str = "") -> bytes:
    """Page `page` (from 1) of a PDF version as PNG, the rectangles of `highlight` marked: of them only the words of
    `quote`, if given and found.

    Raises: PageImageUnavailable; PageTooCostly, DrawingBusy.
    """
    if not has_page_images(version):
        raise PageImageUnavailable(f"version {version.pk} is {version.media_type or 'unread'}")
    image = _remembered(version, page, highlight, quote)
    if image is not None:
        return image
    if not _drawer_lock.acquire(timeout=WAIT_SECONDS):
        raise DrawingBusy(f"page {page} of version {version.pk}")
    try:  # another thread may have asked for the same page meanwhile
        return _remembered(version, page, highlight, quote) or _drawn(version, page, highlight, quote)
    finally:
        _drawer_lock.release()


def page_image_response(
    request: HttpRequest, version: DocumentVersion, page: int, highlight: Sequence[Rect] = (), quote: str = ""
) -> HttpResponse:
    """`render_page` as a response, for a person who may see it. Browsers keep it and ask each time whether they may.

    Where there is no image the answer says why: 503 when it may work later, else 404.
    """
    etag = f'"{_digest(version.sha256, page, highlight, quote)[:32]}"'
    response: HttpResponse
    if request.headers.get("If-None-Match") == etag:
        response = HttpResponseNotModified()
    else:
        try:
            response = HttpResponse(render_page(version, page, highlight, quote), content_type="image/png")
        except PageImageUnavailable as error:
            status = 503 if error.retryable else 404
            return HttpResponse(str(error.user_message), status=status, content_type="text/plain; charset=utf-8")
    response.headers["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    return response


def _remembered(version: DocumentVersion, page: int, highlight: Sequence[Rect], quote: str) -> bytes | None:
    """The image drawn a short while ago. Raises: PageTooCostly, if that took too much."""
    if _kept.get(_costly_key(version, page)):
        raise PageTooCostly(f"page {page} of version {version.pk} took too much a short while ago")
    image: bytes | None = _kept.get(_image_key(version, page, highlight, quote))
    return image


def _drawn(version: DocumentVersion, page: int, highlight: Sequence[Rect], quote: str) -> bytes:
    try:
        with local_file(version) as path:
            image = _drawer.draw(path, page, highlight, quote=quote, limits=LIMITS)
    except LimitExceeded as error:
        logger.warning("page %s of version %s takes too much to draw: %s", page, version.pk, error)
        _kept.set(_costly_key(version, page), True)
        raise PageTooCostly(str(error)) from error
    except (OSError, ParseError) as error:
        logger.warning("page %s of version %s cannot be drawn", page, version.pk, exc_info=True)
        raise PageImageUnavailable(str(error)) from error
    if len(image) <= KEPT_BYTES:
        _kept.set(_image_key(version, page, highlight, quote), image)
    return image


def _image_key(version: DocumentVersion, page: int, highlight: Sequence[Rect], quote: str) -> str:
    # By the stored name, which is made for one upload and never used again: no organization gets another's image.
    return _digest("image", version.file.name, page, highlight, quote)


def _costly_key(version: DocumentVersion, page: int) -> str:
    return _digest("costly", version.file.name, page)


def _digest(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
