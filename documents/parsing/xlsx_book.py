"""A workbook's parts as plain values: sheets, shared strings, formats and the cells people see."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from documents.parsing import number_formats
from documents.parsing.errors import DamagedFile, LimitExceeded
from documents.parsing.limits import ParseLimits
from documents.parsing.ooxml import Element, Package, local_name

_S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_R_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_REFERENCE = re.compile(r"^\$?([A-Z]{1,3})\$?(\d{1,7})$")
_MAX_MERGES = 20_000


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell shows. `is_text` is false for numbers, dates and yes-or-no values."""

    text: str
    is_text: bool = True
    is_bold: bool = False


@dataclass(frozen=True, slots=True)
class Merge:
    """A merged range, borders included, counted from 1."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(slots=True)
class Sheet:
    """The cells of a sheet by (row, column) from 1, hidden rows and columns apart."""

    name: str
    cells: dict[tuple[int, int], Cell] = field(default_factory=dict)
    merges: list[Merge] = field(default_factory=list)
    is_cut: bool = False
    has_empty_formulas: bool = False


@dataclass(frozen=True, slots=True)
class SheetEntry:
    name: str
    part: str
    is_hidden: bool


class Workbook:
    """An open workbook. Sheets are read one at a time, cells as a stream.

    Raises: DamagedFile, LimitExceeded.
    """

    def __init__(self, package: Package, limits: ParseLimits) -> None:
        self._package = package
        self._cells_left = limits.cells
        self._characters_left = limits.characters
        self._main = package.main_part("xl/workbook.xml")
        root = package.xml(self._main)
        properties = root.find(f"{_S}workbookPr")
        self._from_1904 = properties is not None and properties.get("date1904") in ("1", "true")
        self.sheets = list(self._entries(root))
        self._strings = self._shared_strings()
        self._formats, self._bold = self._styles()

    def _entries(self, root: Element) -> Iterator[SheetEntry]:
        links = self._package.relationships(self._main)
        for index, sheet in enumerate(root.iter(f"{_S}sheet"), start=1):
            link = links.get(sheet.get(_R_ID) or "")
            part = link.part if link is not None and link.part in self._package else f"xl/worksheets/sheet{index}.xml"
            if part in self._package and (link is None or link.kind == "worksheet"):
                yield SheetEntry(sheet.get("name") or "", part, sheet.get("state") in ("hidden", "veryHidden"))

    def _part(self, kind: str, fallback: str) -> str:
        found = self._package.related(self._main, kind)
        return found[0].part if found else fallback

    def _shared_strings(self) -> list[str]:
        part = self._part("sharedStrings", "xl/sharedStrings.xml")
        if part not in self._package:
            return []
        strings: list[str] = []
        for item in _stream(self._package, part, f"{_S}si"):
            strings.append(_string(item))
            item.clear()
        return strings

    def _styles(self) -> tuple[list[str], list[bool]]:
        """Format code and boldness of each cell format."""
        root = self._package.optional_xml(self._part("styles", "xl/styles.xml"))
        if root is None:
            return [], []
        codes = dict(number_formats.BUILT_IN)
        for stated in root.iter(f"{_S}numFmt"):
            if (stated.get("numFmtId") or "").isdecimal():
                codes[int(stated.get("numFmtId") or 0)] = stated.get("formatCode") or "General"
        fonts = root.find(f"{_S}fonts")
        bold_fonts = [_is_on(font.find(f"{_S}b")) for font in fonts] if fonts is not None else []
        formats, bold = [], []
        cell_formats = root.find(f"{_S}cellXfs")
        for entry in cell_formats if cell_formats is not None else ():
            number, font = entry.get("numFmtId") or "0", entry.get("fontId") or "0"
            formats.append(codes.get(int(number) if number.isdecimal() else 0, "General"))
            bold.append(font.isdecimal() and int(font) < len(bold_fonts) and bold_fonts[int(font)])
        return formats, bold

    def read(self, entry: SheetEntry) -> Sheet:
        """One sheet's visible cells, within what is left of the file's budget of cells and characters."""
        sheet = Sheet(entry.name)
        hidden_columns: set[int] = set()
        hidden_rows: set[int] = set()
        is_filtered = False
        row_number = 0
        tags = [f"{_S}{name}" for name in ("col", "row", "mergeCell", "autoFilter")]
        for element in _stream(self._package, entry.part, *tags):
            name = local_name(element)
            if name == "row":
                stated = element.get("r") or ""
                row_number = int(stated) if stated.isdecimal() else row_number + 1
                if _is_true(element.get("hidden")):
                    hidden_rows.add(row_number)
                if not sheet.is_cut:
                    self._read_row(element, row_number, sheet)
                element.clear()
            elif name == "col" and _is_true(element.get("hidden")):
                first, last = int(element.get("min") or 1), int(element.get("max") or 1)
                hidden_columns.update(range(first, min(last, first + 500) + 1))
            elif name == "mergeCell" and len(sheet.merges) < _MAX_MERGES:
                merge = _merge(element.get("ref") or "")
                if merge is not None:
                    sheet.merges.append(merge)
            elif name == "autoFilter":
                is_filtered = True
        if is_filtered:
            hidden_rows = set()  # a filter hides rows for a moment, not for good
        if hidden_rows or hidden_columns:
            sheet.cells = {
                place: cell
                for place, cell in sheet.cells.items()
                if place[0] not in hidden_rows and place[1] not in hidden_columns
            }
        return sheet

    def _read_row(self, row: Element, row_number: int, sheet: Sheet) -> None:
        column = 0
        for element in row:
            if local_name(element) != "c":
                continue
            found = _REFERENCE.match(element.get("r") or "")
            column = _column(found.group(1)) if found else column + 1
            cell = self._cell(element, sheet)
            if cell is None:
                continue
            self._cells_left -= 1
            self._characters_left -= len(cell.text)
            if self._characters_left < 0:
                raise LimitExceeded("more text than one file may have")
            if self._cells_left < 0:
                sheet.is_cut = True
                return
            sheet.cells[row_number, column] = cell

    def _cell(self, element: Element, sheet: Sheet) -> Cell | None:
        kind, value = element.get("t") or "n", element.findtext(f"{_S}v")
        style = element.get("s") or "0"
        index = int(style) if style.isdecimal() else 0
        bold = index < len(self._bold) and self._bold[index]
        if kind == "inlineStr":
            inline = element.find(f"{_S}is")
            return _shown(_string(inline) if inline is not None else "", bold)
        if value is None or value == "":
            if element.find(f"{_S}f") is not None and kind != "str":
                sheet.has_empty_formulas = True
            return None
        if kind == "s":
            place = int(value) if value.strip().isdecimal() else -1
            return _shown(self._strings[place] if 0 <= place < len(self._strings) else "", bold)
        if kind in ("str", "e", "d"):
            return _shown(value, bold)
        if kind == "b":
            return Cell("VERDADERO" if value.strip() in ("1", "true") else "FALSO", False, bold)
        try:
            number = float(value)
        except ValueError:  # not a number after all
            return _shown(value, bold)
        code = self._formats[index] if index < len(self._formats) else "General"
        return Cell(number_formats.show(number, code, from_1904=self._from_1904), False, bold)


def _shown(text: str, bold: bool) -> Cell | None:
    return Cell(text.strip(), True, bold) if text.strip() else None


def _stream(package: Package, part: str, *tags: str) -> Iterator[Element]:
    """Elements of a part as they end, without building the whole tree. Raises: DamagedFile, LimitExceeded."""
    data = io.BytesIO(package.xml_bytes(part))
    try:
        for _, element in etree.iterparse(
            data, events=("end",), tag=tags, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True
        ):
            yield element
            while element.getprevious() is not None and local_name(element) in ("row", "si"):
                del element.getparent()[0]
    except etree.XMLSyntaxError as error:
        raise DamagedFile(f"{part}: {error}") from error


def _string(item: Element) -> str:
    """Text of a string item: its own and that of its formatted runs, not its phonetic reading."""
    parts = []
    for child in item:
        name = local_name(child)
        if name == "t":
            parts.append(child.text or "")
        elif name == "r":
            parts.append(child.findtext(f"{_S}t") or "")
    return "".join(parts)


def _merge(reference: str) -> Merge | None:
    first, _, last = reference.partition(":")
    start, end = _REFERENCE.match(first), _REFERENCE.match(last or first)
    if start is None or end is None:
        return None
    return Merge(int(start.group(2)), _column(start.group(1)), int(end.group(2)), _column(end.group(1)))


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _is_on(element: Element | None) -> bool:
    return element is not None and element.get("val") not in ("0", "false")


def _is_true(value: str | None) -> bool:
    return value in ("1", "true")
