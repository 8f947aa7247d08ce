"""Markdown: markdown-it-py's tokens to blocks."""

import re
from collections.abc import Sequence
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from documents.parsing import media_types
from documents.parsing.assembly import BlockWriter
from documents.parsing.decoding import decode
from documents.parsing.html import visible_text
from documents.parsing.types import BlockKind, ParsedDocument

_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title\s*:\s*[\"']?(.+?)[\"']?\s*$", re.IGNORECASE | re.MULTILINE)


def parse_markdown(path: Path) -> ParsedDocument:
    """Blocks of a Markdown file: headings, paragraphs, list items, tables and code."""
    text = decode(path.read_bytes()).text
    front = _FRONT_MATTER.match(text)
    title = ""
    if front:
        named = _FRONT_TITLE.search(front.group(1))
        title = named.group(1) if named else ""
        text = text[front.end() :]
    writer = BlockWriter()
    _TokenReader(writer).read(MarkdownIt("commonmark").enable("table").parse(text))
    first = next((block.text for block in writer.blocks if block.kind is BlockKind.HEADING), "")
    return ParsedDocument(media_types.MARKDOWN, tuple(writer.blocks), title=title or first)


_BOX = re.compile(r"^\[[ xX]\]\s+(?=\S)")  # to tick in a list of tasks: no word of it


class _TokenReader:
    """Walks the flat token list, keeping what is open around the current token."""

    def __init__(self, writer: BlockWriter) -> None:
        self._writer = writer
        self._lists: list[int | None] = []  # next number of each open list, None for bullets
        self._marker = ""
        self._heading = 0
        self._rows: list[list[str]] = []
        self._in_table = False

    def read(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            handler = getattr(self, f"_on_{token.type}", None)
            if handler is not None:
                handler(token)

    def _on_heading_open(self, token: Token) -> None:
        self._heading = int(token.tag[1])

    def _on_bullet_list_open(self, _token: Token) -> None:
        self._lists.append(None)

    def _on_ordered_list_open(self, token: Token) -> None:
        self._lists.append(int(token.attrGet("start") or 1))

    def _on_bullet_list_close(self, _token: Token) -> None:
        self._lists.pop()

    _on_ordered_list_close = _on_bullet_list_close

    def _on_list_item_open(self, token: Token) -> None:
        number = self._lists[-1]
        self._marker = "•" if number is None else f"{number}{token.markup or '.'}"
        if number is not None:
            self._lists[-1] = number + 1

    def _on_table_open(self, _token: Token) -> None:
        self._in_table, self._rows = True, []

    def _on_tr_open(self, _token: Token) -> None:
        self._rows.append([])

    def _on_table_close(self, _token: Token) -> None:
        self._in_table = False
        self._writer.table(self._rows, locator=self._place())

    def _on_inline(self, token: Token) -> None:
        text = _plain(token.children or [])
        if self._in_table:
            self._rows[-1].append(text)
        elif self._heading:
            self._writer.heading(text, self._heading, locator=self._place())
            self._heading = 0
        elif self._lists:
            marked = f"{self._marker} {_BOX.sub('', text)}" if self._marker else text
            self._marker = ""
            self._writer.add(BlockKind.LIST_ITEM, marked, level=len(self._lists), locator=self._place())
        else:
            self._writer.add(BlockKind.PARAGRAPH, text, locator=self._place())

    def _on_fence(self, token: Token) -> None:
        self._writer.add(BlockKind.CODE, token.content, locator=self._place())

    _on_code_block = _on_fence

    def _on_html_block(self, token: Token) -> None:
        self._writer.add(BlockKind.PARAGRAPH, visible_text(token.content), locator=self._place())

    def _place(self) -> dict[str, str]:
        path = self._writer.heading_path
        return {"section": path[-1]} if path else {}


def _plain(children: Sequence[Token]) -> str:
    """The words of inline Markdown: link texts, code and picture descriptions, without marks and addresses."""
    parts = []
    for child in children:
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type == "softbreak":
            parts.append(" ")
        elif child.type == "hardbreak":
            parts.append("\n")
        elif child.type == "image":
            parts.append(_plain(child.children or []))
        elif child.type == "html_inline" and child.content.lower().startswith("<br"):
            parts.append("\n")
    return "".join(parts)
