"""Words of a text as they are compared: accents and case folded, endings cut, empty words left out. Pure."""

import re
import unicodedata
from functools import lru_cache

_WORD = re.compile(r"\w+")
_SAY_NOTHING = """
    a al algo alguien algun alguna algunas alguno algunos alli ambos ante antes aquel aquella
    aquello aqui asi aun aunque bajo bien cada casi como con contra cual cuales cualquier cuando
    cuanta cuantas cuanto cuantos de del desde debe deben debo debemos deberia dice dicen donde dos
    durante e el ella ellas ello ellos en entre era es esa esas ese eso esos esta estaba estan estar
    estas este esto estos existe fue fueron ha haber habia hace hacen hacer hago han hasta hay haya
    he hemos incluso la las le les lo los mas me mi mis mientras mismo misma mucho muy ni no nos
    nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque pues puede pueden
    puedo podemos que quien quienes se sea sean segun ser si sido siempre sin sino sobre solo somos
    dame decidme digame dime dinos haceis teneis podeis debeis sois estais
    son soy su sus suya suyo tal tambien tampoco tan tanto te tengo tendra tiene tienen tener
    tenemos toda todas todo todos tras tu tus u un una unas uno unos usted ustedes va van voy ya yo
    about an and are as at be been by can could did do does for from had has have he her his how i
    if in into is it its must of on or our she should so than that the their them then there these
    they this those to under was we were what when where which who why will with would you your
    ao aos com da das do dos em ela ele eles essa esse isso isto mais mas meu na nas nao nos num
    numa os ou pela pelo qual quando que quem sao sem sua seu tem um uma voce
    au aux avec ce ces cette dans des du elle est et eux il ils je leur leurs lui ma mais ne notre
    nous on par pas pour qui quoi sa sont sur ta tes ton une vos votre vous
    agli alla alle che chi ci con cosa dal dalla degli dei della delle di gli il io lei loro lui
    negli nel nella non per piu quali quanto questa questo sono suo tra un una
    aber als am auch auf aus bei bis das dass dem den der die du ein eine einem einen einer es fur
    hat ich ihr im ist kann man mit nach nicht nur oder sich sie sind und uns vom von vor wann war
    was welche wenn wer wie wir wird wo zu zum zur
    amb aquest aquesta dels el els es ha hi i les mes molt per pel pels perque quan quin quina sense
    seva seu son
"""
EMPTY_WORDS = frozenset(_SAY_NOTHING.split())
# What is cut must leave at least four letters, so that short words keep apart.
_KIN = """
    amientos imientos amiento imiento aciones iciones uciones acion icion ucion ciones cion siones
    sion adores adoras ador adora edores edor idores idor ancias ancia encias encia ables able ibles
    ible mente idades idad ezas eza ando iendo aron ieron aban aba arse erse irse arlo erlo irlo
    arla erla irla aremos eremos iremos icos icas ico ica ias ia ados adas idos idas ado ada ido ida
    amos emos imos aran eran iran ara era ira aria eria iria ar er ir an en as es os is a e o s
"""
_ENDINGS = tuple(sorted(_KIN.split(), key=lambda ending: (-len(ending), ending)))  # longest first
_PLURALS = frozenset({"s", "es"})
# Common words that are no kin of those whose stem they would share: activar, borrar, grabar, inflamar, móvil, orden,
# peso, sueldo, tarta, terminar.
_OTHERS = (
    "actividad borrador diferida diferido grave inflamable movilidad ordenador pesos soldado soldador soldar tartar"
    " terminos"
)
_APART = frozenset(_OTHERS.split())
# «Metálico» by itself is made of metal.
_IN_CASH = re.compile(r"\ben met[aá]lico\b", re.IGNORECASE)
# Said in many words or in one: «una vez por semana», «semanalmente». The adjective is read beside the noun, which
# others ask for by itself: «30 días cada año» meets «cuántos días al año».
_HOW_OFTEN = re.compile(
    r"\b(?:cada|tod[oa]s l[oa]s|una vez (?:al?|a la|por|cada))"
    r" (?P<span>d[ií]as?|semanas?|mes(?:es)?|trimestres?|a[nñ]os?)\b"
    r"(?! (?:festiv|laborabl|h[aá]bil|natural|lectiv)\w*)",
    re.IGNORECASE,
)
_ADJECTIVES = {"d": "diario", "s": "semanal", "m": "mensual", "t": "trimestral", "a": "anual"}
# Letters that sound alike and are mixed up in typing, in the order in which they are replaced.
_SOUNDS = (
    (re.compile("qu(?=[ei])|q"), "k"),
    (re.compile("ch"), "x"),
    (re.compile("ll"), "y"),
    (re.compile("h"), ""),
    (re.compile("v|w"), "b"),
    (re.compile("z|c(?=[ei])"), "s"),
    (re.compile("c"), "k"),
    (re.compile("g(?=[ei])"), "j"),
    (re.compile(r"([^r\d])\1+"), r"\1"),
)
_TYPED_SHORT = (
    (re.compile(r"\b(?:q|k|ke)\b"), "que"),
    (re.compile(r"\bk(?=[aou])"), "c"),
    # Words that are spelled so stay as they are: kilo, kit, kiwi.
    (re.compile(r"\bk(?!ilo|its?\b|iwi|ios[ck]|imon|eb|etch|evlar)(?=[ei])"), "qu"),
    (re.compile(r"n(?=[pb])"), "m"),  # «tienpo», «canbio»
    (re.compile(r"\b(?:h?exten[czs]i?on|estension)\b"), "extension"),
    (re.compile(r"\b(?:telefno|telefon|tlf|tfno)\b"), "telefono"),
)
_RUN = re.compile(r"\w+")
_HOW = re.compile(
    r"\b(?:como|pasos?|procedimientos?|proceso|instrucciones|manera de|forma de|how|steps?|que (?:reviso|miro))\b"
)
_HOW_MADE = re.compile(r"\bcomo (?:se )?(?:hac|hag|prepar|elabor|cocin)\w+")
_WHAT_TO_DO = re.compile(
    r"\bque (?:hago|haces|hacemos|hacer|haria|se hace"
    r"|(?:debo|debe|se debe|hay que|tengo que|tenemos que|puedo) hacer)\b"
)
# Told instead of asked, in a hurry: something has happened, and what is wanted is what to do.
_HAPPENED = re.compile(
    r"^(?:socorro|auxilio|ayuda|urgente|emergencia)\b"
    r"|^(?!.*(?:\?|\b(?:quien|cuant[oa]s?|cuando|donde|cual|a que|puedo|puede|como|que [a-z]+s)\b))"
    r"(?:.*\b(?:(?:se|me|le|les|nos) (?:(?:me|le|nos) )?(?:ha|han|he|a|e|esta|estan|ahoga|cae|desmaya|marea|quema)"
    r"|se siente|han \w+d[oa]|no (?:\w+ ){0,2}(?:respira\w*|funciona|va|arranca|conecta|enciende|lee|hay|tenemos)"
    r"|hay (?:fuego|humo|un incendio|un escape|una fuga)|salta la alarma)\b)"
)


def fold(text: str) -> str:
    """`text` without accents and case. Its length may differ from the text's."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.combining(char)).casefold()


def compact(text: str) -> str:
    """`text` folded, every run of white space one space: what "word for word" is judged on."""
    return " ".join(fold(text).split())


def word_key(text: str) -> str:
    """The words of `text` folded and parted by one space, without punctuation."""
    return " ".join(_WORD.findall(fold(text)))


def word_count(text: str) -> int:
    """How many words a text has, however one counts: between spaces, or as runs of letters and digits («2016/679»)."""
    return max(len(text.split()), len(_RUN.findall(text)))


def stem(word: str) -> str:
    """The beginning that a folded word shares with its plural and its kin: devuelven, devolver, devoluciones."""
    if word.isdigit():
        return word
    for plural in ("", *_PLURALS):
        if (single := word.removesuffix(plural)) in _APART:
            return single
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= (3 if ending in _PLURALS else 4):
            word = word[: -len(ending)]
            break
    word = word.replace("ue", "o").replace("ie", "e")  # vowels that change: devuelve, devolver; cierre, cerrar
    return word[:-1] if word.endswith(("olv", "olb")) else word  # resolver, resolución


def sound(word: str) -> str:
    """A folded word as it sounds in Spanish, so that «debolber» meets «devolver» and «kilo» «quilo»."""
    for letters, heard in _SOUNDS:
        word = letters.sub(heard, word)
    return word


_EMPTY_SOUNDS = frozenset(sound(word) for word in EMPTY_WORDS)


@lru_cache(maxsize=50_000)
def _meaning(word: str) -> str:
    """The stem of a word as it sounds; empty when it says nothing by itself."""
    folded = fold(word)
    if sound(folded) in _EMPTY_SOUNDS or (len(folded) == 1 and not folded.isdigit()):
        return ""
    return sound(stem(folded))


def stems(text: str) -> frozenset[str]:
    """The stems of the meaningful words of `text`, as they sound."""
    text = _IN_CASH.sub("en efectivo", text)
    text = _HOW_OFTEN.sub(lambda found: f"{found['span']} {_ADJECTIVES[found['span'][0].lower()]}", text)
    return frozenset(meaning for word in _WORD.findall(text) if (meaning := _meaning(word)))


def asked(question: str) -> str:
    """A question folded, with its question words as they are spelled: «q», «ke» and «kuanto» are common."""
    text = compact(question)
    for typed, meant in _TYPED_SHORT:
        text = typed.sub(meant, text)
    return text


def asks_how(question: str) -> bool:
    """Whether the question wants a procedure: cómo, qué pasos, qué hago; or tells what has gone wrong."""
    return _HOW.search(asked(question)) is not None or asks_what_to_do(question)


def asks_how_made(question: str) -> bool:
    """Whether the question wants to know how something is made: cómo se hace, cómo preparo."""
    return _HOW_MADE.search(asked(question)) is not None


def asks_what_to_do(question: str) -> bool:
    """Whether the question wants to know what to do now: qué hago, hay que hacer; or tells what has gone wrong."""
    text = asked(question)
    return _WHAT_TO_DO.search(text) is not None or _HAPPENED.search(text) is not None
