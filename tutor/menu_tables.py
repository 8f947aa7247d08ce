"""What the tables of a menu decide where a question asks by allergens: which of their rows it wants. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tutor.allergen_cells import has_allergen
from tutor.allergens import allergens_in, is_said_in, speaks_of_allergens
from tutor.diets import Diet
from tutor.units import Unit, UnitKind
from tutor.wording import compact, stems

OF_ALL_ALLERGENS = re.compile(r"\b(?:alergenos?|alergias?)\b")  # a rule for all is one for each

_SAYS_WHAT_IT_HAS = re.compile(r"(?:ingredientes|composicion|contiene|lleva)\b")

_Has = Mapping[str, bool | None]  # what a row says of each allergen asked about: True, False, or None for neither


@dataclass(frozen=True, slots=True)
class Decided:
    """Indexes among a passage's units: the rows of tables that decide who may eat what; and of those the ones that the
    question wants left out.
    """

    rows: frozenset[int] = frozenset()
    refused: frozenset[int] = frozenset()


def decided_rows(diet: Diet, dish: frozenset[str], passages: Sequence[Sequence[Unit]]) -> list[Decided]:
    """For the units of each passage, what its tables decide.

    Left out is what has, or may have, what dishes are wanted without, what has not what they are wanted with, and other
    dishes than the one named: «¿hay lasaña sin gluten?» asks of no other. `dish` are the stems that may name one; it
    does where a row of any of the tables is called so.
    """
    tables = [_deciding_tables(diet, units) for units in passages]
    named = [
        {index for table in of_passage for index in table if not dish.isdisjoint(stems(name_of(units[index])))}
        for of_passage, units in zip(tables, passages, strict=True)
    ]
    names_dish = any(named)
    decided = []
    for of_passage, of_dish in zip(tables, named, strict=True):
        refused: set[int] = set()
        for table in of_passage:
            against = {index for index, has in table.items() if _is_against(diet, has)}
            wanted = table.keys() & of_dish
            refused |= table.keys() - (wanted - against or wanted) if names_dish else against
        decided.append(Decided(frozenset(index for table in of_passage for index in table), frozenset(refused)))
    return decided


def is_of_allergen(row: Unit) -> bool:
    """Whether a row is about an allergen, and where it is found: no dish that has it or has it not."""
    names = (name for name, cell in zip(row.header, row.cells, strict=False) if any(map(str.isalpha, cell)))
    return OF_ALL_ALLERGENS.match(compact(next(names, ""))) is not None


def leaves_open(allergens: Iterable[str], row: Unit) -> bool:
    """Whether a row says of other allergens what a dish has, by their columns, and nothing of those asked about: that
    it has no milk and no soya is easily read as an answer about gluten.
    """
    columns = [name for name in row.header[1:] if allergens_in(name)]
    if row.kind is not UnitKind.ROW or (len(columns) < 2 and not is_of_allergen(row)):
        return False
    # What a dish is called by, or what else has an allergen, says nothing: «Queso fresco», «Crema de marisco».
    said = allergens_in(name_of(row) if is_of_allergen(row) else " / ".join((*row.header[1:], *_behind_name(row))))
    return not any(is_said_in(allergen, said) for allergen in allergens)


def naming_cells(row: Unit) -> tuple[str, ...]:
    """The cells that say what a row is about: those before what it has; all where its columns do not tell."""
    if is_of_allergen(row):
        return row.cells
    return row.cells[: next((at for at, name in enumerate(row.header) if at and tells_what_is_in_it(name)), None)]


def tells_what_is_in_it(column: str) -> bool:
    """Whether a column says what dishes hold: «Gluten», «Alérgenos», «Ingredientes»."""
    return speaks_of_allergens(column) or _SAYS_WHAT_IT_HAS.match(compact(column)) is not None


def _behind_name(row: Unit) -> tuple[str, ...]:
    return row.cells[len(naming_cells(row)) :]


def _deciding_tables(diet: Diet, units: Sequence[Unit]) -> list[dict[int, _Has]]:
    """The tables that decide who may eat what, where that is asked: by the index of each row what it has."""
    if not diet and not diet.is_unsure:
        return []
    blocks: dict[int, list[int]] = {}
    for index, unit in enumerate(units):
        if unit.kind is UnitKind.ROW and unit.header and not is_of_allergen(unit):
            blocks.setdefault(unit.block, []).append(index)
    tables = []
    for block in blocks.values():
        others = [units[index].cells for index in block]
        table = {index: _has(diet, units[index], others) for index in block}
        if _says_something(table.values()) or (
            diet.is_unsure and any(map(speaks_of_allergens, units[block[0]].header))
        ):
            tables.append(table)
    return tables


def _has(diet: Diet, row: Unit, others: Sequence[Sequence[str]]) -> _Has:
    return {one: has_allergen(one, row.header, row.cells, others) for one in diet.allergens}


def _says_something(rows: Iterable[_Has]) -> bool:
    return any(said is not None for has in rows for said in has.values())


def _is_against(diet: Diet, has: _Has) -> bool:
    """Whether a row, by what it has, is none of those that the question asks for."""
    lacks = bool(diet.held) and all(has[one] is False for one in diet.held)
    return lacks or any(has[one] is True for one in diet.avoided)


def name_of(row: Unit) -> str:
    """The cell that says what a row is about: its first that has words."""
    return next((cell for cell in row.cells if any(map(str.isalpha, cell))), "")
