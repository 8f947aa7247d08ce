"""A question that names only what differs from the one before, put in whole words: «¿y los domingos?» (pure).

Beside the earlier question's own words the new ones are but a few of many: «¿A qué hora abrimos los sábados? ¿y los
domingos?» still asks about Saturdays. So the part of the same kind is exchanged, where there is one.
"""

import re

_TAKES_UP = re.compile(r"^[\s¿¡«\"(]*(?:(?:y|e|o|pero|entonces|tambi[ée]n)\s+(?:¿\s*)?)+", re.IGNORECASE)
_ENDS = "¿¡?!.,;:… \t\n\"'«»“”()"
_ARTICLE = r"(?:el|la|los|las|un|una|unos|unas)"
_PREPOSITION = r"(?:en|para|con|sin|por|al?|del?|desde|hasta|sobre)"
# What asks or is done by itself is no part to exchange.
_WHOLE = re.compile(
    r"^(?:si|no|que|qué|qui[ée]n(?:es)?|cu[áa]l(?:es)?|c[óo]mo|cu[áa]ndo|d[óo]nde|cu[áa]nt[oa]s?|por\s+qu[ée]|eso|esto"
    r"|ahora|luego|despu[ée]s)\b|\bse\s+\w|\b(?:cu[áa]nt[oa]s?|cu[áa]ndo|c[óo]mo|qui[ée]n(?:es)?|d[óo]nde|qu[ée]|cu[áa]l)\b|^(?:(?:a|de|en|con|para|por|desde|hasta)\s+)(?:qu[ée]|qui[ée]n|cu[áa]nt|cu[áa]nd|d[óo]nd)",
    re.IGNORECASE,
)
_DAY = (
    r"(?:(?:(?:en|por|de)\s+)?(?:(?:el|los|la|las|un|una)\s+)?(?:lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bados?"
    r"|domingos?|festivos?|fin(?:es)?\s+de\s+semana|diario|entre\s+semana|ma[ñn]anas?|tardes?|noches?|verano|invierno"
    r"|navidad|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre))"
)
_DAYS = re.compile(rf"\b{_DAY}(?:\s+(?:y|o|e)\s+{_DAY})*\b", re.IGNORECASE)
_AMOUNT = re.compile(
    r"(?P<before>(?:(?:de|con|por|para|a|hasta|los|las)\s+)?(?:(?:m[áa]s|menos)\s+de\s+)?)(?P<number>\d[\d.,]*)"
    r"(?P<unit>\s*(?:€|%|°C|[^\W\d_]+))?",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_UNIT = re.compile(r"\s*(?:€|%|euro|d[íi]a|hora|minuto|kilo|gramo|litro|unidad|persona|pieza)", re.IGNORECASE)
# Who may do what «¿quién…?» asks about: whoever it is done to is named with «a».
_PERSON = re.compile(
    rf"{_ARTICLE}\s+(?:encargad|jef[ea]|responsable|gerente|director|emplead|trabajador|becari|compa[ñn]er|supervisor"
    r"|coordinador|cajer|camarer|cociner|due[ñn]|t[ée]cnic[oa]s?\b|administrador|personal\b|equipo\b|plantilla\b)",
    re.IGNORECASE,
)
_WHO = re.compile(r"\W*qui[ée]n(?:es)?\b", re.IGNORECASE)
_VERB = (  # of such questions; «vale» and «paga» are as often nouns
    r"(?:se|me|te|nos|lo|tengo|tienes?|tenemos|tienen|hay|es|son|est[áa]n?|puedo|puedes?|podemos|pueden|debo|debes?"
    r"|debemos|deben|hacen?|hago|hacemos|dan?|tocan?|corresponden?|necesit[oa]n?|necesitamos|quedan?|duran?|cuestan?"
    r"|valen|pagan|cobran?|piden?|pido)"
)
_OF_THE_SAME = re.compile(rf"^{_ARTICLE}\s+(?P<part>(?:del?|de\s+{_ARTICLE})\s+.+)$", re.IGNORECASE)
_LAST_OF = re.compile(r"\bdel?\s+(?!.*\bdel?\s)[^?,;]+$", re.IGNORECASE)
_OWN = re.compile(rf"\b(?:del|de\s+{_ARTICLE})\s", re.IGNORECASE)
_THING = re.compile(
    rf"(?<!\w)(?<!\ben )(?<!\bde )(?<!\ba )(?<!\bcon )(?<!\bpara )(?<!\bpor )(?<!\bsin ){_ARTICLE}\s+"
    rf"(?:(?!\s(?:en|para|con|sin|por|al?|si|cuando)\s|\s{_DAY}\b)[^?,;])+",
    re.IGNORECASE,
)


def with_part_exchanged(topic: str, question: str) -> str:
    """The topic's question, asked of what the new one names instead; empty where no part of it is of the same kind."""
    opening = _TAKES_UP.match(question)
    if opening is None:
        return ""
    part = question[opening.end() :].strip(_ENDS)
    asked = topic.strip().rstrip("?!. ")
    if not part or _WHOLE.search(part):
        return ""
    exchanged = _with_days(asked, part) or _with_amount(asked, part) or _with_complement(asked, part)
    exchanged = exchanged or _with_phrase(asked, part) or _with_thing(asked, part)
    if not exchanged:
        return ""
    return f"{exchanged}?" if "?" in topic or "¿" in topic else exchanged


def _with_days(asked: str, part: str) -> str:
    return _put(asked, _DAYS, part) if _DAYS.fullmatch(part) else ""


def _with_amount(asked: str, part: str) -> str:
    """A year is exchanged for a year; where there is none it may be an amount, as others are that never replace one."""
    new, amounts = _AMOUNT.fullmatch(part), list(_AMOUNT.finditer(asked))
    if new is None:
        return ""
    old = [one for one in amounts if _is_year(one) == _is_year(new)] or (amounts if _is_year(new) else [])
    if not old:
        return ""
    last = old[-1]
    before = new["before"] if re.search(r"m[áa]s|menos", new["before"], re.IGNORECASE) else last["before"]
    return asked[: last.start()] + before + new["number"] + (new["unit"] or last["unit"] or "") + asked[last.end() :]


def _is_year(amount: re.Match[str]) -> bool:
    return _YEAR.fullmatch(amount["number"]) is not None and _UNIT.match(amount["unit"] or "") is None


def _with_complement(asked: str, part: str) -> str:
    """«La de arqueo», asked after «la hoja de temperaturas»."""
    new = _OF_THE_SAME.match(part)
    return _put(asked, _LAST_OF, new["part"]) if new else ""


def _with_phrase(asked: str, part: str) -> str:
    """«En la cafetería», asked after «en la tienda»."""
    preposition = re.match(rf"{_PREPOSITION}(?=\s)", part, re.IGNORECASE)
    if preposition is None:
        return ""
    same = re.compile(
        rf"(?<=\s){preposition[0]}\s+(?:(?!\s(?:{_PREPOSITION}|{_VERB})\b)[^?,;])+(?:\s+del?\s+[^?,;\s]+)?",
        re.IGNORECASE,
    )
    return _put(asked, same, part)


def _with_thing(asked: str, part: str) -> str:
    """Not where the thing is somebody's or something's own, «las vacaciones de la plantilla»: either may be meant."""
    things = [one[0] for one in _THING.finditer(asked)]
    if _WHO.match(asked) and _PERSON.match(part):
        return ""
    if any(_OWN.search(thing) for thing in things) or not re.match(rf"{_ARTICLE}\s", part, re.IGNORECASE):
        return ""
    return _put(asked, _THING, part)


def _put(asked: str, kind: re.Pattern[str], part: str) -> str:
    """The text with its last part of that kind exchanged; empty when it has none. A day is no thing."""
    found = [one for one in kind.finditer(asked) if kind is _DAYS or not _DAYS.fullmatch(one[0])]
    return asked[: found[-1].start()] + part + asked[found[-1].end() :] if found else ""
