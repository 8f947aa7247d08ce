"""Files in, structured blocks out. `parse` picks a parser by what the file is, not by what it is called."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from django.utils.functional import Promise

from documents.cleaning import clean_line
from documents.parsing import legacy, media_types
from documents.parsing.assembly import pair_questions
from documents.parsing.errors import LEGACY_MESSAGES, LimitExceeded, NoText, TooLarge, UnsupportedFormat
from documents.parsing.limits import DEFAULT_LIMITS, ParseLimits
from documents.parsing.media_types import detect_media_type
from documents.parsing.types import ParsedDocument

__all__ = ["DEFAULT_LIMITS", "ParseLimits", "detect_media_type", "parse"]

Progress = Callable[[int, int], None]


def parse(
    path: Path, *, name: str = "", limits: ParseLimits = DEFAULT_LIMITS, progress: Progress | None = None
) -> ParsedDocument:
    """Read a file into blocks, in this process.

    `name` is the file's original name, where `path` is a stored copy. `progress` gets (pages done, pages in all).
    `language` is set only where the file states it.
    Raises: ParseError, one of the classes in `documents.parsing.errors`.
    """
    size = path.stat().st_size
    if size > limits.file_bytes:
        raise TooLarge(f"{size} bytes")
    name = name or path.name
    media_type = detect_media_type(path, name)
    try:
        document = _parse_as(media_type, path, limits, progress)
    except MemoryError as error:
        raise LimitExceeded("out of memory") from error
    if not any(block.text.strip() for block in document.blocks):
        raise NoText("no block has text", user_message=_without_text(media_type))
    return replace(document, title=clean_line(document.title)[:300], blocks=tuple(pair_questions(document.blocks)))


def _without_text(media_type: str) -> str | Promise | None:
    """What to do about a file of this kind in which nothing can be read; None where it may be a scan."""
    if media_type in (media_types.DOCX, media_types.PPTX):
        return NoText.of_pictures
    return None if media_type == media_types.PDF else NoText.of_nothing


def _parse_as(media_type: str, path: Path, limits: ParseLimits, progress: Progress | None) -> ParsedDocument:
    """Parsers are imported on first use: most processes read one or two formats."""
    if media_type == media_types.PDF:
        from documents.parsing.pdf import parse_pdf

        return parse_pdf(path, limits, progress)
    if media_type == media_types.DOCX:
        from documents.parsing.docx import parse_docx

        return parse_docx(path, limits)
    if media_type == media_types.PPTX:
        from documents.parsing.pptx import parse_pptx

        return parse_pptx(path, limits, progress)
    if media_type == media_types.XLSX:
        from documents.parsing.xlsx import parse_xlsx

        return parse_xlsx(path, limits)
    if media_type == media_types.CSV:
        from documents.parsing.delimited import parse_delimited

        return parse_delimited(path, limits)
    if media_type == media_types.HTML:
        from documents.parsing.html import parse_html

        return parse_html(path)
    if media_type == media_types.MARKDOWN:
        from documents.parsing.markdown import parse_markdown

        return parse_markdown(path)
    if media_type in (media_types.VTT, media_types.SRT):
        from documents.parsing.captions import parse_captions

        return parse_captions(path, media_type)
    if media_type == media_types.PLAIN:
        from documents.parsing.text import parse_text

        return parse_text(path)
    if legacy.can_convert(media_type):
        with legacy.converted(path, media_type, limits) as new:
            return _parse_as(detect_media_type(new), new, limits, progress)
    message = next((text for kind, text in LEGACY_MESSAGES.items() if media_type.startswith(kind)), None)
    raise UnsupportedFormat(media_type, user_message=message)
