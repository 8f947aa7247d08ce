"""What every parser returns: a document as blocks in reading order. Pure data, ready for JSON."""

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Self


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE = "table"
    QA = "qa"
    CLAUSE = "clause"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of a document in reading order.

    `heading_path` names the headings above the block, outermost first; a heading's own path ends with itself.
    `locator` says where a block stands in files without pages: {"sheet", "rows"}, {"slide"}, {"time"}, {"section"};
    for PDF it holds {"rects": [[x0, y0, x1, y1], …]} in PDF points from the top left of the unrotated page shown.
    A PDF block that runs on over pages has its further rectangles in {"more": {"4": [[x0, y0, x1, y1], …]}}, by page.
    A table's `rows` hold its cells; `header_rows` says how many of the first rows are its header.
    """

    kind: BlockKind
    text: str
    level: int | None = None  # headings: 1 is the outermost; list items: nesting depth from 1
    page: int | None = None  # counted from 1
    locator: dict[str, Any] = field(default_factory=dict)
    heading_path: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] | None = None
    header_rows: int = 0

    def to_json(self) -> dict[str, Any]:
        """The block as plain JSON types. `rows` and `header_rows` are there for tables only."""
        data = asdict(self)
        data["kind"] = self.kind.value
        data["heading_path"] = list(self.heading_path)
        if self.rows is None:
            del data["rows"], data["header_rows"]
        else:
            data["rows"] = [list(row) for row in self.rows]
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        rows = data.get("rows")
        return cls(
            kind=BlockKind(data["kind"]),
            text=data["text"],
            level=data.get("level"),
            page=data.get("page"),
            locator=data.get("locator") or {},
            heading_path=tuple(data.get("heading_path") or ()),
            rows=None if rows is None else tuple(tuple(row) for row in rows),
            header_rows=data.get("header_rows", 0),
        )


@dataclass(frozen=True, slots=True)
class ParseWarning:
    """Something a reader should know about what was read. `message` is Spanish, for people, `values` filled in.

    `values` are what is counted or named in it, for saying the same in another language.
    """

    code: str
    message: str
    page: int | None = None
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A whole file as read. `page_count` is 0 where the format has no pages, `part_count` where it has neither
    slides nor sheets; `language` is None until detected."""

    media_type: str
    blocks: tuple[Block, ...]
    page_count: int = 0
    part_count: int = 0
    pages_without_text: tuple[int, ...] = ()
    title: str = ""
    language: str | None = None
    warnings: tuple[ParseWarning, ...] = ()
