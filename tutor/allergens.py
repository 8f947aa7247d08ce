"""The allergens that the law of the European Union has menus declare, and what a table says of them. Pure.

A wrong word here may hurt somebody: what cannot be read for certain says nothing, and traces count as having it.
"""

import re
from collections.abc import Sequence

from tutor.wording import compact, stems

# Each allergen, folded, by whatever it is called; those that another one includes name it in `_INCLUDED_IN`.
_NAMES = {
    "gluten": r"gluten|cereales",
    "trigo": r"trigo|cebada|centeno|avena|espelta|kamut|semola",
    "crustaceos": r"crustaceos?",
    "gambas": r"gambas?|gambon(?:es)?|langostinos?|langostas?|cangrejos?|bogavantes?|cigalas?|camaron(?:es)?|necoras?",
    "huevo": r"huevos?|ovoproductos?",
    "pescado": r"pescados?",
    "cacahuete": r"cacahue?tes?|cacahuates?|mani(?:es)?",
    "soja": r"soja|soya",
    "leche": r"leche|lacteos?|proteinas? (?:de (?:la )?leche|lacteas?)|caseinas?",
    "lactosa": r"lactosa",
    "queso": r"quesos?|nata|mantequilla|yogur(?:es)?",
    "frutos de cascara": r"frutos (?:de|con) cascara",
    "nueces": r"nue(?:z|ces)(?! moscadas?)",
    "almendras": r"almendras?",
    "avellanas": r"avellanas?",
    "anacardos": r"anacardos?",
    "pistachos": r"pistach?os?",
    "pecanas": r"pecanas?|pacanas?|macadamias?",
    "frutos secos": r"frutos? secos?",
    "apio": r"apios?",
    "mostaza": r"mostazas?",
    "sesamo": r"(?:granos? de |semillas? de )?(?:sesamo|ajonjoli)|tahini?",
    "sulfitos": r"sulfitos?|dioxido de azufre|anhidrido sulfuroso|so2",
    "altramuces": r"altramu(?:z|ces)|lupinos?",
    "moluscos": r"moluscos?",
    "mejillones": (
        r"mejillon(?:es)?|almejas?|calamar(?:es)?|pulpos?|sepias?|chipiron(?:es)?|ostras?|vieiras?|berberechos?"
    ),
    "marisco": r"mariscos?",
}
_INCLUDED_IN = {
    "trigo": "gluten",
    "gambas": "crustaceos",
    "lactosa": "leche",
    "queso": "leche",
    "nueces": "frutos de cascara",
    "almendras": "frutos de cascara",
    "avellanas": "frutos de cascara",
    "anacardos": "frutos de cascara",
    "pistachos": "frutos de cascara",
    "pecanas": "frutos de cascara",
    "frutos de cascara": "frutos secos",
    "cacahuete": "frutos secos",
    "mejillones": "moluscos",
    "crustaceos": "marisco",
    "moluscos": "marisco",
}
CELIAC = r"celia[ck]\w*"
ALLERGEN = "(?:" + "|".join(_NAMES.values()) + ")"
_MENTION = re.compile(r"\b(?:" + "|".join(f"(?P<n{at}>{name})" for at, name in enumerate(_NAMES.values())) + r")\b")
_CELIAC = re.compile(rf"\b{CELIAC}\b")
_KEYS = tuple(_NAMES)

ALLERGEN_WORDS = stems(
    """alergenos alergia alergicos contiene trazas gluten lactosa leche lacteos huevo sulfitos mostaza sesamo soja apio
    pescado marisco crustaceos moluscos cacahuetes altramuces nueces almendras avellanas"""
)

_FRUITS = re.compile(rf"\b(?:{_NAMES['frutos secos']}|{_NAMES['frutos de cascara']})\b")

_TRACES = re.compile(r"(?<!\bsin )(?<!\bno contiene )(?<!\bni )\b(?:trazas|puede[n]? (?:contener|llevar|tener))\b")
_SAYS_UNFIT = re.compile(
    r"\bno (?:(?:es|son|esta|estan|se) )?(?:apt|recomend|recomiend|aconsej|adecuad|indicad|valid|permit|segur|puede)\w*"
    r"|\b(?:desaconsej|prohibid|inadecuad|peligr|evitar)\w*"
)
_SAYS_FIT = re.compile(
    r"\b(?:sin|libres?|free|exent[oa]s?|apt[oa]s?|recomendad[oa]s?|adecuad[oa]s?|indicad[oa]s?|segur[oa]s?|opcion(?:es)?"
    r"|no (?:contienen?|llevan?|tienen?))\b"
)
_NAMES_PEOPLE = re.compile(r"\b(?:para|celia[ck][oa]s?|intolerantes?|alergic[oa]s?)\b")
_NAMES_COMPLAINT = re.compile(r"\b(?:alergias?|intolerancias?|celiaqu\w+)\b")
_LISTS_WHAT_IT_HAS = re.compile(r"\W*(?:alergenos?|alergias?|contiene|lleva|trazas|puede contener|ingredientes)\b")
_LISTS_WHAT_IT_LACKS = re.compile(r"\W*(?:apt[oa]s?|sin|libre|exento|adecuado|no contiene|no lleva)\b")

_LEAVES_OPEN = re.compile(
    r"\?|\b(?:consult|pregunt|depend|pendient|segun|bajo pedido|a peticion|pedir|dispon"
    r"|no (?:consta|hay datos?|sab|se sab|proced|aplic)|desconoc|sin (?:datos?|informacion|determinar|confirmar))"
    r"|\bn\s?/?[adcs]\b|\bopcional"
)
_QUALIFIED = re.compile(r"\*|\b(?:salvo|excepto|menos|pero|aunque|si se|cuando)\b")
_HAS = re.compile(r"\W*(?:contienen?|llevan?|tienen?|incluye|con|presente|alto)\b")
_LACKS = re.compile(r"\W*no (?:contienen?|llevan?|tienen?|incluye|hay)\b|\W*ausente\b")
_MARK = re.compile(r"[x×✓✔☑✅●•■]")
_CROSSED = re.compile(r"[x×]")
_IS_YES = re.compile(r"[✓✔☑✅●•■]|(?:si|s|yes|y|ok|verdadero|true|v)\b")
_IS_NO = re.compile(r"[✗✘❌☒○]|[-–—−0]+$|(?:no|n|ningun[oa]?|nada|nunca|falso|false|f)\b")

_OWN_YES = re.compile(r"\W*(?:si|yes|contienen?|llevan?|tienen?)\b(?! (?:se|no)\b)")

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


def allergens_in(text: str) -> frozenset[str]:
    """The allergens that a text names, by name or by who must avoid them («celíacos»)."""
    said = compact(text)
    found = {_key(mention) for mention in _MENTION.finditer(said)}
    return frozenset(found | ({"gluten"} if _CELIAC.search(said) else set()))


def is_said_in(allergen: str, named: frozenset[str]) -> bool:
    """Whether allergens named say something of one: itself, one that includes it, or for who cannot stand milk the
    sugar in it, and the other way round.
    """
    milk = {"leche", "lactosa"}
    parts = {
        key for key, whole in _INCLUDED_IN.items() if whole == allergen and allergen in ("marisco", "frutos secos")
    }
    return not named.isdisjoint({*_line(allergen), *parts}) or (allergen in milk and not named.isdisjoint(milk))


def speaks_of_allergens(column: str) -> bool:
    """Whether what stands below a column's name decides what somebody may eat."""
    said = compact(column)
    return bool(allergens_in(column)) or re.search(r"\b(?:alerg|intoleran|trazas)", said) is not None


def has_allergen(
    allergen: str, header: Sequence[str], cells: Sequence[str], others: Sequence[Sequence[str]]
) -> bool | None:
    """Whether a row says that something has an allergen, or may have: True; that it has none: False; None where it
    does not say so for certain. `others` are the cells of all rows of its table, which tell what a cross means. The
    first column names what its rows are about, be it allergens.
    """
    said = [
        says_of(allergen, column if at else "", cell, [row[at] for row in others if at < len(row)])
        for at, (column, cell) in enumerate(zip(header, cells, strict=False))
    ]
    return True if True in said else False if False in said else None


def says_of(allergen: str, column: str, cell: str, of_column: Sequence[str] = ()) -> bool | None:
    """What one cell says of an allergen, see `has_allergen`."""
    name, said = compact(column), compact(cell)
    named = allergens_in(column)
    is_own = not named.isdisjoint({*_line(allergen), *(_parts(allergen) - {"lactosa"})})
    if is_own and _OWN_YES.match(said) and not _is_of_people(name):
        return True  # «Sí (hay opción sin gluten)»
    listed = _listed(said, default=_default(name))
    for key in (allergen, *_parts(allergen), *_line(allergen)):
        if listed.get(key) is True:
            return True
    if any(listed.get(key) is False for key in _line(allergen)):
        return False
    if lists_allergens(column, cell) and listed.keys().isdisjoint({*_line(allergen), *_parts(allergen)}):
        return False
    if listed or not named:
        return None
    if not is_own:  # without lactose is not without milk
        return None
    decided = _decided(name, said, [compact(other) for other in of_column])
    return decided if not named.isdisjoint(_line(allergen)) else decided or None


def lists_allergens(column: str, cell: str) -> bool:
    """Whether a cell names the allergens that something has, or says that it has none: those not named it lacks. What
    is put in signs or other words («G, H», «trigo») does not.
    """
    if not re.match(r"(?:alergenos?|contiene)\b", compact(column)) or allergens_in(column):
        return False
    named = stems(cell)
    if not named or _IS_NO.fullmatch(compact(cell)):
        return _IS_NO.match(compact(cell)) is not None
    return named <= ALLERGEN_WORDS or stems(_FRUITS.sub(" ", compact(cell))) <= ALLERGEN_WORDS


def _decided(column: str, cell: str, of_column: Sequence[str]) -> bool | None:
    """What a cell says of the allergens that its column names, or of those who must avoid them."""
    if _TRACES.search(cell):
        return True
    if _SAYS_UNFIT.search(cell):
        return True
    if not cell and _is_marked(column, of_column):
        return False
    if not cell or (_LEAVES_OPEN.search(cell) and not _HAS.match(cell)):
        return None
    if _HAS.match(cell):
        return True
    if _LACKS.match(cell) or _SAYS_FIT.match(cell):
        return None if _QUALIFIED.search(cell) else False
    is_unfit, is_fit = _SAYS_UNFIT.search(column) is not None, _SAYS_FIT.search(column) is not None
    is_fit = not is_unfit and (is_fit or _NAMES_PEOPLE.search(column) is not None)
    if not is_unfit and not is_fit and _NAMES_COMPLAINT.search(column):
        return None
    yes = _yes_or_no(cell, of_column, is_mark=not is_fit)
    if yes is None:  # of a column that is named by the allergen, whatever else stands in it is where it is
        return None if is_fit or is_unfit else True
    has = yes is not is_fit
    if not has and _QUALIFIED.search(cell):
        return None
    return None if not has and "trazas" in column else has


def _is_marked(column: str, of_column: Sequence[str]) -> bool:
    """Whether a column is named by an allergen, and nothing but marks say what has it: what has none has not."""
    said = [cell for cell in of_column if cell]
    return bool(said) and not _is_of_people(column) and all(_MARK.fullmatch(cell) for cell in said)


def _is_of_people(column: str) -> bool:
    """Whether a column says who may eat something, or what it lacks, and not what it has."""
    return any(one.search(column) for one in (_SAYS_UNFIT, _SAYS_FIT, _NAMES_PEOPLE, _NAMES_COMPLAINT))


def _yes_or_no(cell: str, of_column: Sequence[str], *, is_mark: bool) -> bool | None:
    """What a cell says. A cross says no beside ticks; alone it marks where something is, or nobody knows what it says
    of who may eat it.
    """
    if _CROSSED.fullmatch(cell):
        if any(_IS_YES.match(other) for other in of_column):
            return False
        if any(_IS_NO.match(other) for other in of_column):
            return True
        return True if is_mark else None
    if _IS_YES.match(cell):
        return True
    return False if _IS_NO.match(cell) else None


def _default(column: str) -> bool | None:
    """What it says of an allergen that a cell below a column names it, where the cell does not say."""
    if _SAYS_UNFIT.search(column):
        return True
    if _LISTS_WHAT_IT_LACKS.match(column):
        return False
    return True if _LISTS_WHAT_IT_HAS.match(column) else None


def _listed(text: str, *, default: bool | None) -> dict[str, bool | None]:
    """What a cell that names allergens says of each: «contiene leche, sin gluten ni huevo»."""
    found: dict[str, bool | None] = {}
    mentions = [(one.start(), one.end(), _key(one)) for one in _MENTION.finditer(text)]
    mentions += [(one.start(), one.end(), "gluten") for one in _CELIAC.finditer(text)]
    mentions.sort()
    doubts = _doubts(text, mentions)
    at, has = 0, default
    for (start, end, key), doubt in zip(mentions, doubts, strict=True):
        between = text[at:start]
        phrase = _BREAK.split(between)[-1]
        if _SAYS_UNFIT.search(phrase) or _NOT_LACKED.search(phrase):
            has = True
        elif _BEFORE_LACKED.search(phrase):
            has = None if _MAY_LACK.search(phrase) or _LEAVES_OPEN.search(phrase) else False
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


def _doubts(text: str, mentions: Sequence[tuple[int, int, str]]) -> list[bool | None]:
    """What remains of each mention of what something lacks, by what stands behind it: False where nothing does, None
    for «sin gluten salvo la salsa», True for «sin gluten. Puede contener trazas».
    """
    doubts: list[bool | None] = []
    for number in reversed(range(len(mentions))):
        is_last = number + 1 == len(mentions)
        behind = text[mentions[number][1] : None if is_last else mentions[number + 1][0]]
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
    is_open = (
        _QUALIFIED.search(sentence) or _LEAVES_OPEN.search(sentence) or (is_last and _IS_RESTRICTED.search(behind))
    )
    return None if is_open else False


def _key(mention: re.Match[str]) -> str:
    return _KEYS[int((mention.lastgroup or "n0")[1:])]


def _line(allergen: str) -> tuple[str, ...]:
    """An allergen and those that include it."""
    line = [allergen]
    while (whole := _INCLUDED_IN.get(line[-1])) is not None:
        line.append(whole)
    return tuple(line)


def _parts(allergen: str) -> frozenset[str]:
    """What an allergen includes, and what that does."""
    return frozenset(key for key in _INCLUDED_IN if key != allergen and allergen in _line(key))
