"""Word, PowerPoint and Excel files: structure kept, hostile containers refused."""

import zipfile
from datetime import date
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from openpyxl.styles import Font
from pptx.util import Inches

from documents.parsing import ParseLimits, parse
from documents.parsing.errors import DamagedFile, LimitExceeded, NoText
from documents.parsing.types import BlockKind
from tests.unit.parsing_files import replace_part

HEADING, TABLE, LIST_ITEM = BlockKind.HEADING, BlockKind.TABLE, BlockKind.LIST_ITEM


def test_word_headings_lists_and_tables_stand_in_body_order(tmp_path: Path):
    document = docx.Document()
    document.add_heading("Manual de caja", 1)
    document.add_heading("Apertura", 2)
    document.add_paragraph("Cuenta el cambio.", style="List Number")
    document.add_paragraph("Abre la sesión.", style="List Number")
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip(
        (c for row in table.rows for c in row.cells), ("Billete", "Cantidad", "5 €", "10"), strict=True
    ):
        cell.text = text
    document.add_paragraph("Fin del turno.")
    document.save(tmp_path / "m.docx")
    blocks = parse(tmp_path / "m.docx").blocks
    assert [(block.kind, block.text) for block in blocks] == [
        (HEADING, "Manual de caja"),
        (HEADING, "Apertura"),
        (LIST_ITEM, "1. Cuenta el cambio."),
        (LIST_ITEM, "2. Abre la sesión."),
        (TABLE, "Billete | Cantidad\n5 € | 10"),
        (BlockKind.PARAGRAPH, "Fin del turno."),
    ]
    assert blocks[4].heading_path == ("Manual de caja", "Apertura")
    assert blocks[4].locator == {"section": "Apertura"}


def test_bold_short_lines_are_headings_where_no_style_is(tmp_path: Path):
    document = docx.Document()
    for title in ("Limpieza diaria", "Limpieza semanal"):
        document.add_paragraph().add_run(title).bold = True
        document.add_paragraph("Se limpian las superficies con el producto indicado en la etiqueta.")
    document.save(tmp_path / "m.docx")
    blocks = parse(tmp_path / "m.docx").blocks
    assert [block.text for block in blocks if block.kind is HEADING] == ["Limpieza diaria", "Limpieza semanal"]


def test_tracked_insertions_stay_and_deletions_go(tmp_path: Path):
    document = docx.Document()
    paragraph = document.add_paragraph("El plazo es de ")
    ns = nsdecls("w")
    paragraph._p.append(parse_xml(f'<w:del {ns} w:id="1"><w:r><w:delText>15</w:delText></w:r></w:del>'))
    paragraph._p.append(parse_xml(f'<w:ins {ns} w:id="2"><w:r><w:t>30</w:t></w:r></w:ins>'))
    document.save(tmp_path / "m.docx")
    assert parse(tmp_path / "m.docx").blocks[0].text == "El plazo es de 30"


def test_merged_word_cells_repeat_downwards_and_stand_once_across(tmp_path: Path):
    document = docx.Document()
    table = document.add_table(rows=3, cols=3)
    for row in range(3):
        for column in range(3):
            table.cell(row, column).text = f"{row}{column}"
    table.cell(1, 0).merge(table.cell(2, 0)).text = "turno"
    table.cell(0, 1).merge(table.cell(0, 2)).text = "horas"
    document.save(tmp_path / "m.docx")
    rows = parse(tmp_path / "m.docx").blocks[0].rows
    assert rows == (("00", "horas", ""), ("turno", "11", "12"), ("turno", "21", "22"))


def test_strict_documents_are_read_like_others(tmp_path: Path):
    document = docx.Document()
    document.add_heading("Norma", 1)
    document.save(tmp_path / "m.docx")
    main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    replace_part(tmp_path / "m.docx", "word/document.xml", main, "http://purl.oclc.org/ooxml/wordprocessingml/main")
    assert parse(tmp_path / "m.docx").blocks[0].text == "Norma"


def test_entities_are_refused_without_being_opened(tmp_path: Path):
    document = docx.Document()
    document.add_paragraph("hola")
    document.save(tmp_path / "m.docx")
    bomb = '<!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/hostname">]><w:document '
    replace_part(tmp_path / "m.docx", "word/document.xml", "<w:document ", bomb)
    with pytest.raises(DamagedFile):
        parse(tmp_path / "m.docx")


def test_inflated_size_is_counted_as_it_really_is(tmp_path: Path):
    document = docx.Document()
    document.add_paragraph("hola")
    document.save(tmp_path / "m.docx")
    replace_part(tmp_path / "m.docx", "word/document.xml", "hola", "a" * 3_000_000)
    assert (tmp_path / "m.docx").stat().st_size < 100_000
    with pytest.raises(LimitExceeded):
        parse(tmp_path / "m.docx", limits=ParseLimits(part_bytes=1_000_000))


def test_truncated_containers_are_damaged_and_empty_documents_have_no_text(tmp_path: Path):
    docx.Document().save(tmp_path / "empty.docx")
    with pytest.raises(NoText):
        parse(tmp_path / "empty.docx")
    (tmp_path / "cut.docx").write_bytes((tmp_path / "empty.docx").read_bytes()[:5000])
    with pytest.raises(DamagedFile):
        parse(tmp_path / "cut.docx")


def test_a_slide_is_a_section_and_repeated_text_is_dropped(tmp_path: Path):
    deck = pptx.Presentation()
    for name in ("Uniforme", "Horario", "Vacaciones"):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = f"  {name}  "
        slide.placeholders[1].text = f"Primera regla de {name}\nSegunda regla"
        slide.shapes.add_textbox(0, 0, Inches(3), Inches(1)).text_frame.text = "Academia Ejemplo"
    deck.save(tmp_path / "d.pptx")
    blocks = parse(tmp_path / "d.pptx").blocks
    assert [block.text for block in blocks if block.kind is HEADING] == ["Uniforme", "Horario", "Vacaciones"]
    assert all("Academia" not in block.text for block in blocks)
    second = next(block for block in blocks if "regla de Horario" in block.text)
    assert (second.kind, second.locator, second.heading_path) == (LIST_ITEM, {"slide": 2}, ("Horario",))
    assert parse(tmp_path / "d.pptx").part_count == 3


def test_workbooks_show_the_values_people_see(tmp_path: Path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Precios"
    sheet.append(["Artículo", "Precio", "IVA", "Desde"])
    sheet.append(["Casco", 1234.5, 0.21, date(2024, 3, 9)])
    sheet["B2"].number_format, sheet["C2"].number_format, sheet["D2"].number_format = "#,##0.00 €", "0%", "dd/mm/yyyy"
    hidden = book.create_sheet("Secreta")
    hidden.append(["no", "ver"])
    hidden.sheet_state = "hidden"
    book.save(tmp_path / "p.xlsx")
    document = parse(tmp_path / "p.xlsx")
    assert document.blocks[0].text == "Precios"
    assert document.blocks[1].rows == (
        ("Artículo", "Precio", "IVA", "Desde"),
        ("Casco", "1.234,50 €", "21%", "09/03/2024"),
    )
    assert document.blocks[1].locator == {"sheet": "Precios", "rows": [1, 2]}
    assert [warning.code for warning in document.warnings] == ["hidden_sheets"]
    assert (document.page_count, document.part_count) == (0, 1)


def test_tables_of_a_sheet_are_told_apart_and_wide_titles_stand_once(tmp_path: Path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet["A1"] = "Turnos de tienda"
    sheet.merge_cells("A1:C1")
    for row in (["Nombre", "Turno", "Horas"], ["Ana", "mañana", 8], ["Luis", "tarde", 6]):
        sheet.append(row)
    sheet["A7"], sheet["B7"] = "Código", "Motivo"
    sheet["A7"].font = sheet["B7"].font = Font(bold=True)
    sheet["A8"], sheet["B8"] = "E-1", "Sin papel"
    book.save(tmp_path / "t.xlsx")
    blocks = parse(tmp_path / "t.xlsx").blocks
    assert sum("Turnos de tienda" in block.text for block in blocks) == 1
    tables = [block.rows for block in blocks if block.kind is TABLE]
    assert tables == [
        (("Nombre", "Turno", "Horas"), ("Ana", "mañana", "8"), ("Luis", "tarde", "6")),
        (("Código", "Motivo"), ("E-1", "Sin papel")),
    ]


def test_a_sheet_that_claims_to_be_huge_costs_what_it_holds(tmp_path: Path):
    book = openpyxl.Workbook()
    book.active.append(["a", "b"])
    book.active["XFD1048576"] = "lejos"
    book.save(tmp_path / "big.xlsx")
    merges = '</sheetData><mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>'
    replace_part(tmp_path / "big.xlsx", "xl/worksheets/sheet1.xml", "</sheetData>", merges)
    assert any("lejos" in block.text for block in parse(tmp_path / "big.xlsx").blocks)


def test_zip_files_that_are_no_documents_are_refused(tmp_path: Path):
    with zipfile.ZipFile(tmp_path / "x.docx", "w") as archive:
        archive.writestr("hola.txt", "hola")
    with pytest.raises(Exception, match="no Office document"):
        parse(tmp_path / "x.docx")


def levels(path: Path) -> list[tuple[int | None, str]]:
    return [(block.level, block.text) for block in parse(path).blocks if block.kind is LIST_ITEM]


def test_the_level_of_a_word_list_is_that_of_its_style(tmp_path: Path):
    document = docx.Document()
    for text, style in (
        ("Seguro médico", "List Bullet"),
        ("Ayuda para estudios:", "List Bullet"),
        ("Por la formación:", "List Bullet 2"),
        ("hasta 600 euros", "List Bullet 3"),
        ("Por hijo", "List Bullet 2"),
        ("Comedor", "List Bullet"),
    ):
        document.add_paragraph(text, style=style)
    document.add_paragraph("Pasos:")
    document.add_paragraph("Se pide.", style="List Number 2")
    document.save(tmp_path / "m.docx")
    assert levels(tmp_path / "m.docx") == [
        (1, "• Seguro médico"),
        (1, "• Ayuda para estudios:"),
        (2, "• Por la formación:"),
        (3, "• hasta 600 euros"),
        (2, "• Por hijo"),
        (1, "• Comedor"),
        (2, "1. Se pide."),
    ]


@pytest.mark.parametrize("number", ["²", "--5", "9" * 5000, "-"])
@pytest.mark.parametrize("name", ["left", "ilvl", "outlineLvl", "start", "gridSpan"])
def test_what_is_no_number_in_a_word_file_costs_only_itself(tmp_path: Path, name: str, number: str):
    properties = {
        "left": f'<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:ind w:left="{number}"/>',
        "ilvl": f'<w:numPr><w:ilvl w:val="{number}"/><w:numId w:val="1"/></w:numPr>',
        "outlineLvl": f'<w:outlineLvl w:val="{number}"/>',
    }
    document = docx.Document()
    document.add_paragraph("Se abre la caja.")._p.insert(
        0, parse_xml(f"<w:pPr {nsdecls('w')}>{properties.get(name, '')}</w:pPr>")
    )
    level = document.part.numbering_part.element.find(f".//{qn('w:start')}")
    if name == "start":
        level.set(qn("w:val"), number)
    cell = document.add_table(rows=1, cols=2).rows[0].cells[0]
    cell.text = "Turno"
    if name == "gridSpan":
        cell._tc.get_or_add_tcPr().append(parse_xml(f'<w:gridSpan {nsdecls("w")} w:val="{number}"/>'))
    document.save(tmp_path / "m.docx")
    assert any("Se abre la caja." in block.text for block in parse(tmp_path / "m.docx").blocks)


def test_the_levels_of_a_word_list_have_an_end(tmp_path: Path):
    document = docx.Document()
    for depth in range(20):
        paragraph = document.add_paragraph(f"Paso {depth}.", style="List Bullet")
        paragraph.paragraph_format.left_indent = Inches(0.25 * (depth + 1))
    document.save(tmp_path / "m.docx")
    assert [level for level, _text in levels(tmp_path / "m.docx")] == [*range(1, 10), *[9] * 11]


def test_a_word_list_further_in_is_inside_the_item_above(tmp_path: Path):
    document = docx.Document()
    for text, style, inches in (
        ("Se abre la caja.", "List Number", 0.25),
        ("Se cuenta:", "List Number", 0.25),
        ("los billetes", "List Bullet", 0.75),
        ("las monedas", "List Bullet", 0.76),
        ("Se firma.", "List Number", 0.25),
    ):
        paragraph = document.add_paragraph(text, style=style)
        paragraph.paragraph_format.left_indent = Inches(inches)
        document.add_paragraph()
    document.add_paragraph("Aparte:")
    document.add_paragraph("Una cosa.", style="List Bullet").paragraph_format.left_indent = Inches(2)
    document.save(tmp_path / "m.docx")
    assert levels(tmp_path / "m.docx") == [
        (1, "1. Se abre la caja."),
        (1, "2. Se cuenta:"),
        (2, "• los billetes"),
        (2, "• las monedas"),
        (1, "3. Se firma."),
        (1, "• Una cosa."),
    ]
