"""How pages of the kinds that companies have are read: columns, tables, headings and contents of many looks."""

from pathlib import Path

import pymupdf
import pytest

from documents.parsing import parse
from documents.parsing.types import BlockKind, ParsedDocument
from tests.unit.parsing_files import BODY, BOLD, Text, prose, write_pdf

LINES = [
    "Quien devuelve un producto debe traer el ticket de compra y el producto en su",
    "embalaje original. La persona de caja comprueba que no falta nada y anota el",
    "motivo en el sistema antes de entregar el dinero al cliente de la tienda.",
]
BLUE = (0.1, 0.3, 0.7)


def headings(document: ParsedDocument) -> list[str]:
    return [block.text for block in document.blocks if block.kind is BlockKind.HEADING]


def text_of(document: ParsedDocument) -> str:
    return "\n".join(block.text for block in document.blocks)


def tables(document: ParsedDocument) -> list[list[tuple[str, ...]]]:
    return [list(block.rows or ()) for block in document.blocks if block.kind is BlockKind.TABLE]


def read(tmp_path: Path, *pages: list[Text]) -> ParsedDocument:
    return parse(write_pdf(tmp_path / "manual.pdf", pages))


def centred(words: str, y: float) -> Text:
    """Words in the middle of the column that LINES fill."""
    middle = 72 + max(pymupdf.get_text_length(line, fontsize=10) for line in LINES) / 2
    return (middle - pymupdf.get_text_length(words, fontsize=10) / 2, y, words, 10, BODY)


def grid(
    page: pymupdf.Page, rows: list[list[str]], *, x: float = 72, y: float = 100, width: float = 140, height: float = 22
) -> None:
    """Draw a table of boxes."""
    for index, row in enumerate(rows):
        for column, cell in enumerate(row):
            left, top = x + width * column, y + height * index
            box = pymupdf.Rect(left, top, left + width, top + height)
            page.draw_rect(box)
            page.insert_text((box.x0 + 4, box.y0 + 15), cell, fontsize=10)


def test_three_columns_are_read_one_after_the_other(tmp_path: Path):
    names = ("primera", "segunda", "tercera")
    page: list[Text] = [(72, 60, "Normas de la tienda para todo el personal nuevo", 16, BOLD)]
    for place, name in enumerate(names):
        page += prose([f"En la {name} parte va el {n}" for n in range(12)], x=50 + 175 * place)
    text = text_of(read(tmp_path, page))
    places = [text.index(f"la {name} parte va el {n}") for name in names for n in (0, 11)]
    assert places == sorted(places)


def test_letter_spaced_headings_are_whole_words(tmp_path: Path):
    page = [(72, 60, "D E V O L U C I O N E S", 16, BOLD), *prose(LINES)]
    assert headings(read(tmp_path, page)) == ["DEVOLUCIONES"]


def test_headings_told_by_colour_alone(tmp_path: Path):
    document = pymupdf.open()
    for topic in ("Apertura de caja", "Cierre de caja"):
        page = document.new_page(width=595, height=842)
        page.insert_text((72, 60), topic, fontsize=10, color=BLUE)
        for x, y, words, size, font in prose(LINES, y=84):
            page.insert_text((x, y), words, fontsize=size, fontname=font)
    document.save(tmp_path / "m.pdf")
    assert headings(parse(tmp_path / "m.pdf")) == ["Apertura de caja", "Cierre de caja"]


def test_coloured_words_in_a_paragraph_are_no_headings(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    for x, y, words, size, font in prose(LINES, y=84):
        page.insert_text((x, y), words, fontsize=size, fontname=font)
    page.insert_text((72, 123), "Más en https://tienda.ejemplo/devoluciones", fontsize=10, color=BLUE)
    document.save(tmp_path / "m.pdf")
    assert headings(parse(tmp_path / "m.pdf")) == []


def test_numbered_clauses_and_chapters_with_their_title_below(tmp_path: Path):
    page: list[Text] = [
        centred("CAPÍTULO II", 60),
        centred("De las devoluciones", 74),
        (72, 110, "3.2.1 Plazo de devolución", 10, BOLD),
        *prose(LINES, y=130),
        (72, 200, "Artículo 5 bis. Plazo en rebajas", 10, BOLD),
        *prose(LINES, y=220),
    ]
    assert headings(read(tmp_path, page)) == [
        "CAPÍTULO II De las devoluciones",
        "3.2.1 Plazo de devolución",
        "Artículo 5 bis. Plazo en rebajas",
    ]


@pytest.mark.parametrize("number", ["1ª", "2.ª", "3", "IV", "PRIMERA"])
def test_sections_are_counted_in_many_ways(tmp_path: Path, number: str):
    page: list[Text] = [
        *prose(LINES, y=60),
        centred(f"Sección {number}", 120),
        centred("De su funcionamiento", 134),
        *prose(LINES, y=160),
    ]
    assert headings(read(tmp_path, page)) == [f"Sección {number} De su funcionamiento"]


def test_footnotes_do_not_cut_the_sentence_that_runs_over_the_page(tmp_path: Path):
    first: list[Text] = [
        *prose(LINES, y=600),
        *prose(["Si el cliente no trae el ticket de compra, la persona de caja llama siempre a la"], y=660),
        (72, 760, "1 Según la norma interna de mayo sobre cambios.", 7, BODY),
    ]
    second = prose(["persona encargada de la tienda.", "", *LINES], y=60)
    text = text_of(read(tmp_path, first, second))
    assert "llama siempre a la persona encargada" in text
    assert text.count("norma interna de mayo") == 1


def test_a_page_turned_by_its_file_is_read_like_others(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_text((72, 60), "Plano de la tienda", fontsize=16, fontname=BOLD)
    for x, y, words, size, font in prose(LINES):
        page.insert_text((x, y), words, fontsize=size, fontname=font)
    page.set_rotation(90)
    document.save(tmp_path / "m.pdf")
    parsed = parse(tmp_path / "m.pdf")
    assert headings(parsed) == ["Plano de la tienda"]
    assert "anota el motivo" in text_of(parsed)


def test_text_written_upwards_is_read_in_order(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    for index, line in enumerate(LINES):
        page.insert_text((100 + 14 * index, 700), line, fontsize=10, rotate=90)
    document.save(tmp_path / "m.pdf")
    assert "en su embalaje original" in text_of(parse(tmp_path / "m.pdf"))


@pytest.mark.parametrize("repeated", [True, False])
def test_a_table_over_a_page_break_keeps_its_header(tmp_path: Path, repeated: bool):
    header = ["Puesto", "Plus", "Importe"]
    document = pymupdf.open()
    grid(
        document.new_page(width=595, height=842),
        [header, *([f"Puesto {n}", "Nocturno", f"{n}0 EUR"] for n in range(6))],
        y=600,
    )
    grid(
        document.new_page(width=595, height=842),
        [*([header] if repeated else []), *([f"Puesto {n}", "Festivo", f"{n}0 EUR"] for n in range(6, 12))],
        y=60,
    )
    document.save(tmp_path / "m.pdf")
    found = tables(parse(tmp_path / "m.pdf"))
    assert [table[0] for table in found] == [tuple(header)] * len(found)
    rows = [row for table in found for row in table[1:]]
    assert [row[0] for row in rows] == [f"Puesto {n}" for n in range(12)]


def test_rows_without_lines_are_a_table_by_their_columns(tmp_path: Path):
    rows = [["Puesto", "Plus", "Importe"], ["Caja", "Nocturno", "120 EUR"], ["Almacén", "Festivo", "80 EUR"]]
    rows += [["Reparto", "Nocturno", "95 EUR"]]
    page = [*prose(LINES, y=60)]
    for index, row in enumerate(rows):
        page += [(72 + 150 * column, 150 + 16 * index, cell, 10, BODY) for column, cell in enumerate(row)]
    assert tables(read(tmp_path, page)) == [[tuple(row) for row in rows]]


def test_merged_cells_stand_in_each_row_they_cover(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.draw_rect(pymupdf.Rect(72, 100, 212, 166))
    page.insert_text((76, 138), "Caja", fontsize=10)
    grid(page, [["Nocturno", "120 EUR"], ["Festivo", "80 EUR"], ["Domingo", "60 EUR"]], x=212)
    document.save(tmp_path / "m.pdf")
    assert tables(parse(tmp_path / "m.pdf")) == [
        [("Caja", "Nocturno", "120 EUR"), ("Caja", "Festivo", "80 EUR"), ("Caja", "Domingo", "60 EUR")]
    ]


def test_bullets_of_symbol_fonts_open_list_items(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_text((72, 80), "Para abrir la tienda hace falta:", fontsize=10)
    for index, item in enumerate(("Encender las luces", "Contar el cambio", "Abrir la puerta")):
        page.insert_text((80, 100 + 14 * index), "\xb7", fontsize=10, fontname="symb")
        page.insert_text((96, 100 + 14 * index), item, fontsize=10)
    document.save(tmp_path / "m.pdf")
    items = [block.text for block in parse(tmp_path / "m.pdf").blocks if block.kind is BlockKind.LIST_ITEM]
    assert len(items) == 3
    assert items[0].endswith("Encender las luces")


def test_the_title_of_contents_without_numbers_stays_and_its_list_goes(tmp_path: Path):
    names = ["Apertura de la tienda", "Cierre de la tienda", "Cobros con tarjeta", "Vales de compra"]
    contents = [(72, 60, "Contenido", 14, BOLD), *prose(names)]
    pages = [contents, *([(72, 60, name, 14, BOLD), *prose(LINES)] for name in names)]
    document = read(tmp_path, *pages)
    assert headings(document) == ["Contenido", *names]
    assert [block.kind for block in document.blocks if block.page == 1] == [BlockKind.HEADING]
    assert all(block.heading_path[0] != "Contenido" for block in document.blocks if block.page != 1)


def test_rows_on_white_beside_shaded_ones_are_rows_of_the_table(tmp_path: Path):
    rows = [["Campo", "Descripción"], ["Field", "Columna de un archivo"], ["Theme", "Temática de un conjunto"]]
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    for index, row in enumerate(rows):
        for column, cell in enumerate(row):
            box = pymupdf.Rect(72 + 90 * column, 100 + 20 * index, 162 + 200 * column, 120 + 20 * index)
            page.draw_rect(box, color=None, fill=(1, 1, 1) if index == 2 else (0.8, 0.9, 0.8))
            page.insert_text((box.x0 + 3, box.y0 + 13), cell, fontsize=8)
    word = pymupdf.Rect(200, 123, 240, 136)
    page.draw_rect(word, color=None, fill=(0.9, 0.9, 0.9))  # the ground of a single word
    page.insert_text((166, 133), "Columna de un archivo", fontsize=8)
    document.save(tmp_path / "m.pdf")
    assert [[cell[:5] for cell in row] for row in tables(parse(tmp_path / "m.pdf"))[0]] == [
        [cell[:5] for cell in row] for row in rows
    ]


def test_the_title_in_a_forms_box_is_a_heading(tmp_path: Path):
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    for x, y, words, size, font in prose(LINES, y=60):
        page.insert_text((x, y), words, fontsize=size, fontname=font)
    page.draw_rect(pymupdf.Rect(72, 120, 492, 142), fill=(0.8, 0.8, 0.8))
    page.insert_text((76, 135), "Sección 1. Datos del empleado", fontsize=10, fontname=BOLD)
    page.insert_text((240, 135), "(los rellena la tienda)", fontsize=10)
    grid(page, [["Nombre", "Apellidos", "Teléfono"], ["Calle", "Número", "Ciudad"]], y=142)
    document.save(tmp_path / "m.pdf")
    parsed = parse(tmp_path / "m.pdf")
    assert headings(parsed) == ["Sección 1. Datos del empleado"]
    assert tables(parsed) == [[("Nombre", "Apellidos", "Teléfono"), ("Calle", "Número", "Ciudad")]]


def test_a_title_printed_on_every_page_stays_once(tmp_path: Path):
    pages = [
        [(180, 40, "Solicitud de vacaciones", 12, BOLD), *prose([f"{line} ({word})" for line in LINES])]
        for word in ("uno", "dos", "tres")
    ]
    document = read(tmp_path, *pages)
    assert headings(document) == ["Solicitud de vacaciones"]
    assert document.blocks[0].page == 1


@pytest.mark.parametrize("place", ["under the line", "at the right", "last"])
def test_who_signs_is_no_heading(tmp_path: Path, place: str):
    end: dict[str, list[Text]] = {
        "under the line": [
            (220, 300, "_" * 24, 10, BODY),
            (260, 314, "RECTOR(A)", 10, BOLD),
            (240, 327, "Escuela de hostelería", 9, BODY),
        ],
        "at the right": [(420, 300, "LA DIRECCIÓN", 10, BODY), *prose(LINES, y=340)],
        "last": [(72, 300, "LA GERENTE DE LA TIENDA", 10, BOLD)],
    }
    page = [(72, 60, "Reglamento", 16, BOLD), *prose(LINES), *end[place]]
    assert headings(read(tmp_path, page)) == ["Reglamento"]


def test_codes_are_no_headings(tmp_path: Path):
    page: list[Text] = [(72, 60, "Códigos postales", 16, BOLD), *prose(LINES)]
    page += [(72, 200, "C1426BMD", 10, BODY), *prose(LINES, y=240)]
    assert headings(read(tmp_path, page)) == ["Códigos postales"]


def test_running_headers_of_chapters_with_page_numbers_go(tmp_path: Path):
    chapters = ["La caja", "La caja", "La caja", "El almacén", "El almacén", "El almacén"]
    pages = [
        [
            (72, 36, f"{chapter} · {number}", 8, BODY),
            *([(72, 80, chapter, 18, BOLD)] if number in (1, 4) else []),
            *prose([f"{line} {word}" for line in LINES], y=110),
        ]
        for number, (chapter, word) in enumerate(zip(chapters, "abcdef", strict=True), start=1)
    ]
    document = read(tmp_path, *pages)
    assert headings(document) == ["La caja", "El almacén"]
    assert "·" not in text_of(document)


def test_a_numbered_sentence_is_no_heading(tmp_path: Path):
    page: list[Text] = [
        (72, 60, "5. Reclamaciones de clientes", 14, BOLD),
        *prose([f"5.1 {LINES[0]}", *LINES[1:], *LINES], y=90),
        *prose(["5.2 El comercial no promete al cliente abonos ni plazos sin Calidad."], y=180),
        *prose([f"5.3 {LINES[0]}", *LINES[1:], *LINES], y=205),
        *prose(["5.4 Se avisa a Calidad."], y=295),
        (72, 330, "6. Compras", 14, BOLD),
        *prose(["6.1 Pedidos urgentes"], y=360),
        *prose([*LINES, *LINES], y=385),
    ]
    assert headings(read(tmp_path, page)) == ["5. Reclamaciones de clientes", "6. Compras", "6.1 Pedidos urgentes"]


@pytest.mark.parametrize(
    "below",
    [
        [f"{number}. {' '.join(words.split()[:-1])}" for number, words in enumerate(LINES, 1)],
        ["30 días naturales desde la compra tiene quien devuelve un producto sin usar", *LINES],
        ["2 personas abren la tienda cada mañana y una de ellas cuenta el dinero que", *LINES],
    ],
    ids=["list", "days", "people"],
)
def test_a_number_that_opens_the_text_below_leaves_a_heading_what_it_is(tmp_path: Path, below: list[str]):
    page: list[Text] = [(72, 60, "1. Devoluciones", 14, BOLD)]
    for place, name in enumerate(("1.1 Plazo de devolución.", "1.2 Pasos para abrir.", "1.3 Pasos para cerrar.")):
        page += [*prose([name], y=90 + 100 * place), *prose(below, y=115 + 100 * place)]
    assert headings(read(tmp_path, page)) == [
        "1. Devoluciones", "1.1 Plazo de devolución.", "1.2 Pasos para abrir.", "1.3 Pasos para cerrar.",
    ]  # fmt: skip


def test_numbered_sentences_of_two_depths_are_no_headings(tmp_path: Path):
    rows = [
        "1.1.1 Se avisa a Calidad.",
        "1.1.2 Se apunta el lote.",
        "1.2 Se guarda la muestra.",
        "1.3 Se firma la hoja.",
    ]
    page: list[Text] = [(72, 60, "1. Reclamaciones", 14, BOLD), *prose([*LINES, *LINES], y=90)]
    for place, row in enumerate(rows):
        page += prose([row], y=185 + 25 * place)
    page += [*prose(["2. Compras"], y=290), *prose([*LINES, *LINES], y=315)]
    assert headings(read(tmp_path, page)) == ["1. Reclamaciones", "2. Compras"]


STEPS = [
    (72, "1 Comprobar que la presión de aire está entre las dos marcas del reloj que hay"),
    (86, "junto a la puerta."),
    (72, "2 Mirar el nivel de aceite de la bomba pequeña y el de la grande."),
    (72, "3 Encender el control y buscar referencias en los tres ejes de la máquina que"),
    (86, "se va a usar."),
    (72, "4 Anotar la hora y las iniciales de quien arranca en la hoja de la máquina M-01."),
]


def test_numbers_that_no_stop_follows_open_list_items_where_they_count_on(tmp_path: Path):
    page: list[Text] = [
        *prose(["Al empezar el turno, el operario sigue este orden:"], y=60),
        *((x, 90 + 13 * row, words, 10, BODY) for row, (x, words) in enumerate(STEPS)),
        *prose(LINES, y=90 + 13 * len(STEPS) + 4),
    ]
    blocks = read(tmp_path, page).blocks
    assert [block.text for block in blocks if block.kind is BlockKind.LIST_ITEM] == [
        f"1. {STEPS[0][1][2:]} {STEPS[1][1]}",
        f"2. {STEPS[2][1][2:]}",
        f"3. {STEPS[3][1][2:]} {STEPS[4][1]}",
        f"4. {STEPS[5][1][2:]}",
    ]
    assert blocks[-1].text == " ".join(LINES)


def test_a_number_alone_opens_no_list_item(tmp_path: Path):
    lines = ["1 Kilo de harina se guarda siempre en la despensa.", "2 Personas reciben el pedido."]
    blocks = read(tmp_path, prose([*lines, *LINES])).blocks
    assert not [block for block in blocks if block.kind is BlockKind.LIST_ITEM]


def test_the_paragraph_behind_a_list_is_not_its_last_item(tmp_path: Path):
    steps = [(x, words.replace(" ", ") ", 1) if x == 72 else words) for x, words in STEPS]
    page: list[Text] = [
        *((x, 90 + 13 * row, words, 10, BODY) for row, (x, words) in enumerate(steps)),
        *prose(LINES, y=90 + 13 * len(STEPS)),
    ]
    assert read(tmp_path, page).blocks[-1].text == " ".join(LINES)
