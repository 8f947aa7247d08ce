"""Office files as companies and attackers make them: odd content kept, containers refused by what they really hold."""

import resource
import zipfile
from pathlib import Path

import docx
import openpyxl
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from documents.cleaning import clean_file_name
from documents.parsing import ParseLimits, parse
from documents.parsing.errors import LimitExceeded, TooLarge, UnsupportedFormat
from documents.parsing.types import BlockKind
from tests.unit.parsing_files import replace_part

CONTROL = f"""<w:sdt {nsdecls("w")}><w:sdtPr><w:dropDownList><w:listItem w:displayText="Tarde" w:value="t"/>
<w:listItem w:displayText="Mañana" w:value="m"/></w:dropDownList></w:sdtPr><w:sdtContent>%s</w:sdtContent></w:sdt>"""
CHOSEN = "<w:p><w:r><w:t>Mañana</w:t></w:r></w:p>"
MEBIBYTE = 1024 * 1024


def rows_of(path: Path) -> list[tuple[str, ...]]:
    return [row for block in parse(path).blocks if block.kind is BlockKind.TABLE for row in block.rows or ()]


def save_table(path: Path, rows: list[list[str]]) -> docx.document.Document:
    document = docx.Document()
    table = document.add_table(len(rows), len(rows[0]))
    for row, cells in enumerate(rows):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    document.save(path)
    return document


def test_a_document_that_is_only_a_table_keeps_it(tmp_path: Path):
    save_table(tmp_path / "t.docx", [["Puesto", "Plus"], ["Caja", "Nocturno"]])
    assert rows_of(tmp_path / "t.docx") == [("Puesto", "Plus"), ("Caja", "Nocturno")]


@pytest.mark.parametrize("place", ["in the cell", "around the cell", "in the paragraph"])
def test_the_value_chosen_in_a_drop_down_list_is_the_cells(tmp_path: Path, place: str):
    document = save_table(tmp_path / "t.docx", [["Nombre", "Ana"], ["Turno", ""]])
    cell = document.tables[0].cell(1, 1)._tc
    if place == "around the cell":
        cell.getparent().replace(cell, parse_xml(CONTROL % f"<w:tc>{CHOSEN}</w:tc>"))
    elif place == "in the cell":
        cell.replace(cell.find("{*}p"), parse_xml(CONTROL % CHOSEN))
    else:
        cell.find("{*}p").append(parse_xml(CONTROL % "<w:r><w:t>Mañana</w:t></w:r>"))
    document.save(tmp_path / "t.docx")
    assert rows_of(tmp_path / "t.docx") == [("Nombre", "Ana"), ("Turno", "Mañana")]


def test_a_formula_shows_its_saved_value(tmp_path: Path):
    book = openpyxl.Workbook()
    for row in (["Puesto", "Personas"], ["Caja", 2], ["Almacén", 3], ["Total", "=SUM(B2:B3)"]):
        book.active.append(row)
    book.save(tmp_path / "b.xlsx")
    replace_part(
        tmp_path / "b.xlsx", "xl/worksheets/sheet1.xml", "<f>SUM(B2:B3)</f><v></v>", "<f>SUM(B2:B3)</f><v>5</v>"
    )
    assert rows_of(tmp_path / "b.xlsx")[-1] == ("Total", "5")


def test_a_spreadsheet_export_of_an_office_pc_is_read(tmp_path: Path):
    (tmp_path / "t.csv").write_bytes("Área;Teléfono\r\nAtención al niño;913 000 000\r\n".encode("cp1252"))
    assert rows_of(tmp_path / "t.csv") == [("Área", "Teléfono"), ("Atención al niño", "913 000 000")]


@pytest.mark.parametrize("name", ["t.txt", "t.csv", "t.html", "t.md"])
def test_control_characters_never_reach_the_text(tmp_path: Path, name: str):
    (tmp_path / name).write_bytes(b"<p>La ca\x00ja;abre</p>\nA las nueve\x0b;hoy\x1f")
    document = parse(tmp_path / name)
    said = document.title + "".join(block.text + str(block.rows) for block in document.blocks)
    assert "nueve" in said
    assert not [char for char in said if ord(char) < 32 and char not in "\n\t"]


@pytest.mark.parametrize("name", ["../fuera.txt", "..\\fuera.txt", "/etc/fuera.txt", "C:\\fuera.txt", "a/\nfuera.txt"])
def test_file_names_hold_no_folders_and_no_line_breaks(name: str):
    assert clean_file_name(name) == "fuera.txt"


def bomb(path: Path, megabytes: int) -> Path:
    """A Word file of a few hundred kilobytes whose text inflates to this many mebibytes."""
    docx.Document().save(path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    start, _, end = parts.pop("word/document.xml").partition(b"<w:sectPr")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
        with archive.open("word/document.xml", "w", force_zip64=True) as part:
            part.write(start + b"<w:p><w:r><w:t>")
            for _ in range(megabytes):
                part.write(b"a" * MEBIBYTE)
            part.write(b"</w:t></w:r></w:p><w:sectPr" + end)
    return path


def false_size(path: Path) -> Path:
    """Say in the directory of the container that the text is ten bytes long."""
    data = bytearray(path.read_bytes())
    entry = data.index(b"PK\x01\x02", data.rindex(b"word/document.xml") - 46)
    data[entry + 24 : entry + 28] = (10).to_bytes(4, "little")
    path.write_bytes(data)
    return path


def test_text_that_inflates_beyond_measure_costs_no_memory(tmp_path: Path):
    path = bomb(tmp_path / "b.docx", 500)
    assert path.stat().st_size < 5 * MEBIBYTE
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(LimitExceeded):
        parse(path)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    assert grown < 1.5 * ParseLimits().part_bytes


def test_a_false_size_gives_no_way_around_the_limit(tmp_path: Path):
    path = false_size(bomb(tmp_path / "b.docx", 3))
    with pytest.raises((LimitExceeded, UnsupportedFormat.__base__)):  # cut off at ten bytes, it is damaged
        parse(path, limits=ParseLimits(part_bytes=MEBIBYTE))


def test_a_container_of_too_many_entries_is_refused(tmp_path: Path):
    docx.Document().save(tmp_path / "m.docx")
    with zipfile.ZipFile(tmp_path / "m.docx", "a") as archive:
        for number in range(1500):
            archive.writestr(f"word/media/{number}.png", b"")
    with pytest.raises(TooLarge):
        parse(tmp_path / "m.docx")


def test_an_old_word_file_called_docx_is_told_for_what_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("PATH", str(tmp_path))  # no program to convert it
    path = tmp_path / "manual.docx"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 504 + "WordDocument".encode("utf-16-le"))
    with pytest.raises(UnsupportedFormat) as refused:
        parse(path)
    assert ".doc" in str(refused.value.user_message)
