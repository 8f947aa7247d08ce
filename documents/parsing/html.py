"""HTML: what a reader sees, without scripts, styles and navigation."""

import re
from collections.abc import Sequence
from pathlib import Path

from bs4 import BeautifulSoup, Comment, Tag
from bs4.element import NavigableString, PageElement

from documents.parsing import media_types
from documents.parsing.assembly import BlockWriter
from documents.parsing.decoding import decode
from documents.parsing.types import BlockKind, ParsedDocument

_META_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
_UNSEEN = (
    "script", "style", "noscript", "template", "svg", "math", "nav", "head", "iframe", "object", "canvas", "audio",
    "video", "select", "textarea", "button", "dialog",
)  # fmt: skip
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = {
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "header", "hr", "html", "li", "main", "ol", "p", "pre", "section",
    "summary", "table", "ul", *_HEADINGS,
}  # fmt: skip
_SOURCE_SPACE = re.compile(r"[ \t\r\n\f]+")
_LINE_BREAK = "\u2028"  # stands for <br> until the text is cleaned
_MAX_DEPTH = 200


def parse_html(path: Path) -> ParsedDocument:
    """Blocks of an HTML page."""
    soup = _soup(_decoded(path.read_bytes()))
    title = soup.title.get_text(" ", strip=True) if soup.title else ""
    language = soup.html.get("lang") if soup.html else None
    writer = BlockWriter()
    write_html(soup, writer)
    return ParsedDocument(
        media_types.HTML,
        tuple(writer.blocks),
        title=title,
        language=str(language).split("-")[0].lower()[:2] if language else None,
    )


def visible_text(fragment: str) -> str:
    """The words a reader sees of a piece of HTML, its blocks on lines of their own."""
    writer = BlockWriter()
    write_html(_soup(fragment), writer)
    return "\n".join(block.text for block in writer.blocks)


def write_fragment(markup: str | bytes, writer: BlockWriter) -> None:
    """Write the blocks of HTML that is embedded in another document."""
    write_html(_soup(_decoded(markup) if isinstance(markup, bytes) else markup), writer)


def _soup(markup: str) -> BeautifulSoup:
    return BeautifulSoup(markup, "lxml")


def _decoded(data: bytes) -> str:
    """Text of a page: its bytes first, what the page says of itself second."""
    declared = _META_CHARSET.search(data[:4096])
    if declared:
        name = declared.group(1).decode("ascii").lower()
        if name not in ("utf-8", "iso-8859-1", "latin1", "windows-1252", "us-ascii"):
            try:
                return data.decode(name)
            except (LookupError, UnicodeDecodeError):  # a page that is wrong about itself
                return decode(data).text
    decoded = decode(data)
    if declared and decoded.is_guess:
        return data.decode("cp1252", errors="replace")  # browsers read ISO-8859-1 as Windows-1252
    return decoded.text


def write_html(soup: BeautifulSoup, writer: BlockWriter) -> None:
    for tag in soup.find_all(_UNSEEN):
        tag.decompose()
    for tag in soup.find_all(_is_hidden):
        tag.decompose()
    for comment in soup.find_all(string=lambda text: isinstance(text, Comment)):
        comment.extract()
    for line_break in soup.find_all("br"):
        line_break.replace_with(_LINE_BREAK)
    root = soup.body or soup
    _Walker(writer).walk(root, 0)


def _is_hidden(tag: Tag) -> bool:
    return (
        tag.has_attr("hidden")
        or tag.get("aria-hidden") == "true"
        or tag.get("role") in ("navigation", "search", "menu", "menubar")
        or _HIDDEN_STYLE.search(str(tag.get("style") or "")) is not None
    )


class _Walker:
    def __init__(self, writer: BlockWriter) -> None:
        self._writer = writer

    def walk(self, parent: Tag, list_depth: int, depth: int = 0) -> None:
        """Write the blocks inside `parent`; loose text between blocks becomes paragraphs."""
        loose: list[str] = []
        for child in list(parent.children):
            if isinstance(child, Tag) and (child.name in _BLOCKS or _holds_blocks(child)):
                self._paragraph(loose)
                loose = []
                if depth < _MAX_DEPTH:
                    self._block(child, list_depth, depth + 1)
            else:
                loose.append(_text(child))
        self._paragraph(loose)

    def _block(self, tag: Tag, list_depth: int, depth: int) -> None:
        if tag.name in _HEADINGS:
            self._writer.heading(tag.get_text(), _HEADINGS[tag.name], locator=self._place())
        elif tag.name == "pre":
            self._writer.add(BlockKind.CODE, tag.get_text(), locator=self._place())
        elif tag.name == "table":
            self._table(tag, list_depth, depth)
        elif tag.name in ("ul", "ol"):
            self._list(tag, list_depth + 1, depth)
        else:
            self.walk(tag, list_depth, depth)

    def _list(self, tag: Tag, list_depth: int, depth: int) -> None:
        number = int(str(tag.get("start"))) if str(tag.get("start") or "").isdecimal() else 1
        for item in tag.find_all("li", recursive=False):
            marker = f"{number}." if tag.name == "ol" else "•"
            own = [child for child in item.children if not (isinstance(child, Tag) and _breaks_item(child))]
            text = " ".join("".join(_text(child) for child in own).split())
            if text:
                self._writer.add(BlockKind.LIST_ITEM, f"{marker} {text}", level=list_depth, locator=self._place())
            for child in item.children:
                if isinstance(child, Tag) and _breaks_item(child) and depth < _MAX_DEPTH:
                    self._block(child, list_depth, depth + 1)
            number += 1

    def _table(self, tag: Tag, list_depth: int, depth: int) -> None:
        rows = _own(tag, ("tr",))
        widest = max((len(_cells(row)) for row in rows), default=0)
        if widest <= 1 or tag.get("role") == "presentation" or tag.find("table"):  # it only places things on the page
            for row in rows:
                for cell in _cells(row):
                    self.walk(cell, list_depth, depth + 1)
            return
        caption = tag.find("caption")
        if caption:
            self._writer.add(BlockKind.PARAGRAPH, caption.get_text(" ", strip=True), locator=self._place())
        grid = _grid(rows)
        header = sum(1 for row in rows[:3] if _cells(row) and all(cell.name == "th" for cell in _cells(row)))
        self._writer.table(grid, header_rows=header or 1, locator=self._place())

    def _paragraph(self, parts: list[str]) -> None:
        text = "".join(parts).strip()
        self._writer.add(BlockKind.PARAGRAPH, text, locator=self._place())

    def _place(self) -> dict[str, str]:
        path = self._writer.heading_path
        return {"section": path[-1]} if path else {}


def _breaks_item(tag: Tag) -> bool:
    return tag.name in ("ul", "ol", "table", "pre", *_HEADINGS)


def _holds_blocks(tag: Tag) -> bool:
    return tag.find(list(_BLOCKS)) is not None


def _text(node: PageElement) -> str:
    """Words of an inline node. Line breaks of the source are spaces; those of <br> were put in on purpose."""
    words = str(node) if isinstance(node, NavigableString) else node.get_text() if isinstance(node, Tag) else ""
    return _SOURCE_SPACE.sub(" ", words)


def _cells(row: Tag) -> list[Tag]:
    return _own(row, ("td", "th"))


def _own(tag: Tag, names: Sequence[str]) -> list[Tag]:
    """Tags of these names inside `tag`, in order, without those inside another one of its kind.

    What lies within that is not looked at: tables nested in tables would be gone through once for each level.
    """
    found, waiting = [], tag.contents[::-1]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, Tag):
            continue
        if node.name in names:
            found.append(node)
        if node.name != tag.name:
            waiting.extend(node.contents[::-1])
    return found


def _span(cell: Tag, name: str) -> int:
    value = str(cell.get(name) or "1")
    return min(max(int(value), 1), 100) if value.isdecimal() else 1


def _grid(rows: list[Tag]) -> list[list[str]]:
    """Cells as a grid: a cell that spans rows is repeated in each, one that spans columns stands once."""
    grid: list[list[str]] = []
    hanging: dict[int, tuple[int, str]] = {}  # column -> rows left, text
    for row in rows:
        line: list[str] = []
        cells = iter(_cells(row))
        while True:
            column = len(line)
            if column in hanging:
                left, text = hanging.pop(column)
                line.append(text)
                if left > 1:
                    hanging[column] = (left - 1, text)
                continue
            cell = next(cells, None)
            if cell is None:
                break
            text = cell.get_text(" ", strip=True)
            down = _span(cell, "rowspan")
            if down > 1:
                hanging[column] = (down - 1, text)
            line.append(text)
            line.extend([""] * (_span(cell, "colspan") - 1))
        grid.append(line)
    return grid
