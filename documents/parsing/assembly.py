"""Puts blocks in order under their headings: the last step every parser shares."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from documents.cleaning import clean_code, clean_line, clean_text
from documents.parsing.types import Block, BlockKind
from documents.parsing.wording import ARTICLE_RANK, legal_rank

MAX_HEADING = 300  # characters: more than this is a paragraph, whatever its style says


class BlockWriter:
    """Collects blocks in reading order and gives each one its heading path."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._open: list[tuple[int, str]] = []

    @property
    def heading_path(self) -> tuple[str, ...]:
        return tuple(text for _, text in self._open)

    def article_level(self) -> int:
        """Level for an article that opens inside its own paragraph: beside the last one, else below what is open."""
        above = list(self._open)
        while above and legal_rank(above[-1][1]) == ARTICLE_RANK:
            above.pop()
        return above[-1][0] + 1 if above else 1

    def heading(self, text: str, level: int, *, page: int | None = None, locator: dict[str, Any] | None = None) -> None:
        """Open a section; it closes every open section of the same level or deeper."""
        text = clean_line(text)
        if not text:
            return
        if len(text) > MAX_HEADING:
            self.add(BlockKind.PARAGRAPH, text, page=page, locator=locator)
            return
        level = max(1, level)
        while self._open and self._open[-1][0] >= level:
            self._open.pop()
        self._open.append((level, text))
        self.blocks.append(
            Block(
                BlockKind.HEADING, text, level=level, page=page, locator=locator or {}, heading_path=self.heading_path
            )
        )

    def add(
        self,
        kind: BlockKind,
        text: str,
        *,
        level: int | None = None,
        page: int | None = None,
        locator: dict[str, Any] | None = None,
    ) -> None:
        """Add a block of text under the open headings. Text that cleans to nothing is dropped."""
        text = clean_code(text) if kind is BlockKind.CODE else clean_text(text)
        if text.strip():
            self.blocks.append(
                Block(kind, text, level=level, page=page, locator=locator or {}, heading_path=self.heading_path)
            )

    def table(
        self,
        rows: Iterable[Sequence[str]],
        *,
        header_rows: int = 1,
        page: int | None = None,
        locator: dict[str, Any] | None = None,
    ) -> None:
        """Add a table. Empty rows and columns are dropped; a table without any text is no block."""
        cells = tidy_rows(rows)
        if not cells:
            return
        header_rows = min(header_rows, len(cells) - 1)
        self.blocks.append(
            Block(
                BlockKind.TABLE,
                table_text(cells),
                page=page,
                locator=locator or {},
                heading_path=self.heading_path,
                rows=cells,
                header_rows=header_rows,
            )
        )


def tidy_rows(rows: Iterable[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Rows of one width with clean cells, without the rows and columns that are empty throughout."""
    cleaned = [[" ".join(clean_text(cell).split()) for cell in row] for row in rows]
    cleaned = [row for row in cleaned if any(row)]
    width = max(map(len, cleaned), default=0)
    padded = [row + [""] * (width - len(row)) for row in cleaned]
    columns = [index for index in range(width) if any(row[index] for row in padded)]
    return tuple(tuple(row[index] for index in columns) for row in padded)


def table_text(rows: Sequence[Sequence[str]]) -> str:
    """A table as plain lines, its cells between vertical bars."""
    return "\n".join(" | ".join(row) for row in rows)


_QUESTION = re.compile(r"^(?:P(?:regunta)?|Q(?:uestion)?)\s*\d{0,3}\s*[.:)\-–]+\s*(?=\S)", re.IGNORECASE)
_ANSWER = re.compile(r"^(?:R(?:espuesta|esp)?|A(?:nswer)?)\s*\d{0,3}\s*[.:)\-–]+\s*(?=\S)", re.IGNORECASE)


def pair_questions(blocks: Sequence[Block]) -> list[Block]:
    """Join a "P: …" paragraph with the "R: …" paragraph that answers it into one question-and-answer block."""
    paired: list[Block] = []
    for block in blocks:
        before = paired[-1] if paired else None
        if (
            before is not None
            and block.kind is BlockKind.PARAGRAPH
            and before.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
            and _QUESTION.match(before.text)
            and _ANSWER.match(block.text)
            and before.heading_path == block.heading_path
        ):
            locator = dict(before.locator)
            if before.page == block.page and "rects" in before.locator:
                locator["rects"] = [*before.locator["rects"], *block.locator.get("rects", [])]
            paired[-1] = Block(
                BlockKind.QA,
                f"{before.text}\n{block.text}",
                page=before.page,
                locator=locator,
                heading_path=before.heading_path,
            )
        else:
            paired.append(block)
    return paired
