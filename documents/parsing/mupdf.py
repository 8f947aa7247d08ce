"""PyMuPDF as the PDF modules use it: its annotations are partial, so it is `Any` here and typed where it is wrapped."""

import sys
from importlib import import_module
from typing import Any, cast

from documents.parsing.errors import DamagedFile, LimitExceeded

# Importing pymupdf also loads its layout model and the runtime for it, two seconds a process, which nothing here uses.
_UNUSED = ("pymupdf.layout", "pymupdf4llm")


def _without_layout_model() -> Any:
    held = [name for name in _UNUSED if name not in sys.modules]
    modules = cast(dict[str, Any], sys.modules)
    modules.update(dict.fromkeys(held))  # None tells the import system that a module is not to be had
    try:
        return import_module("pymupdf")
    finally:
        for name in held:
            modules.pop(name, None)


pymupdf: Any = _without_layout_model()
PDF_ERRORS: tuple[type[Exception], ...] = (
    RuntimeError,
    ValueError,
    KeyError,
    IndexError,
    pymupdf.mupdf.FzErrorBase,
)


def failure(error: BaseException) -> DamagedFile | LimitExceeded:
    """What one of PDF_ERRORS means for the file. MuPDF reports a failed allocation as an ordinary error."""
    text = str(error)
    return LimitExceeded(text) if "malloc" in text or "memory" in text.lower() else DamagedFile(text)
