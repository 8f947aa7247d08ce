"""What sort of thing a question asks for, and whether a text holds one. Pure.

A near miss speaks of the right things and lacks what is asked: the price, the number of years, who it is.
"""

import re
from enum import StrEnum

from tutor.wording import asked, compact, stems

_UNITS = r"(?:segundos?|minutos?|min|horas?|hs?|dias?|jornadas?|semanas?|quincenas?|mes(?:es)?|trimestres?|semestres?|anos?)"
_NUMBER_WORDS = (
    r"(?:un[oa]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|veinte|treinta|cuarenta"
    r"|cincuenta|sesenta|setenta|ochenta|noventa|cien(?:to)?|mil|medi[oa]|doble|triple|ningun[oa]?|cero)"
)
_FREQUENCIES = (
    r"(?:diari[oa]s?|(?:bi|quincenal|seman|mensu|bimestr|trimestr|semestr|anu)al(?:es|mente)?|diariamente|cada|siempre|nunca"
    r"|veces|continu[oa]|periodicamente|permanente(?:mente)?)"
)
_MONTHS = r"(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)"
_WEEKDAYS = r"(?:lunes|martes|miercoles|jueves|viernes|sabados?|domingos?|festivos?)"


class Wanted(StrEnum):
    """What a question asks for; `ANYTHING` when its words do not say."""

    MONEY = "money"
    DURATION = "duration"
    NUMBER = "number"
    TIME = "time"
    PERSON = "person"
    CONTACT = "contact"
    ANYTHING = "anything"


# In order: the first that is found decides.
_ASKS: tuple[tuple[Wanted, re.Pattern[str]], ...] = (
    (
        Wanted.CONTACT,
        re.compile(
            r"\b(?:que|cual es el|cual es la|numero de) (?:telefono|correo|mail|email|e-mail|movil|extension)\b"
            r"|^(?:telefono|correo|extension) (?:de|del)\b"
        ),
    ),
    (
        Wanted.MONEY,
        re.compile(
            r"\bcuanto (?:me |se |nos |le |te )?(?:cuesta|cuestan|vale|valen|cobra|cobran|cobro|gana|ganan|gano|paga|pagan|pago)\b"
            r"|\b(?:cual es el|que) (?:precio|sueldo|salario|coste|costo|importe|tarifa|multa|cuota)\b|\bcuantos (?:euros|pesos|dolares)\b"
            r"|\bcuanto dinero\b"
        ),
    ),
    (
        Wanted.DURATION,
        re.compile(
            rf"\bcuant[oa]s? (?:tiempo|{_UNITS}|dura|duran|tarda|tardan|plazo)\b|\bcada cuant[oa]s?\b|\bque plazo\b"
            rf"|\b(?:con que|que) (?:frecuencia|antelacion|periodicidad|duracion|vigencia|validez)\b|\bplazos? (?:para|de|hay)\b"
        ),
    ),
    (Wanted.NUMBER, re.compile(r"\bcuant[oa]s?\b|\b(?:que|cual es el|cual es la) (?:porcentaje|temperatura|edad|nota|medidas?)\b")),
    (
        Wanted.TIME,
        re.compile(r"\bcuando\b(?=.*\?|\s+\w+)|\ba que hora\b|\b(?:que|hasta que|en que|desde que) (?:dias?|fechas?|mes|ano|hora)\b"),
    ),
    (Wanted.PERSON, re.compile(r"\bquien(?:es)?\b")),
)
_HOLDS: dict[Wanted, re.Pattern[str]] = {
    Wanted.CONTACT: re.compile(r"\S@\S|\b\d[\d .-]{6,}\d\b|\bextension \d+"),
    Wanted.MONEY: re.compile(
        r"\d[\d.,]*\s*(?:€|euros?|eur|\$|pesos?|dolares?|usd|%)|[$€]\s*\d|\bgratis\b|\bgratuit|\bsin (?:coste|costo|cargo)\b"
    ),
    Wanted.DURATION: re.compile(
        rf"(?:\d|\b{_NUMBER_WORDS}\b|\))\s*(?:\(\d+\)\s*)?{_UNITS}\b|\b{_FREQUENCIES}\b|\b(?:al|por) (?:dia|mes|ano|semana)\b"
        rf"|\b(?:mismo|primer|siguiente) (?:dia|mes|ano)\b|\b(?:dia|mes|ano) (?:siguiente|anterior)\b|\b\d+ de {_MONTHS}\b"
    ),
    Wanted.NUMBER: re.compile(rf"\d|\b{_NUMBER_WORDS}\b"),
    Wanted.TIME: re.compile(
        rf"\d|\b{_MONTHS}\b|\b{_WEEKDAYS}\b|\b(?:cuando|antes|despues|tras|durante|mientras|al (?:final|principio|inicio|iniciar"
        rf"|terminar|acabar|abrir|cerrar|empezar|momento)|hasta|hoy|manana|noche|tarde|{_FREQUENCIES}|en el momento|inmediat\w+)\b"
    ),
    Wanted.PERSON: re.compile(
        r"\b(?:responsables?|encargad[oa]s?|jef[ea]s?|director\w*|gerente\w*|persona\w*|personal|equipos?|departamento|area|comite|consejo"
        r"|ministerio|agencia|secretari\w+|vicerrector\w+|rector\w*|president\w+|coordinador\w*|supervisor\w*|administrador\w*|tecnic[oa]s?"
        r"|medic[oa]s?|profesor\w*|docentes?|alumn[oa]s?|usuari[oa]s?|clientes?|emplead[oa]s?|trabajador\w*|operadores?|manipulador\w*"
        r"|consultor\w*|evaluador\w*|empresas?|organismos?|entidad\w*|autoridad\w*|titular\w*|profesional\w*|companer[oa]s?"
        r"|dependient[ea]\w*|nadie|cualquiera|quien|quienes|ltd|s\.a|inc|autor\w*|duen[oa]s?)\b"
    ),
}

_PROPER_NAME = re.compile(r"(?<=[a-záéíóúñ,] )[A-ZÁÉÍÓÚÑ][a-záéíóúñ]{2,}")


def wanted_by(question: str) -> Wanted:
    """What the question asks for, by its words; typed with or without accents and ¿."""
    text = asked(question)
    return next((wanted for wanted, pattern in _ASKS if pattern.search(text)), Wanted.ANYTHING)


def holds(wanted: Wanted, text: str) -> bool:
    """Whether a text holds something of that sort; a proper name counts as a person."""
    pattern = _HOLDS.get(wanted)
    if pattern is None or pattern.search(compact(text)):
        return True
    return wanted is Wanted.PERSON and _PROPER_NAME.search(text) is not None
