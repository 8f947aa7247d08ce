"""A quote as people read it. Stored it is its source word for word, where bars part the cells of a table. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tutor.cutting import cut_units
from tutor.units import Unit, UnitKind, split_cells

EMPTY = "–"  # for a cell with nothing in it: who reads a row of allergens must see that it says nothing of one

_WORD = re.compile(r"\S+")
_RULE = re.compile(r"[\s|:\-–]+")


@dataclass(frozen=True, slots=True)
class QuotedLine:
    """Some words with their line breaks, or a table's row: its cells, each behind the name of its column, empty where
    that is not known.
    """

    text: str = ""
    fields: tuple[tuple[str, str], ...] = ()


def lines_of_quote(quote: str, passage: str, *, words: int = 0) -> tuple[QuotedLine, ...]:
    """The quote with its rows told apart, by the columns that its passage names; cut after so many `words`, if any."""
    lines = tuple(_lines(quote, passage))
    return _cut(lines, words) if words else lines


def _lines(quote: str, passage: str) -> Iterator[QuotedLine]:
    rows = [unit for unit in cut_units(passage) if unit.kind is UnitKind.ROW]
    text: list[str] = []
    for line in quote.strip().split("\n"):
        row = line.strip()
        if " | " not in f" {row} ":
            text.append(line)
            continue
        yield from _words(text)
        text = []
        if not _RULE.fullmatch(row):
            yield QuotedLine(fields=tuple(_fields(row, _names(row, rows, passage, quote))))
    yield from _words(text)


def _words(lines: Sequence[str]) -> Iterator[QuotedLine]:
    if text := "\n".join(lines).strip():
        yield QuotedLine(text)


def _names(line: str, rows: Sequence[Unit], passage: str, quote: str) -> tuple[str, ...]:
    """What the columns are called. What is quoted itself calls them nothing: where a passage is no more than its quote,
    its first row may be any.
    """
    row = next((one for one in rows if one.text.startswith(line)), None)
    if row is None or row.support is None or passage[slice(*row.support)] in quote:
        return ()
    return row.header


def _fields(row: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    for at, cell in enumerate(split_cells(row)):
        name = names[at] if at < len(names) and names[at] != cell else ""
        if name or cell:
            yield name, cell or EMPTY


def _cut(lines: tuple[QuotedLine, ...], room: int) -> tuple[QuotedLine, ...]:
    if sum(len(text.split()) for line in lines for _, text in _texts(line)) <= room:
        return lines
    kept: list[QuotedLine] = []
    for line in lines:
        shown: list[tuple[str, str]] = []
        for name, text in _texts(line):
            if room > 0:
                shown.append((name, _first_words(text, room)))
                room -= len(text.split())
        if room <= 0:
            shown[-1:] = [(name, f"{text} …") for name, text in shown[-1:]]
        if shown:
            kept.append(QuotedLine(fields=tuple(shown)) if line.fields else QuotedLine(shown[0][1]))
    return tuple(kept)


def _texts(line: QuotedLine) -> tuple[tuple[str, str], ...]:
    return line.fields or (("", line.text),)


def _first_words(text: str, count: int) -> str:
    pieces = list(_WORD.finditer(text))
    return text if len(pieces) <= count else text[: pieces[count - 1].end()]
