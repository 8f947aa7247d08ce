"""Sentences that say that what they speak of stands below them. Pure."""

import re

from tutor.asking import rules
from tutor.patterns import any_of
from tutor.ruling_headings import forbids
from tutor.units import Unit, UnitKind
from tutor.wording import compact, word_count

LONGEST_LEAD = 30  # words of a sentence that breaks off before a list
_TIMES = any_of(
    "dias? horas? minutos? segundos? semanas? mes(?:es)? trimestres? anos? turnos? jornadas? campanas? temporadas?"
)
# What is shown below; «la siguiente nómina» and «los siguientes días» come later, and stand nowhere.
_SHOWN = any_of(
    """comandos? orden(?:es)? instruccion(?:es)? lineas? codigos? mensajes? pantallas? tablas? cuadros? listas?
    listados? relacion textos? frases? datos? avisos? formatos? formas? maneras? modos? sintaxis rutas?
    direccion(?:es)? archivos? ficheros? bloques? contenidos? procedimientos? esquemas? ejemplos? salidas?
    resultados? enlaces? opcion(?:es)? estructuras? secuencias? formulas? scripts? programas? parrafos? clausulas?
    ventanas? error"""
)
_MORE = r"(?:\s+[\w«»\"']+){0,3}"
_ANNOUNCES = re.compile(
    rf"\b(?:lo siguiente|a continuacion|(?:los|las) siguientes (?!\d|{_TIMES}\b)\w+{_MORE}"
    rf"|(?:los|las) (?!{_TIMES}\b)\w+(?: \w+)? siguientes"
    rf"|(?:el|la|un|una) siguiente {_SHOWN}\b{_MORE}|(?:el|la|un|una) {_SHOWN} siguiente"
    r"|(?:los|las) siguientes)\s*[.:]?$"
)
_MAY_ANNOUNCE = re.compile(rf"\b(?:el|la|un|una) siguiente\b{_MORE}\s*\.?$")
_ENDS = frozenset('.!?…:;»”")')


def announces(text: str) -> bool:
    """Whether a sentence says that what it speaks of stands below it."""
    return text.endswith(":") or _ANNOUNCES.search(compact(text)) is not None


def may_announce(text: str) -> bool:
    """Whether a sentence names the next of something, be it what stands below: «la siguiente utilidad.»"""
    return announces(text) or _MAY_ANNOUNCE.search(compact(text)) is not None


def leads_to_list(unit: Unit) -> bool:
    """Whether the unit right before a list introduces it: it says so, or breaks off there and rules what stands below
    («No se admite la devolución de»). A caption that stands there rules nothing.
    """
    if unit.kind is not UnitKind.SENTENCE:
        return unit.kind is UnitKind.ITEM and unit.text.endswith(":")
    breaks_off = unit.text[-1] not in _ENDS and word_count(unit.text) <= LONGEST_LEAD
    return announces(unit.text) or (breaks_off and (forbids(unit.text) or rules(unit.text)))
