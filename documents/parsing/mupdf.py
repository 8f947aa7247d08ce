"""PyMuPDF as the PDF modules use it. Its own annotations are partial, so it is `Any` here and typed where it is wrapped."""

from typing import Any

import pymupdf as _pymupdf

pymupdf: Any = _pymupdf
PDF_ERRORS: tuple[type[Exception], ...] = (
    RuntimeError,
    ValueError,
    KeyError,
    IndexError,
    _pymupdf.mupdf.FzErrorBase,
)
