"""The same edits in the files themselves, Markdown and Word, which are then read anew."""

import copy
import random
import re
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import docx
from docx.oxml.ns import qn
from edits import (
    NEW_PARAGRAPH,
    Section,
    has_number,
    misspelt,
    other_number,
    paragraphs,
    sections,
)

from documents.parsing.types import Block

_MARKUP = re.compile(r"^\s*(#+|[-*+]|\d+[.)])\s+|\*\*|`")


class EditableFile(Protocol):
    """A file as a row of units, lines or paragraphs and tables."""

    def find(self, text: str) -> int | None:
        """The one unit with this text; None: no or several."""

    def reword(self, at: int, text: str) -> None: ...
    def insert(self, at: int, text: str) -> None:
        """A paragraph behind a unit."""

    def cut(self, first: int, last: int, *, paste_at: int | None = None) -> None:
        """Take units out, end exclusive, and put them before another one if wanted."""

    def change_cell(self) -> str | None:
        """Add a word to a table's last cell that no other is like; returns what it said."""

    def lay_out_anew(self) -> None: ...
    def save(self, path: Path) -> None: ...


class MarkdownFile:
    def __init__(self, path: Path) -> None:
        self._lines = path.read_text(encoding="utf-8").split("\n")

    def find(self, text: str) -> int | None:
        places = [at for at, line in enumerate(self._lines) if _MARKUP.sub("", line).strip() == text]
        return places[0] if len(places) == 1 else None

    def reword(self, at: int, text: str) -> None:
        old = _MARKUP.sub("", self._lines[at]).strip()
        self._lines[at] = self._lines[at].replace(old, text) if old in self._lines[at] else text

    def insert(self, at: int, text: str) -> None:
        self._lines[at + 1 : at + 1] = ["", text, ""]

    def cut(self, first: int, last: int, *, paste_at: int | None = None) -> None:
        taken = self._lines[first:last]
        if paste_at is not None:
            self._lines[paste_at:paste_at] = ["", *taken, ""]
        del self._lines[first:last]

    def change_cell(self) -> str | None:
        rows = [at for at, line in enumerate(self._lines) if line.lstrip().startswith("|") and "---" not in line]
        if len(rows) < 2:
            return None
        cells = self._lines[rows[-1]].rstrip().rstrip("|").split("|")
        cells[-1] = f" {cells[-1].strip()} revisado "
        said = _MARKUP.sub("", cells[1].strip())
        self._lines[rows[-1]] = "|".join(cells) + "|"
        return said

    def lay_out_anew(self) -> None:
        lines = []
        for line in self._lines:
            is_text = bool(line.strip()) and not re.match(r"\s*([#|>]|[-*+] |\d+[.)] |```)", line)
            lines += textwrap.wrap(line, 50, break_on_hyphens=False, break_long_words=False) if is_text else [line]
        self._lines = ["", *lines, ""]

    def save(self, path: Path) -> None:
        path.write_text("\n".join(self._lines), encoding="utf-8")


class WordFile:
    def __init__(self, path: Path) -> None:
        self._document = docx.Document(str(path))
        self._body = self._document.element.body

    def _units(self) -> list[Any]:
        return [one for one in self._body if one.tag in (qn("w:p"), qn("w:tbl"))]

    def find(self, text: str) -> int | None:
        places = [at for at, one in enumerate(self._units()) if one.tag == qn("w:p") and _text(one) == text]
        return places[0] if len(places) == 1 else None

    def reword(self, at: int, text: str) -> None:
        _set_text(self._units()[at], text)

    def insert(self, at: int, text: str) -> None:
        paragraph = copy.deepcopy(self._units()[at])
        _set_text(paragraph, text)
        self._units()[at].addnext(paragraph)

    def cut(self, first: int, last: int, *, paste_at: int | None = None) -> None:
        units = self._units()
        target = None if paste_at is None or paste_at >= len(units) else units[paste_at]
        for one in units[first:last]:
            self._body.remove(one)
            if target is not None:
                target.addprevious(one)
            elif paste_at is not None:
                self._units()[-1].addnext(one)

    def change_cell(self) -> str | None:
        cells = [one for table in self._body.iter(qn("w:tbl")) for one in table.iter(qn("w:p"))]
        texts = [_text(one) for one in cells]
        alone = [one for one, text in zip(cells, texts, strict=True) if len(text) > 3 and texts.count(text) == 1]
        if not alone:
            return None
        said = _text(alone[-1])
        _set_text(alone[-1], f"{said} revisado")
        return said

    def lay_out_anew(self) -> None:
        """Page breaks, empty paragraphs, and runs broken in other places."""
        for number, one in enumerate(self._units()):
            if one.tag == qn("w:p") and number % 3 == 0:
                empty = docx.oxml.parse_xml(  # type: ignore[attr-defined]
                    '<w:p xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>'
                )
                one.addnext(empty)
            for run in list(one.iter(qn("w:r"))):
                texts = run.findall(qn("w:t"))
                if len(run) and len(texts) == 1 and run[-1] is texts[0] and len(texts[0].text or "") > 10:
                    second = copy.deepcopy(run)
                    text = texts[0].text
                    _give(texts[0], text[:7])
                    _give(second.find(qn("w:t")), text[7:])
                    run.addnext(second)
        self._document.add_page_break()

    def save(self, path: Path) -> None:
        self._document.save(str(path))


def _text(paragraph: Any) -> str:
    return " ".join("".join(one.text or "" for one in paragraph.iter(qn("w:t"))).split())


def _set_text(paragraph: Any, text: str) -> None:
    first, *others = list(paragraph.iter(qn("w:t")))
    _give(first, text)
    for one in others:
        one.text = ""


def _give(element: Any, text: str) -> None:
    element.text = text
    element.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")


# --- edits: each returns the concerned blocks of the older version, or None where the file has no place for it

FileEdit = Callable[[EditableFile, Sequence[Block], frozenset[int], random.Random], tuple[int, ...] | None]


def _place(
    file: EditableFile, blocks: Sequence[Block], places: Sequence[int], chance: random.Random
) -> tuple[int, int] | None:
    """A block out of `places` and its unit in the file."""
    for at in chance.sample(list(places), len(places)):
        unit = file.find(blocks[at].text)
        if unit is not None:
            return at, unit
    return None


def typo(
    file: EditableFile, blocks: Sequence[Block], taught: frozenset[int], chance: random.Random
) -> tuple[int, ...] | None:
    return _reworded(file, blocks, paragraphs(blocks, taught), lambda text: misspelt(text, chance), chance)


def number_changed(
    file: EditableFile, blocks: Sequence[Block], taught: frozenset[int], chance: random.Random
) -> tuple[int, ...] | None:
    places = [at for at in paragraphs(blocks, taught) if has_number(blocks[at].text)]
    return _reworded(file, blocks, places, other_number, chance)


def _reworded(
    file: EditableFile,
    blocks: Sequence[Block],
    places: Sequence[int],
    reword: Callable[[str], str],
    chance: random.Random,
) -> tuple[int, ...] | None:
    found = _place(file, blocks, places, chance)
    if found is None:
        return None
    at, unit = found
    file.reword(unit, reword(blocks[at].text))
    return (at,)


def paragraph_added(
    file: EditableFile, blocks: Sequence[Block], taught: frozenset[int], chance: random.Random
) -> tuple[int, ...] | None:
    found = _place(file, blocks, paragraphs(blocks, taught), chance)
    if found is None:
        return None
    file.insert(found[1], NEW_PARAGRAPH)
    return (found[0],)


def section_renamed(
    file: EditableFile, blocks: Sequence[Block], taught: frozenset[int], chance: random.Random
) -> tuple[int, ...] | None:
    own = {one.first: one.own_last for one in sections(blocks) if one.own_last - one.first > 1 and one.first in taught}
    found = _place(file, blocks, list(own), chance)
    if found is None:
        return None
    file.reword(found[1], f"Normas revisadas: {blocks[found[0]].text.lower()}")
    return tuple(range(found[0], own[found[0]]))


def _whole_sections(
    file: EditableFile, blocks: Sequence[Block], taught: frozenset[int]
) -> list[tuple[Section, int, int]]:
    """Sections that are taught whole, with where they begin and end in the file."""
    found = []
    for one in sections(blocks):
        if one.last >= len(blocks) or not taught.issuperset(range(one.first, one.last)) or one.last - one.first > 40:
            continue
        if sum(len(block.text.split()) for block in blocks[one.first + 1 : one.own_last]) < 8:
            continue
        first, last = file.find(blocks[one.first].text), file.find(blocks[one.last].text)
        if first is not None and last is not None and first < last:
            found.append((one, first, last))
    return found


def section_removed(
    file: EditableFile, blocks: Sequence[Block], taught: frozenset[int], chance: random.Random
) -> tuple[int, ...] | None:
    places = _whole_sections(file, blocks, taught)
    if not places:
        return None
    one, first, last = chance.choice(places)
    file.cut(first, last)
    return tuple(range(one.first, one.last))


def section_moved(
    file: EditableFile, blocks: Sequence[Block], taught: frozenset[int], chance: random.Random
) -> tuple[int, ...] | None:
    places = _whole_sections(file, blocks, taught)
    pairs = []
    for one, first, last in places:
        path = blocks[one.first].heading_path
        later = [
            (other, end) for other, _begin, end in places
            if other.first >= one.last and blocks[other.first].heading_path[:-1] == path[:-1]
            and all(block.heading_path[: len(path) - 1] == path[:-1] for block in blocks[one.last : other.last])
        ]  # fmt: skip
        if len(later) >= 3:
            pairs.append((one, first, last, later[-1][1]))
    if not pairs:
        return None
    one, first, last, target = chance.choice(pairs)
    file.cut(first, last, paste_at=target)
    return tuple(range(one.first, one.last))


def cell_changed(
    file: EditableFile, blocks: Sequence[Block], taught: frozenset[int], chance: random.Random
) -> tuple[int, ...] | None:
    said = file.change_cell()
    places = [at for at in sorted(taught) if any(said in row for row in blocks[at].rows or ())] if said else []
    return tuple(places[-1:]) or None


def new_layout(
    file: EditableFile, blocks: Sequence[Block], taught: frozenset[int], chance: random.Random
) -> tuple[int, ...] | None:
    file.lay_out_anew()
    return ()


def nothing(
    file: EditableFile, blocks: Sequence[Block], taught: frozenset[int], chance: random.Random
) -> tuple[int, ...] | None:
    return ()


EDITORS: dict[str, Callable[[Path], EditableFile]] = {".md": MarkdownFile, ".docx": WordFile}
FILE_EDITS: dict[str, FileEdit] = {
    "typo": typo,
    "number changed": number_changed,
    "paragraph added": paragraph_added,
    "section moved": section_moved,
    "section renamed": section_renamed,
    "section removed": section_removed,
    "table cell changed": cell_changed,
    "nothing changed": nothing,
    "layout only": new_layout,
}
