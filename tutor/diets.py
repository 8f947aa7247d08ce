"""What somebody who asks for dishes must avoid, or wants to know them to hold: «postres sin huevo», «qué platos llevan
gluten», «qué no puede comer un celíaco». Pure.
"""

import re
from dataclasses import dataclass

from tutor.allergens import ALLERGEN, CELIAC, allergens_in
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
    r"\bno (?:\w+ ){0,2}(?:pued\w+|pod\w+|deb\w+|apt[oa]s?|recom\w+|aconsej\w+|sirv\w+|val(?:e|en)|convien\w+"
    r"|adecuad\w+|indicad\w+|segur[oa]s?|tom\w+|com(?:er|e|en)|ofre\w+|serv\w+|dar|doy|damos|permit\w+)\b"
    r"(?: (?:ser )?(?:apt[oa]s?|recomendad\w+|adecuad\w+|comer|tomar|servir|ofrecer|dar))*"
    r"|\b(?:evit(?:ar?|an|e|en)|prohib\w+|peligr\w+|desaconsej\w+|inadecuad\w+|nociv\w+)\b"
)
# What turns a question in a way that is not read here: «cuáles llevan gluten y cuáles no», «todos menos…».
_TURNS = re.compile(r"\b(?:no|nunca|tampoco|menos|excepto|salvo|quitando|aparte)\b")
_POLITE = re.compile(r"^(?:y |pero )*no (?=(?:hay|teneis|tenemos|tienen|tiene|tendreis|habra)\b)")
_ASKS_ELSE = (
    r"(?:(?:se|le|les|me|nos|te|hay|que|tengo|tenemos|tienen?|debo|debe|debemos|puedo|puede|podemos) )*"
    r"(?:hago|hac\w+|pas(?:a|o|aria|e)|ocurr\w+|sucede|digo|decir\w*|es|tal|pregunt\w+|significa\w*|quiere decir"
    r"|us(?:o|a|an|ar|amos)|utili\w+|guard\w+|limpi\w+|lav\w+|avis\w+|apunt\w+|anot\w+"
    r"|comunic\w+|inform\w+|revis\w+|comprob\w+|compruebo|vigil\w+|separ\w+|tener en cuenta|sab(?:er|emos)"
    r"|supon\w+|implica\w*|conlleva\w*|provoca\w*|causan?|produce\w*)\b"
)
# What a question may ask for around dishes that are no dishes themselves.
_NO_DISH = (
    r"(?:protocolos?|procedimientos?|pasos?|cuidados?|precaucion\w*|medidas?|normas?|precios?|hora\w*|diferenci\w+"
    r"|neveras?|camaras?|congelador\w*|temperaturas?|riesgos?|peligros?|sintomas?|reaccion\w*|efectos?|consecuencias?"
    r"|sitios?|lugar(?:es)?|zonas?|partes?|estantes?|estanterias?|armarios?|almacen\w*|bandejas?|recipientes?|envases?"
    r"|cubiertos?|cuberteria|tenedor(?:es)?|cucharas?|vajillas?|menaje|ollas?|cazos?|pinzas?|tostador[ae]\w*"
    r"|batidoras?|mantel(?:es)?|servilletas?|panos?|bayetas?|estropajos?"
    r"|hornos?|freidoras?|planchas?|sartene?s?|utensilios?|cuchillos?|tablas?|trapos?|guantes|uniformes?|mesas?|dias?"
    r"|momentos?|casos?|plazos?|tiempos?|caducidad\w*|cantidad\w*|informacion\w*|fichas?|documentos?|etiquet\w+"
    r"|cartel(?:es)?|simbolos?|iconos?|color(?:es)?|codigos?|numeros?|ley(?:es)?|reglamentos?|obligacion\w*|formacion"
    r"|motivos?|razon(?:es)?|maneras?|formas?|modos?|personas?|companer[oa]s?|responsables?|encargad[oa]s?|proveedor\w*"
    r"|contaminacion\w*|problemas?)\b"
)
_DISHES = (
    "(?:algo|algun\\w*|platos?|postres?|productos?|opcion(?:es)?|menus?|alternativas?|tapas?|entrantes?|primeros"
    "|segundos|bebidas?|comidas?|cosas|helados?|tartas?|pan(?:es)?)"
)
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
_ANY_DISH = stems(
    """platos postres productos opciones menu carta alternativas tapas entrantes primeros segundos bebidas comidas cosas
    raciones casa dia cocina cliente clientes restaurante aptos comer tomar ofrecer servir llevan contiene trazas"""
)


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


def diet_of(question: str) -> Diet:
    """What a question wants dishes without, or with; nothing for others, and where that is not certain.

    «¿Puede comer un celíaco la lasaña?» asks of one thing, whose row answers whatever it says.
    """
    text = asked(question).strip("¿?¡!. ")
    text = _POLITE.sub("", text)
    if not _WANTS_OPTIONS.search(text):
        return Diet()
    avoided: set[str] = set()
    held: set[str] = set()

    def taken(pattern: re.Pattern[str], names: set[str]) -> None:
        nonlocal text
        for match in pattern.finditer(text):
            names |= allergens_in(match[0])
        text = pattern.sub(" * ", text)

    taken(_NOT_FREE, held)
    for pattern in _WITHOUT:
        taken(pattern, avoided)
    people: set[str] = set()
    taken(_PEOPLE, people)
    taken(_WITH, held)
    if people and (unfit := _UNFIT.search(text)):
        text = text[: unfit.start()] + text[unfit.end() :]
        held |= people
    else:
        avoided |= people
    if _TURNS.search(text) or avoided & held:
        return Diet(is_unsure=bool(avoided or held))
    return Diet(frozenset(avoided), frozenset(held))
