"""What a file is, judged by its content. The name only separates kinds of plain text."""

import re
import zipfile
import zlib
from pathlib import Path

from documents.parsing.decoding import decode
from documents.parsing.errors import DamagedFile, EmptyFile, EncryptedFile, UnsupportedFormat

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
HTML = "text/html"
CSV = "text/csv"
MARKDOWN = "text/markdown"
PLAIN = "text/plain"
VTT = "text/vtt"
SRT = "application/x-subrip"

DOC = "application/msword"
XLS = "application/vnd.ms-excel"
PPT = "application/vnd.ms-powerpoint"
OPEN_DOCUMENT = "application/vnd.oasis.opendocument"
RTF = "application/rtf"

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_STREAMS = (("WordDocument", DOC), ("PowerPoint Document", PPT), ("Workbook", XLS), ("Book", XLS))
_BINARY = (
    b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\x00", b"MM\x00*", b"RIFF", b"Rar!", b"7z\xbc\xaf", b"\x1f\x8b",
    b"\x7fELF", b"MZ\x90", b"ID3", b"OggS", b"\x00\x00\x00\x18ftyp", b"\x00\x00\x00\x20ftyp", b"%!PS",
)  # fmt: skip
_HTML = re.compile(r"<(?:!doctype\s+html|html|head|body|title|meta)\b", re.IGNORECASE)
_HTML_BODY = re.compile(r"</(?:p|div|table|h[1-6]|ul|ol|span)>", re.IGNORECASE)
_SRT = re.compile(r"\A\s*\d+\s*\n\s*\d{1,2}:\d\d:\d\d[,.]\d{1,3}\s*-->")
_MARKDOWN = re.compile(r"^(?:#{1,6} \S|```|\|\s*:?-{3,}|\[.+?\]\(.+?\)|[-*] \[[ x]\] )", re.MULTILINE)
_HEAD = 65_536


def detect_media_type(path: Path, name: str = "") -> str:
    """The media type of the file at `path`.

    Raises: EmptyFile, UnsupportedFormat, EncryptedFile (Office files with a password), DamagedFile (broken containers).
    """
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if not head:
        raise EmptyFile(f"{name or path.name}: no bytes")
    start = head.lstrip(b"\xef\xbb\xbf\x00\t\n\r ")
    if b"%PDF-" in head[:1024]:
        return PDF
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_media_type(path)
    if head.startswith(_OLE):
        return _ole_media_type(path)
    if start.startswith(b"{\\rtf"):
        return RTF
    if head.startswith(_BINARY):
        raise UnsupportedFormat("binary file that is no document")
    return _text_media_type(head, name or path.name)


def _zip_media_type(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            if "[Content_Types].xml" in names:
                with archive.open("[Content_Types].xml") as part:
                    types = part.read(2_000_000).decode("utf-8", errors="replace")
                return _ooxml_media_type(types, names)
            if "mimetype" in names:
                with archive.open("mimetype") as part:
                    kind = part.read(200).decode("ascii", errors="replace")
                if kind.startswith(OPEN_DOCUMENT):
                    return OPEN_DOCUMENT
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        raise DamagedFile(f"zip container: {error}") from error
    raise UnsupportedFormat("zip file that is no Office document")


def _ooxml_media_type(content_types: str, names: set[str]) -> str:
    """Office documents of every kind (templates, with macros, strict) by the main part's content type."""
    for marker, media_type in (("wordprocessingml", DOCX), ("presentationml", PPTX), ("spreadsheetml", XLSX)):
        if re.search(rf"{marker}\.(?:document|template|presentation|slideshow|sheet)\.main\+xml", content_types):
            return media_type
    if re.search(r"ms-word\.\w+\.macroEnabled", content_types):
        return DOCX
    if re.search(r"ms-powerpoint\.\w+\.macroEnabled", content_types):
        return PPTX
    if re.search(r"ms-excel\.(?:sheet|template)\.macroEnabled", content_types):
        return XLSX
    for member, media_type in (("word/document.xml", DOCX), ("ppt/presentation.xml", PPTX), ("xl/workbook.xml", XLSX)):
        if member in names:
            return media_type
    raise UnsupportedFormat("Office container without a document")


def _ole_media_type(path: Path) -> str:
    """Legacy Office files, and the container around encrypted new ones, by the names of their streams."""
    with path.open("rb") as file:
        data = file.read(20_000_000)
    if "EncryptedPackage".encode("utf-16-le") in data:
        raise EncryptedFile("Office file with a password")
    for stream, media_type in _OLE_STREAMS:
        if stream.encode("utf-16-le") in data:
            return media_type
    raise UnsupportedFormat("OLE container that is no document")


def _text_media_type(head: bytes, name: str) -> str:
    text = decode(head[: _whole_characters(head)]).text
    suffix = Path(name).suffix.lower()
    start = text.lstrip("\ufeff \t\r\n")
    normal = text.replace("\r\n", "\n").replace("\r", "\n")
    if start.startswith("WEBVTT"):
        return VTT
    if _SRT.match(normal):
        return SRT
    if suffix in (".md", ".markdown", ".mkd"):
        return MARKDOWN
    if start.startswith("<") and (
        _HTML.search(start[:4000]) or (_HTML_BODY.search(text) and not start.startswith("<?xml"))
    ):
        return HTML
    if suffix in (".csv", ".tsv", ".tab"):
        return CSV
    if suffix in (".html", ".htm", ".xhtml") and _HTML_BODY.search(text):
        return HTML
    if suffix != ".txt" and len(_MARKDOWN.findall(normal)) >= 3:
        return MARKDOWN
    return PLAIN


def _whole_characters(head: bytes) -> int:
    """Length of `head` without the piece of a UTF-8 character that reading a limited head may have cut."""
    if len(head) < _HEAD:
        return len(head)
    end = len(head)
    while end > len(head) - 4 and head[end - 1] & 0xC0 == 0x80:
        end -= 1
    return end - 1 if head[end - 1] >= 0xC0 else len(head)
