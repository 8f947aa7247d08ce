"""Small files for the parser's tests, written in code."""

import zipfile
from collections.abc import Sequence
from pathlib import Path

import pymupdf

Text = tuple[float, float, str, float, str]  # x, y, words, size, font

BODY = "helv"
BOLD = "hebo"


def write_pdf(path: Path, pages: Sequence[Sequence[Text]], *, outline: Sequence[tuple[int, str, int]] = ()) -> Path:
    """A PDF with the given texts at the given places."""
    document = pymupdf.open()
    for texts in pages:
        page = document.new_page(width=595, height=842)
        for x, y, words, size, font in texts:
            page.insert_text((x, y), words, fontsize=size, fontname=font)
    if outline:
        document.set_toc([list(entry) for entry in outline])
    document.save(path)
    document.close()
    return path


def prose(words: Sequence[str], *, x: float = 72, y: float = 100, size: float = 10) -> list[Text]:
    """Lines of running text, one under the other."""
    return [(x, y + 13 * index, line, size, BODY) for index, line in enumerate(words)]


def page_that_takes_ages() -> bytes:
    """A small PDF of one page: hundreds of layers over the whole page, each blended with what is below."""
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        page.insert_text((50, 100), "Hola")  # gives the page contents
        document.xref_set_key(page.xref, "Resources", "<</ExtGState<</G<</ca 0.5/BM/Luminosity>>>>>>")
        layers = b"/G gs " + b"0.5 0.2 0.1 rg 0 0 595 842 re f\n" * 500
        document.update_stream(page.get_contents()[0], layers)
        return bytes(document.tobytes())


def replace_part(path: Path, part: str, old: str, new: str) -> Path:
    """The Office file at `path` with a piece of one part's text replaced."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert old.encode() in parts[part]
    parts[part] = parts[part].replace(old.encode(), new.encode())
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path
