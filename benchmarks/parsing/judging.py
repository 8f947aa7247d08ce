"""Labels of the files, and how far a reading agrees with them. Text is compared by its letters and digits alone."""

import csv
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from readings import Reading, Row

CONTAINED = 8  # letters from which a label is also looked for inside a longer cell or heading


@dataclass(frozen=True, slots=True)
class Label:
    kind: str  # heading, not_heading, cells, order
    page: int
    level: int  # headings only, else 0
    first: str
    second: str  # cells and order


@dataclass(slots=True)
class Score:
    """Counts, to be added up over files."""

    headings: int = 0
    found: int = 0
    tempting: int = 0
    marked: int = 0  # tempting ones taken for headings
    steps: int = 0  # neighbouring labelled headings, both found
    right_steps: int = 0  # whose second is deeper, equal or higher as the labels say
    cells: int = 0
    cells_right: int = 0
    order: int = 0
    order_right: int = 0

    def __add__(self, other: "Score") -> "Score":
        return Score(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


def read_labels(path: Path) -> dict[str, list[Label]]:
    """Labels by file name, in the order written."""
    labels: dict[str, list[Label]] = defaultdict(list)
    with path.open(encoding="utf-8", newline="") as handle:
        for row in csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE):
            label = Label(row["kind"], int(row["page"]), int(row["level"] or 0), row["first"], row["second"])
            labels[row["file"]].append(label)
    return labels


def letters(text: str) -> str:
    """The text's letters and digits, without case, accents, spaces or marks: «Á. b-\\nc» is "abc"."""
    return "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if c.isalnum())


def misses(labels: Iterable[Label], reading: Reading) -> list[str]:
    """What a reading fails in, a line each."""
    return [f"{label.kind} p{label.page}: {label.first} | {label.second}" for label in labels if fails(label, reading)]


def fails(label: Label, reading: Reading) -> bool:
    """Whether a reading goes against a label."""
    match label.kind:
        case "heading":
            return level_of(label, reading) is None
        case "not_heading":
            return is_marked(label, reading)
        case "cells":
            return not any(in_one_row(label, row) for row in reading.rows.get(label.page, ()))
        case "order":
            return not in_order(label, reading)
    raise ValueError(f"label of unknown kind {label.kind!r}")


def judge(labels: list[Label], reading: Reading) -> Score:
    """How far a reading agrees with a file's labels."""
    score = Score()
    levels: list[tuple[int, int]] = []
    for label in labels:
        failed = fails(label, reading)
        match label.kind:
            case "heading":
                score.headings += 1
                score.found += not failed
                if not failed:
                    levels.append((label.level, level_of(label, reading) or 0))
            case "not_heading":
                score.tempting += 1
                score.marked += failed
            case "cells":
                score.cells += 1
                score.cells_right += not failed
            case "order":
                score.order += 1
                score.order_right += not failed
    for before, after in pairwise(levels):
        score.steps += 1
        score.right_steps += _direction(before[0], after[0]) == _direction(before[1], after[1])
    return score


def _direction(before: int, after: int) -> int:
    return (after > before) - (after < before)


def level_of(label: Label, reading: Reading) -> int | None:
    """The level at which a labelled heading was found on its page, or None.

    A heading that a reader split over several, or joined with its neighbour, counts as found.
    """
    wanted = letters(label.first)
    headings = [(level, letters(text)) for level, text in reading.headings.get(label.page, ())]
    for level, text in headings:
        if wanted == text or (len(wanted) >= CONTAINED and wanted in text and len(text) <= 200):
            return level
        if len(wanted) < CONTAINED and len(text) > len(wanted) and (text.startswith(wanted) or text.endswith(wanted)):
            return level
    joined = "".join(text for _, text in headings)
    at = joined.find(wanted)
    if at < 0 or len(wanted) < CONTAINED:
        return None
    for level, text in headings:
        if at < len(text):
            return level
        at -= len(text)
    return None


def is_marked(label: Label, reading: Reading) -> bool:
    """Whether text that is no heading was taken for one: as a whole, or as a part of one."""
    text = letters(label.first)
    headings = (letters(heading) for _, heading in reading.headings.get(label.page, ()))
    # Contents repeat the words of real headings, so that a longer heading on the page proves nothing for short ones.
    return any(text == heading or (len(text) >= 2 * CONTAINED and text in heading) for heading in headings)


def in_one_row(label: Label, row: Row) -> bool:
    """Whether two different cells of a row hold the label's two texts."""
    cells = [letters(cell) for cell in row]
    first = _cells_with(label.first, cells)
    second = _cells_with(label.second, cells)
    return any(a != b for a in first for b in second)


def _cells_with(text: str, cells: list[str]) -> list[int]:
    wanted = letters(text)
    return [
        at for at, cell in enumerate(cells) if cell == wanted or (len(wanted) >= CONTAINED and cell.startswith(wanted))
    ]


def in_order(label: Label, reading: Reading) -> bool:
    """Whether the first text stands before the second, from the label's page to the end of the next."""
    text = letters(reading.text.get(label.page, "") + "\n" + reading.text.get(label.page + 1, ""))
    first = text.find(letters(label.first))
    return first >= 0 and text.find(letters(label.second), first + 1) > first
