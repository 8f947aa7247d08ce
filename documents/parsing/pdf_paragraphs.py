"""Rows of a PDF as blocks: headings, paragraphs that run over columns and pages, list items, code and tables."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from documents.parsing.assembly import BlockWriter
from documents.parsing.hyphens import Hyphenator
from documents.parsing.pdf_elements import BodyLook, Element
from documents.parsing.pdf_grid import PageTable
from documents.parsing.pdf_items import ListRows
from documents.parsing.pdf_lines import Box, Upright
from documents.parsing.types import BlockKind
from documents.parsing.wording import ends_sentence, is_bullet, list_marker, opens_article, split_article

FlowItem = Element | PageTable

_SMALL = 0.88  # times the body size: letters of footnotes
_LONGEST_TITLE = 140
_SHORT_REST = 80  # characters: less stays with the paragraph it ends
_SENTENCE_END = re.compile(r"[.!?…][\"»”)\]]*(?=\s+[A-ZÁÉÍÓÚÑ¿¡\"«“(]|\s*$)")
_CODE_LETTER = 0.6  # width of a monospaced letter, times its size


class FlowWriter:
    """Writes a document's flow, row by row."""

    def __init__(self, writer: BlockWriter, body: BodyLook, hyphenator: Hyphenator, turns: dict[int, Upright]) -> None:
        self._writer = writer
        self._body = body
        self._hyphenator = hyphenator
        self._turns = turns
        self._open: list[Element] = []
        self._notes: list[list[Element]] = []
        self._lists = ListRows((), body, ())

    def write(self, flow: Sequence[FlowItem], footnotes: set[int]) -> None:
        """Write all items. `footnotes` holds the ids of elements that are notes at the foot of a page."""
        self._lists = ListRows(flow, self._body, footnotes)
        index = 0
        while index < len(flow):
            item = flow[index]
            if isinstance(item, PageTable):
                self._close()
                self._table(item)
            elif id(item) in footnotes:
                self._note(item)
            elif item.level:
                heading = [item]
                while index + 1 < len(flow) and self._is_further_row(flow[index + 1]):
                    index += 1
                    heading.append(flow[index])  # type: ignore[arg-type]  # _is_further_row says it is an Element
                self._close()
                self._heading(heading)
            else:
                if self._open and self._breaks(self._open, item):
                    self._close(item)
                self._open.append(item)
            index += 1
        self._close()

    @staticmethod
    def _is_further_row(item: FlowItem) -> bool:
        return isinstance(item, Element) and item.continues

    def _heading(self, rows: list[Element]) -> None:
        text = self._hyphenator.join([row.line.text for row in rows])
        self._writer.heading(text, rows[0].level, page=rows[0].line.page, locator=self._place(rows))

    def _table(self, table: PageTable) -> None:
        rect = self._turned(table.page, table.box)
        self._writer.table(table.rows, header_rows=table.header_rows, page=table.page, locator={"rects": [rect]})

    def _note(self, item: Element) -> None:
        """Keep a footnote until the paragraph that may run on over the page is complete."""
        starts = not self._notes or item.gap_above > self._body.gap + 2 or item.line.text[:1] in "0123456789*†("
        last = self._notes[-1][-1] if self._notes else None
        if starts or last is None or last.line.page != item.line.page:
            self._notes.append([item])
        else:
            self._notes[-1].append(item)

    def _close(self, following: Element | None = None) -> None:
        if self._open:
            rows, self._open = self._open, []
            while rows:
                written, rows = _to_sentence_end(rows)
                self._paragraph(written, following)
        notes, self._notes = self._notes, []
        for note in notes:
            self._paragraph(note)

    def _paragraph(self, rows: list[Element], following: Element | None = None) -> None:
        first = rows[0].line
        place = self._place(rows)
        if all(row.line.is_mono for row in rows):
            left = min(row.line.x0 for row in rows)
            lines = [" " * round((row.line.x0 - left) / (_CODE_LETTER * row.line.size)) + row.line.text for row in rows]
            self._writer.add(BlockKind.CODE, "\n".join(lines), page=first.page, locator=place)
            return
        text = self._hyphenator.join([row.line.text for row in rows])
        article = split_article(text)
        if opens_article(text) and _is_title(text, following):
            self._writer.heading(text, self._writer.article_level(), page=first.page, locator=place)
        elif article:
            heading, body = article
            self._writer.heading(heading, self._writer.article_level(), page=first.page, locator=place)
            self._writer.add(BlockKind.CLAUSE, body, page=first.page, locator=place)
        elif list_marker(text) or self._lists.is_numbered(rows[0]):
            text = self._lists.text_of(rows[0], text)
            self._writer.add(BlockKind.LIST_ITEM, text, level=1, page=first.page, locator=place)
        else:
            self._writer.add(BlockKind.PARAGRAPH, text, page=first.page, locator=place)

    def _breaks(self, paragraph: list[Element], item: Element) -> bool:
        """Whether `item` begins a new paragraph."""
        before, line = paragraph[-1], item.line
        last = before.line
        same_run = last.page == line.page and last.column == line.column
        if last.is_mono != line.is_mono or abs(last.size - line.size) > 1.01:
            return True
        if line.is_mono and not same_run:
            return True
        if line.is_mono:
            return item.gap_above > self._body.gap + 1.5 * line.size
        if is_bullet(line.text) or self._lists.is_numbered(item):
            return True
        open_end = not ends_sentence(last.text)
        width = before.column_right - before.column_left
        is_short = last.x1 < before.column_right - 0.12 * width
        if not same_run:
            runs_on = open_end and (line.text[:1].islower() or last.text.endswith("-"))
            return not runs_on or bool(list_marker(line.text)) or (last.x1 < before.column_right - 0.4 * width)
        if item.gap_above > self._body.gap + 0.45 * line.size:
            return not (open_end and line.text[:1].islower() and item.gap_above < 1.2 * line.size)
        if list_marker(line.text) and (not open_end or is_short):
            return True
        if opens_article(line.text) and not last.text.endswith((" el", " la", " del", " al", " y", " o", ",")):
            return True
        if open_end and line.text[:1].islower():
            return False
        if self._lists.is_behind(paragraph[0], item):
            return True
        in_list = self._lists.opens_item(paragraph[0])
        indented = line.x0 > item.column_left + 0.8 * line.size and last.x0 < line.x0 - 0.8 * line.size
        if indented and not in_list and not open_end:
            return True
        if in_list and line.x0 < paragraph[0].line.x0 - 2 and (is_short or not open_end):
            return True
        if is_short and not open_end:
            return True
        return last.x1 < before.column_right - 0.4 * width and not line.text[:1].islower()

    def _place(self, rows: Sequence[Element]) -> dict[str, Any]:
        """Rectangles on the first page; under "more", those on the pages the block runs on to."""
        boxes: dict[int, list[Box]] = {}
        column: tuple[int, int] | None = None
        for row in rows:
            line = row.line
            found = boxes.setdefault(line.page, [])
            if column == (line.page, line.column):
                a = found[-1]
                found[-1] = (min(a[0], line.x0), min(a[1], line.y0), max(a[2], line.x1), max(a[3], line.y1))
            else:
                found.append(line.box)
            column = (line.page, line.column)
        first = rows[0].line.page
        place: dict[str, Any] = {"rects": [self._turned(first, box) for box in boxes.pop(first)]}
        if boxes:
            place["more"] = {str(page): [self._turned(page, box) for box in found] for page, found in boxes.items()}
        return place

    def _turned(self, page: int, box: Box) -> list[float]:
        return [round(value, 1) for value in self._turns[page].undo(box)]


def _to_sentence_end(rows: list[Element]) -> tuple[list[Element], list[Element]]:
    """Rows of one block, and those left: a paragraph goes on over a page only to the end of the sentence.

    What follows is a block of its own, so that it is cited with the page it stands on.
    """
    for index, row in enumerate(rows):
        if row.line.page == rows[0].line.page or row.line.is_mono:
            continue
        found = _SENTENCE_END.search(row.line.text)
        if found is None:
            continue
        head, tail = row.line.text[: found.end()], row.line.text[found.end() :].strip()
        left = [replace(row, line=replace(row.line, text=tail)), *rows[index + 1 :]] if tail else rows[index + 1 :]
        if sum(len(element.line.text) for element in left) < _SHORT_REST:
            return rows, []
        return [*rows[:index], replace(row, line=replace(row.line, text=head))], left
    return rows, []


def _is_title(text: str, following: Element | None) -> bool:
    """Whether an article's first paragraph is its title: one short sentence with the article's text below it."""
    if following is None or len(text) > _LONGEST_TITLE or opens_article(following.line.text):
        return False
    return ". " not in text.split(" ", 2)[-1] and not text.endswith((":", ";", ","))


def footnote_elements(flow: Sequence[FlowItem], body: BodyLook) -> set[int]:
    """Ids of elements that are footnotes: the small rows that end a page."""
    found: set[int] = set()
    trailing: list[Element] = []
    page = 0
    for item in [*flow, None]:
        number = 0 if item is None else item.page if isinstance(item, PageTable) else item.line.page
        if number != page:
            if trailing and trailing[0].line.text[:1] in "0123456789*†(¹²³":
                found.update(id(element) for element in trailing)
            trailing, page = [], number
        if isinstance(item, Element) and item.line.size <= _SMALL * body.size and not item.level:
            trailing.append(item)
        else:
            trailing = []
    return found
