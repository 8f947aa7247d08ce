"""A manual as a PDF: A4, embedded subset fonts, outline, running header and footer."""
# mypy: allow-untyped-calls
# (PyMuPDF has no types.)

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pymupdf
from manual_source import BRAND, BRAND_LINE, ManualSource
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from pdf_text import Colour, Lines, TextStyle, break_lines, longest_word, spans_of, text_width

WIDTH, HEIGHT = pymupdf.paper_size("a4")
LEFT, RIGHT = 62.0, WIDTH - 62.0
COVER_HEIGHT = 196.0  # the coloured band at the top of the first page
FIRST_BODY_TOP, BODY_TOP, BODY_BOTTOM = COVER_HEIGHT + 26, 84.0, HEIGHT - 70.0
INDENT, CELL_X, CELL_Y, NOTE_PADDING = 18.0, 6.0, 4.0, 9.0

INK: Colour = (0.12, 0.15, 0.14)
GREEN: Colour = (0.09, 0.27, 0.23)
OCHRE: Colour = (0.54, 0.35, 0.02)
MUSTARD: Colour = (0.82, 0.58, 0.16)
CREAM: Colour = (0.985, 0.955, 0.89)
GREY: Colour = (0.36, 0.42, 0.39)
HAIRLINE: Colour = (0.80, 0.83, 0.81)
WHITE: Colour = (1.0, 1.0, 1.0)

BODY = TextStyle(10, 14.4, INK)
CELL = TextStyle(9, 12.2, INK)
HEADER_CELL = TextStyle(9, 12.2, WHITE, bold=True)
RUNNING = TextStyle(8, 12, GREY)
HEADINGS = {
    "h1": TextStyle(17, 21, GREEN, bold=True),
    "h2": TextStyle(12, 15, GREEN, bold=True),
    "h3": TextStyle(10.5, 14, OCHRE, bold=True),
}
# Space before and after each kind of block.
SPACE = {
    "h1": (24, 4),
    "h2": (13, 3),
    "h3": (8, 2),
    "p": (2, 5),
    "ol": (2, 6),
    "ul": (2, 6),
    "table": (7, 9),
    "blockquote": (7, 9),
}


@dataclass(frozen=True, slots=True)
class Box:
    """One block of the body. Blocks are set one by one, so none is ever torn by the edge of a page."""

    tag: str
    text: str
    height: float
    draw: Callable[[pymupdf.Page, float], None]  # page, top

    @property
    def is_heading(self) -> bool:
        return self.tag in HEADINGS

    @property
    def stays_with_next(self) -> bool:
        return self.is_heading or (self.tag == "p" and self.text.endswith(":"))


@dataclass(frozen=True, slots=True)
class Place:
    page: int  # counted from 1
    top: float  # points from the upper edge


def render_pdf(source: ManualSource) -> bytes:
    """The manual as a PDF. The same source gives the same bytes."""
    parsed = MarkdownIt("commonmark").enable("table").parse(source.body)
    boxes = [_box(node) for node in SyntaxTreeNode(parsed).children]
    places = list(_places(boxes))
    page_count = places[-1].page
    with pymupdf.open() as document:
        for _ in range(page_count):
            document.new_page(width=WIDTH, height=HEIGHT)
        pages = [document[number] for number in range(page_count)]  # adding a page invalidates earlier ones
        _draw_cover(pages[0], source)
        for number, page in enumerate(pages, start=1):
            _draw_running_lines(page, source, number, page_count)
        for box, place in zip(boxes, places, strict=True):
            box.draw(pages[place.page - 1], place.top)
        document.set_toc(
            [
                [int(box.tag[1]), box.text, place.page, _target(place)]
                for box, place in zip(boxes, places, strict=True)
                if box.is_heading
            ]
        )
        edition = f"{source.edition}, en vigor desde el {source.valid_from}"
        document.set_metadata({"title": source.title, "author": BRAND_LINE, "subject": edition})
        document.set_language("es-ES")
        for number in range(page_count):
            document[number].clean_contents()  # one stream a page instead of one a line
        document.subset_fonts()
        # A new file id would be random.
        return bytes(document.tobytes(garbage=4, deflate=True, use_objstms=1, no_new_id=True))


def _box(node: SyntaxTreeNode) -> Box:
    """Raises: ValueError, for Markdown that the manuals do not use."""
    match node.type:
        case "heading":  # chapters are `##` in the source: `#` is the title, on the cover
            tag = f"h{int(node.tag[1]) - 1}"
            return _text_box(tag, node.children[0], HEADINGS[tag])
        case "paragraph":
            return _text_box("p", node.children[0], BODY)
        case "bullet_list" | "ordered_list":
            return _list_box(node)
        case "table":
            return _table_box([row for part in node.children for row in part.children])
        case "blockquote":
            return _note_box(node)
    raise ValueError(f"No PDF form for {node.type}")


def _text_box(tag: str, inline: SyntaxTreeNode, style: TextStyle) -> Box:
    lines = break_lines(spans_of(inline), style, RIGHT - LEFT)
    return Box(tag, inline.content, lines.height, lambda page, top: lines.draw(page, LEFT, top))


def _list_box(node: SyntaxTreeNode) -> Box:
    items = [break_lines(spans_of(item.children[0].children[0]), BODY, RIGHT - LEFT - INDENT) for item in node.children]
    marks = ["•" if node.tag == "ul" else f"{number}." for number in range(1, len(items) + 1)]
    gap = 3.0

    def draw(page: pymupdf.Page, top: float) -> None:
        for mark, item in zip(marks, items, strict=True):
            Lines((((mark, False),),), BODY).draw(page, LEFT, top, right=LEFT + INDENT - 6)
            item.draw(page, LEFT + INDENT, top)
            top += item.height + gap

    return Box(node.tag, "", sum(item.height + gap for item in items) - gap, draw)


def _note_box(node: SyntaxTreeNode) -> Box:
    lines = break_lines(spans_of(node.children[0].children[0]), BODY, RIGHT - LEFT - 2 * NOTE_PADDING - 3)
    height = lines.height + 2 * NOTE_PADDING - 4

    def draw(page: pymupdf.Page, top: float) -> None:
        page.draw_rect((LEFT, top, RIGHT, top + height), color=None, fill=CREAM)
        page.draw_rect((LEFT, top, LEFT + 3, top + height), color=None, fill=MUSTARD)
        lines.draw(page, LEFT + 3 + NOTE_PADDING, top + NOTE_PADDING - 2)

    return Box("blockquote", "", height, draw)


def _table_box(rows: Sequence[SyntaxTreeNode]) -> Box:
    styles = [HEADER_CELL] + [CELL] * (len(rows) - 1)
    widths = _column_widths(rows)
    cells = [
        [
            break_lines(spans_of(cell.children[0]), style, width - 2 * CELL_X)
            for cell, width in zip(row.children, widths, strict=True)
        ]
        for row, style in zip(rows, styles, strict=True)
    ]
    heights = [max(cell.height for cell in row) + 2 * CELL_Y for row in cells]

    def draw(page: pymupdf.Page, top: float) -> None:
        for row, height in zip(cells, heights, strict=True):
            left, is_header = LEFT, row is cells[0]
            for cell, width in zip(row, widths, strict=True):
                page.draw_rect(
                    (left, top, left + width, top + height),
                    color=GREEN if is_header else HAIRLINE,
                    fill=GREEN if is_header else None,
                    width=0.5,
                )
                cell.draw(page, left + CELL_X, top + CELL_Y)
                left += width
            top += height

    return Box("table", "", sum(heights), draw)


def _column_widths(rows: Sequence[SyntaxTreeNode]) -> list[float]:
    """Widths that hold each column's longest word; the rest goes where cells would be broken without it."""
    columns = list(zip(*([spans_of(cell.children[0]) for cell in row.children] for row in rows), strict=True))
    least = [max(longest_word(cell, HEADER_CELL) for cell in column) + 2 * CELL_X for column in columns]
    whole = [max(text_width(cell, HEADER_CELL) for cell in column) + 2 * CELL_X for column in columns]
    growth = [min(full, 260.0) - low + 6 for low, full in zip(least, whole, strict=True)]
    spare = RIGHT - LEFT - sum(least)
    return [low + spare * share / sum(growth) for low, share in zip(least, growth, strict=True)]


def _places(boxes: Sequence[Box]) -> Iterator[Place]:
    """Where each box goes; a heading, or a line that announces a list, moves on with what follows it.
    Raises: ValueError, when such a group is taller than a page."""
    page, top, space_after, at_top = 1, FIRST_BODY_TOP, 0.0, True
    group: list[Box] = []
    for box in boxes:
        group.append(box)
        if box.stays_with_next:
            continue
        offsets, height = _stack(group)
        gap = 0.0 if at_top else max(space_after, SPACE[group[0].tag][0])
        if top + gap + height > BODY_BOTTOM:
            page, top, gap = page + 1, BODY_TOP, 0.0
        if top + height > BODY_BOTTOM:
            raise ValueError(f"Too tall for one page: {group[0].text or group[0].tag}")
        yield from (Place(page, top + gap + offset) for offset in offsets)
        top, space_after, at_top = top + gap + height, SPACE[box.tag][1], False
        group = []


def _stack(group: Sequence[Box]) -> tuple[list[float], float]:
    """Where each box of a group begins, from the group's top, and the height of all."""
    offsets, bottom = [0.0], group[0].height
    for above, box in pairwise(group):
        # A section's heading stands close under its chapter's.
        bottom += max(SPACE[above.tag][1], 5 if box.is_heading else SPACE[box.tag][0])
        offsets.append(bottom)
        bottom += box.height
    return offsets, bottom


def _draw_cover(page: pymupdf.Page, source: ManualSource) -> None:
    page.draw_rect((0, 0, WIDTH, COVER_HEIGHT - 4), color=None, fill=GREEN)
    page.draw_rect((0, COVER_HEIGHT - 4, WIDTH, COVER_HEIGHT), color=None, fill=MUSTARD)
    pale: Colour = (0.87, 0.91, 0.89)
    lines = [
        (36.0, BRAND_LINE, TextStyle(11, 14, (0.94, 0.78, 0.47))),
        (78.0, source.title, TextStyle(27, 32, WHITE, bold=True)),
        (134.0, f"{source.edition} · En vigor desde el {source.valid_from}", TextStyle(9.5, 14, pale)),
        (148.0, f"Responsable: {source.owner} · Para: {source.audience}", TextStyle(9.5, 14, pale)),
    ]
    for top, text, style in lines:
        break_lines([(text, False)], style, RIGHT - LEFT).draw(page, LEFT, top)


def _draw_running_lines(page: pymupdf.Page, source: ManualSource, number: int, page_count: int) -> None:
    lines = [(HEIGHT - 49, HEIGHT - 54, f"{BRAND} · Uso interno", f"Página {number} de {page_count}")]
    if number > 1:
        lines.append((43, 60, source.title, source.edition))
    for top, rule, left, right in lines:
        break_lines([(left, False)], RUNNING, WIDTH).draw(page, LEFT, top)
        break_lines([(right, False)], RUNNING, WIDTH).draw(page, LEFT, top, right=RIGHT)
        page.draw_line((LEFT, rule), (RIGHT, rule), color=HAIRLINE, width=0.6)


def _target(place: Place) -> dict[str, Any]:
    return {"kind": pymupdf.LINK_GOTO, "to": pymupdf.Point(LEFT, max(place.top - 12, 0)), "zoom": 0}
