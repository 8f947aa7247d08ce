"""The one thing that a question is about: «los alérgenos del tartar», «menú infantil», «¿cuánto cuesta la caña?». Pure.

What a menu or a price list does not name is not in it, however much else is: questions of what is on them are answered
by sentences and rows that name the thing, or stand by one that does, or not at all. «¿Dónde se guarda el dinero?» may
be answered by a sentence about «el efectivo», if all else is clear. Other questions are put in so many words that a
missing one says little; see `tutor.things`.
"""

import re
from dataclasses import dataclass

from tutor.allergens import ALLERGEN_WORDS
from tutor.asking import Wanted, holds
from tutor.vocabulary import kin
from tutor.wording import asked, stems

LONGEST = 4  # words of a thing that is asked about without a verb

_ARTICLE = r"(?:el|la|los|las|un|una|unos|unas)"
_ALLERGENS = (
    r"(?:alergenos?|gluten|lactosa|leche|huevos?|sulfitos?|mostaza|sesamo|soja|apio|pescado|mariscos?|crustaceos?"
    r"|moluscos?|lacteos|cacahuetes?|altramuces|frutos (?:secos|de cascara)|nueces|almendras?)"
)
_THING = r"(?P<thing>[^?¿!,;:]+)"
_HAS = "(?:lleva|llevan|contiene|contienen|tiene|tienen|trae|traen)"
# Words that stand for whatever a manual is about: it may call it otherwise.
_GENERIC = (
    "(?:aparatos?|maquinas?|equipos?|dispositivos?|sistemas?|programas?|productos?|cosas?|tema|cliente|clienta|clientes"
    "|problemas?|trabajo|persona|personas|gente|casos?|cuenta|articulos?|pieza|piezas)"
)
_OPENING = r"(?:(?:y|pero|oye|hola|por favor) )*"
_FORMS = tuple(
    (re.compile(_OPENING + form), asks, must_be_named)
    for form, asks, must_be_named in (
        (rf"(?:{_ARTICLE} )?alergenos (?:del|de {_ARTICLE}|de) {_THING}", "allergens", True),
        (rf"(?:que|cuales) alergenos {_HAS} (?={_ARTICLE} ){_THING}", "allergens", True),
        (rf"{_HAS} {_ALLERGENS} {_THING}", "allergens", True),
        (rf"{_THING} {_HAS} {_ALLERGENS}", "allergens", True),
        (rf"{_ARTICLE} (?P<thing>(?:(?! no )[^?¿!,;:])+?) (?:llevan?|contienen?) [^?¿!,;:]+", "", True),
        (rf"(?:{_ARTICLE} )?precio (?:del|de {_ARTICLE}|de) {_THING}", "price", True),
        (
            r"(?:a )?(?:cuanto|que precio) (?:cuestan?|valen?|esta|estan|tienen?|es|son|sale|cobramos"
            rf"|(?:se )?(?:pagan?|cobran?)) (?={_ARTICLE} ){_THING}",
            "price",
            True,
        ),
        (rf"(?:{_ARTICLE} )?(?:ingredientes|receta|composicion) (?:del|de {_ARTICLE}|de) {_THING}", "", True),
        (rf"(?:de )?que (?:ingredientes )?{_HAS} (?={_ARTICLE} ){_THING}", "", True),
        (r"(?P<thing>menus? (?:del? )?\w+)", "", True),
        (rf"(?:hay|tenemos|teneis|servimos|vendemos|vendeis) {_THING}", "", False),
        (
            r"(?:(?:se |me |nos )?(?:pueden?|puedo|podemos|dejan?|dejamos) )?pagar (?:con|en|por|mediante) "
            rf"(?:{_ARTICLE} )?{_THING}",
            "",
            False,
        ),
        (
            rf"(?:como|donde|cada cuanto(?: tiempo)?) (?:(?:se|me|le|nos|hay que) )?\w+ {_ARTICLE} (?!{_GENERIC}\b)"
            r"(?P<thing>\w+).*",
            "",
            False,
        ),
    )
)
_BARE_PRICE = re.compile(r"\d,\d{2}\b")
_DAYS = "(?:lunes|martes|miercoles|jueves|viernes|sabados?|domingos?|festivos?|fines)"
_CIRCUMSTANCE = re.compile(
    rf"\b(?:(?:el|los) {_DAYS}|en|para|con|sin|si|cuando|que|por|a|al|desde|hasta|segun|hoy|manana|y|o|se|es|son|esta"
    r"|tengo|tiene|lleva|hay)\b.*$"
)
# Words typed as into a search box: no articles, nothing that asks or is done.
_SAYS_MORE = re.compile(
    rf"\b(?:{_ARTICLE}|no|se|me|te|le|nos|si|como|cuando|donde|quien|que|cual|cuanto|cuantos|cuanta|cuantas|puedo|puede|he"
    r"|ha|han|es|son|esta|estan|tengo|tiene|quiero|necesito|dime|por|sin|pone|sale|funciona|falla|va)\b"
    r"|\b\w+(?:ar|er|ir|ando|iendo|[aei]mos|ado|ido)(?:lo|la|se|me|le)?\b"
)


@dataclass(frozen=True, slots=True)
class Subject:
    """A thing by the stems of its words, and what is asked of it: its allergens, its price, or anything."""

    thing: frozenset[str]
    asks: str = ""
    must_be_named: bool = True  # else what answers may well call it otherwise

    def is_in(self, words: frozenset[str], text: str) -> bool:
        """Whether a text, whose stems are given, may say what is asked of the thing: it names the thing, and speaks of
        allergens or holds an amount where that is asked.
        """
        if not all(word in words or not words.isdisjoint(kin(word)) for word in self.thing):
            return False
        if self.asks == "allergens":
            return not words.isdisjoint(ALLERGEN_WORDS)
        return self.asks != "price" or holds(Wanted.MONEY, text) or _BARE_PRICE.search(text) is not None


def subject_of(question: str) -> Subject | None:
    """What a question of such a form is about; None for others."""
    text = asked(question).strip("¿?¡!. ")
    for form, asks, must_be_named in _FORMS:
        if (match := form.fullmatch(text)) is not None:
            thing = stems(_CIRCUMSTANCE.sub("", match["thing"]))
            return Subject(thing, asks, must_be_named) if thing else None
    if not 1 < len(text.split()) <= LONGEST or _SAYS_MORE.search(text):
        return None
    thing = stems(text)
    return Subject(thing, must_be_named=False) if thing else None
