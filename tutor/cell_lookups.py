"""Rows found by a cell that is not their first, or by part of one: «el proveedor de latón» in «LA-58 | Latón». Pure."""

import re
from collections.abc import Sequence

from tutor.asking import Wanted
from tutor.contradictions import is_denied
from tutor.labels import label_of
from tutor.lookups import columns_of_kind, is_of_kind, without_brackets
from tutor.units import Unit
from tutor.word_weights import keys_of
from tutor.wording import compact, word_key

_ASKS = re.compile(
    r"(?:(?:a|con|de|en|para|por|cada) )(?:que|quien(?:es)?|cuando|cuant[oa]s?|donde|cual)|donde|cuando|como"
)
WHOLE = 1.0  # the cell is called so
PART = 0.5  # the cell says that among other things


def found_in_cells(asked: frozenset[str], wanted: Wanted, row: Unit, table: Sequence[Unit]) -> float:
    """How far all else that a question asks is what one cell of a row says, and that of no other row of its table,
    besides the name of the column whose cell holds the sort of thing that is asked for; 0 where it is not. `asked` are
    the question's words. The only column of people need not be named: «¿Quién cambia la correa?».
    """
    found = 0.0
    for name in columns_of_kind(wanted, row.header, row.cells):
        named = keys_of(name) & asked
        if named != keys_of(name) and not _is_only_of_people(wanted, row, name):
            continue
        rest = asked - named
        if not rest or (not named and wanted is not Wanted.PERSON):
            continue
        for at, cell in enumerate(row.cells):
            words = keys_of(cell)
            is_the_asked = at < len(row.header) and without_brackets(row.header[at]) == name
            if is_the_asked or not rest <= words or is_denied(cell) or _others_say(rest, at, row, table):
                continue
            found = max(found, WHOLE if words <= rest else PART)
    return found


def answers_by_column(question: str, asked: frozenset[str], row: Unit, table: Sequence[Unit]) -> bool:
    """Whether the question begins as one of a row's columns is called, «¿Con qué se limpian las camillas?», and names
    what that row alone is about.
    """
    said = f"{word_key(question)} "
    if not any(_ASKS.fullmatch(compact(name)) and said.startswith(f"{word_key(name)} ") for name in row.header[1:]):
        return False
    named = keys_of(label_of(row)) & asked
    return bool(named) and not any(named <= keys_of(label_of(one)) for one in table if one is not row)


def _is_only_of_people(wanted: Wanted, row: Unit, name: str) -> bool:
    """Whether a column is the only one that is called after people, where one of them is asked for."""
    if wanted is not Wanted.PERSON:
        return False
    columns = zip(row.header, row.cells, strict=False)
    return [without_brackets(header) for header, cell in columns if is_of_kind(wanted, header, cell)] == [name]


def _others_say(words: frozenset[str], at: int, row: Unit, table: Sequence[Unit]) -> bool:
    """Whether the same cell of another row says these words as well."""
    return any(len(one.cells) > at and words <= keys_of(one.cells[at]) for one in table if one is not row)
