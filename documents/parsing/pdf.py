"""PDF files: pages to lines, lines to reading order, reading order to blocks."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from documents.cleaning import clean_line
from documents.parsing import media_types, notices
from documents.parsing.assembly import BlockWriter
from documents.parsing.errors import DamagedFile, EncryptedFile, LimitExceeded, NoText, TooLarge
from documents.parsing.hyphens import Hyphenator
from documents.parsing.limits import ParseLimits
from documents.parsing.mupdf import PDF_ERRORS, failure, pymupdf
from documents.parsing.pdf_aligned import aligned_tables
from documents.parsing.pdf_contents import without_contents, without_contents_lists
from documents.parsing.pdf_elements import Element, body_look
from documents.parsing.pdf_furniture import strip_furniture
from documents.parsing.pdf_grid import PageTable
from documents.parsing.pdf_headings import mark_headings
from documents.parsing.pdf_layout import join_rows, reading_order
from documents.parsing.pdf_lines import Line, PageText, Upright, read_page
from documents.parsing.pdf_ocr import is_poor, read_pictures, tessdata, text_of, wants_reading
from documents.parsing.pdf_outline import OutlineEntry
from documents.parsing.pdf_paragraphs import FlowItem, FlowWriter, footnote_elements
from documents.parsing.pdf_spanning import join_over_pages
from documents.parsing.pdf_tables import ruled_tables
from documents.parsing.types import ParsedDocument, ParseWarning
from documents.parsing.wording import ARTICLE_RANK, is_contents_title, is_unnamed, legal_rank

_FEW_LETTERS = 3  # a page with fewer has no text
_LITTLE_TEXT = 120  # letters a page on average
_FAR = 99.0  # gap above the first row of a column


def parse_pdf(path: Path, limits: ParseLimits, progress: Callable[[int, int], None] | None = None) -> ParsedDocument:
    """Blocks of a PDF with their pages and rectangles.

    Raises: EncryptedFile, DamagedFile, TooLarge, NoText, LimitExceeded.
    """
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    document = _opened(path, limits)
    try:
        return _Reader(path, document, limits, progress).read()
    finally:
        document.close()
        pymupdf.TOOLS.store_shrink(100)


def _opened(path: Path, limits: ParseLimits) -> Any:
    try:
        document = pymupdf.open(path, filetype="pdf")
    except PDF_ERRORS as error:
        raise failure(error) from error
    if document.needs_pass:
        document.close()
        raise EncryptedFile("needs a password")
    try:
        count = document.page_count
    except PDF_ERRORS as error:
        raise failure(error) from error
    if count < 1:
        raise DamagedFile("no pages")
    if count > limits.pages:
        raise TooLarge(f"{count} pages")
    return document


class _Reader:
    def __init__(
        self, path: Path, document: Any, limits: ParseLimits, progress: Callable[[int, int], None] | None
    ) -> None:
        self._path = path
        self._document = document
        self._limits = limits
        self._progress = progress
        self._warnings: list[ParseWarning] = []
        self._count: int = document.page_count

    def read(self) -> ParsedDocument:
        pages = self._pages()
        strip_furniture(pages)
        _settle_type(pages)
        self._read_pictures(pages)
        self._report(pages)
        empty = [page.number for page in pages if page.letters < _FEW_LETTERS]
        if not any(page.letters for page in pages):
            unreadable = any(warning.code == "unreadable_text" for warning in self._warnings)
            raise NoText("only unreadable text" if unreadable else "no page has text")
        hyphenator = Hyphenator(line.text for page in pages for line in page.lines)
        flow = self._flow(pages, hyphenator)
        elements = [item for item in flow if isinstance(item, Element)]
        mark_headings(elements, self._outline())
        flow = without_contents_lists(flow)
        body = body_look(elements)
        writer = BlockWriter()
        turns = {page.number: page.upright for page in pages}
        FlowWriter(writer, body, hyphenator, turns).write(flow, footnote_elements(flow, body))
        return ParsedDocument(
            media_types.PDF,
            tuple(writer.blocks),
            page_count=self._count,
            pages_without_text=tuple(empty),
            title=self._title(elements),
            warnings=tuple(self._warnings),
        )

    def _pages(self) -> list[PageText]:
        pages = []
        damaged = 0
        for index in range(self._count):
            try:
                page = read_page(self._document[index], index + 1)
            except PDF_ERRORS as error:
                reason = failure(error)
                if isinstance(reason, LimitExceeded):
                    raise reason from error
                damaged += 1
                self._warnings.append(notices.warning("page_damaged", page=index + 1))
                page = PageText(index + 1, Upright(), (0.0, 0.0, 1.0, 1.0))
            if page.is_unreadable:
                self._warnings.append(notices.warning("unreadable_text", page=page.number))
                page.lines = []
            pages.append(page)
            if self._progress is not None:
                self._progress(index + 1, self._count)
        if damaged == self._count:
            raise DamagedFile("no page can be loaded")
        return pages

    def _read_pictures(self, pages: list[PageText]) -> None:
        """OCR the pages whose text is in pictures, within the budget."""
        if tessdata() is None:
            return
        loadable = [page for page in pages if page.frame[2] - page.frame[0] > 1]
        wanted = [page for page in loadable if wants_reading(self._document[page.number - 1], page)]
        is_scan = len(wanted) > 0.5 * len(pages)
        found = read_pictures(self._path, wanted, self._limits, quick=not is_scan)
        for page in found:
            pages[page.number - 1] = page
        if found:
            self._warnings.append(notices.pages_warning("ocr_used", sorted(page.number for page in found)))

    def _report(self, pages: list[PageText]) -> None:
        empty = sum(page.letters < _FEW_LETTERS for page in pages)
        if empty:
            self._warnings.append(notices.warning("pages_without_text", count=empty, total=len(pages)))
        if sum(page.letters for page in pages) < _LITTLE_TEXT * len(pages):
            self._warnings.append(notices.warning("little_text"))
        hidden = [page.number for page in pages if page.hidden_letters > 2]
        if hidden:
            self._warnings.append(notices.pages_warning("hidden_text", hidden))
        if any(page.is_ocr and is_poor(text_of(page)) for page in pages):
            self._warnings.append(notices.warning("poor_ocr"))
        if self._is_dynamic_form():
            self._warnings.append(notices.warning("dynamic_form"))
        if self._document.is_repaired:
            self._warnings.append(notices.warning("repaired"))

    def _is_dynamic_form(self) -> bool:
        """Whether the real content is an XFA form, of which a PDF reader sees only a placeholder page."""
        try:
            kind, _ = self._document.xref_get_key(self._document.pdf_catalog(), "AcroForm/XFA")
            return kind not in ("null", "") and self._count <= 2 and not any(self._document[0].widgets())
        except PDF_ERRORS:  # a catalog too broken to ask
            return False

    def _flow(self, pages: list[PageText], hyphenator: Hyphenator) -> list[FlowItem]:
        """Rows and tables of all pages in reading order."""
        flow: list[FlowItem] = []
        in_contents = False
        run_number = 0
        for page in pages:
            last = flow[-1] if flow else None
            above = last if isinstance(last, PageTable) else None
            tables = [] if page.is_ocr else self._ruled(page, hyphenator, above)
            lines = [line for line in page.lines if not any(_inside(line, table) for table in tables)]
            placed: list[Line | PageTable] = [*lines, *tables]
            rows_of_page: list[FlowItem] = []
            turned: list[list[Line | PageTable]] = [[line] for line in lines if line.is_turned]
            upright: list[Line | PageTable] = [
                item for item in placed if not (isinstance(item, Line) and item.is_turned)
            ]
            runs: list[list[Line | PageTable]] = reading_order(upright)
            for run in [*runs, *turned]:
                run_number += 1
                rows = [item for item in run if isinstance(item, Line)]
                joined = join_rows(rows)
                kept, in_contents = without_contents(joined, self._count, inside=in_contents)
                items: list[Line | PageTable] = [*aligned_tables(kept, hyphenator)]
                items.extend(item for item in run if isinstance(item, PageTable))
                ordered = sorted(items, key=_top)
                rows_of_page.extend(_elements(ordered, run_number))
            flow.extend(rows_of_page)
        return join_over_pages(flow)

    def _ruled(self, page: PageText, hyphenator: Hyphenator, above: PageTable | None) -> list[PageTable]:
        if not page.lines:
            return []
        try:
            return ruled_tables(self._document[page.number - 1], page, hyphenator, above)
        except PDF_ERRORS:  # drawings that cannot be read leave the page's text as it is
            return []

    def _outline(self) -> list[OutlineEntry]:
        try:
            entries = self._document.get_toc(simple=True)
        except PDF_ERRORS:  # circular or broken outlines are as good as none
            return []
        return [OutlineEntry(level, title, page) for level, title, page in entries if page > 0 and title.strip()]

    def _title(self, elements: list[Element]) -> str:
        stated = clean_line((self._document.metadata or {}).get("title") or "")
        is_file_name = "." in stated[-6:]
        if len(stated) > 3 and not is_file_name and not is_unnamed(stated):
            return stated
        headings = [
            element
            for element in elements
            if element.level and element.line.page <= 2 and not is_contents_title(element.line.text)
        ]
        if not headings:
            return ""
        largest = max(headings, key=lambda element: element.line.size)
        start = elements.index(largest)
        rows = [largest.line.text]
        for element in elements[start + 1 :]:
            if not element.continues:
                break
            rows.append(element.line.text)
        return clean_line(" ".join(rows))


def _settle_type(pages: list[PageText]) -> None:
    """Where most of a document is typed with one width, that type says nothing: it is no code."""
    lines = [line for page in pages for line in page.lines]
    if sum(len(line.text) for line in lines if line.is_mono) > 0.5 * sum(len(line.text) for line in lines):
        for line in lines:
            line.is_mono = False


def _top(item: Line | PageTable) -> float:
    return item.y0


def _inside(line: Line, table: PageTable) -> bool:
    x, y = (line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2
    return table.x0 - 1 <= x <= table.x1 + 1 and table.y0 - 1 <= y <= table.y1 + 1


def _elements(items: list[Line | PageTable], run: int) -> list[FlowItem]:
    """Rows of one run with the gaps around them and the borders of their column."""
    lines = [item for item in items if isinstance(item, Line)]
    left, right = _borders(lines)
    elements: list[FlowItem] = []
    for index, item in enumerate(items):
        if isinstance(item, PageTable):
            elements.append(item)
            continue
        above = items[index - 1] if index else None
        below = items[index + 1] if index + 1 < len(items) else None
        gap_above = item.y0 - above.y1 if above is not None else _FAR
        gap_below = below.y0 - item.y1 if below is not None else _FAR
        row = replace(item, column=run)
        title, rest = _split_title(row)
        if title is not None:
            elements.append(Element(title, gap_above, _FAR, left, right))
            gap_above = _FAR
        elements.append(Element(rest, gap_above, gap_below, left, right))
    return elements


def _split_title(row: Line) -> tuple[Line | None, Line]:
    """A section's bold title and the note in brackets behind it on the row; (None, row) for any other row."""
    title, note = row.text[: row.bold_lead].strip(), row.text[row.bold_lead :].strip()
    if row.is_bold or not note.startswith("(") or not 0 < legal_rank(title) < ARTICLE_RANK:
        return None, row
    border = row.x0 + (row.x1 - row.x0) * len(title) / len(row.text)
    return replace(row, text=title, x1=border, is_bold=True), replace(row, text=note, x0=border, bold_lead=0)


def _borders(lines: list[Line]) -> tuple[float, float]:
    """Left and right border of a column, outliers apart."""
    if not lines:
        return 0.0, 0.0
    lefts, rights = sorted(line.x0 for line in lines), sorted(line.x1 for line in lines)
    return lefts[len(lefts) // 10], rights[-1 - len(rights) // 20]
