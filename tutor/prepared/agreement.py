"""Whether two questions ask the same thing, told from their words: what must agree does, and what is left over. Pure.

Vectors of questions about one subject lie close together whatever they ask of it: «1 día» beside «10 días», «se
puede» beside «no se puede», paternity beside maternity. So before likeness counts at all, numbers, codes, units,
negations, names, opposites and what kind of thing is asked must agree; and words that only one question has are
counted.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from tutor import signs
from tutor.prepared import lexicon
from tutor.prepared.doing import does_otherwise, modality, verb_of
from tutor.prepared.roots import light_meanings, lines_of, root, word_meaning
from tutor.wording import fold

_WORD = re.compile(r"%|€|−?[^\W_]+(?:[-./][^\W_]+)*", re.UNICODE)
_GROUPED = re.compile(r"\d{1,3}(?:\.\d{3})+")
_CODE = re.compile(r"(?=.*\d)(?=.*[a-z])[a-z0-9]+(?:[-./][a-z0-9]+)*")
_SENTENCE_START = re.compile(r"(?:^|[.?!:,;…]\s*|[¿¡«\"(]\s*)$")
_ONE = frozenset({"un", "una", "uno"})
_AND = frozenset({"y", "e", "o", "u", "ni"})

# What is asked for, by how the question is put; the first that fits is meant. Folded text.
_ASKS = r"(?:^|[¿?.,;:]\s*)"
_TIMES = r"(?:dias?|horas?|semanas?|meses|mes|minutos?|anos?)"
_INTENTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("whom", r"\b(?:a|de|con|por|para) quien(?:es)?\b"),
        ("who", r"\bquien(?:es)?\b|\bque (?:persona|empresa)\b"),
        (
            "what to do",
            r"\bque (?:hago|hacemos|hay que hacer|tengo que hacer|debo hacer|se hace)\b(?! para)|\bcomo actu",
        ),
        ("why", r"\bpor que\b|\bmotivo\b"),
        ("how often", r"\bcada cuant[oa]s?\b|\bfrecuencia\b|\bperiodicidad\b"),
        ("how early", r"\bantelacion\b|\bpreaviso\b|\bcon cuanto tiempo\b"),
        (
            "how much money",
            r"\bcuanto (?:cuestan?|valen?)\b|\bprecio\b|\ba cuanto\b|\bcuanto (?:se )?(?:cobra|paga)n?\b",
        ),
        (
            "how long",
            r"\bcuanto tiempo\b|\bcuanto (?:se )?(?:dura|tarda|aguanta|espera|hay que esperar)|\bduracion\b|\bplazo\b"
            rf"|\ben cuanto\b|\bcuant[oa]s {_TIMES}\b",
        ),
        (
            "where",
            r"\b(?:a|de|desde|en)?donde\b|\ben que (?!dia|mes|fecha|ano|hora|caso|consist|moment|plazo|festiv)\w+",
        ),
        (
            "when",
            rf"{_ASKS}(?:(?:de|desde|hasta|para|y) )?cuando\b|\bque (?:hora\b|dia|fecha|mes)",
        ),
        ("how many", r"\bcuant[oa]s\b"),
        ("how much", r"\bcuant[oa]\b|\bque cantidad\b"),
        ("what it is", rf"{_ASKS}que (?:es|son)\b|\bsignifica|\bconsiste"),
        ("which one", rf"{_ASKS}cual(?:es)? (?:es|son)\b(?! (?:el|la|los) (?:forma|manera|pasos|proce))"),
        (
            "how",
            r"\bcomo\b|\bde que (?:forma|manera)\b|\bpasos\b|\bproceso\b|\bprocedimiento\b|\bque tengo que hacer para\b"
            r"|\bforma (?:correcta )?de\b",
        ),
        ("with what", rf"{_ASKS}con que\b"),
        ("what happens", r"\bque (?:pasa|ocurre|sucede)\b"),
        ("which", rf"{_ASKS}(?:(?:a|de|en|por|para|desde|hasta|sobre) )?(?:que|cual(?:es)?)\b"),
        ("whether", r"[?¿]"),
    )
)
_FOCUS = re.compile(rf"{_ASKS}(?:(?:a|de|en|por|para|con|desde) )?(?:que|cuant[oa]s?) (?P<thing>\w+)")
_DOER = re.compile(r"(?<!\ba )(?<!\bde )(?<!\bcon )\b(?:el|la|los|las) (\w+)")
_RECEIVER = re.compile(r"\b(?:al|a la|a los|a las) (\w+)")
_SENTENCE_END = re.compile(r"[¿?¡!;]|\.(?:\s|$)")
_MAY_AS_WELL_MUST = frozenset({"how", "where", "whom", "what to do", "with what"})  # one way, one place to do it
_COMPATIBLE = frozenset(
    frozenset(pair)
    for pair in (
        ("how often", "when"),
        ("how often", "how many"),
        ("where", "which one"),
        ("how much money", "how much"),
        ("how much money", "which"),
        ("how much", "which"),
        ("how much", "how many"),
        ("how", "what to do"),
        ("what to do", "what happens"),
        ("which one", "which"),
        ("which one", "how much"),
        ("which one", "how much money"),
        ("which one", "how long"),
        ("which one", "how many"),
        ("which", "how many"),
        ("with what", "which"),
    )
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A question as it is compared. Words are stems, synonyms made one; `names` and `codes` are folded."""

    intent: str
    content: frozenset[str]
    light: frozenset[str]  # of general words, which come and go between two ways of asking the same
    plain: frozenset[str]  # every folded word
    numbers: frozenset[float]
    codes: frozenset[str]
    units: frozenset[str]
    names: frozenset[str]
    doers: frozenset[str]  # persons with «el», «la», «los», «las»
    receivers: frozenset[str]  # persons with «al», «a la», «a los», «a las»
    focus: str  # the root of the thing asked for: «qué garantía», «cuántas horas»
    negations: int
    without: frozenset[str]  # what «sin» takes away
    modality: str
    verbs: frozenset[str]  # general ones, by their names


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two questions side by side. With `conflicts` they ask different things, whatever their likeness."""

    conflicts: tuple[str, ...]
    shared: int  # words of content, codes and names that both have
    missing: tuple[int, int]  # words of content that the first, and the second, has alone
    light_missing: int  # general words that only one has
    same_intent: bool

    @property
    def is_full(self) -> bool:
        """Whether nothing speaks against it: both are about something, it is the same, and neither asks for more."""
        return not self.conflicts and self.shared > 0 and self.missing == (0, 0)


def agree(one: str, other: str) -> Agreement:
    """Compare two questions, in either order."""
    first, second = read(one), read(other)
    alone, beside = first.content - second.content, second.content - first.content
    conflicts = tuple(
        name
        for name, differs in (
            ("numbers", first.numbers != second.numbers),
            ("codes", first.codes != second.codes),
            ("units", bool(first.units - second.units and second.units - first.units)),
            ("negation", first.negations % 2 != second.negations % 2),
            ("without", _lacks_what_is_there(first, second)),
            ("obligation", _must_or_may(first, second)),
            ("verbs", does_otherwise(first.verbs, second.verbs, of_places=first.intent == second.intent == "where")),
            ("names", not (first.names <= second.plain and second.names <= first.plain)),
            ("opposites", are_opposed(first.plain, second.plain)),
            ("intent", not _may_ask_the_same(first.intent, second.intent)),
            ("persons", _turns_round(first, second)),
            ("focus", bool(first.focus and second.focus and first.focus != second.focus)),
        )
        if differs
    )
    return Agreement(
        conflicts,
        shared=sum(len(mine & theirs) for mine, theirs in _subjects(first, second)),
        missing=(len(alone), len(beside)),
        light_missing=len(first.light ^ second.light),
        same_intent=first.intent == second.intent,
    )


@lru_cache(maxsize=4_096)
def read(question: str) -> Reading:
    """What of a question must agree with another's."""
    folded = fold(signs.with_signs(question)).replace("º", "o").replace("ª", "a")
    words = [match.group() for match in _WORD.finditer(folded)]
    numbers, codes, units = set[float](), set[str](), set[str]()
    content, light = set[str](), set[str]()
    for word, following in zip(words, [*words[1:], ""], strict=False):
        number = _number(word)
        if number is not None:
            numbers.add(number)
        elif _CODE.fullmatch(word):
            codes.add(re.sub(r"[-./]", "", word))
        elif word in _ONE and following in _units():
            continue
        elif word in _units():
            units.add(_units()[word])
        elif meaning := word_meaning(word):
            (light if meaning in light_meanings() else content).add(meaning)
    return Reading(
        intent=_intent(folded),
        content=frozenset(content),
        light=frozenset(light),
        plain=frozenset(words),
        numbers=frozenset(numbers - {1.0}) if numbers == {1.0} else frozenset(numbers),
        codes=frozenset(codes),
        units=frozenset(units),
        names=proper_names(question),
        doers=_persons(_DOER, folded),
        receivers=_persons(_RECEIVER, folded),
        focus=_focus(folded),
        negations=sum(map(_denials, _SENTENCE_END.split(folded))),
        without=frozenset(_taken_away(words)),
        modality=modality(folded),
        verbs=frozenset(name for word in words if (name := verb_of(word))),
    )


def _subjects(one: Reading, other: Reading) -> Iterable[tuple[frozenset[str], frozenset[str]]]:
    yield one.content, other.content
    yield one.codes, other.codes
    yield one.names, other.names


def _number(word: str) -> float | None:
    if word.startswith(signs.MINUS):
        below = _number(word.removeprefix(signs.MINUS))
        return None if below is None else -below
    if word in lexicon.NUMBERS:
        return float(lexicon.NUMBERS[word])
    if word in lexicon.ORDINALS:
        return lexicon.ORDINALS[word] + 0.001  # the second of something is not two of it
    if _GROUPED.fullmatch(word):
        word = word.replace(".", "")
    try:
        return float(word.replace(",", "."))
    except ValueError:
        return None


def proper_names(text: str) -> frozenset[str]:
    """The folded words written with a capital letter where no sentence begins."""
    found = set()
    for match in _WORD.finditer(text):
        word = match.group()
        if any(sign.isdigit() for sign in word):  # a code, which is compared as such
            continue
        if word[0].isupper() and not _SENTENCE_START.search(text[: match.start()]):
            found.add(fold(word))
    return frozenset(found)


def _intent(folded: str) -> str:
    return next((name for name, pattern in _INTENTS if pattern.search(folded)), "")


def _persons(pattern: re.Pattern[str], folded: str) -> frozenset[str]:
    return frozenset(root(word) for word in pattern.findall(folded) if word in _all_persons())


def _denials(sentence: str) -> int:
    """How often a folded sentence says no. Spanish says it again without meaning it twice: «no ... nunca», «ni», «y
    sin».
    """
    count = 0
    before = ""
    words = _WORD.findall(sentence)
    for word, following in zip(words, [*words[1:], ""], strict=False):
        again = word in _repeated_negations() or (word == "sin" and before in _AND)
        if _denies(word, following) and not (again and count):
            count += 1
        before = word
    return count


def _denies(word: str, following: str) -> bool:
    if word == "sin" and following in _after_sin():
        return False
    return word in _negations() or word in _repeated_negations()


def _taken_away(words: Sequence[str]) -> Iterable[str]:
    """The roots of what «sin» stands before, and of what «ni» adds to that."""
    looks = follows = False  # whether the next word that says something is taken away; whether one just was
    for word in words:
        meaning = word_meaning(word)
        if word == "sin" or (word == "ni" and follows):
            looks = True
        elif meaning and not verb_of(word):  # «sin traer el tique» is without the receipt
            if looks:
                yield meaning
            looks, follows = False, looks


def _lacks_what_is_there(one: Reading, other: Reading) -> bool:
    """Whether both are without something, and one is without what the other has."""
    if not (one.without and other.without):
        return False
    return any(
        (first.without - second.without) & (second.content | second.light)
        for first, second in ((one, other), (other, one))
    )


def _must_or_may(one: Reading, other: Reading) -> bool:
    """Whether one question is about what must be done and the other about what may be, where that is not the same."""
    if {one.intent, other.intent} <= _MAY_AS_WELL_MUST:
        return False
    return bool(one.modality and other.modality and one.modality != other.modality)


def _turns_round(one: Reading, other: Reading) -> bool:
    """Whether a person does something in one question and has it done to them in the other."""
    return any(
        (first.doers - first.receivers) & (second.receivers - second.doers)
        for first, second in ((one, other), (other, one))
    )


def _focus(folded: str) -> str:
    found = _FOCUS.search(folded)
    return word_meaning(found["thing"]) if found and found["thing"] not in _units() else ""


def _may_ask_the_same(one: str, other: str) -> bool:
    return not one or not other or one == other or frozenset((one, other)) in _COMPATIBLE


def are_opposed(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether of two sets of folded words one says the opposite of the other: abrir/cerrar, montar/desmontar."""
    for left, right in _opposites():
        sides = [(bool(words & left), bool(words & right)) for words in (one, other)]
        if sides in ([(True, False), (False, True)], [(False, True), (True, False)]):
            return True
    alone, beside = one - other, other - one
    return any(
        root(prefix + word) in {root(negative) for negative in theirs}
        for mine, theirs in ((alone, beside), (beside, alone))
        for word in mine
        if len(word) > 3
        for prefix in ("des", "in", "im", "anti")
    )


@cache
def _units() -> dict[str, str]:
    return {word: words[0] for words in lines_of(lexicon.UNITS) for word in words}


@cache
def _all_persons() -> frozenset[str]:
    return frozenset(fold(lexicon.PERSONS).split())


@cache
def _negations() -> frozenset[str]:
    return frozenset(lexicon.NEGATIONS.split())


@cache
def _repeated_negations() -> frozenset[str]:
    return frozenset(lexicon.REPEATED_NEGATIONS.split())


@cache
def _after_sin() -> frozenset[str]:
    return frozenset(lexicon.AFTER_SIN.split())


@cache
def _opposites() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    pairs = []
    for line in fold(lexicon.OPPOSITES).splitlines():
        left, separator, right = line.partition(" / ")
        if separator:
            pairs.append((frozenset(left.split()), frozenset(right.split())))
    return tuple(pairs)
