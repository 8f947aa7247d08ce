from pathlib import Path

import pymupdf
import pytest

from documents.parsing import parse
from documents.parsing.errors import DamagedFile, EmptyFile, EncryptedFile, NoText
from documents.parsing.types import Block, BlockKind, ParsedDocument
from tests.unit.parsing_files import BODY, BOLD, prose, write_pdf

LINES = [
    "Quien devuelve un producto debe traer el ticket de compra y el producto en su",
    "embalaje original. La persona de caja comprueba que no falta nada y anota el",
    "motivo en el sistema antes de entregar el dinero al cliente de la tienda.",
]


def headings(document: ParsedDocument) -> list[tuple[int | None, str]]:
    return [(block.level, block.text) for block in document.blocks if block.kind is BlockKind.HEADING]


def containing(document: ParsedDocument, words: str) -> Block:
    return next(block for block in document.blocks if words in block.text)


@pytest.mark.parametrize(
    ("stated", "title"),
    [
        ("Presentación de PowerPoint", "Carta de la casa"),
        ("Presentation1", "Carta de la casa"),
        ("Microsoft Word - carta.doc", "Carta de la casa"),
        ("Documento 3", "Carta de la casa"),
        ("Presentación de la empresa", "Presentación de la empresa"),
        ("Documento de bienvenida", "Documento de bienvenida"),
    ],
)
def test_a_title_that_a_program_filled_in_gives_way_to_the_heading(tmp_path: Path, stated: str, title: str):
    path = write_pdf(tmp_path / "m.pdf", [[(72, 60, "Carta de la casa", 20, BOLD), *prose(LINES, y=120)]])
    with pymupdf.open(path) as named:
        named.set_metadata({"title": stated})
        named.saveIncr()
    assert parse(path).title == title


def test_headings_come_from_size_and_their_sections_hold_the_text(tmp_path: Path):
    path = write_pdf(
        tmp_path / "m.pdf",
        [
            [(72, 60, "Manual de devoluciones", 20, BOLD), (72, 90, "Plazos", 14, BOLD), *prose(LINES, y=120)],
            [(72, 60, "Excepciones", 14, BOLD), *prose(LINES, y=90)],
        ],
    )
    document = parse(path)
    assert headings(document) == [(1, "Manual de devoluciones"), (2, "Plazos"), (2, "Excepciones")]
    last = document.blocks[-1]
    assert last.heading_path == ("Manual de devoluciones", "Excepciones")
    assert (last.page, document.page_count, document.title) == (2, 2, "Manual de devoluciones")
    x0, y0, x1, y1 = last.locator["rects"][0]
    assert x0 == pytest.approx(72, abs=2)
    assert 75 < y0 < 90 < y1 < 125
    assert x1 > 300


def test_outline_gives_levels_where_looks_are_alike(tmp_path: Path):
    pages = [[(72, 60, f"{name}", 12, BOLD), *prose(LINES, y=90)] for name in ("Caja", "Cobros", "Vales", "Stock")]
    outline = [(1, "Caja", 1), (2, "Cobros", 2), (2, "Vales", 3), (1, "Stock", 4)]
    document = parse(write_pdf(tmp_path / "m.pdf", pages, outline=outline))
    assert headings(document) == [(1, "Caja"), (2, "Cobros"), (2, "Vales"), (1, "Stock")]


def test_running_lines_and_page_numbers_are_dropped_on_every_page(tmp_path: Path):
    pages = [
        [
            (72, 40, "Tiendas del Norte - Uso interno", 8, BODY),
            *prose([f"Texto propio de la hoja número {word}.", *(f"{line} ({word})" for line in LINES)]),
            (280, 810, f"Hoja | {number}", 8, BODY),
        ]
        for number, word in enumerate(("uno", "dos", "tres", "cuatro", "cinco"), start=1)
    ]
    text = " ".join(block.text for block in parse(write_pdf(tmp_path / "m.pdf", pages)).blocks)
    assert "Uso interno" not in text
    assert "Hoja |" not in text
    assert text.count("Texto propio") == 5


def test_left_column_is_read_before_the_right_one(tmp_path: Path):
    left = [f"Columna izquierda con la línea {number} del texto" for number in range(10)]
    right = [f"Columna derecha con la línea {number} del texto" for number in range(10)]
    page = [(150, 60, "Título a todo el ancho de la hoja del manual", 16, BOLD)]
    page += prose(left, x=50) + prose(right, x=310)
    text = " ".join(block.text for block in parse(write_pdf(tmp_path / "m.pdf", [page])).blocks)
    assert text.index("izquierda con la línea 9") < text.index("derecha con la línea 0")


def test_words_cut_at_line_ends_are_joined_and_compounds_keep_their_hyphen(tmp_path: Path):
    lines = [
        "Un ex-empleado que fue empleado de la tienda durante muchos años recibe su liqui-",
        "dación en el plazo fijado por la ley, y también la recibe el que ahora sea otro ex-",
        "empleado de cualquier otra de las tiendas que tenga la empresa en el país.",
    ]
    text = parse(write_pdf(tmp_path / "m.pdf", [prose(lines)])).blocks[0].text
    assert "su liquidación en" in text
    assert "otro ex-empleado de" in text


def test_drawn_tables_keep_their_rows_and_do_not_stand_in_the_text_again(tmp_path: Path):
    rows = [["Motivo", "Plazo"], ["Defecto", "3 años"], ["Cambio de talla", "30 días"]]
    document = pymupdf.open()
    page = document.new_page()
    for index, row in enumerate(rows):
        for column, cell in enumerate(row):
            box = pymupdf.Rect(72 + 150 * column, 100 + 24 * index, 222 + 150 * column, 124 + 24 * index)
            page.draw_rect(box)
            page.insert_text((box.x0 + 4, box.y0 + 16), cell, fontsize=10)
    document.save(tmp_path / "t.pdf")
    blocks = parse(tmp_path / "t.pdf").blocks
    assert [block.kind for block in blocks] == [BlockKind.TABLE]
    assert blocks[0].rows == tuple(map(tuple, rows))
    assert blocks[0].header_rows == 1


def test_text_that_nobody_sees_is_left_out_and_reported(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 100), "Texto a la vista de todos", fontsize=11)
    page.insert_text((72, 130), "Texto invisible", fontsize=11, render_mode=3)
    page.insert_text((72, 160), "Texto blanco", fontsize=11, color=(1, 1, 1))
    page.insert_text((72, 190), "Texto diminuto", fontsize=0.8)
    page.insert_text((900, 220), "Texto fuera", fontsize=11)
    page.draw_rect(pymupdf.Rect(60, 240, 300, 270), fill=(0, 0, 0.4))
    page.insert_text((72, 260), "Blanco sobre azul", fontsize=11, color=(1, 1, 1))
    document.save(tmp_path / "h.pdf")
    parsed = parse(tmp_path / "h.pdf")
    text = " ".join(block.text for block in parsed.blocks)
    assert "a la vista" in text
    assert "Blanco sobre azul" in text
    assert not any(word in text for word in ("invisible", "Texto blanco", "diminuto", "fuera"))
    assert "hidden_text" in {warning.code for warning in parsed.warnings}


def test_contents_table_is_not_read_as_headings(tmp_path: Path):
    names = ["Apertura de la tienda", "Cierre de la tienda", "Cobros con tarjeta", "Vales de compra"]
    contents = [(72, 60, "Índice", 14, BOLD)]
    contents += [(72, 100 + 16 * place, f"{name} {'.' * 60} {place + 2}", 10, BODY) for place, name in enumerate(names)]
    pages = [contents, *([(72, 60, name, 14, BOLD), *prose(LINES)] for name in names)]
    document = parse(write_pdf(tmp_path / "m.pdf", pages))
    assert headings(document) == [(1, "Índice"), *((1, name) for name in names)]
    assert [block.text for block in document.blocks if block.page == 1] == ["Índice"]
    assert document.title != "Índice"


def test_articles_that_open_in_their_paragraph_become_headings(tmp_path: Path):
    lines = [
        "TÍTULO I",
        "DE LA TIENDA",
        "Artículo 1.- La tienda abre a las nueve de la mañana y cierra a las nueve de la noche.",
        "Artículo 2.- El personal llega un cuarto de hora antes, según dice el artículo 1 de este texto.",
    ]
    texts = [(72, 100 + 30 * place, line, 10, BODY) for place, line in enumerate(lines)]
    document = parse(write_pdf(tmp_path / "m.pdf", [texts]))
    assert headings(document) == [(1, "TÍTULO I DE LA TIENDA"), (2, "Artículo 1.-"), (2, "Artículo 2.-")]
    assert containing(document, "cuarto de hora").kind is BlockKind.CLAUSE


def test_sentences_run_on_over_pages_and_keep_the_page_they_start_on(tmp_path: Path):
    first = [*LINES[:2], "motivo en el sistema antes de entregar el dinero al cliente que lo ha"]
    pages = [prose(first, y=700), prose(["pedido en la tienda.", "", "Otro párrafo distinto."], y=60)]
    document = parse(write_pdf(tmp_path / "m.pdf", pages))
    block = containing(document, "que lo ha pedido en la tienda")
    assert block.page == 1
    assert list(block.locator["more"]) == ["2"]


def test_pages_without_text_are_counted(tmp_path: Path):
    document = parse(write_pdf(tmp_path / "m.pdf", [prose(LINES), [], prose(LINES)]))
    assert document.pages_without_text == (2,)
    assert "pages_without_text" in {warning.code for warning in document.warnings}


def test_progress_counts_pages(tmp_path: Path):
    seen: list[tuple[int, int]] = []
    parse(
        write_pdf(tmp_path / "m.pdf", [prose(LINES), prose(LINES)]),
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen == [(1, 2), (2, 2)]


def test_unreadable_files_are_refused_with_their_reason(tmp_path: Path):
    secret = tmp_path / "secret.pdf"
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "hola")
    document.save(secret, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="clave", owner_pw="clave")
    with pytest.raises(EncryptedFile):
        parse(secret)
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.7\nnada que leer")
    with pytest.raises(DamagedFile):
        parse(tmp_path / "bad.pdf")
    (tmp_path / "void.pdf").write_bytes(b"")
    with pytest.raises(EmptyFile):
        parse(tmp_path / "void.pdf")
    with pytest.raises(NoText):
        parse(write_pdf(tmp_path / "blank.pdf", [[]]))
