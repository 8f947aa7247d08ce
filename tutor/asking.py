"""What sort of thing a question asks for, and whether a text holds one. Pure.

A near miss speaks of the right things and lacks what is asked: the price, the number of years, who it is.
"""

import re
from enum import StrEnum

from tutor.patterns import any_of
from tutor.wording import asked, compact, stems

UNITS = any_of(
    "segundos? minutos? min horas? hs? dias? jornadas? semanas? quincenas? mes(?:es)? trimestres? semestres? anos?"
)
_NUMBERS = any_of(
    """un[oa]? dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince veinte treinta cuarenta
    cincuenta sesenta setenta ochenta noventa cien(?:to)? mil medi[oa] doble triple ningun[oa]? cero"""
)
_FREQUENCIES = any_of(
    r"""diari[oa]s? diariamente (?:quincenal|seman|mensu|bimestr|trimestr|semestr|anu)al(?:es|mente)? cada siempre
    nunca veces continu[oa] periodicamente permanente(?:mente)?"""
)
_ORDINALS = any_of(
    r"""prim(?:er|er[oa]s?) segund[oa]s? tercer[oa]?s? cuart[oa]s? quint[oa]s? sext[oa]s? siguientes? penultim[oa]s?
    ultim[oa]s? mism[oa]s?"""
)
_SPANS = any_of("dias? semanas? quincenas? mes(?:es)? trimestres? semestres? anos?")
_MONTHS = any_of("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre")
_WEEKDAYS = any_of("lunes martes miercoles jueves viernes sabados? domingos? festivos?")
_WHEN = any_of(
    r"""cuando antes despues tras durante mientras hasta hoy manana noche tarde inmediat\w+
    al\s(?:final|principio|inicio|iniciar|terminar|acabar|abrir|cerrar|empezar|momento) en\sel\smomento"""
)
PEOPLE = any_of(
    r"""responsables? encargad[oa]s? jef[ea]s? director\w* gerente\w* personas? personal equipos? departamento area
    comite consejo ministerio agencia secretari\w+ vicerrector\w+ rector\w* president\w+ coordinador\w* supervisor\w*
    administrador\w* tecnic[oa]s? medic[oa]s? profesor\w* docentes? alumn[oa]s? usuari[oa]s? clientes? emplead[oa]s?
    trabajador\w* operadores? manipulador\w* consultor\w* evaluador\w* empresas? organismos? entidad\w* autoridad\w*
    titular\w* profesional\w* companer[oa]s? dependient[ea]\w* nadie cualquiera quien quienes ltd inc
    autor(?:a|es|as)? duen[oa]s?"""
)
_EARNS = any_of("cuestan? valen? cobra[ns]? cobro gana[ns]? gano paga[ns]? pago")
PRICES = any_of("precio sueldo salario coste costo importe tarifa multa cuota")
CONTACTS = any_of("telefono correo mail email e-mail movil extension")


class Wanted(StrEnum):
    """What a question asks for; `ANYTHING` when its words do not say."""

    MONEY = "money"
    DURATION = "duration"
    NUMBER = "number"
    TIME = "time"
    PERSON = "person"
    CONTACT = "contact"
    ANYTHING = "anything"


# «Qué hago cuando …» asks for no time, «cómo sé cuándo …» does.
_ANOTHER = (
    r"(?:\bque (?:hago|hace|hacen|hacemos|hacer|se hace|se dice|digo|ofrezco|debo|debe|hay que|tengo que|pasa|ocurre)\b"
    r"|\bcomo\b(?! (?:se|saber|sabes|sabemos|puedo saber) cuando\b))"
)
# In order: the first that is found decides. Questions are matched as `asked` writes them, texts as `compact` does.
_ASKS: tuple[tuple[Wanted, str], ...] = (
    (Wanted.CONTACT, rf"\b(?:que|cual es el|cual es la|numero de) {CONTACTS}\b|^(?:telefono|correo|extension) del?\b"),
    (Wanted.MONEY, rf"\bcuanto (?:(?:me|se|nos|le|te) )?{_EARNS}\b|\b(?:cual es el|cual es la|que) {PRICES}\b"),
    (Wanted.MONEY, r"\bcuantos (?:euros|pesos|dolares)\b|\bcuanto dinero\b"),
    (Wanted.DURATION, rf"\bcuant[oa]s? (?:tiempo|plazo|duran?|tardan?|{UNITS})\b|\bcada cuant[oa]s?\b|\bque plazo\b"),
    (
        Wanted.DURATION,
        r"\bque (?:frecuencia|antelacion|periodicidad|duracion|vigencia|validez)\b|\bplazos? (?:para|de)\b",
    ),
    # «Días de vacaciones» asks how many, «días de pago» which.
    (
        Wanted.DURATION,
        r"^(?:numero de )?(?:dias|horas) de (?!(?:pago|cobro|cierre|apertura|reparto|entrega|recogida|mercado|visitas?"
        r"|limpieza|atencion|la|el|los|las)\b)",
    ),
    (Wanted.NUMBER, r"\bcuant[oa]s?\b|\b(?:que|cual es el|cual es la) (?:porcentaje|temperatura|edad|nota|medidas?)\b"),
    (Wanted.TIME, rf"^(?!.*{_ANOTHER}.*\bcuando\b).*\bcuando\b|\b(?:desde|hasta) cuando\b"),
    (Wanted.TIME, r"\ba que hora\b|\b(?:que|hasta que|en que) (?:dias?|fechas?|mes|ano|hora)\b"),
    (Wanted.PERSON, r"\bquien(?:es)?\b"),
)
_HOLDS = {
    Wanted.CONTACT: re.compile(r"\S@\S|\b\d[\d .-]{6,}\d\b|\bextension \d+"),
    Wanted.MONEY: re.compile(
        r"\d[.,]{0,2}\s*(?:€|euros?|eur|\$|pesos?|dolares?|usd|%)"
        r"|[$€]\s*\d|\bgratis\b|\bgratuit|\bsin (?:coste|costo|cargo)\b"
    ),
    Wanted.DURATION: re.compile(
        rf"(?:\d|\b{_NUMBERS}\b|\))\s*(?:\(\d+\)\s*)?{UNITS}\b|\b{_FREQUENCIES}\b"
        rf"|\b(?:al|por) (?:dia|mes|ano|semana)\b|\b\d+ de {_MONTHS}\b"
        r"|\b(?:mismo|primer|siguiente) (?:dia|mes|ano)\b|\b(?:dia|mes|ano) (?:siguiente|anterior)\b"
    ),
    Wanted.NUMBER: re.compile(rf"\d|\b{_NUMBERS}\b"),
    Wanted.TIME: re.compile(
        rf"\d|\b(?:{_MONTHS}|{_WEEKDAYS}|{_WHEN}|{_FREQUENCIES}|{_ORDINALS} {_SPANS}|{_SPANS} siguientes?)\b"
    ),
    Wanted.PERSON: re.compile(rf"\b{PEOPLE}\b"),
}
# What a question says of nothing: a span of time is asked for, or whether something is so.
ABOUT_NOTHING = re.compile(r"\bcu[aá]nto tiempo\b|\bes (?:verdad|cierto) que\b", re.IGNORECASE)
_QUESTIONS = tuple((wanted, re.compile(pattern)) for wanted, pattern in _ASKS)
_PROPER_NAME = re.compile(r"(?<=[a-záéíóúñ,] )[A-ZÁÉÍÓÚÑ][a-záéíóúñ]{2,}")


def wanted_by(question: str) -> Wanted:
    """What the question asks for, by its words; typed with or without accents and ¿."""
    text = asked(question)
    return next((wanted for wanted, pattern in _QUESTIONS if pattern.search(text)), Wanted.ANYTHING)


def holds(wanted: Wanted, text: str) -> bool:
    """Whether a text holds something of that sort; a proper name counts as a person."""
    pattern = _HOLDS.get(wanted)
    if pattern is None or pattern.search(compact(text)):
        return True
    return wanted is Wanted.PERSON and _PROPER_NAME.search(text) is not None


_QUESTION_WORD = re.compile(
    r"(?:^|[¿,.;:] ?)(?:y |pero )?(?:(?:a|de|en|con|por|para|desde|hasta|sobre|cada|dentro de) )?"
    r"(?:(?:el|la|los|las) )?(?:que|quien|quienes|cual|cuales|como|cuando|cuant[oa]s?|a?donde)\b|\bcuant[oa]s?\b"
)
_FOREIGN_WORDS = any_of(
    r"""how what when where who whose which why combien quel(?:le)?s? quand comment pourquoi quoi quant[oaie]?s? quale
    quali qual quais quando quem onde dove chi perche come\s(?:si|posso|devo|faccio|funziona) wie wieviele? was wann wo
    wer warum welche[mnrs]? quin(?:a|s|es)? quan"""
)
_FOREIGN_QUESTION_WORD = re.compile(rf"(?:^|[¿,.;:] ?)(?:\w{{1,6}} )?{_FOREIGN_WORDS}\b")
_WHETHER = re.compile(
    r"^(?:y |pero )?(?:(?:se|me|te|nos|le) )?(?:puedo|puede|pueden|podemos|podria|debo|debe|debemos|tengo que|tiene que"
    r"|tenemos que|hay que|es|son|hace falta|vale|sirve|aceptamos|abrimos|cerramos)\b"
)
_RULING = re.compile(
    r"\b(?:no|nunca|jamas|nadie|ningun|ninguna|siempre|solo|unicamente|prohib\w+|obligatori\w+|permit\w+|puede|pueden"
    r"|podra|podran|debe|deben|debera|deberan|salvo|excepto|sin limite|es posible|hace falta|necesari\w+|gratuit\w+)\b"
)
_ALL_OF = re.compile(
    r"\b(?:cuales son|dime (?:l[oa]s|tod[oa]s)|(?:la )?list(?:a|ado) de|enumera|todos l[oa]s"
    r"|que \w+[aeo]s (?:(?:de|del|para|con) (?:\w+ ){1,2})?"
    r"(?:hay|son|existen|tenemos|usamos|se (?:usan|utilizan|emplean))"
    r"|que (?:ingredientes|materiales|herramientas|documentos|papeles|requisitos|beneficios|ventajas) \w+)\b"
)


def asks_whether(question: str) -> bool:
    """Whether a question is to be answered with yes or no: no part of it begins with a question word."""
    text = asked(question)
    if _QUESTION_WORD.search(text) or _FOREIGN_QUESTION_WORD.search(text):
        return False
    return "?" in text or _WHETHER.search(text) is not None


def rules(text: str) -> bool:
    """Whether a text allows, forbids or obliges: what decides a question of yes or no."""
    return _RULING.search(compact(text)) is not None


def asks_for_all(question: str) -> bool:
    """Whether a question wants every one of several things: «cuáles son», «dime los», «qué productos usamos»."""
    return _ALL_OF.search(asked(question)) is not None


_WHAT_IT_IS = re.compile(
    r"^\W*(?:y )?que (?:es|son|significan?|quieren? decir) (?:(?:el|la|los|las|un|una|unos|unas|eso de) )*"
    r"(?P<thing>\w[^?¿,.;:]{2,59}?)\W*$"
)


def defined_by(question: str) -> re.Pattern[str] | None:
    """What the beginning of a sentence that says what the asked thing is matches, as `compact` writes it; None for
    questions that do not ask what something is.
    """
    asks = _WHAT_IT_IS.match(asked(question))
    if asks is None:
        return None
    return re.compile(
        rf"\W*(?:(?:el|la|los|las|un|una|se llama|se entiende por|llamamos) )*{re.escape(asks['thing'])}"
        r"(?: \([^)]*\))?\W*"
        r"(?:[:–—]| (?:es|son|significa|consisten?|se define|se entiende|se considera|se refiere|ocurre|se produce)\b)"
    )


def asks_several(text: str) -> bool:
    """Whether a text puts more than one question, each saying something by itself."""
    return sum(len(stems(part)) > 1 for part in text.split("?")[:-1]) > 1


_LACKS = re.compile(
    r"\b(?:no (?:(?:se|me|le|les|nos|lo|la) )?(?:tienen?|tengo|tenemos|traen?|traigo|llevan?|llevo|hay|quedan?"
    r"|encuentr[ao]n?|aparecen?)|sin|faltan?|(?:ha|han|he|hemos) perdido|perd(?:i|io|ieron))"
    r" (?:(?:el|la|los|las|un|una|ningun|ninguna|su|sus|mi|mis) )?(?P<thing>\w{3,})"
)


def lacked_in(text: str) -> frozenset[str]:
    """The stems of what a text says is not there: «no tiene tique», «sin tique»."""
    return stems(" ".join(found["thing"] for found in _LACKS.finditer(asked(text))))
