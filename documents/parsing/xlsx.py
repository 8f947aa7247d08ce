"""Excel workbooks: a section a sheet, each sheet's tables told apart by the empty rows and columns between them."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from documents.cleaning import clean_line
from documents.parsing import media_types, notices
from documents.parsing.assembly import BlockWriter
from documents.parsing.errors import DamagedFile
from documents.parsing.limits import ParseLimits
from documents.parsing.ooxml import Package
from documents.parsing.types import BlockKind, ParsedDocument, ParseWarning
from documents.parsing.xlsx_book import Cell, Merge, Sheet, Workbook

_LONGEST_TITLE = 120
_MAX_SPLITS = 40
_EMPTY = Cell("")

_Row = list[Cell]


@dataclass(frozen=True, slots=True)
class _Region:
    """A rectangle of a sheet, borders included."""

    rows: tuple[int, ...]  # rows with something in them, in order
    columns: tuple[int, ...]


def parse_xlsx(path: Path, limits: ParseLimits) -> ParsedDocument:
    """Blocks of a workbook. `locator` is {"sheet": name, "rows": [first, last]}; hidden sheets are left out."""
    writer = BlockWriter()
    warnings: list[ParseWarning] = []
    with Package(path, limits) as package:
        book = Workbook(package, limits)
        if not book.sheets:
            raise DamagedFile("no sheets")
        hidden = [entry.name for entry in book.sheets if entry.is_hidden]
        if hidden:
            warnings.append(notices.warning("hidden_sheets", names=", ".join(hidden)))
        broken = read_count = 0
        empty_formulas = False
        for entry in book.sheets:
            if entry.is_hidden:
                continue
            try:
                sheet = book.read(entry)
            except DamagedFile:
                broken += 1
                warnings.append(notices.warning("part_damaged", name=entry.name))
                continue
            read_count += 1
            empty_formulas = empty_formulas or sheet.has_empty_formulas
            if sheet.is_cut:
                warnings.append(notices.warning("rows_cut", name=sheet.name))
            if sheet.cells:
                _SheetWriter(sheet, writer).write()
        if broken == len(book.sheets) - len(hidden) and broken:
            raise DamagedFile("no sheet can be read")
    if empty_formulas:
        warnings.append(notices.warning("formulas_without_value"))
    return ParsedDocument(media_types.XLSX, tuple(writer.blocks), part_count=read_count, warnings=tuple(warnings))


class _SheetWriter:
    def __init__(self, sheet: Sheet, writer: BlockWriter) -> None:
        self._sheet = sheet
        self._writer = writer
        self._cells = dict(sheet.cells)
        self._wide: dict[int, Merge] = {}  # rows that are one merged cell
        self._heads: set[int] = set()  # rows with cells merged across, over the header proper
        self._fill_merges()

    def write(self) -> None:
        self._writer.heading(self._sheet.name, 1, locator={"sheet": self._sheet.name})
        rows = tuple(sorted({row for row, _ in self._cells}))
        columns = tuple(sorted({column for _, column in self._cells}))
        previous: tuple[tuple[int, ...], list[_Row]] | None = None
        for region in self._split(_Region(rows, columns), 0):
            previous = self._write_region(region, previous)

    def _fill_merges(self) -> None:
        """Text of a merged range in each of its rows; across, only in header cells over other headers.

        Only rows that hold something count: a range may claim the whole sheet.
        """
        columns_of: defaultdict[int, set[int]] = defaultdict(set)
        for row, column in self._cells:
            columns_of[row].add(column)
        rows = sorted(columns_of)
        last_column = max(column for _, column in self._cells)
        for merge in self._sheet.merges:
            cell = self._cells.get((merge.top, merge.left))
            if cell is None:
                continue
            right = min(merge.right, last_column)
            inside = rows[bisect_left(rows, merge.top) : bisect_right(rows, merge.bottom)]
            for row in inside[1:]:
                self._cells.setdefault((row, merge.left), cell)
            if right > merge.left and merge.top == merge.bottom and _heads_columns(merge, right, columns_of):
                self._heads.add(merge.top)
                for column in range(merge.left + 1, right + 1):
                    self._cells.setdefault((merge.top, column), cell)
            elif merge.right > merge.left:
                for row in inside:
                    self._wide[row] = merge

    def _split(self, region: _Region, depth: int) -> Iterator[_Region]:
        """The region cut at empty rows, the pieces at empty columns, and so on."""
        bands = _stretches(region.rows)
        if len(bands) > 1 and depth < _MAX_SPLITS:
            for band in bands:
                columns = tuple(c for c in region.columns if any((row, c) in self._cells for row in band))
                yield from self._split(_Region(band, columns), depth + 1)
            return
        stretches = _stretches(region.columns)
        if len(stretches) > 1 and depth < _MAX_SPLITS and self._stand_apart(region, stretches):
            for stretch in stretches:
                rows = tuple(row for row in region.rows if any((row, c) in self._cells for c in stretch))
                yield from self._split(_Region(rows, stretch), depth + 1)
            return
        yield region

    def _stand_apart(self, region: _Region, stretches: Sequence[tuple[int, ...]]) -> bool:
        """Whether parts side by side are tables of their own: two of them have several rows and columns."""
        full = sum(len(stretch) >= 2 for stretch in stretches)
        return full >= 2 and len(region.rows) >= 2

    def _write_region(
        self, region: _Region, previous: tuple[tuple[int, ...], list[_Row]] | None
    ) -> tuple[tuple[int, ...], list[_Row]] | None:
        """Write one region; returns its columns and header for a region below that goes on without one."""
        lines = [(row, [self._cells.get((row, column), _EMPTY) for column in region.columns]) for row in region.rows]
        header: list[_Row] = []
        if previous is not None and previous[0] == region.columns and not _is_header(lines, 0):
            header = previous[1]
        body: list[tuple[int, _Row]] = []
        for index, (row, cells) in enumerate(lines):
            if self._is_title(row, cells, region, lines, index):
                self._write_table(header, body)
                body = []
                self._write_title(row, cells)
                if index + 1 < len(lines) and _is_header(lines, index + 1):
                    header = []
                continue
            if not header and not body:
                size = self._header_size(lines, index)
                header = [cells for _, cells in lines[index : index + size]]
                if size and len(region.columns) > 1:
                    body = list(lines[index : index + size])
                    continue
                header = []
            if body and (row, cells) in body:
                continue
            body.append((row, cells))
        self._write_table(header, body)
        return (region.columns, header) if header else previous

    def _is_title(self, row: int, cells: _Row, region: _Region, lines: list[tuple[int, _Row]], index: int) -> bool:
        """A row with one cell only: merged over the table's width, or standing above it."""
        filled = [place for place, cell in enumerate(cells) if cell.text]
        if len(filled) != 1 or not cells[filled[0]].is_text:
            return False
        if len(region.columns) == 1:
            return len(lines) == 1
        merge = self._wide.get(row)
        if merge is not None and merge.top == merge.bottom:
            return True
        above = lines[:index]
        return filled[0] == 0 and all(sum(bool(cell.text) for cell in line) == 1 for _, line in above)

    def _header_size(self, lines: list[tuple[int, _Row]], index: int) -> int:
        """Rows of the header that begins at `index`: two where cells merged across stand over others."""
        return 2 if lines[index][0] in self._heads and index + 1 < len(lines) else 1

    def _write_title(self, row: int, cells: _Row) -> None:
        text = clean_line(next(cell.text for cell in cells if cell.text))
        place = self._place([row])
        if len(text) <= _LONGEST_TITLE and not text.endswith((".", ";", ",")):
            self._writer.heading(text, 2, locator=place)
        else:
            self._writer.add(BlockKind.PARAGRAPH, text, locator=place)

    def _write_table(self, header: list[_Row], body: list[tuple[int, _Row]]) -> None:
        if not body:
            return
        own = [cells for _, cells in body]
        rows = own if own[: len(header)] == header else [*header, *own]
        place = self._place([row for row, _ in body])
        if max(sum(bool(cell.text) for cell in cells) for cells in rows) == 1:
            for row, cells in body:
                for cell in cells:
                    self._writer.add(BlockKind.PARAGRAPH, cell.text, locator=self._place([row]))
            return
        self._writer.table([[cell.text for cell in cells] for cells in rows], header_rows=len(header), locator=place)

    def _place(self, rows: Sequence[int]) -> dict[str, Any]:
        return {"sheet": self._sheet.name, "rows": [rows[0], rows[-1]]}


def _heads_columns(merge: Merge, right: int, columns_of: Mapping[int, set[int]]) -> bool:
    """Whether a cell merged across stands beside others and over a cell in each of its columns."""
    beside = any(not merge.left <= column <= merge.right for column in columns_of.get(merge.top, ()))
    below = columns_of.get(merge.top + 1, set())
    return beside and all(column in below for column in range(merge.left, right + 1))


def _stretches(numbers: Sequence[int]) -> list[tuple[int, ...]]:
    """Runs of numbers that follow each other."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [tuple(run) for run in runs]


def _is_header(lines: list[tuple[int, _Row]], index: int) -> bool:
    """Whether a row names columns: text throughout, and bold or over rows that hold figures."""
    cells = [cell for cell in lines[index][1] if cell.text]
    if len(cells) < 2 or not all(cell.is_text for cell in cells):
        return False
    if all(cell.is_bold for cell in cells):
        return True
    below = [cell for _, line in lines[index + 1 : index + 4] for cell in line if cell.text]
    return any(not cell.is_text for cell in below)
