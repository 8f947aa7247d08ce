"""Rows of price lists: what a thing costs stands there as a bare figure, its currency in no cell. Pure."""

import re
from collections.abc import Sequence

from tutor.asking import PRICES, Wanted, holds
from tutor.lookups import holds_in_row
from tutor.units import Unit, UnitKind
from tutor.wording import compact, stems

_LISTS_PRICES = re.compile(rf"\b(?:{PRICES}|(?:precio|tarifa|cuota)s)\b")
_BARE_FIGURE = re.compile(r"\W*\d[\d.,]*\W*")
# Columns of a price list that measure or number what is sold.
_MEASURES = re.compile(
    r"\((?:en )?(?:min|h|m|mm|cm|kg|g|l|ud|uds|dias?|horas?|minutos?|meses|unidades|personas|%)\b[^)]*\)"
    r"|\b(?:minutos|horas|dias|meses|duracion|existencias|stock|cantidad|unidades|codigo|cod|referencia|ref|numero"
    r"|plazo|entrega|minim[oa]|maxim[oa]|peso|medidas?|capacidad|aforo|plazas|personas|edad|extension|telefono|iva"
    r"|descuento|fecha|ano|paginas?|sala|planta|puerta|pasillo|linea|nivel|sesiones|sitios?)\b|%|^n\.? ?[oº]"
)


def is_priced_row(unit: Unit, titles: Sequence[str]) -> bool:
    """Whether a row says what something costs: it holds an amount of money, a figure below «Precio», or, where one of
    `titles` above it announces prices, a bare figure below what is sold: 48 below «Sesión suelta».
    """
    if unit.kind is not UnitKind.ROW:
        return False
    if holds(Wanted.MONEY, unit.text) or holds_in_row(Wanted.MONEY, unit.header, unit.cells):
        return True
    if not any(_LISTS_PRICES.search(compact(title)) for title in titles):
        return False
    columns = list(zip(unit.header, unit.cells, strict=False))[1:]
    return any(_BARE_FIGURE.fullmatch(cell) and not _MEASURES.search(compact(name)) for name, cell in columns)


def figures_named(unit: Unit, thing: frozenset[str]) -> frozenset[str]:
    """The plain numbers by which a row says what it is about: those of its name, «Fresado 5 ejes», of cells that begin
    with a word, and of those that hold one of the thing's words, «30 cm»; but not of its other amounts, «5 días».
    """
    named = [
        cell
        for at, cell in enumerate(unit.cells)
        if at == 0 or not cell[:1].isdigit() or any(not word.isdigit() for word in stems(cell) & thing)
    ]
    return frozenset(word for word in stems(" ".join(named)) if word.isdigit())
