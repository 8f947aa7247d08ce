"""What somebody who asks for dishes must avoid, or wants to know them to hold: «postres sin huevo», «qué platos llevan
gluten», «qué no puede comer un celíaco». Pure.
"""

import re
from dataclasses import dataclass

from tutor import diet_words
from tutor.allergens import ALLERGEN, CELIAC, allergens_in
from tutor.patterns import any_of
from tutor.wording import asked, stems

_FILLER = (
    r"(?:(?:ni|trazas|restos|nada|algo|algun|ningun|ninguna|tipo|de|del|contener|llevar|tener|ingredientes?|como|tambien"
    r"|proteinas?) )*"
)
_ARTICLES = r"(?:(?:el|la|los|las|un|una) )*"
_LIST = rf"{ALLERGEN}\b(?:(?: ?, ?| ?/ ?| (?:y|e|o|u|ni) )+(?:(?:sin|trazas|a|al|de|del|el|la|los|las) )*{ALLERGEN}\b)*"
_HAS = r"(?:llev\w+|contien\w+|conten\w+|teng\w+|tien\w+|incluy\w+|trae\w?|traig\w+)"
_PEOPLE = re.compile(
    rf"\b{CELIAC}|\b(?:alergi\w+|intoleran\w+|sensib\w+) (?:(?:a|al|de|del|por|hacia) )?{_FILLER}{_ARTICLES}{_LIST}"
)
_BE = "(?:(?:son|es|sean|estan|esten|esta) )?"
_FREE = rf"(?:sin|libres? de|exent[oa]s? de) {_FILLER}{_ARTICLES}{_LIST}"
_NOT_FREE = re.compile(rf"\bno {_BE}{_FREE}")
_WITHOUT = (
    re.compile(rf"\b{_FREE}"),
    re.compile(rf"\bno (?:{_HAS}|haya?|hay) {_FILLER}{_ARTICLES}{_LIST}"),
    re.compile(
        rf"\bno (?:(?:me|le|les) )?(?:pued[eo]n?|podemos|deb[eo]n?|quiere?n?|quiero|com[eo]n?|tolera?o?n?|toma?o?n?"
        rf"|sientan? bien)(?: (?:comer|tomar|consumir|ingerir|probar|tolerar))? {_FILLER}{_ARTICLES}{_LIST}"
    ),
    re.compile(rf"\bevit(?:ar?|an|e|en|o) {_FILLER}{_ARTICLES}{_LIST}"),
)
_WITH = re.compile(
    rf"\b(?:en (?:que|cuales)(?: \w+){{0,2}} hay|{_HAS}|(?<!contaminacion )(?<!contacto )con|a base de|hech[oa]s? de)"
    rf" {_FILLER}{_LIST}"
)
_UNFIT = re.compile(
    rf"\bno (?:\w+ ){{0,2}}{any_of(diet_words.UNFIT)}\b"
    r"(?: (?:ser )?(?:apt[oa]s?|recomendad\w+|adecuad\w+|comer|tomar|servir|ofrecer|dar))*"
    r"|\b(?:evit(?:ar?|an|e|en)|prohib\w+|peligr\w+|desaconsej\w+|inadecuad\w+|nociv\w+)\b"
)
# What turns a question in a way that is not read here: «cuáles llevan gluten y cuáles no», «todos menos…».
_TURNS = re.compile(r"\b(?:no|nunca|tampoco|menos|excepto|salvo|quitando|aparte)\b")
_POLITE = re.compile(r"^(?:y |pero )*no (?=(?:hay|teneis|tenemos|tienen|tiene|tendreis|habra)\b)")
_ASKS_ELSE = rf"(?:{any_of(diet_words.BEFORE_VERBS)} )*{any_of(diet_words.OTHER_VERBS)}\b"
_NO_DISH = rf"{any_of(diet_words.NO_DISHES)}\b"
_DISHES = any_of(diet_words.DISHES)
_SOME = r"(?:(?:algun[oa]?s?|un[oa]?s?|el|la|los|las|son|otr[oa]s?|much[oa]s?) )*"
# «¿Qué guarnición llevan los platos con huevo?» asks for none of them; «¿qué puede comer un celíaco?» does.
_OF_DISHES = (
    rf"(?!{_DISHES}\b)(?:(?!celia|alergic|intoleran).)*\b(?:el|la|los|las|un|una) {_DISHES} (?:que )?(?:con|{_HAS})\b"
)
_ASKS_HOW = r"\b(?:donde|(?:como|cuando) se|cuant[oa]s?|quien|por que|hay que|tengo que|tenemos que)\b"
_WANTS_OPTIONS = re.compile(
    r"(?:^|[?¿!¡,.;:] ?)(?:(?:y|pero|hola|oye|por favor|entonces|que me digas|(?:quiero )?saber|dime) )*"
    rf"(?:que (?!{_ASKS_ELSE}|{_NO_DISH}|{_OF_DISHES})"
    rf"|(?:en|de|a) que (?!{_NO_DISH})(?={_DISHES}\b|\w+ (?:no )?(?:hay\b|{_HAS}))"
    rf"|(?:(?:en|de|a) )?(?:cuales|hay|habra|existen?|teneis|tenemos)\b(?! que\b)(?! {_SOME}{_NO_DISH})"
    r"|(?:dime|dame|enumera|list(?:a|ado)|quiero|busco|recomiend\w+)\b"
    r"(?! (?:saber )?(?:que\b|como|donde|cuando|quien|por que|cuant[oa]s?|si (?!hay|teneis|tenemos)))"
    rf"(?! {_SOME}{_NO_DISH})"
    rf"|(?:tienen?|servis|servimos|vendeis|vendemos|necesito|me das) {_DISHES}\b"
    rf"|(?:l[oa]s )?{_DISHES} (?=sin|con|que|para|apt|no|libre|exent|celia)(?!.*{_ASKS_HOW}))"
)
_NAMES_DIET = re.compile(rf"\b(?:{ALLERGEN}|{CELIAC}|alergi\w+|intoleran\w+)\b")
_ANY_DISH = stems(diet_words.ANY_DISH)


@dataclass(frozen=True, slots=True)
class Diet:
    """The allergens (see `tutor.allergens`) that dishes are wanted without, and those they are wanted with."""

    avoided: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    is_unsure: bool = False  # allergens are asked about in a way that is not understood: nothing may be left out

    def __bool__(self) -> bool:
        return bool(self.avoided or self.held)

    @property
    def allergens(self) -> frozenset[str]:
        return self.avoided | self.held


def dish_words(question: str) -> frozenset[str]:
    """The stems of what is left of a question without its allergens and the names of every dish: «lasaña sin gluten»
    asks of one.
    """
    return stems(_NAMES_DIET.sub(" ", asked(question))) - _ANY_DISH


def avoided_by_people(question: str) -> frozenset[str]:
    """The allergens that a question says somebody must avoid, whatever it asks: «una clienta alérgica a la leche»."""
    return _taken(asked(question), _PEOPLE)[0]


def diet_of(question: str) -> Diet:
    """What a question wants dishes without, or with; nothing for others, and where that is not certain.

    «¿Puede comer un celíaco la lasaña?» asks of one thing, whose row answers whatever it says.
    """
    text = asked(question).strip("¿?¡!. ")
    text = _POLITE.sub("", text)
    if not _WANTS_OPTIONS.search(text):
        return Diet()
    held, text = _taken(text, _NOT_FREE)
    avoided, text = _taken(text, *_WITHOUT)
    people, text = _taken(text, _PEOPLE)
    also_held, text = _taken(text, _WITH)
    held |= also_held
    if people and (unfit := _UNFIT.search(text)):
        text = text[: unfit.start()] + text[unfit.end() :]
        held |= people
    else:
        avoided |= people
    if _TURNS.search(text) or avoided & held:
        return Diet(is_unsure=bool(avoided or held))
    return Diet(avoided, held)


def _taken(text: str, *patterns: re.Pattern[str]) -> tuple[frozenset[str], str]:
    """The allergens that stand where the patterns match, one after the other, and the text without."""
    named: set[str] = set()
    for pattern in patterns:
        named.update(*(allergens_in(match[0]) for match in pattern.finditer(text)))
        text = pattern.sub(" * ", text)
    return frozenset(named), text
