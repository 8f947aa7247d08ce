"""Which rows of a table a question asks for by name, and by the name of which column. Pure."""

from collections.abc import Mapping, Sequence

from tutor.asking import Wanted, wanted_by
from tutor.cell_lookups import answers_by_column, found_in_cells
from tutor.labels import label_of
from tutor.lookups import columns_of_kind, turns_round
from tutor.units import Unit, UnitKind
from tutor.word_weights import keys_of
from tutor.wording import stems


def label_keys(unit: Unit) -> frozenset[str]:
    """The words that name the thing a row or an item is about, without plain numbers."""
    return frozenset(key for key in keys_of(label_of(unit)) if not key.isdigit())


class RowLookups:
    """A question's look-ups; `asked` are its words."""

    def __init__(self, question: str, asked: frozenset[str]) -> None:
        self._question = question
        self._asked = asked
        self._wanted = wanted_by(question)
        self._turns = turns_round(question)
        self._figures = frozenset(key for key in keys_of(question) if key.isdigit())
        self._stems = frozenset(word for word in stems(question) if not word.isdigit())

    def names(self, unit: Unit, label: frozenset[str]) -> bool:
        """Whether the question names the thing that an item is about, or a row in which it asks for a certain sort of
        thing: «la extensión de Mantenimiento».
        """
        is_open_row = unit.kind is UnitKind.ROW and self._wanted is Wanted.ANYTHING
        return bool(label) and label <= self._asked and not is_open_row

    def names_kind(self, unit: Unit) -> bool:
        """Whether the question names what the rows of a table are: «¿Qué bebidas…?» in one of «Bebida»."""
        return not stems(" ".join(unit.header[:1])).isdisjoint(self._stems)

    def is_looked_up(self, unit: Unit, label: frozenset[str], around: frozenset[str]) -> bool:
        """Whether all else that the question says is the name of one column, whose cell holds the sort of thing that is
        asked for: no word of it may stand elsewhere in the row, and the column's name has no other. Its plain numbers
        stand in the row or above it («Elemento 3»).
        """
        if self._turns or not self._figures <= around:
            return False
        rest = self._asked - label - keys_of(unit.header[0] if unit.header else "")
        return bool(rest) and any(
            keys_of(name) == rest for name in columns_of_kind(self._wanted, unit.header, unit.cells)
        )

    def found_in_cells(self, table: Sequence[Unit], unit: Unit, around: frozenset[str]) -> float:
        """How far a row is looked up by a cell that need not be its first, see `cell_lookups.found_in_cells`."""
        if not unit.header or self._turns or not self._figures <= around:
            return 0.0
        return found_in_cells(self._asked, self._wanted, unit, table)

    def answers_by_column(self, table: Sequence[Unit], unit: Unit) -> bool:
        """Whether the question begins as a row's column is called, see `cell_lookups.answers_by_column`."""
        return bool(unit.header) and answers_by_column(self._question, self._asked, unit, table)


def tables_of(units: Sequence[Unit]) -> Mapping[int, Sequence[Unit]]:
    """The rows of each table of a passage, by the number of its block."""
    tables: dict[int, list[Unit]] = {}
    for unit in units:
        if unit.kind is UnitKind.ROW:
            tables.setdefault(unit.block, []).append(unit)
    return tables
