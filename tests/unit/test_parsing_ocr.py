"""Text in pictures: which pages are read, what is kept beside it, and that the time limit holds."""

from dataclasses import replace
from pathlib import Path

import pymupdf
import pytest

from documents.parsing import DEFAULT_LIMITS, parse, pdf_ocr
from documents.parsing.pdf_lines import Line, PageText, Upright, read_page
from documents.parsing.sandbox import ParserProcess
from tests.unit.parsing_files import BODY, prose

LINES = [
    "La tienda abre a las nueve de la mañana y cierra a las nueve de la noche.",
    "La persona encargada cuenta el cambio de la caja antes de abrir la puerta.",
    "Al cerrar se apagan las luces y se conecta la alarma de todo el edificio.",
    "Cada noche se anota en el cuaderno lo que ha quedado pendiente de hacer.",
]
needs_tesseract = pytest.mark.skipif(pdf_ocr.tessdata() is None, reason="Tesseract has no Spanish data here")


def picture_of(lines: list[str]) -> bytes:
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        for x, y, words, size, font in prose(lines, size=12):
            page.insert_text((x, y), words, fontsize=size, fontname=font)
        return page.get_pixmap(dpi=150).tobytes("png")


def mixed(path: Path) -> Path:
    """Pages of text, and one that holds a picture of text under a line of its own."""
    document = pymupdf.open()
    for word in ("uno", "dos", "tres"):
        page = document.new_page(width=595, height=842)
        for x, y, words, size, font in prose([f"Hoja {word} del manual de la tienda.", *LINES]):
            page.insert_text((x, y), words, fontsize=size, fontname=font)
    page = document.new_page(width=595, height=842)
    page.insert_image(page.rect, stream=picture_of(LINES))
    page.insert_text((72, 60), "Cartel de la puerta de la tienda", fontsize=12, fontname=BODY)
    document.save(path)
    return path


def test_without_tesseract_a_pdf_is_read_but_for_its_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))  # no program is found there
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)
    pdf_ocr.tessdata.cache_clear()
    try:
        parsed = parse(mixed(tmp_path / "m.pdf"))
    finally:
        pdf_ocr.tessdata.cache_clear()
    text = "\n".join(block.text for block in parsed.blocks)
    assert "cuenta el cambio" in text
    assert "Cartel de la puerta" in text
    assert "ocr_used" not in [warning.code for warning in parsed.warnings]


@needs_tesseract
def test_the_process_that_is_shut_in_reads_pictures_too(tmp_path: Path):
    with ParserProcess() as parser:
        document = parser.parse(mixed(tmp_path / "hojas.pdf"))
    assert [warning.code for warning in document.warnings] == ["ocr_used"]
    assert any("alarma" in block.text for block in document.blocks if block.page == 4)


@needs_tesseract
def test_a_large_picture_beside_a_few_words_is_read_once_and_the_words_stay(tmp_path: Path):
    parsed = parse(mixed(tmp_path / "m.pdf"))
    text = "\n".join(block.text for block in parsed.blocks if block.page == 4)
    assert text.count("Cartel de la puerta") == 1
    assert "conecta la alarma" in text
    assert [warning.code for warning in parsed.warnings] == ["ocr_used"]


@needs_tesseract
def test_the_time_limit_holds_inside_a_page(tmp_path: Path):
    page = PageText(4, Upright(), (0.0, 0.0, 595.0, 842.0))
    limits = replace(DEFAULT_LIMITS, ocr_seconds=0.05)
    assert pdf_ocr.read_pictures(mixed(tmp_path / "m.pdf"), [page], limits, quick=True) == []


def test_what_a_child_process_prints_counts_up_to_the_last_whole_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    child = "import sys, time\nsys.stdout.write('{}\\n{\"cut')\nsys.stdout.flush()\ntime.sleep(600)\n"
    monkeypatch.setattr(pdf_ocr, "_CHILD", child)
    page = PageText(1, Upright(), (0.0, 0.0, 595.0, 842.0))
    assert pdf_ocr._read(tmp_path / "m.pdf", [page], 150, "nowhere", 3.0) == b"{}\n"


def test_what_stands_where_the_page_has_text_is_not_taken_again():
    known = PageText(1, Upright(), (0.0, 0.0, 595.0, 842.0))
    known.lines = [Line(1, "Cartel de la puerta", 72, 50, 200, 62, 12)]
    line = {"page": 1, "size": 12.0, "x0": 72.0, "x1": 300.0, "pieces": []}
    lines = [
        {**line, "text": "Cartel de la puerta", "y0": 51.0, "y1": 63.0},
        {**line, "text": "La tienda abre a las nueve", "y0": 90.0, "y1": 102.0},
    ]
    found = pdf_ocr._with_found(known, {"number": 1, "turn": 0, "frame": [0, 0, 595, 842], "lines": lines})
    assert found is not None
    assert sorted(line.text for line in found.lines) == ["Cartel de la puerta", "La tienda abre a las nueve"]


def _found_line(text: str, y0: float, x1: float = 500.0) -> dict[str, object]:
    return {"page": 1, "text": text, "size": 12.0, "x0": 72.0, "y0": y0, "x1": x1, "y1": y0 + 12, "pieces": []}


def _answer(lines: list[dict[str, object]], turn: int = 0) -> dict[str, object]:
    return {"number": 1, "turn": turn, "frame": [0, 0, 595, 842], "lines": lines}


@pytest.mark.parametrize("degrees", [20, 30, 40, 45, 50, 60, 75])
def test_a_watermark_across_a_picture_costs_no_line_of_it(degrees: int):
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        centre = pymupdf.Point(297, 421)
        turned = (centre, pymupdf.Matrix(degrees))
        page.insert_text((90, 430), "COPIA CONTROLADA", fontsize=40, fontname=BODY, morph=turned)
        known = read_page(page, 1)
    assert "COPIA CONTROLADA" in pdf_ocr.text_of(known)
    lines = [_found_line(LINES[number % 4], 60.0 + 20 * number) for number in range(36)]
    found = pdf_ocr._with_found(known, _answer(lines))
    assert found is not None
    assert sum(line.text in LINES for line in found.lines) == 36
    assert found.upright == Upright()
    marks = [line for line in found.lines if line.text == "COPIA CONTROLADA"]
    assert [line.is_turned for line in marks] == [True]


def test_a_picture_that_lies_across_the_pages_own_words_is_not_taken():
    known = PageText(1, Upright(1), (-842.0, 0.0, 0.0, 595.0))
    known.lines = [Line(1, "Cartel de la puerta", -600, 50, -400, 62, 12)]
    assert pdf_ocr._with_found(known, _answer([_found_line(LINES[0], 90.0)])) is None


def test_a_line_that_only_brushes_one_of_the_page_stays():
    known = PageText(1, Upright(), (0.0, 0.0, 595.0, 842.0))
    known.lines = [Line(1, "Cartel de la puerta", 72, 50, 200, 62, 12)]
    found = pdf_ocr._with_found(known, _answer([_found_line(LINES[0], 60.0)]))
    assert found is not None
    assert LINES[0] in pdf_ocr.text_of(found)


def test_a_line_of_a_picture_that_several_of_the_page_cover_together_is_not_taken_again():
    known = PageText(1, Upright(), (0.0, 0.0, 595.0, 842.0))
    known.lines = [Line(1, "La tienda abre", 72, 50, 280, 62, 12), Line(1, "a las nueve", 290, 50, 498, 62, 12)]
    lines = [_found_line("La tienda abre a las nueve", 51.0), _found_line(LINES[1], 90.0)]
    found = pdf_ocr._with_found(known, _answer(lines))
    assert found is not None
    assert "La tienda abre a las nueve" not in pdf_ocr.text_of(found)
