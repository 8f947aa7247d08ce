"""Whether a question stands by itself or goes on with what was asked before (pure)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from retrieval.folding import folded

SHORT = 2  # content words: a question with no more may leave its topic unsaid («¿lleva marisco?»)
NAMES_ITS_TOPIC = 3  # content words that one which takes up what was said needs, to stand by itself all the same
BESIDE_PRONOUN = 1  # content words behind a pronoun's verb: more of them may be what it stands for
TOLERANCE = 0.3  # how much less may be found together with the topic, where the wording says that there is one

_WORD = re.compile(r"[^\W_]+(?:[-./][^\W_]+)*")
_QUESTION_MARKS = "¿¡?!.,;:… \t\n\"'«»“”()"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words in the languages that questions are asked in, without accents, as is the text they are compared with.
_TAKES_UP = re.compile(  # how a speaker goes on with what was said
    r"(y|e|o|u|pero|entonces|tambien|ademas|tampoco|and|or|but|also|then|what about|how about|et|ou|mais|alors|und|"
    r"oder|aber|ed|ma|anche|mas|entao|tambem|i|tambe)\s"
)
_POINTS_BACK = _words("""
    eso esto ello aquello ese esa esos esas este estos estas aquel aquella ahi asi mismo misma mismos mismas otro otra
    otros otras lo los las le les that this it those these they them isso isto ele ela eles elas cela ca das dies
    questo quello aixo allo
""")
_ASKS = _words("""
    que cual cuales quien quienes como cuando donde adonde cuanto cuanta cuantos cuantas por para porque
    what which who whom when where why how many much long qual quais quem quando onde quanto quanta quantos quantas
    quel quelle quels quelles qui quand ou comment combien pourquoi was wer wann wo wie warum welche welcher
    cosa chi dove quali perche quin quina quan on com
""")
_CONNECTS = _words("""
    el la los las un una unos unas lo al del de a en con sin sobre desde hasta entre se me te nos le les mi tu su sus
    si no ya mas menos muy tan solo tambien ahora luego antes despues todo toda todos todas algo alguien alguno alguna
    the a an of to in on for with is are do does did can i you my your we be there
    o os as um uma do da dos das em no na com para le les des du il lo gli di da per con der die das ein eine ist sind
    zu im
""")
_NEEDS_AN_OBJECT = _words("""
    es son ser esta estan estar hay haber ha han he hace hacen hacer hago haga hacemos tiene tienen tengo tener
    tenemos puede pueden puedo poder podemos se debe deben debo deber pasa pasan pasar toca tocan va van voy ir sirve
    vale falta necesito necesita dice digo significa quiero tarda tardan tardo dura duran cuesta cuestan sera seria
    ocurre
""")
_MEASURES = _words("""
    tiempo dias dia horas hora minutos meses mes vez veces plazo maximo minimo cantidad dinero precio motivo razon
""")
_FORWARD = _words("que cual cuales cuanto cuanta cuantos cuantas")  # «con cuánta antelación», «a qué hora»
# A pronoun for what was said, before a verb or behind it: «las pido», «me las aprueba», «quién la firma», «cambiarlo»,
# and not the article of «las llaves». «Los» and an ending without «s», or «la» and one with «o», are of no noun.
_PRONOUN = re.compile(
    r"(?:me|te|se|nos|os) (?:lo|la|los|las)\b"
    r"|l[ao]s (?!que\b|de\b|cuatro|cinco|siete|ocho|nueve|once|[a-z]+ce\b|veint|[a-z]+nta\b|cien\b)"
    r"[a-z]{2,}(?:[aeo]|[ae]n)\b"
    r"|l[ao] (?!imagen|sarten|virgen|orden|bien\b|gran\b|tan\b)[a-z]+(?:[aei]mos|[ae]n)\b"
    r"|la (?!mano|foto|moto|radio)[a-z]{3,}o\b|lo [a-z]{3,}a\b"
    r"|(?<=quien )la [a-z]{3,}[ae]\b|(?:(?<=como )|(?<=donde )|(?<=cuando ))lo [a-z]{3,}o\b"
    r"|(?!charla)[a-z]{3,}[aei]rl[ao]s?\b"
)
_SAYS_LITTLE = _POINTS_BACK | _ASKS | _CONNECTS | _NEEDS_AN_OBJECT | _MEASURES


_BARE_PRONOUNS = re.compile(r"(?:me|te|se|nos|os) l[ao]s?")  # their verb is the next word


class Unanswered(str):
    """An earlier question that nothing was found for."""

    __slots__ = ()


class Form(Enum):
    """How much of its topic a question names."""

    WHOLE = "whole"  # all of it
    SHORT = "short"  # few words: perhaps all, perhaps the topic is taken for granted
    OPEN = "open"  # it takes up what was said, and names something more
    EMPTY = "empty"  # nothing at all


@dataclass(frozen=True, slots=True)
class Found:
    """What one way of asking found."""

    confidence: float  # calibrated, in [0, 1]
    own: float  # share of the information of the question's own words that one of the best passages holds
    own_first: float  # the share that the first passage holds


def form_of(question: str) -> Form:
    """What the wording says about what the question leaves out."""
    takes_up, content = _read(question)
    if not content:
        return Form.EMPTY
    if _stands_for_what_was_said(question):
        return Form.OPEN
    if takes_up and not (len(content) >= NAMES_ITS_TOPIC and _asks_itself(question)):
        return Form.OPEN
    return Form.SHORT if len(content) <= SHORT else Form.WHOLE


def _asks_itself(question: str) -> bool:
    """Whether a question that takes up what was said has a question word of its own: «¿y quién firma la hoja?»."""
    text = folded(question).lstrip(_QUESTION_MARKS)
    taken_up = _TAKES_UP.match(text)
    words = _WORD.findall(text[taken_up.end() :] if taken_up else text)
    return next(iter(words), "") in _ASKS or (len(words) > 1 and words[1] in _ASKS)


def _stands_for_what_was_said(question: str) -> bool:
    """Whether a pronoun before the verb, or behind it, has nothing in the question that it could stand for: neither
    before it nor behind its verb, «¿se lo digo a alguien si pierdo las llaves?».
    """
    words = _WORD.findall(folded(question))
    text = " ".join(words)
    start = 0
    for before, word in zip(["", *words], words, strict=False):
        if pronoun := _PRONOUN.match(text, start):
            behind = _WORD.findall(text[pronoun.end() :])
            return len(_content(behind[1:] if _BARE_PRONOUNS.fullmatch(pronoun[0]) else behind)) <= BESIDE_PRONOUN
        if word not in _SAYS_LITTLE and not word.isdigit() and before not in _FORWARD:
            return False  # «las vacaciones cuándo las pido»
        start += len(word) + 1
    return False


def without_opening(question: str) -> str:
    """What a question names, without the words that take up what was said: «la E-402»."""
    text = question.lstrip(_QUESTION_MARKS)
    taken_up = _TAKES_UP.match(folded(text))
    return text[taken_up.end() :].strip(_QUESTION_MARKS) if taken_up else question


def topics_of(history: Sequence[str]) -> list[str]:
    """What a question may go on with: at most two texts made of the earlier questions (oldest first), likeliest first.

    That is the latest question that names a topic. A short one may itself have gone on with the one before, so both
    together come second.
    """
    named = [(question, form) for question in history if (form := form_of(question)) is not Form.EMPTY]
    standing = [(question, form) for question, form in named if form is not Form.OPEN]
    if standing:
        latest, form = standing[-1]
        earlier = standing[-2][0] if form is Form.SHORT and len(standing) > 1 else None
        return [latest] if earlier is None else [latest, with_topic(earlier, latest)]
    return [max((question for question, _form in named), key=lambda text: len(_read(text)[1]))] if named else []


def with_topic(topic: str, question: str) -> str:
    """A question together with what it is about, as one text to search for."""
    return f"{topic} {question}"


def goes_on(form: Form, alone: Found, joined: Found) -> bool:
    """Whether a question goes on with its topic, seen what it finds alone and together with it.

    The topic's words alone make a search sure of itself, so what the question names must be found as well as without
    them: of a short question by the very first passage, and then the surer search decides; one that takes up what was
    said goes on unless that is far less sure.
    """
    if form is Form.EMPTY:
        return True
    if form is Form.WHOLE or joined.own < alone.own - TOLERANCE:
        return False
    if form is Form.SHORT:
        return joined.confidence > alone.confidence and joined.own_first >= alone.own > 0
    return joined.confidence >= alone.confidence - TOLERANCE


def _read(question: str) -> tuple[bool, list[str]]:
    """Whether it begins by taking up what was said, and the words after that which name something."""
    text = folded(question).lstrip(_QUESTION_MARKS)
    taken_up = _TAKES_UP.match(text)
    words = _WORD.findall(text[taken_up.end() :] if taken_up else text)
    return taken_up is not None, _content(words)


def _content(words: Sequence[str]) -> list[str]:
    """Those that name something. A number names nothing by itself: «¿y de 20?»."""
    return [word for word in words if word not in _SAYS_LITTLE and not word.isdigit()]
