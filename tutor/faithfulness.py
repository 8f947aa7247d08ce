"""Whether an answer made of a document's own words says nothing that its sources do not. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set

from retrieval.types import Passage
from tutor.grounding import without_markers
from tutor.units import split_cells
from tutor.wording import compact

_MARKED = re.compile(r"((?:[ ]*\[Fuente \d+\])+)")
_NUMBER = re.compile(r"\d+")
_BULLET = re.compile(r"^(?:- )?(?:\w{1,4}[.)] )?(?:- )?")  # as an answer writes them, not as the document does
_HEADED = re.compile(r": |(?<=[?!]) ")  # behind a heading, the name of a column or of a thing with its price
_FIELDS = re.compile(r"; | — ")  # between the cells of a row
_CUT = compact("…")  # behind what was too long to be shown whole
_NOTHING = frozenset({"", "…", _CUT, "–"})


def judged_statements(text: str, passages: Mapping[int, Passage]) -> list[tuple[str, bool]]:
    """Each sentence, row and step of an answer, and whether it stands word for word in the passage it cites.

    `passages` by the number that the answer's markers give them. A step without a marker is cited by the one that
    closes its list, or by the one of the line above that introduces it.
    """
    statements = list(_statements(text))
    return [
        (words, any(stands(words, passages[number]) for number in numbers if number in passages))
        for words, numbers in statements
    ]


def stands(words: str, passage: Passage) -> bool:
    """Whether words stand in a passage or its headings as they are; under a heading or a name that a colon follows; or
    as one of its rows, each cell with the name of its column or without.
    """
    wanted = compact(words.strip().removesuffix("…").rstrip(" ;"))
    text, headings = compact(passage.text), [compact(heading) for heading in passage.heading_path]
    if wanted in text or any(wanted.removesuffix(":") in heading for heading in headings):
        return True
    for joint in _HEADED.finditer(wanted):
        head, tail = wanted[: joint.start()], wanted[joint.end() :]
        if f"{head} {tail}" in text or (tail in text and any(head in heading for heading in headings)):
            return True
    rows = [line for line in passage.text.splitlines() if " | " in line]
    names = {compact(cell) for row in rows for cell in split_cells(row)}
    return any(_is_row(wanted, compact(row), names) for row in rows)


def _is_row(wanted: str, row: str, names: Set[str]) -> bool:
    """Whether all fields of a row as it is shown are cells of this row, named after columns or not."""
    return all(field in row or _is_named_cell(field, row, names) for field in _FIELDS.split(wanted))


def _is_named_cell(field: str, row: str, names: Set[str]) -> bool:
    field = field.removesuffix(_CUT).strip()
    if field in row:
        return True
    parts = [(field[: joint.start()], field[joint.end() :]) for joint in _HEADED.finditer(field)]
    return any(name in names and (cell in row or cell in _NOTHING) for name, cell in parts)


def _statements(text: str) -> Iterator[tuple[str, Sequence[int]]]:
    open_steps: list[str] = []
    last: list[int] = []
    for line in text.splitlines():
        parts = _MARKED.split(_BULLET.sub("", line.strip(), count=1))
        for words, marker in zip(parts[::2], [*parts[1::2], ""], strict=True):
            words = without_markers(words).strip()
            numbers = [int(number) for number in _NUMBER.findall(marker)]
            if words in _NOTHING:
                continue
            if not numbers:
                open_steps.append(words)
                continue
            yield from ((step, [*last, *numbers]) for step in open_steps)
            open_steps, last = [], numbers
            yield words, numbers
    yield from ((step, last) for step in open_steps)
