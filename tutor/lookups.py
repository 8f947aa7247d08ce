"""What the cells of a row hold by the names of their columns: 260 under «Extensión». Pure."""

import re
from collections.abc import Sequence

from tutor.asking import CONTACTS, PEOPLE, PRICES, UNITS, Wanted, holds
from tutor.wording import compact

_NAMES_KIND = {
    Wanted.CONTACT: re.compile(rf"\b{CONTACTS}\b"),
    Wanted.MONEY: re.compile(rf"\b{PRICES}\b|[€$]|\b(?:euros?|pesos?|dolares?)\b"),
    # «Plazo (días)» and «Horas» count; «Día» and «Año de compra» name one.
    Wanted.DURATION: re.compile(rf"\((?:en )?{UNITS}[^)]*\)|^(?:{UNITS})(?<=s)$"),
    Wanted.PERSON: re.compile(rf"^(?:(?:a|por|con) )?quien(?:es)?\b|^{PEOPLE}\b"),
}
_FIGURE = re.compile(r"\d")
_COUNT = re.compile(r"\W*\d{1,3}(?:[.,]\d+)?(?: ?(?:-|–|a|o) ?\d{1,3})?\W*")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_SAYS_NOBODY = re.compile(r"\W*(?:si|no|pendiente|ningun[oa]?|nadie|n/?a|por (?:definir|asignar))\b")
_BRACKETS = re.compile(r"\([^)]*\)")
_TURNS = re.compile(r"\b(?:no|ni|sin|nunca|menos|excepto|salvo|without|not)\b")


def is_of_kind(wanted: Wanted, name: str, cell: str) -> bool:
    """Whether a cell holds the sort of thing that is asked for because its column is named so."""
    pattern = _NAMES_KIND.get(wanted)
    if pattern is None or pattern.search(compact(name)) is None:
        return False
    if wanted is Wanted.PERSON:
        return _LETTERS.search(cell) is not None and _SAYS_NOBODY.match(compact(cell)) is None
    return (_COUNT.fullmatch(cell) if wanted is Wanted.DURATION else _FIGURE.search(cell)) is not None


def holds_in_row(wanted: Wanted, header: Sequence[str], cells: Sequence[str]) -> bool:
    """Whether any cell of a row holds something of that sort by the name of its column."""
    return any(is_of_kind(wanted, name, cell) for name, cell in zip(header, cells, strict=False))


def columns_of_kind(wanted: Wanted, header: Sequence[str], cells: Sequence[str]) -> list[str]:
    """The names, without what stands in brackets, of a row's columns whose cell holds something of that sort."""
    if wanted is Wanted.ANYTHING:
        return []
    return [
        without_brackets(name)
        for name, cell in zip(header, cells, strict=False)
        if _is_there(cell) and (is_of_kind(wanted, name, cell) or _holds_itself(wanted, cell))
    ]


def without_brackets(name: str) -> str:
    """The name of a column without what stands in brackets: «Plazo (días)»."""
    return _BRACKETS.sub("", name)


def turns_round(question: str) -> bool:
    """Whether a question has a word that says the contrary of the others: «el precio sin IVA»."""
    return _TURNS.search(compact(question)) is not None


def _is_there(cell: str) -> bool:
    return any(map(str.isalnum, cell)) and _SAYS_NOBODY.match(compact(cell)) is None


def _holds_itself(wanted: Wanted, cell: str) -> bool:
    return (wanted is not Wanted.PERSON or _LETTERS.search(cell) is not None) and holds(wanted, cell)
