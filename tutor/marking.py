"""A section's blocks with the quoted words marked, ready to show. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tutor.wording import word_key

SHOWN_BLOCKS = 40  # of a long section: the quoted part and what surrounds it


@dataclass(frozen=True, slots=True)
class Run:
    """Some words, marked or not."""

    text: str
    is_marked: bool


@dataclass(frozen=True, slots=True)
class Row:
    cells: tuple[str, ...]
    is_marked: bool


@dataclass(frozen=True, slots=True)
class MarkedBlock:
    """A block to show. A table has `header_rows` and `rows`; other kinds have `runs`."""

    kind: str
    runs: tuple[Run, ...] = ()
    header_rows: tuple[tuple[str, ...], ...] = ()
    rows: tuple[Row, ...] = ()
    is_first_mark: bool = False


def mark_section(
    blocks: Sequence[Mapping[str, Any]], *, heading_path: Sequence[str], quote: str
) -> tuple[MarkedBlock, ...]:
    """The blocks under `heading_path` with the words of `quote` marked; at most 40, those around the first
    mark.
    """
    path = list(heading_path)
    section = [block for block in blocks if list(block.get("heading_path") or ())[: len(path)] == path]
    quote_key = word_key(quote)
    marked = [_mark(block, quote, quote_key) for block in section]
    first = next((index for index, block in enumerate(marked) if _has_mark(block)), 0)
    start = max(0, min(first - SHOWN_BLOCKS // 3, len(marked) - SHOWN_BLOCKS))
    shown = marked[start : start + SHOWN_BLOCKS]
    return tuple(
        MarkedBlock(
            block.kind,
            block.runs,
            block.header_rows,
            block.rows,
            is_first_mark=_has_mark(block) and at == first,
        )
        for at, block in enumerate(shown, start)
    )


def _has_mark(block: MarkedBlock) -> bool:
    return any(run.is_marked for run in block.runs) or any(row.is_marked for row in block.rows)


def _mark(block: Mapping[str, Any], quote: str, quote_key: str) -> MarkedBlock:
    kind, text = block["kind"], block["text"]
    if kind == "table" and block.get("rows"):
        rows = [tuple(row) for row in block["rows"]]
        header = block.get("header_rows", 0)
        return MarkedBlock(
            kind,
            header_rows=tuple(rows[:header]),
            rows=tuple(Row(row, _is_part(word_key(" ".join(row)), quote_key)) for row in rows[header:]),
        )
    if kind == "heading":
        return MarkedBlock(kind, (Run(text, is_marked=False),))
    found = _find_words(text, quote)
    if found:
        start, end = found
        runs = (Run(text[:start], False), Run(text[start:end], True), Run(text[end:], False))
        return MarkedBlock(kind, tuple(run for run in runs if run.text))
    return MarkedBlock(kind, (Run(text, _is_part(word_key(text), quote_key)),))


def _find_words(text: str, quote: str) -> tuple[int, int] | None:
    """Where `quote` stands in `text`, whatever the white space between its words."""
    words = quote.split()
    if not words:
        return None
    match = re.search(r"\s+".join(map(re.escape, words)), text)
    return match.span() if match else None


def _is_part(key: str, quote_key: str) -> bool:
    return bool(key) and f" {key} " in f" {quote_key} "
