"""What running text says of each allergen that it names: «contiene leche, sin gluten ni huevo». Pure.

A wrong word here may hurt somebody: what cannot be read for certain says nothing, and traces count as having it.
"""

import re
from collections.abc import Sequence

from tutor.allergens import mentions
from tutor.wording import compact

SAYS_UNFIT = re.compile(
    r"\bno (?:(?:es|son|esta|estan|se) )?(?:apt|recomend|recomiend|aconsej|adecuad|indicad|valid|permit|segur|puede)\w*"
    r"|\b(?:desaconsej|prohibid|inadecuad|peligr|evitar)\w*"
)
_TOOL = (
    r"(?:obrador|aceite|freidora|plancha|parrilla|horno|cocina|maquina|tabla|cuchillo|agua|utensilio|cazo|cuchara"
    r"|equipo|linea|recipiente|bandeja|molde|zona|espacio|superficie|sarten)(?:e?s)?"
)
_COOKED = (
    r"(?:cort|fri|coc|cuec|prepar|elabor|hac|hec|horne|asa|tuest|tost|amas|calient|calent|manipul|envas|sirv|serv)\w*"
)
_FIT = r"(?:apt|segur|adecuad|recomend|recomiend|aconsej|certific|garanti)\w*"
_MAY = r"(?:deb|pued|pod|tom[ae]|com[ae]|consum|prueb|hay|ten|tien|sirv|serv|ofre|vend|admit|permit|valid|indicad)\w*"
# «No está certificada», «ninguno es apto», «en la misma freidora», «comparten aceite», «con la tabla del queso».
_WARNS = re.compile(
    rf"\b(?:no|nunca|tampoco|ningun[oa]?) (?:\w+ ){{0,4}}{_FIT}"
    r"|\btrazas\b|\bcontaminacion cruzada\b|\bcontaminad[oa]s?\b"
    rf"|\bmism[oa]s? {_TOOL}\b|\bcompart\w+ (?:\w+ ){{0,3}}{_TOOL}\b|\b{_TOOL} (?:\w+ ){{0,3}}compart\w+"
    rf"|\b{_COOKED} (?:\w+ ){{0,3}}(?:con|en|sobre) (?:el|la|los|las) {_TOOL} (?:con|de l[oa]s?|del)"
    r" (?!obrador|local|restaurante|casa|cocina|bar|centro)\w"
)
# What warns only where it speaks of allergens, or of who avoids something: «no se permite», «no deben tomarlo».
_MAY_WARN = re.compile(
    rf"\b(?:no|nunca|tampoco|ningun[oa]?) (?:\w+ ){{0,4}}{_MAY}"
    r"|\b(?:desaconsej|prohibid|inadecuad|peligr|evit|restos|contaminacion|abst)\w*"
    rf"|\b{_TOOL} (?:donde|que|en (?:el|la|los|las) (?:que|cual)|con)\b"
    rf"|\b(?:en|por) (?:el|la|nuestr[oa]) {_TOOL} (?:se )?(?:hay|us|trabaj|manipul|elabor|prepar|proces|contien)\w*"
)
_AVOIDS = re.compile(r"\b(?:celiac|alerg|intoleran|vegan|vegetarian|embarazad)\w*")
LEAVES_OPEN = re.compile(
    r"\?|\b(?:consult|pregunt|depend|pendient|segun|bajo pedido|a peticion|pedir|dispon"
    r"|no (?:consta|hay datos?|sab|se sab|proced|aplic)|desconoc|sin (?:datos?|informacion|determinar|confirmar))"
    r"|\bn\s?/?[adcs]\b|\bopcional"
)
QUALIFIED = re.compile(r"\*|\b(?:salvo|excepto|menos|pero|aunque|si se|cuando)\b")
_BEFORE_LACKED = re.compile(r"\b(?:sin|libres?|exent[oa]s?|no (?:contienen?|llevan?|tienen?)|apt[oa]s?)\b")
_BEFORE_HELD = re.compile(r"\b(?:contienen?|llevan?|tienen?|incluyen?|con|trazas|puede[n]?)\b")
_NOT_LACKED = re.compile(
    r"\b(?:no|nunca|tampoco|ningun\w*) (?:(?!(?:y|e|pero|sino|solo|contienen?|llevan?|tienen?) )\w+ ){0,4}"
    r"(?:sin|libres?|exent[oa]s?|apt[oa]s?)\b"
)
_MAY_LACK = re.compile(
    r"\*|\b(?:salvo|excepto|menos|si se|cuando|opcion(?:es)?|version(?:es)?|alternativas?|tambien|pued\w+|podemos"
    r"|posib\w+)\b"
)
_IS_RESTRICTED = re.compile(r"\*|\b(?:salvo|excepto|consult|pregunt|confirm|pendient)")
_UNNAMED_TRACES = re.compile(
    r"(?<!\bsin )(?<!\bni )(?<!\briesgo de )\b(?:trazas|contaminacion"
    r"|puede[n]? (?:contener|llevar|tener) (?:otros )?(?:alergenos|restos))\b"
)
_SENTENCE_BREAK = re.compile(r"[.;\n]")
_TO_NEXT = re.compile(
    r"\b(?:pero|aunque) (?:\w+ )*(?:con|contienen?|llevan?|tienen?|incluyen?|trazas|sin|puede[n]?)(?: \w+)*\s*$"
)
_JOINED = re.compile(r"(?:\s|[,/]|\b(?:y|e|o|u|ni|sin|trazas|a|al|de|del|el|la|los|las)\b)*")
_AND = re.compile(r"\s*(?:y|e|o|u|ni)\s+(?:(?:a|al|de|del|el|la|los|las)\s+)*")
_BREAK = re.compile(r"[.;()\n]")


def warns(text: str) -> bool:
    """Whether a sentence says of something that it is not fit for who avoids an allergen, or may have come near it."""
    said = compact(text)
    if _WARNS.search(said):
        return True
    return _MAY_WARN.search(said) is not None and bool(_AVOIDS.search(said) or mentions(said))


def said_of_each(text: str, *, default: bool | None) -> dict[str, bool | None]:
    """Of each allergen that a folded text names, whether it is in what the text is about; None where that is open.
    `default` is what it says of one to merely name it.
    """
    found: dict[str, bool | None] = {}
    named = mentions(text)
    at, has = 0, default
    for (start, end, key), doubt in zip(named, _doubts(text, named), strict=True):
        between = text[at:start]
        phrase = _BREAK.split(between)[-1]
        if SAYS_UNFIT.search(phrase) or _NOT_LACKED.search(phrase):
            has = True
        elif _BEFORE_LACKED.search(phrase):
            has = None if _MAY_LACK.search(phrase) or LEAVES_OPEN.search(phrase) else False
        elif _BEFORE_HELD.search(phrase):
            has = True
        elif phrase != between or not found:
            has = default
        elif has is False and default is not False and not _AND.fullmatch(between):
            has = None  # «sin gluten, leche» may mean either
        said = has if has is not False else doubt
        found[key] = True if found.get(key) else said
        at = end
    return found


def _doubts(text: str, named: Sequence[tuple[int, int, str]]) -> list[bool | None]:
    """What remains of each mention of what something lacks, by what stands behind it: False where nothing does, None
    for «sin gluten salvo la salsa», True for «sin gluten. Puede contener trazas».
    """
    doubts: list[bool | None] = []
    for number in reversed(range(len(named))):
        is_last = number + 1 == len(named)
        behind = text[named[number][1] : None if is_last else named[number + 1][0]]
        if not is_last and _JOINED.fullmatch(behind):
            doubts.append(doubts[-1])  # «sin gluten ni huevo, salvo la salsa»
        else:
            doubts.append(_doubt(behind, is_last=is_last))
    return doubts[::-1]


def _doubt(behind: str, *, is_last: bool) -> bool | None:
    """See `_doubts`: what is left open in the words up to the next allergen, which may be what they speak of."""
    traces = _UNNAMED_TRACES.search(behind)
    if traces and (is_last or _SENTENCE_BREAK.search(behind, traces.end())):
        return True
    if not is_last:
        behind = _TO_NEXT.sub("", behind)
    sentence = _SENTENCE_BREAK.split(behind)[0]
    is_open = QUALIFIED.search(sentence) or LEAVES_OPEN.search(sentence) or (is_last and _IS_RESTRICTED.search(behind))
    return None if is_open else False
