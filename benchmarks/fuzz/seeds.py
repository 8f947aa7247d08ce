"""Good files of every main format, to be changed: the demo's manuals, and small ones made here."""

import io
import random
from pathlib import Path

import docx
import openpyxl
import pptx
import pymupdf

MANUALS = Path(__file__).resolve().parents[2] / "courses/demo/manuals"
ROWS = [["Puesto", "Turno", "Plus"], ["Caja", "Noche", "90 €"], ["Almacén", "Mañana", "0 €"]]


def seeds() -> dict[str, list[bytes]]:
    """Files by the ending of their names."""
    return {
        "pdf": [_plain_pdf(name) for name in sorted(MANUALS.glob("*.pdf"))] + [_drawn_pdf()],
        "docx": [path.read_bytes() for path in sorted(MANUALS.glob("*.docx"))] + [_docx()],
        "pptx": [_pptx()],
        "xlsx": [_xlsx()],
        "csv": ["\n".join(";".join(row) for row in ROWS * 20).encode(code) for code in ("utf-8", "cp1252", "utf-16")],
        "html": [_html()],
        "md": [path.read_bytes() for path in sorted(MANUALS.glob("*.md"))],
        "txt": [b"1. Apertura\n\nAbre la caja.\n\n2. Cierre\n\nCierra la caja.\n" * 10],
        "vtt": [
            b"WEBVTT\n\n00:00:01.000 --> 00:00:04.000\nHola a todos\n\n00:00:05.000 --> 00:00:09.000\nAbrid la caja\n"
        ],
        "srt": [b"1\n00:00:01,000 --> 00:00:04,000\nHola a todos\n\n2\n00:00:05,000 --> 00:00:09,000\nAbrid la caja\n"],
    }


def chance_of(ending: str, number: int) -> random.Random:
    """The dice of one file: the same file can be made again from its ending and number."""
    return random.Random(f"{ending}-{number}")


def _plain_pdf(path: Path) -> bytes:
    """A few pages with their contents unpacked: what is packed is mostly noise once it has been changed."""
    with pymupdf.open(path) as document:
        document.select(range(min(3, document.page_count)))
        return bytes(document.tobytes(deflate=False, expand=255, garbage=3))


def _drawn_pdf() -> bytes:
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((72, 72), "1. Apertura", fontsize=18)
        for row, cells in enumerate(ROWS):
            for column, text in enumerate(cells):
                page.draw_rect((72 + 90 * column, 100 + 20 * row, 162 + 90 * column, 120 + 20 * row))
                page.insert_text((76 + 90 * column, 114 + 20 * row), text)
        document.set_toc([[1, "Apertura", 1]])
        return bytes(document.tobytes(deflate=False, expand=255))


def _docx() -> bytes:
    document = docx.Document()
    document.add_heading("Caja", 1)
    document.add_paragraph("Abre la caja por la mañana.", style="List Number")
    table = document.add_table(len(ROWS), len(ROWS[0]))
    for row, cells in enumerate(ROWS):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    table.cell(0, 0).merge(table.cell(0, 1))
    return _saved(document)


def _pptx() -> bytes:
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = "Caja"
    slide.placeholders[1].text = "Abre la caja\nCuenta el cambio"
    table = slide.shapes.add_table(len(ROWS), len(ROWS[0]), 0, 0, 5_000_000, 900_000).table
    for row, cells in enumerate(ROWS):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    return _saved(show)


def _xlsx() -> bytes:
    book = openpyxl.Workbook()
    for row in ROWS:
        book.active.append(row)
    book.active.merge_cells("A4:C4")
    book.active["A4"] = "Total"
    book.active["B5"], book.active["B5"].number_format = 45_000, "dd/mm/yyyy"
    book.create_sheet("Otra").append(["Nota", "=SUM(A1:A3)"])
    return _saved(book)


def _html() -> bytes:
    cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in ROWS)
    return f"<html><h1>Caja</h1><p>Abre la caja.</p><ul><li>Uno<li>Dos</ul><table>{cells}</table></html>".encode()


def _saved(document: object) -> bytes:
    out = io.BytesIO()
    document.save(out)  # type: ignore[attr-defined]
    return out.getvalue()
