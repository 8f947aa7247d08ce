"""The allergens that the law of the European Union has menus declare: what they are called, which include which, and
where a text names them. Pure.
"""

import re

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
ALLERGEN_WORDS = stems(
    """alergenos alergia alergicos contiene trazas gluten lactosa leche lacteos huevo sulfitos mostaza sesamo soja apio
    pescado marisco crustaceos moluscos cacahuetes altramuces nueces almendras avellanas"""
)

# Python's names of groups may hold no blank.
_GROUPS = {name.replace(" ", "_"): name for name in _NAMES}
_MENTION = re.compile(r"\b(?:" + "|".join(f"(?P<{group}>{_NAMES[name]})" for group, name in _GROUPS.items()) + r")\b")
_CELIAC = re.compile(rf"\b{CELIAC}\b")
_FRUITS = re.compile(rf"\b(?:{_NAMES['frutos secos']}|{_NAMES['frutos de cascara']})\b")
_SPEAKS_OF_THEM = re.compile(r"\b(?:alerg|intoleran|trazas)")

_MILK = frozenset({"leche", "lactosa"})
_NOT_THE_LAWS = frozenset({"marisco", "frutos secos"})  # everyday names; menus declare what they include


def mentions(text: str) -> list[tuple[int, int, str]]:
    """Where a folded text names which allergen, by name or by who must avoid it («celíacos»), in reading order."""
    named = [(one.start(), one.end(), _GROUPS[one.lastgroup or ""]) for one in _MENTION.finditer(text)]
    return sorted(named + [(one.start(), one.end(), "gluten") for one in _CELIAC.finditer(text)])


def allergens_in(text: str) -> frozenset[str]:
    """The allergens that a text names, by name or by who must avoid them («celíacos»)."""
    return frozenset(allergen for _, _, allergen in mentions(compact(text)))


def is_said_in(allergen: str, named: frozenset[str]) -> bool:
    """Whether allergens named say something of one: itself, one that includes it, or for who cannot stand milk the
    sugar in it, and the other way round.
    """
    telling = set(with_wholes(allergen))
    if allergen in _NOT_THE_LAWS:
        telling |= {part for part, whole in _INCLUDED_IN.items() if whole == allergen}
    if allergen in _MILK:
        telling |= _MILK
    return not named.isdisjoint(telling)


def speaks_of_allergens(text: str) -> bool:
    """Whether a text, be it a column's name, is about what somebody may not eat."""
    return bool(allergens_in(text)) or _SPEAKS_OF_THEM.search(compact(text)) is not None


def lists_only_allergens(text: str) -> bool:
    """Whether a text has no other words than those by which menus list allergens."""
    return stems(_FRUITS.sub(" ", compact(text))) <= ALLERGEN_WORDS


def with_wholes(allergen: str) -> tuple[str, ...]:
    """An allergen and those that include it."""
    line = [allergen]
    while (whole := _INCLUDED_IN.get(line[-1])) is not None:
        line.append(whole)
    return tuple(line)


def parts_of(allergen: str) -> frozenset[str]:
    """What an allergen includes, and what that does."""
    return frozenset(key for key in _INCLUDED_IN if key != allergen and allergen in with_wholes(key))
