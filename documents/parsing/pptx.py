"""PowerPoint presentations: a section a slide, shapes in reading order."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from documents.cleaning import clean_line
from documents.parsing import media_types, notices
from documents.parsing.assembly import BlockWriter
from documents.parsing.docx_text import alternatives
from documents.parsing.errors import DamagedFile
from documents.parsing.limits import ParseLimits
from documents.parsing.ooxml import Element, Package, local_name
from documents.parsing.types import BlockKind, ParsedDocument, ParseWarning
from documents.parsing.wording import is_bullet

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_TITLES = ("title", "ctrTitle")
_FURNITURE = ("dt", "ftr", "sldNum", "hdr")
_ROW = 250_000  # EMU (7 mm): shapes whose tops differ by less stand side by side
_LONGEST_TITLE = 120
_REPEATED_SHARE = 0.5  # of the slides: text standing on more of them is a running header
_FEWEST_REPEATS = 3
_MAX_GROUPS = 30
_NUMBER = re.compile(r"\d+")


@dataclass(slots=True)
class _Text:
    """One paragraph of a shape. `level` is set for list items, from 1."""

    text: str
    level: int | None = None


@dataclass(slots=True)
class _Shape:
    top: int
    left: int
    placeholder: str = ""
    texts: list[_Text] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    children: list["_Shape"] = field(default_factory=list)

    @property
    def words(self) -> str:
        return clean_line(" ".join(text.text for text in self.texts))


@dataclass(slots=True)
class _Slide:
    number: int
    shapes: list[_Shape]
    notes: list[_Text]


def parse_pptx(path: Path, limits: ParseLimits, progress: Callable[[int, int], None] | None = None) -> ParsedDocument:
    """Blocks of a presentation. `locator` is {"slide": number}, counted from 1; hidden slides are left out."""
    with Package(path, limits) as package:
        slides, hidden = _slides(package, progress)
        warnings = [notices.warning("part_damaged", name=name) for name in dict.fromkeys(package.damaged_parts)]
    repeated = _repeated(slides)
    writer = BlockWriter()
    silent = 0
    for slide in slides:
        before = len(writer.blocks)
        _write_slide(slide, repeated, writer)
        silent += len(writer.blocks) == before
    if hidden:
        warnings.append(notices.warning("hidden_slides", count=hidden))
    if silent:
        warnings.append(notices.warning("no_slide_text", count=silent, total=len(slides)))
    return _document(writer, len(slides), warnings)


def _document(writer: BlockWriter, count: int, warnings: list[ParseWarning]) -> ParsedDocument:
    first = next((block.text for block in writer.blocks if block.kind is BlockKind.HEADING), "")
    return ParsedDocument(
        media_types.PPTX, tuple(writer.blocks), part_count=count, title=first, warnings=tuple(warnings)
    )


def _slides(package: Package, progress: Callable[[int, int], None] | None) -> tuple[list[_Slide], int]:
    main = package.main_part("ppt/presentation.xml")
    links = package.relationships(main)
    identifiers = [entry.get(f"{_R}id") or "" for entry in package.xml(main).iter(f"{_P}sldId")]
    parts = [links[identifier].part for identifier in identifiers if identifier in links]
    slides: list[_Slide] = []
    hidden = 0
    for number, part in enumerate(parts, start=1):
        root = package.optional_xml(part)
        if root is None:
            continue
        if root.get("show") in ("0", "false"):
            hidden += 1
            continue
        slides.append(_SlideReader(package, part).read(root, number))
        if progress is not None:
            progress(number, len(parts))
    if parts and not slides and not hidden:
        raise DamagedFile("no slide can be read")
    return slides, hidden


class _SlideReader:
    def __init__(self, package: Package, part: str) -> None:
        self._package = package
        self._part = part
        self._places = self._layout_places()

    def read(self, root: Element, number: int) -> _Slide:
        tree = root.find(f"{_P}cSld/{_P}spTree")
        shapes = list(self._shapes(tree, 0)) if tree is not None else []
        return _Slide(number, shapes, self._notes())

    def _layout_places(self) -> dict[tuple[str, str], tuple[int, int]]:
        """Where the layout puts placeholders that do not say so themselves, by type and by index."""
        places: dict[tuple[str, str], tuple[int, int]] = {}
        for link in self._package.related(self._part, "slideLayout"):
            layout = self._package.optional_xml(link.part)
            for shape in layout.iter(f"{_P}sp") if layout is not None else ():
                kind, index = _placeholder(shape)
                place = _place(shape)
                if kind and place:
                    places.setdefault(("type", kind), place)
                    places.setdefault(("index", index), place)
        return places

    def _shapes(self, parent: Element, depth: int) -> Iterator[_Shape]:
        for child in parent:
            name = local_name(child)
            if name == "AlternateContent":
                branch = alternatives(child)
                if branch is not None:
                    yield from self._shapes(branch, depth)
            elif name == "grpSp" and depth < _MAX_GROUPS:
                children = list(self._shapes(child, depth + 1))
                if children:
                    top, left = _place(child) or (children[0].top, children[0].left)
                    yield _Shape(top, left, children=children)
            elif name in ("sp", "cxnSp"):
                yield from self._text_shape(child)
            elif name == "graphicFrame":
                yield from self._frame(child)

    def _text_shape(self, element: Element) -> Iterator[_Shape]:
        kind, index = _placeholder(element)
        if kind in _FURNITURE:
            return
        body = element.find(f"{_P}txBody")
        if body is None:
            return
        texts = _paragraphs(body, in_body=kind in ("body", "obj"))
        if texts:
            stated = _place(element) or self._places.get(("index", index)) or self._places.get(("type", kind)) or (0, 0)
            yield _Shape(*stated, kind, texts)

    def _frame(self, element: Element) -> Iterator[_Shape]:
        top, left = _place(element) or (0, 0)
        table = element.find(f".//{_A}tbl")
        if table is not None:
            yield _Shape(top, left, rows=_table(table))
        for diagram in element.iter(f"{_DGM}relIds"):
            texts = self._diagram(diagram.get(f"{_R}dm") or "")
            if texts:
                yield _Shape(top, left, texts=texts)

    def _diagram(self, identifier: str) -> list[_Text]:
        """Words of a SmartArt drawing, from its data model."""
        link = self._package.relationships(self._part).get(identifier)
        root = self._package.optional_xml(link.part) if link is not None else None
        if root is None:
            return []
        return [
            _Text(f"• {text}", 1)
            for point in root.iter(f"{_DGM}pt")
            if point.get("type") in (None, "node", "asst")
            and (text := clean_line(" ".join(words.text or "" for words in point.iter(f"{_A}t"))))
        ]

    def _notes(self) -> list[_Text]:
        for link in self._package.related(self._part, "notesSlide"):
            root = self._package.optional_xml(link.part)
            for shape in root.iter(f"{_P}sp") if root is not None else ():
                body = shape.find(f"{_P}txBody")
                if _placeholder(shape)[0] == "body" and body is not None:
                    return _paragraphs(body, in_body=False)
        return []


def _placeholder(shape: Element) -> tuple[str, str]:
    """Type and index of a placeholder; ("", "") for an ordinary shape."""
    mark = shape.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")
    return ("", "") if mark is None else (mark.get("type") or "obj", mark.get("idx") or "")


def _place(shape: Element) -> tuple[int, int] | None:
    """Top and left in EMU where the shape states them."""
    offset = shape.find(f"{_P}spPr/{_A}xfrm/{_A}off")
    if offset is None:
        offset = shape.find(f"{_P}xfrm/{_A}off")
    if offset is None:
        offset = shape.find(f"{_P}grpSpPr/{_A}xfrm/{_A}off")
    try:
        return None if offset is None else (int(offset.get("y") or 0), int(offset.get("x") or 0))
    except ValueError:  # a place that is no number is no place
        return None


def _paragraphs(body: Element, *, in_body: bool) -> list[_Text]:
    found: list[_Text] = []
    number = 0
    elements = list(body.iter(f"{_A}p"))
    for element in elements:
        text = "".join(_pieces(element)).strip()
        if not clean_line(text):
            continue
        properties = element.find(f"{_A}pPr")
        depth = properties.get("lvl") if properties is not None else None
        level = int(depth) + 1 if depth and depth.isdecimal() else 1
        marks = {local_name(child) for child in properties} if properties is not None else set()
        if "buAutoNum" in marks:
            number += 1
            found.append(_Text(f"{number}. {text}", level))
        elif "buNone" not in marks and (marks & {"buChar", "buBlip"} or (in_body and len(elements) > 1)):
            found.append(_Text(f"• {text}", level))
        else:
            found.append(_Text(text))
    return found


def _pieces(paragraph: Element) -> Iterator[str]:
    for child in paragraph:
        name = local_name(child)
        if name == "r" or (name == "fld" and (child.get("type") or "") not in ("slidenum",)):
            yield child.findtext(f"{_A}t") or ""
        elif name == "br":
            yield "\n"
        elif name in ("AlternateContent", "m"):
            yield "".join(text for text in child.itertext() if isinstance(text, str))


def _table(table: Element) -> list[list[str]]:
    """Cells as a grid: those merged downwards repeated in each row, those merged across once."""
    rows: list[list[str]] = []
    for row in table.iter(f"{_A}tr"):
        line: list[str] = []
        for cell in row.iter(f"{_A}tc"):
            body = cell.find(f"{_A}txBody")
            text = "\n".join(item.text for item in _paragraphs(body, in_body=False)) if body is not None else ""
            if cell.get("vMerge") in ("1", "true") and rows and len(line) < len(rows[-1]):
                text = rows[-1][len(line)]
            line.append(text)
        rows.append(line)
    return rows


def _repeated(slides: list[_Slide]) -> set[str]:
    """Words of shapes that stand on most slides."""
    counts: Counter[str] = Counter()
    for slide in slides:
        counts.update({_without_numbers(shape.words) for shape in _flat(slide.shapes) if shape.words})
    needed = max(_FEWEST_REPEATS, _REPEATED_SHARE * len(slides))
    return {words for words, count in counts.items() if count >= needed}


def _without_numbers(words: str) -> str:
    return _NUMBER.sub("#", words)


def _flat(shapes: list[_Shape]) -> Iterator[_Shape]:
    """Shapes in reading order, groups opened: titles first, then top to bottom, left to right."""
    ordered = sorted(shapes, key=lambda shape: (shape.placeholder not in _TITLES, shape.top))
    rows: list[list[_Shape]] = []
    for shape in ordered:
        head = rows[-1][0] if rows else None
        if head and head.placeholder not in _TITLES and shape.top - head.top <= _ROW:
            rows[-1].append(shape)
        else:
            rows.append([shape])
    for row in rows:
        for shape in sorted(row, key=lambda shape: shape.left):
            yield shape
            yield from _flat(shape.children)


def _write_slide(slide: _Slide, repeated: set[str], writer: BlockWriter) -> None:
    place: dict[str, Any] = {"slide": slide.number}
    shapes = [
        shape
        for shape in _flat(slide.shapes)
        if (shape.words and _without_numbers(shape.words) not in repeated) or shape.rows
    ]
    if not shapes and not slide.notes:
        return
    title = _title(shapes)
    writer.heading(title.words if title is not None else f"Diapositiva {slide.number}", 1, locator=place)
    for shape in shapes:
        if shape is title or _is_blank_to_fill(shape.words):
            continue
        if shape.rows:
            writer.table(shape.rows, locator=place)
        for text in shape.texts:
            level = text.level or (1 if is_bullet(clean_line(text.text)) else None)
            kind = BlockKind.PARAGRAPH if level is None else BlockKind.LIST_ITEM
            writer.add(kind, text.text, level=level, locator=place)
    for note in slide.notes:
        writer.add(BlockKind.PARAGRAPH, note.text, locator={**place, "notes": True})


def _is_blank_to_fill(words: str) -> bool:
    """Whether a shape is only a line to write on."""
    return bool(words) and not any(char.isalnum() for char in words)


def _title(shapes: list[_Shape]) -> _Shape | None:
    """The title placeholder, or the topmost shape when it reads like a title."""
    for shape in shapes:
        if shape.placeholder in _TITLES and len(shape.words) <= 300:
            return shape
    first = next((shape for shape in shapes if shape.words), None)
    if first is not None and len(first.texts) == 1 and len(first.words) <= _LONGEST_TITLE:
        return first
    return None
