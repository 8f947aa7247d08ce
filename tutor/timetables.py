"""Opening hours: who asks for them wants the timetable, and not whatever else happens when a door opens. Pure."""

import re
from collections.abc import Sequence

from tutor.units import Unit
from tutor.wording import asked, compact, stems

_OPENS = r"(?:abr(?:e|en|is|imos)|cierran?|cerra(?:is|mos)|abiert[oa]s?)"
_ASKS = re.compile(
    r"\b(?:que|cual es (?:el|su|vuestro|nuestro)|cuales son (?:los|sus|vuestros)|dime (?:el|los)) horarios?\b"
    r"|^(?:el )?horarios?\b"
    rf"|\b(?:(?:a|de|desde|hasta) que hora|cuando|que dias) (?:(?:se|esta[ins]?|estais|la|el|los|las) ){{0,2}}"
    rf"(?:\w+ )?{_OPENS}\b"
)
_TIMETABLE = re.compile(r"\bhorarios?\b|\bhoras? de (?:apertura|atencion)\b|\babiert[oa]s?\b|\babr(?:e|en|imos)\b")
_HOUR = r"\d{1,2}(?:[:.]\d{2}|(?= ?h\b)| ?horas\b)?(?: ?h\b)?"
_HOURS = re.compile(rf"\b(?:de |entre )?(?:las )?{_HOUR}(?: (?:a|y|hasta) | ?[-–—] ?)(?:las )?{_HOUR}(?![\d%€])")
_CLOCK = re.compile(r"\d[:.]\d{2}|\d ?h\b|\bhoras\b|\blas \d")
_OPENING = stems(
    "abre abren abrís abrimos abierto abierta abrir apertura cierra cierran cerráis cerramos cerrado cerrar cierre"
    " horario hora horas día días"
)


def asks_timetable(question: str) -> bool:
    """Whether a question is for the hours at which something is open."""
    return _ASKS.search(asked(question)) is not None


def opened_things(words: frozenset[str]) -> frozenset[str]:
    """Of the stems of a question for opening hours, those that say of what, or when."""
    return words - _OPENING


def is_timetable(unit: Unit, titles: Sequence[str]) -> bool:
    """Whether a row or sentence says from when to when something is open: hours, where the text itself, the columns or
    the lowest heading speak of a timetable. `titles` are those above the unit.
    """
    text = compact(unit.text)
    hours = _HOURS.search(text)
    if hours is None or not _CLOCK.search(hours[0]):
        return False
    around = (text, *unit.header, *titles[-1:])
    return any(_TIMETABLE.search(compact(part)) for part in around)
