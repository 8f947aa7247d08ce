"""Tables whose rows are told apart by ranges of plain numbers: «De 51 a 150» below «Tamaño del lote». Pure."""

import re
from collections.abc import Mapping, Sequence

from tutor.amounts import Amount, Range, bare_range, value_of
from tutor.lookups import without_brackets
from tutor.units import Unit, UnitKind
from tutor.vocabulary import kin
from tutor.wording import compact, stems

_NUMBER = re.compile(r"(?<![\w.,])(?P<number>\d{1,3}(?:\.\d{3})+|\d{1,9}(?:,\d{1,4})?)(?!\w|[.,]\d)")
_BEFORE = re.compile(r"(\w+)\W+(?:(?:de|con|a|tiene|hay|es|son)\W+){0,2}$")
_BEHIND = re.compile(r"^\W*(\w+)")
_YEAR = re.compile(r"\b(?:en|del|desde|durante|ano) (?:19|20)\d\d$")  # «las tarifas del 2026»
# What numbers of any sort stand before: «45 años» is no seniority.
_MEASURES = stems("años meses semanas días horas minutos euros kilos")
_LIKE = 4  # letters from which on a word is held to be another's kin: puntos, puntuación


def decided_by_range(question: str, units: Sequence[Unit]) -> Mapping[int, bool]:
    """The indexes of the rows whose table has a column of ranges that one of the question's numbers is held against,
    each with whether its range holds it.

    Which number is meant says the word beside it, that names the column, or, of a question with only one, any of its
    words.
    """
    text = compact(question)
    numbers = [one for one in _NUMBER.finditer(text) if not _YEAR.search(text[: one.end()])]
    tables: dict[int, list[int]] = {}
    for index, unit in enumerate(units if numbers else ()):
        if unit.kind is UnitKind.ROW and unit.header:
            tables.setdefault(unit.block, []).append(index)
    found: dict[int, bool] = {}
    for rows in tables.values():
        for name, ranges in _columns_of_ranges([units[index] for index in rows]):
            number = _number_for(name, question, numbers)
            if number is not None and any(one.holds(number) for one in ranges):
                found |= {index: one.holds(number) for index, one in zip(rows, ranges, strict=True)}
                break
    return found


def _columns_of_ranges(rows: Sequence[Unit]) -> list[tuple[str, list[Range]]]:
    """The columns all of whose cells are ranges, each by its name."""
    found = []
    for at, name in enumerate(rows[0].header):
        ranges = [bare_range(row.cells[at]) if len(row.cells) > at else None for row in rows]
        known = [one for one in ranges if one is not None]
        if len(known) == len(rows) > 1:
            found.append((name, known))
    return found


def _number_for(name: str, question: str, numbers: Sequence[re.Match[str]]) -> Amount | None:
    text = compact(question)
    for match in numbers:
        before, behind = _BEFORE.search(text[: match.start()]), _BEHIND.match(text[match.end() :])
        beside = " ".join(one[1] for one in (before, behind) if one)
        if _names(name, beside):
            return Amount(value_of(match["number"]), "")
    if len(numbers) == 1 and _names(name, text):
        return Amount(value_of(numbers[0]["number"]), "")
    return None


def _names(name: str, words: str) -> bool:
    """Whether words hold one of a column's name, or its kin; what it is measured in only where it has no other."""
    named = stems(without_brackets(name))
    said = frozenset(word for word in stems(words) if not word.isdigit())
    return any(
        word == other or other in kin(word) or (min(len(word), len(other)) >= _LIKE and word[:_LIKE] == other[:_LIKE])
        for word in named - _MEASURES or named
        for other in said
    )
