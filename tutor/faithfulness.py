"""Whether an answer made of a document's own words says nothing that its sources do not. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from retrieval.types import Passage
from tutor.cutting import passage_units
from tutor.grounding import without_markers
from tutor.sections import heading_path_at, headings_of
from tutor.units import Unit, UnitKind
from tutor.wording import compact

_MARKED = re.compile(r"((?:[ ]*\[Fuente \d+\])+)")
_NUMBER = re.compile(r"\d+")
_BULLET = re.compile(r"^(?:- )?(?:\w{1,4}[.)] )?(?:- )?")  # as an answer writes them, not as the document does
_HEADED = re.compile(r": |(?<=[?!]) ")  # behind a heading, the name of a column or of a thing with its price
_BETWEEN = re.compile(r"; | — ")  # the cells of a row
_EDGES = (  # of words, and of numbers
    (r"(?<!\w)", r"(?!\w)"),
    (r"(?<![\w−–-])(?<!\d[.,:/])", r"(?!\w)(?![.,:/]\d)"),
)
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
    """Whether words stand in a passage or its headings as they are; below the headings or introductions that stand
    above them there; or as one of its rows, each cell with the name of its own column or without. Never as a part of a
    word or number.
    """
    wanted = compact(words.strip().removesuffix("…").rstrip(" ;"))
    text, headings = compact(passage.text), [compact(heading) for heading in headings_of(passage)]

    def is_heading(words: str) -> bool:
        return any(_holds(heading, words) for heading in headings)

    if _holds(text, wanted) or is_heading(wanted.removesuffix(":")):
        return True
    for joint in _HEADED.finditer(wanted):
        head, tail = wanted[: joint.start()], wanted[joint.end() :]
        if _holds(text, f"{head} {tail}"):
            return True
        heads = {(head,), tuple(_HEADED.split(head))}
        above = [headings] if is_heading(tail.removesuffix(":")) else _above(tail, passage)
        if any(all(any(_holds(one, part) for one in labels) for part in parts) for labels in above for parts in heads):
            return True
    rows = (unit for unit in passage_units(passage) if unit.kind is UnitKind.ROW)
    return any(_is_row(compact(words), row) for row in rows)


def _above(words: str, passage: Passage) -> Iterator[list[str]]:
    """Of each unit that holds words or begins them, the headings and introductions that it stands below, folded."""
    units = passage_units(passage)
    for at, unit in enumerate(units):
        said = compact(unit.text)
        if not _holds(said, words) and not (said and words.startswith(said)):
            continue
        labels = [compact(heading) for heading in heading_path_at(passage, unit.start)]
        if at and units[at - 1].text.endswith((":", "?")):
            labels.append(compact(units[at - 1].text))
        lead = unit.lead
        while lead is not None:
            labels.append(compact(units[lead].text))
            lead = units[lead].lead
        yield labels


def _holds(text: str, words: str) -> bool:
    """Whether words stand in a text: «5 días» does not in «15 días», «2,5 días» or «-5 días»."""
    before, after = _EDGES[words[:1].isdigit()][0], _EDGES[words[-1:].isdigit()][1]
    first, last = words[:1].isalnum(), words[-1:].isalnum()
    return re.search(f"{before if first else ''}{re.escape(words)}{after if last else ''}", text) is not None


def _is_row(said: str, row: Unit) -> bool:
    """Whether what is said is cells of a row in their order, some left out or cut short, named after their columns or
    not.
    """
    starts = {0}  # where a field may begin
    for name, cell in zip_longest(row.header, row.cells, fillvalue=""):
        fields = tuple(_fields(compact(name), compact(cell)))
        ends = {end for start in starts for field in fields for end in _ends(said, start, field)}
        if any(said[end:].strip(" ;") in ("", _CUT) for end in ends):
            return True
        starts |= {joint.end() for end in ends if (joint := _BETWEEN.match(said, end))}
    return False


def _fields(name: str, cell: str) -> Iterator[str]:
    """A cell as it is shown, with the name of its column and without."""
    if cell:
        yield cell
    if name:
        yield f"{name}: {cell or '–'}"


def _ends(said: str, start: int, field: str) -> Iterator[int]:
    """Where a field that begins at `start` ends, whole or cut after a word."""
    if said.startswith(field, start):
        yield start + len(field)
    cut = said.find(_CUT, start)
    if start < cut and field.startswith(said[start:cut]) and _holds(field, said[start:cut]):
        yield cut + len(_CUT)


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
