"""A passage's lines in runs of one sort: text, the items of a list, the rows of a table. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_BULLET = r"[-*•·▪◦‣○–—\u2212]"
_NUMBER = r"\(?(?P<number>\d{1,3}|[a-zñ]|[ivx]{1,4})(?:[.)]|\.-|\.?[ºª])"
# Whoever made the list may have put a mark of their own before that of the text: «- a) …», «- – …».
ITEM_MARK = re.compile(rf"\s*(?:(?:{_BULLET}\s+)?{_NUMBER}|{_BULLET}(?:\s+{_BULLET})?)\s+", re.IGNORECASE)
# «- No se permite: - Fumar.»: an item repeated before one of those that it introduces.
_REPEATED_ABOVE = re.compile(rf"(?<=:)\s+(?={_BULLET}\s+[^\W\d_])")


@dataclass(frozen=True, slots=True)
class Line:
    """A line without the blanks around it, and where it stands in its passage."""

    start: int
    end: int
    text: str
    indent: int = 0  # blanks before it


def blocks(text: str) -> Iterator[list[Line]]:
    """Runs of lines of one sort: parted by blank lines, and where tables and lists begin and end."""
    run: list[Line] = []
    sort = ""
    position = 0
    for raw in _lines(text):
        stripped = raw.strip()
        indent = len(raw) - len(raw.lstrip())
        start = position + indent
        line = Line(start, start + len(stripped), stripped, indent)
        position += len(raw)
        of_line = "row" if " | " in stripped else "item" if ITEM_MARK.match(stripped) else "text"
        if run and (not stripped or (of_line != sort and not (sort == "item" and of_line == "text"))):
            yield run
            run = []
        if stripped:
            sort = sort if run else of_line
            run.append(line)
    if run:
        yield run


def _lines(text: str) -> Iterator[str]:
    """The lines of a text with their ends; an item and one that it introduces are two."""
    for line in text.splitlines(keepends=True):
        glued = _REPEATED_ABOVE.search(line) if ITEM_MARK.match(line) else None
        yield from (line,) if glued is None else (line[: glued.end()], line[glued.end() :])
