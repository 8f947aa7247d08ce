"""Word documents: body walked in order, sections from real styles or, failing them, from looks."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, zip_longest
from pathlib import Path

from documents.cleaning import clean_line
from documents.parsing import media_types, notices
from documents.parsing.assembly import BlockWriter
from documents.parsing.docx_lists import ListPlace, Numbering, levels_shown
from documents.parsing.docx_styles import ParagraphStyle, Styles, W, left_indent, value, whole_number
from documents.parsing.docx_tables import only_cell, read_table
from documents.parsing.docx_text import ParagraphText, alternatives, is_placeholder, read_paragraph
from documents.parsing.headings import HeadingLook, assign_levels
from documents.parsing.html import write_fragment
from documents.parsing.limits import ParseLimits
from documents.parsing.ooxml import Element, Package, local_name
from documents.parsing.types import BlockKind, ParsedDocument, ParseWarning
from documents.parsing.wording import (
    ends_sentence,
    is_caption,
    is_contents_entry,
    is_contents_title,
    is_unnamed,
    is_uppercase,
    legal_rank,
    numbering,
    split_article,
)

_R_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_DC = "{http://purl.org/dc/elements/1.1/}"
_DROPPED = {"del", "moveFrom", "sectPr", "tblPr", "tblGrid", "pPr", "sdtPr"}
_LONGEST_HEADING = 140
_LARGER = 1.12  # a line this much larger than the body looks like a heading
_FALLBACK_SIZE = 11.0


@dataclass(slots=True)
class _Paragraph:
    """A body paragraph on its way to a block."""

    words: ParagraphText
    style: ParagraphStyle
    outline: int | None
    label: str
    place: ListPlace | None  # None outside lists
    size: float
    is_bold: bool
    heading_level: int = 0
    list_level: int = 0  # from 1

    @property
    def text(self) -> str:
        return self.words.text


@dataclass(slots=True)
class _Table:
    rows: list[list[str]]
    header_rows: int


@dataclass(slots=True)
class _Markup:
    html: bytes


_Item = _Paragraph | _Table | _Markup


def parse_docx(path: Path, limits: ParseLimits) -> ParsedDocument:
    """Blocks of a Word document. It has no pages: Word lays them out anew on every machine."""
    with Package(path, limits) as package:
        reader = _Reader(package)
        items = list(reader.items())
        writer = BlockWriter()
        _find_headings([item for item in items if isinstance(item, _Paragraph)])
        _find_list_levels(items)
        for item in _joined_legal_titles(items):
            _write(item, writer)
        title = _title(package) or reader.title
        warnings: list[ParseWarning] = [
            notices.warning("part_damaged", name=name) for name in dict.fromkeys(package.damaged_parts)
        ]
    first = next((block.text for block in writer.blocks if block.kind is BlockKind.HEADING), "")
    return ParsedDocument(media_types.DOCX, tuple(writer.blocks), title=title or first, warnings=tuple(warnings))


class _Reader:
    """Reads the main part into paragraphs and tables in body order."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._part = package.main_part("word/document.xml")
        self.title = ""
        self._styles = Styles(self._related_xml("styles"))
        self._numbering = Numbering(self._related_xml("numbering"))
        self._notes = {kind: self._read_notes(kind) for kind in ("footnote", "endnote")}

    def items(self) -> Iterator[_Item]:
        root = self._package.xml(self._part)
        body = root.find(f"{W}body")
        yield from self._children(body if body is not None else root)

    def _related_xml(self, kind: str) -> Element | None:
        links = self._package.related(self._part, kind)
        return self._package.optional_xml(links[0].part) if links else None

    def _read_notes(self, kind: str) -> dict[str, Element]:
        root = self._related_xml(f"{kind}s")
        if root is None:
            return {}
        return {
            note.get(f"{W}id") or "": note
            for note in root
            if local_name(note) == kind and note.get(f"{W}type") in (None, "normal")
        }

    def _children(self, parent: Element, *, tables: bool = True) -> Iterator[_Item]:
        for child in parent:
            name = local_name(child)
            if name in _DROPPED or not name:
                continue
            if name == "p":
                yield from self._paragraph(child)
            elif name == "tbl":
                if tables:
                    yield from self._table(child)
            elif name == "sdt":
                if not (_is_contents_control(child) or is_placeholder(child)):
                    yield from self._children(child, tables=tables)
            elif name == "AlternateContent":
                branch = alternatives(child)
                if branch is not None:
                    yield from self._children(branch, tables=tables)
            elif name == "altChunk":
                yield from self._embedded(child)
            else:
                yield from self._children(child, tables=tables)

    def _paragraph(self, element: Element) -> Iterator[_Item]:
        properties = element.find(f"{W}pPr")
        style = self._styles.paragraph(value(properties, "pStyle") if properties is not None else None)
        words = read_paragraph(element, self._styles, style_bold=style.is_bold)
        if not style.is_contents and not is_contents_entry(words.text) and not _is_contents_field(element):
            label, place = self._list_place(properties, style) if words.text.strip() else ("", None)
            outline = style.outline
            stated = whole_number(value(properties, "outlineLvl")) if properties is not None else None
            if stated is not None:
                outline = stated + 1 if stated < 9 else None
            if style.is_title and not self.title:
                self.title = clean_line(words.text)
            yield _Paragraph(
                words,
                style,
                outline,
                label,
                place,
                words.size or style.size or _FALLBACK_SIZE,
                words.is_bold,
            )
        for box in words.boxes:
            yield from self._children(box)
        for kind, identifier in words.notes:
            note = self._notes.get(kind, {}).get(identifier)
            if note is not None:
                yield from self._children(note)

    def _list_place(self, properties: Element | None, style: ParagraphStyle) -> tuple[str, ListPlace | None]:
        num_id, level, indent = style.num_id, style.num_level, style.indent
        numbers = properties.find(f"{W}numPr") if properties is not None else None
        if numbers is not None:
            num_id, indent = value(numbers, "numId") or num_id, None  # the list says how far in, not the style
            stated = whole_number(value(numbers, "ilvl"))
            level = level if stated is None else stated
        if num_id is None or num_id == "0":
            return "", None
        own_indent = left_indent(properties) if properties is not None else None
        places = (own_indent, indent, self._numbering.indent(num_id, level), style.indent, 0)
        furthest = next(one for one in places if one is not None)
        return self._numbering.label(num_id, level), ListPlace(max(level + 1, style.list_level), furthest)

    def _table(self, element: Element) -> Iterator[_Item]:
        frame = only_cell(element)
        if frame is not None:  # one cell around running text: a box, not a table
            yield from self._children(frame)
            return
        table = read_table(element, self._cell_text)
        yield _Table(table.rows, table.header_rows)
        for inner in table.inner:
            yield from self._table(inner)

    def _cell_text(self, cell: Element) -> str:
        """Words of a cell on one line. Tables inside it stand by themselves, after the outer one."""
        lines = []
        for item in self._children(cell, tables=False):
            if isinstance(item, _Paragraph) and item.text.strip():
                lines.append(clean_line(f"{item.label} {item.text}"))
            elif isinstance(item, _Markup):
                writer = BlockWriter()
                write_fragment(item.html, writer)
                lines.extend(block.text for block in writer.blocks)
        return "\n".join(lines)

    def _embedded(self, element: Element) -> Iterator[_Item]:
        link = self._package.relationships(self._part).get(element.get(_R_ID) or "")
        if link is not None and link.part in self._package and link.part.lower().endswith((".html", ".htm", ".xhtml")):
            yield _Markup(self._package.read(link.part))


def _is_contents_control(sdt: Element) -> bool:
    for gallery in sdt.iterfind(f"{W}sdtPr/{W}docPartObj/{W}docPartGallery"):
        if (gallery.get(f"{W}val") or "").lower() in ("table of contents", "tabla de contenido", "bibliographies"):
            return True
    return False


def _is_contents_field(paragraph: Element) -> bool:
    """Whether a line of a contents table that has no style of its own links to page numbers."""
    return any("PAGEREF" in (code.text or "") for code in paragraph.iter(f"{W}instrText"))


def _find_headings(paragraphs: list[_Paragraph]) -> None:
    """Set heading levels: from outline levels and titles; where a document has hardly any, from looks."""
    with_text = [item for item in paragraphs if item.text.strip()]
    has_title = any(item.style.is_title and not item.outline for item in with_text)
    styled = [item for item in with_text if item.outline and len(item.text.strip()) <= 300]
    for item in with_text:
        if item.outline and len(item.text.strip()) <= 300:
            item.heading_level = item.outline
        elif item.style.is_title and len(item.text.strip()) <= 300:
            item.heading_level = 1
    if len(styled) >= 2 or (styled and len(with_text) < 30) or (has_title and len(with_text) < 12):
        return
    sizes: Counter[float] = Counter()
    for item in with_text:
        sizes[item.size] += item.words.letters
    body = sizes.most_common(1)[0][0] if sizes else _FALLBACK_SIZE
    found = [
        item
        for item, following in zip_longest(with_text, with_text[1:])
        if not item.heading_level and _looks_like_heading(item, following, body)
    ]
    levels = assign_levels([HeadingLook(clean_line(item.text), item.size, item.is_bold) for item in found])
    for item, level in zip(found, levels, strict=True):
        item.heading_level = level + (1 if styled or has_title else 0)


def _find_list_levels(items: list[_Item]) -> None:
    """Set the levels of list items, each run of them by itself."""
    with_text = [item for item in items if not isinstance(item, _Paragraph) or item.text.strip()]
    for is_list, run in groupby(with_text, _is_list_item):
        if is_list:
            placed = [(item, item.place) for item in run if isinstance(item, _Paragraph) and item.place is not None]
            levels = levels_shown(place for _item, place in placed)
            for (item, _place), level in zip(placed, levels, strict=True):
                item.list_level = level


def _is_list_item(item: _Item) -> bool:
    return isinstance(item, _Paragraph) and item.place is not None and not item.heading_level


def _looks_like_heading(item: _Paragraph, following: _Paragraph | None, body: float) -> bool:
    text = clean_line(item.text)
    if (
        len(text) > _LONGEST_HEADING
        or not any(char.isalpha() for char in text)
        or is_contents_title(text)
        or is_caption(text)
    ):
        return False
    if text.endswith((",", ";")) or (text.endswith(".") and not (legal_rank(text) and item.is_bold)):
        return False
    in_bullets = item.place is not None and not (item.label[:1].isalnum() and item.is_bold)
    if in_bullets or following is None:
        return False
    if item.size >= body * _LARGER:
        return True
    if item.is_bold:
        return True
    number = numbering(text)
    if legal_rank(text) and (is_uppercase(text) or len(text) < 40):
        return True
    return is_uppercase(text) and len(text) <= 90 and (number is not None or not ends_sentence(text))


def _joined_legal_titles(items: list[_Item]) -> Iterator[_Item]:
    """Join "CAPÍTULO I" with the title that stands on the next line."""
    held: _Paragraph | None = None
    for item in items:
        if isinstance(item, _Paragraph) and not item.text.strip() and held is not None:
            continue
        if held is not None:
            text = clean_line(item.text) if isinstance(item, _Paragraph) else ""
            if (
                isinstance(item, _Paragraph)
                and item.heading_level
                and text
                and not legal_rank(text)
                and not numbering(text)
            ):
                held.words.text = f"{clean_line(held.text)} {text}"
                yield held
                held = None
                continue
            yield held
            held = None
        if isinstance(item, _Paragraph) and item.heading_level and _is_bare_legal(clean_line(item.text)):
            held = item
            continue
        yield item
    if held is not None:
        yield held


def _is_bare_legal(text: str) -> bool:
    rank = legal_rank(text)
    return 0 < rank < 6 and len(text.split()) <= 2


def _write(item: _Item, writer: BlockWriter) -> None:
    path = writer.heading_path
    place = {"section": path[-1]} if path else {}
    if isinstance(item, _Table):
        writer.table(item.rows, header_rows=item.header_rows, locator=place)
    elif isinstance(item, _Markup):
        write_fragment(item.html, writer)
    elif item.heading_level:
        shown = f"{item.label} {item.text}" if item.label[:1].isalnum() else item.text
        writer.heading(shown, item.heading_level, locator={"section": clean_line(shown)})
    elif item.style.is_code:
        writer.add(BlockKind.CODE, item.text, locator=place)
    elif item.list_level and item.text.strip():
        writer.add(BlockKind.LIST_ITEM, f"{item.label} {item.text}", level=item.list_level, locator=place)
    else:
        article = split_article(clean_line(item.text))
        if article:
            heading, body = article
            writer.heading(heading, writer.article_level(), locator={"section": heading})
            writer.add(BlockKind.CLAUSE, body, locator={"section": heading})
        else:
            writer.add(BlockKind.PARAGRAPH, item.text, locator=place)


def _title(package: Package) -> str:
    for link in package.related("", "core-properties"):
        root = package.optional_xml(link.part)
        stated = root.findtext(f"{_DC}title") if root is not None else None
        if stated and stated.strip() and not is_unnamed(stated):
            return clean_line(stated)
    return ""
