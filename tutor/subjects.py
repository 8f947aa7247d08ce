"""The one thing that a question is about: «los alérgenos del tartar», «menú infantil», «¿cuánto cuesta la caña?». Pure.

What a menu or a price list does not name is not in it, however much else is: questions of what is on them are answered
by sentences and rows that name the thing, or stand by one that does, or not at all. «¿Dónde se guarda el dinero?» may
be answered by a sentence about «el efectivo», if all else is clear. Other questions are put in so many words that a
missing one says little; see `tutor.things`.
"""

import re
from dataclasses import dataclass

from tutor.allergens import ALLERGEN, ALLERGEN_WORDS, CELIAC, allergens_in
from tutor.asking import Wanted, holds
from tutor.vocabulary import kin
from tutor.wording import asked, stems

LONGEST = 4  # words of a thing that is asked about without a verb

_ARTICLE = r"(?:el|la|los|las|un|una|unos|unas)"
# «Queso» is asked about as what a dish is made of.
_ALLERGEN = rf"(?:alergenos?|(?!quesos?\b){ALLERGEN})"
_ALLERGENS = (
    r"(?:(?:trazas|restos|algo|nada|algun|alguna) (?:de )?)?"
    rf"{_ALLERGEN}\b(?:(?: ?, ?| (?:y|e|o|u|ni) )(?:(?:de|trazas) )*{_ALLERGEN}\b)*"
)
_THING = r"(?P<thing>[^?¿!,;:]+)"
_HAS = "(?:lleva|llevan|contiene|contienen|tiene|tienen|trae|traen)"
# Words that stand for whatever a manual is about: it may call it otherwise.
_GENERIC = (
    "(?:aparatos?|maquinas?|equipos?|dispositivos?|sistemas?|programas?|productos?|cosas?|tema|cliente|clienta|clientes"
    "|problemas?|trabajo|persona|personas|gente|casos?|cuenta|articulos?|pieza|piezas)"
)
# Who must not eat what: «celíacos», «un cliente alérgico a la leche».
_MUST_AVOID = rf"(?:{CELIAC}|(?:alergi\w+|intoleran\w+) (?:(?:a|al|de|del) )?(?:{_ARTICLE} )*{_ALLERGENS})"
_WHO = rf"(?:{_ARTICLE} )?(?:(?!{_ARTICLE}\b)\w+ ){{0,2}}?{_MUST_AVOID}"
_MAY = "(?:puedo|puede|pueden|podemos|podria|podrian)"
_EAT = "(?:comer|comerse|tomar|tomarse|beber|beberse|probar|pedir|consumir)"
_GIVE = "(?:(?:dar|servir|poner|ofrecer|vender|preparar|hacer|llevar)(?:le|les)?)"
# What somebody may eat, be it named without an article: «cerveza», but not «de todo» or «en la barra».
_NO_FOOD = (
    r"(?:algo|algun\w*|nada|todo|cualquier\w*|lo|que|cual\w*|est[aeo]s?|es[aeo]s?|nuestr\w+|de|del|en|con|sin|para|por"
    r"|si|y|o|aqui|fuera|platos?|postres?|menus?|opcion(?:es)?|productos?|comidas?|cosas?)"
)
_FOOD = rf"(?!(?:{_ARTICLE} )?{_NO_FOOD}\b){_THING}"
_OPENING = r"(?:(?:y|pero|oye|hola|por favor) )*"
_FORMS = tuple(
    (re.compile(_OPENING + form), asks, must_be_named)
    for form, asks, must_be_named in (
        (rf"(?:{_ARTICLE} )?alergenos (?:del|de {_ARTICLE}|de) {_THING}", "allergens", True),
        (rf"(?:que|cuales) alergenos {_HAS} (?={_ARTICLE} ){_THING}", "allergens", True),
        (rf"{_HAS} {_ALLERGENS} {_THING}", "allergens", True),
        (rf"{_THING} {_HAS} {_ALLERGENS}", "allergens", True),
        (rf"hay {_ALLERGENS} en (?={_ARTICLE} ){_THING}", "allergens", True),
        (rf"{_MAY} {_WHO} {_EAT} {_FOOD}", "allergens", True),
        (rf"{_MAY} {_EAT} {_WHO} {_FOOD}", "allergens", True),
        (rf"{_MAY} {_EAT} {_FOOD} (?={_ARTICLE} ){_WHO}", "allergens", True),
        (rf"(?:se (?:le|les) )?{_MAY} {_GIVE} {_FOOD} a {_WHO}", "allergens", True),
        (
            rf"(?:(?:soy|es|tengo|hay|atiendo a|si) )?{_WHO}[ ,¿]+(?:que )?(?:{_MAY}|quiere|quieren|pide|piden)"
            rf" (?:{_EAT} )?(?={_ARTICLE} ){_THING}",
            "allergens",
            True,
        ),
        (
            rf"(?={_ARTICLE} ){_THING} (?:es|son|vale|valen|sirve|sirven) (?:\w+ )?"
            rf"(?:(?:para|a) {_WHO}|(?:sin|libres? de) {_ALLERGENS})",
            "allergens",
            True,
        ),
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
        (rf"(?:hay|tenemos|teneis|hacemos|haceis|ofrecemos|ofreceis|servimos|vendemos|vendeis) {_THING}", "", False),
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
_IS_OF_DISH = re.compile(r"\b(?:gluten|lactosa|sulfitos?)\b")  # «tortilla gluten»
_DAYS = "(?:lunes|martes|miercoles|jueves|viernes|sabados?|domingos?|festivos?|fines)"
_ENDS_NAME = rf"(?:el|los) {_DAYS}|para|si|cuando|que|por|desde|hasta|segun|hoy|manana|se|es|son|esta|tengo|tiene"
_CIRCUMSTANCE = re.compile(rf"\b(?:{_ENDS_NAME}|y|o|en|con|sin|a|al|lleva|hay)\b.*$")
# Dishes are named with what is in them and how they are served: «café con leche», «chocolate a la taza».
_BEHIND_DISH = re.compile(rf"\b(?:{_ENDS_NAME}|lleva|hay)\b.*$")
_AND_ANOTHER = re.compile(rf" (?:y|e|o|u|ni) (?={_ARTICLE} )")  # of «jamón y queso» one dish is made
# What customers ask the house, «¿Mandáis a…?»; no «país», no «seis».
_YOU_DO = r"(?!(?:dieci|veinti)?seis\b|pais\b)\w{2,}[ae]is|(?:abr|serv|admit|permit|repart|recib|inclu)is"
# Measures of what is asked for: «mudanza días libres».
_MEASURES = re.compile(r"\b(?:dias?|horas?|semanas?|meses|tiempo|libres?)\b")
# Words typed as into a search box: no articles, nothing that asks or is done.
_SAYS_MORE = re.compile(
    rf"\b(?:{_ARTICLE}|no|se|me|te|le|nos|si|como|cuando|donde|quien|que|cual|cuanto|cuantos|cuanta|cuantas|puedo|puede|he"
    r"|ha|han|es|son|esta|estan|tengo|tiene|quiero|necesito|dime|por|sin|pone|sale|funciona|falla|va)\b"
    r"|\b\w+(?:ar|er|ir|ando|iendo|[aei]mos|ado|ido)(?:lo|la|se|me|le)?\b"
    rf"|\b(?:{_YOU_DO})\b"
)


@dataclass(frozen=True, slots=True)
class Subject:
    """A thing by the stems of its words, and what is asked of it: its allergens, its price, or anything.

    `allergens` are those asked about, and `in_name` those that the thing is named by: soya in «bebida de soja». `also`
    are other things of which the same is asked: «el pesto y el hummus».
    """

    thing: frozenset[str]
    asks: str = ""
    must_be_named: bool = True  # else what answers may well call it otherwise
    allergens: frozenset[str] = frozenset()
    in_name: frozenset[str] = frozenset()
    also: tuple[frozenset[str], ...] = ()

    @property
    def things(self) -> tuple[frozenset[str], ...]:
        return (self.thing, *self.also)

    def is_named_in(self, words: frozenset[str]) -> bool:
        """Whether stems hold each word of one of the things, or another for the same."""
        return any(all(word in words or not words.isdisjoint(kin(word)) for word in thing) for thing in self.things)

    def is_in(self, words: frozenset[str], text: str) -> bool:
        """Whether a text, whose stems are given, may say what is asked of the thing: it names the thing, and speaks of
        allergens or holds an amount where that is asked.
        """
        if not self.is_named_in(words):
            return False
        if self.asks == "allergens":
            return not words.isdisjoint(ALLERGEN_WORDS)
        return self.asks != "price" or holds(Wanted.MONEY, text) or _BARE_PRICE.search(text) is not None


def subject_of(question: str) -> Subject | None:
    """What a question of such a form is about; None for others."""
    text = asked(question).strip("¿?¡!. ")
    for form, asks, must_be_named in _FORMS:
        if (match := form.fullmatch(text)) is not None:
            return _subject(text, match.span("thing"), asks, must_be_named)
    if not 1 < len(text.split()) <= LONGEST or _SAYS_MORE.search(text):
        return None
    thing = stems(_MEASURES.sub("", text))
    return Subject(thing, must_be_named=_IS_OF_DISH.search(text) is not None) if thing else None


def _subject(text: str, span: tuple[int, int], asks: str, must_be_named: bool) -> Subject | None:
    """What a folded question is about, whose thing stands there."""
    start, end = span
    name = text[start:end]
    names = _AND_ANOTHER.split(_BEHIND_DISH.sub("", name)) if asks == "allergens" else [_CIRCUMSTANCE.sub("", name)]
    things = tuple(filter(None, map(stems, names)))
    allergens = allergens_in(f"{text[:start]} / {text[end:]}")
    in_name = allergens_in(" / ".join(names))
    return Subject(things[0], asks, must_be_named, allergens, in_name, things[1:]) if things else None
