"""What a sentence says otherwise than one that speaks of the same. Pure."""

import re
from collections.abc import Collection, Iterator
from functools import cache
from itertools import islice

from tutor.prepared import lexicon
from tutor.prepared.agreement import are_opposed, proper_names
from tutor.prepared.roots import word_meaning
from tutor.quantities import quantities, stands
from tutor.wording import fold, stems

SAME_MATTER = 0.75  # share of a sentence's words in another: the two speak of the same
FEW_WORDS = 2  # fewer of a line say too little: the number of a step
_OWN_SOURCE = frozenset({"manual", "documento", "guia", "fuente", "empresa"})  # as some write «el Manual»

_SENTENCE = re.compile(r"(?:[^.!?\n]|[.!?](?=\S))+")
_WORD = re.compile(r"[^\W_]+")
_NEGATION = re.compile(
    r"\b(?:no(?!\s*[,;:.])|nunca|jamas|tampoco|ningun|ninguna|prohibid[oa]s?|prohibe|imposible|sin|not|never|cannot|nao|pas)\b"
)
# Words that forbid or allow what follows them: «no está permitido fumar» denies the smoking, as «está prohibido» does.
_FORBIDS = re.compile(r"prohib")
_ALLOWED = re.compile(r"permit|autoriza|admit|posible")
_MAY = re.compile(r"(?:pued[aeo]|podr|podeis|podemos|deb[aeo]|deber)\w*$")
_MODAL = frozenset({"puede", "permitido", "permitida", "prohibido", "prohibida"})
_YES = re.compile(r"^(?:si|claro|correcto|efectivamente|yes)\b(?:\s*[,;:.!]|\s*$)")
_ALLOWS = re.compile(r"\b(?:pued[eo]\w*|podemos|podeis|permit\w+|autoriza\w*|hay que|deb[eo]\w*)\b")
# What allows or demands, of anybody or of those asked about. «Se podía» says how it was.
_LEAVE = re.compile(
    r"\b(?:pued[aeo]\w*|podemos|podeis|podra\w*|permitid[oa]s?|se (?:permite|autoriza|admite|acepta)n?)\b"
)
_DUTY = re.compile(
    r"\b(?:hay que|deb[eo]n?|debes|debemos|debera\w*|(?:tengo|tiene[ns]?|tenemos) que|obligatori[oa]s?)\b"
)
_IS_SAID_BEHIND = re.compile("permitid|obligatori")
_CONDITION = re.compile(
    r"\b(?:si|cuando|mientras|siempre que|en caso|previ[oa]s?|(?:con|de) (?:autorizacion|permiso)|excepcional\w*"
    r"|durante|antes|despues|entre|desde|a partir)\b"
)
# With an exception or a second negation a sentence does not forbid outright.
_UNCLEAR = re.compile(
    r"\b(?:salvo|excepto|sin|sol[oa]|solamente|unicamente|si no|hasta|a menos|a no ser|pero|aunque|mas de|menos de)\b"
)
# What is a fault to leave out («no fichar es falta leve», «quien no fiche será sancionado») has to be done. «No correr,
# es peligroso», «no correr: peligro» and «no correr evita accidentes» do forbid.
_NOT_DOING = r"\bno\s+(?:\w+[aei]r(?:se|l[aeo]s?)?)\b"
_IS_DUTY = (
    r"\b(?:es|supone|constituye)\s+(?:una?\s+|muy\s+|lo\s+)?(?:obligatori|obligacion|norma|regla|deber|"
    r"necesari|imprescindible|importante|recomend|preciso|fundamental|esencial|requisito|mejor)|\b(?:evita|previene)"
)
_ON_TO_IT = rf"(?:(?!{_IS_DUTY})(?:[^,;:()]|,(?=\s(?:(?:el|la|los|las)\s)?\w+(?:,|\s[oyue]\s)))){{0,120}}?"
_IS_SEEN_AS = (
    r"(?<!\bque\s)(?<!\bsi\s)(?<!\bporque\s)(?<!\bpues\s)(?<!\bcuando\s)(?<!\bdonde\s)"
    r"\b(?:es|son|sera|seria|supone|supondra|constituye|conlleva|implica|acarrea|provoca|causa|genera|tiene|pone|"
    r"puede|podra|podria|esta|estara|se\s+(?:considera|castiga|sanciona|penaliza|multa)|contamina)\b"
)
_FAULT = (
    r"(?P<fault>falta|infraccion|incumplimiento|sancion|amonesta|despid|multa|expediente|peligr|riesgo|accidente|lesion|"
    r"error|delito|prohibid|castiga|penaliza|contamina|grave)\w*"
)
_DEMANDS = (
    re.compile(rf"{_NOT_DOING}{_ON_TO_IT}(?!{_IS_DUTY})(?={_IS_SEEN_AS})[^,;:]{{0,120}}?\b{_FAULT}"),
    re.compile(
        r"^\W*(?:(?:se\s+consideran?|es|son|sera|seran|constituyen?)\s+)?(?:una\s+)?"
        rf"(?P<fault>faltas?|infraccion(?:es)?|incumplimientos?)(?:\s+(?:muy|leves?|graves?))*:?\s+(?:el\s+)?{_NOT_DOING}"
    ),
    re.compile(r"(?P<fault>\bquien(?:es)?|\b(?:el|la|los|las)(?:\s\w+)?\s+que)\s+no\s+(?!se\b|puede|deb)\w+"),
)


def contradicts(claim: str, sentence: str, *, text: str, question: str, language: str = "es") -> bool:
    """Whether a claim denies what a sentence affirms, or the other way round, counts otherwise, says the opposite, or
    names somebody else. Numbers of the question, and people in it or in the text around the sentence, are no others.
    """
    return (
        _denies(claim, sentence)
        or _counts_otherwise(claim, sentence, text, question, language)
        or are_opposed(_plain(claim) - _MODAL, _plain(sentence) - _MODAL)
        or _names_another(claim, sentence, f"{text}\n{question}")
    )


def is_denied(text: str) -> bool:
    """Whether a text denies or forbids something."""
    return _NEGATION.search(fold(text)) is not None


def affirms_the_forbidden(claim: str, sentences: Collection[str], question: str) -> bool:
    """Whether a short claim says that one may or must («Sí, se puede fumar») what every sentence about it denies.
    A claim without words of its own («Sí.») affirms the question.
    """
    folded = fold(claim)
    says_yes = _YES.match(folded) is not None
    if not (says_yes or _ALLOWS.search(folded)):
        return False
    said = claim
    words = words_of_matter(claim)
    if not words and says_yes:
        said, words = f"{claim} {question}", words_of_matter(question)
    same = [
        sentence
        for sentence in sentences
        if words and "¿" not in sentence and len(words & stems(sentence)) >= SAME_MATTER * len(words)
    ]
    denied = _denied_words(said)
    return bool(same) and all(
        not _UNCLEAR.search(fold(sentence))
        and not _demands(sentence, words)
        and (_denied_words(sentence) - denied) & words
        for sentence in same
    )


def denies_the_allowed(claim: str, sentences: Collection[str], question: str) -> bool:
    """Whether a short claim says no («No.», «No, no se puede fumar») to a question of what one may or must, and every
    sentence about the very thing allows it outright, or demands it. Who may do something («el encargado puede abrir la
    caja») says nothing of others.
    """
    said, asked = fold(claim), fold(question)
    words = words_of_matter(question)
    if (
        not said.startswith("no")
        or not words_of_matter(claim) <= words
        or not words
        or _NEGATION.search(asked)
        or any(_UNCLEAR.search(one) or _CONDITION.search(one) for one in (said, asked))
        or not (_LEAVE.search(asked) or _DUTY.search(asked))
    ):
        return False
    same = [one for one in sentences if "¿" not in one and words <= stems(one)]
    kinds = [_DUTY] if _DUTY.search(asked) else [_LEAVE, _DUTY]
    return bool(same) and all(
        _persons(one) <= _persons(question) and any(_says_outright(kind, fold(one), words) for kind in kinds)
        for one in same
    )


def _says_outright(kind: re.Pattern[str], sentence: str, words: frozenset[str]) -> bool:
    """Whether a folded sentence allows, or demands, by a word beside what `words` say, and takes nothing back."""
    if any(pattern.search(sentence) for pattern in (_NEGATION, _UNCLEAR, _CONDITION)):
        return False
    for match in kind.finditer(sentence):
        beside = [*islice(_with_meaning(sentence, match.end()), 1)]
        if _IS_SAID_BEHIND.match(match[0]):  # «fumar está permitido»
            beside += islice(_with_meaning(sentence[: match.start()]), 1)
        if stems(" ".join(beside)) & words:
            return True
    return False


def _demands(sentence: str, words: frozenset[str]) -> bool:
    """Whether a sentence calls it a fault not to do what `words` say, and they do not speak of the fault itself."""
    folded = fold(sentence)
    matches = (match for pattern in _DEMANDS for match in pattern.finditer(folded))
    return any(stems(match[0]) & words and not stems(match["fault"]) & words for match in matches)


def words_of_matter(text: str) -> frozenset[str]:
    """The stems of a text's words but those that say yes, allow or forbid."""
    words = _with_meaning(_YES.sub("", fold(text)))
    return stems(" ".join(word for word in words if not (_FORBIDS.match(word) or _ALLOWED.match(word))))


def _with_meaning(folded: str, start: int = 0) -> Iterator[str]:
    """The words of a folded text that say what it is about; not «puedes» and «debes», as little as «puede»."""
    words = (match[0] for match in _WORD.finditer(folded, start))
    return (word for word in words if stems(word) and not _MAY.match(word))


def sentences_of(text: str) -> list[str]:
    """The sentences and lines of a text, without the signs that end them."""
    return _SENTENCE.findall(text)


def _denies(claim: str, sentence: str) -> bool:
    return bool((_denied_words(claim) ^ _denied_words(sentence)) & stems(claim) & stems(sentence))


def _denied_words(text: str) -> frozenset[str]:
    """The stems of the words that a negation bears on: the first one with a meaning after each."""
    folded = fold(text)
    found: set[str] = set()
    is_cancelled = False
    for match in _NEGATION.finditer(folded):
        if _FORBIDS.match(match[0]) and is_cancelled:
            continue
        words = list(islice(_with_meaning(folded, match.end()), 2))
        is_cancelled = bool(words and _FORBIDS.match(words[0]))
        if is_cancelled:  # «no está prohibido fumar»
            continue
        if not words and _FORBIDS.match(match[0]):  # «fumar está prohibido»
            words = list(islice(_with_meaning(folded[: match.start()]), 2))
        passes_on = bool(words and _ALLOWED.match(words[0]))
        for word in words[: 2 if passes_on else 1]:
            found |= stems(word)
    return frozenset(found)


def _counts_otherwise(claim: str, sentence: str, text: str, question: str, language: str) -> bool:
    """Whether a number of the claim stands neither in the sentence, which has another, nor in one that the claim takes
    up as well.
    """
    there, mine = list(quantities(sentence, language=language)), list(quantities(claim, language=language))
    if all(stands(one, mine) for one in there):
        return False
    said = stems(claim)
    known = [*there, *quantities(question, language=language)]
    for other in sentences_of(text):
        words = {word for word in stems(other) if not word.isdigit()}
        adds = len(words & said - stems(sentence)) >= FEW_WORDS
        if adds and len(words & said) >= SAME_MATTER * len(words):
            known += quantities(other, language=language)
    return not all(stands(one, known) for one in mine)


def _names_another(claim: str, sentence: str, known: str) -> bool:
    """Whether the claim has a proper name that is not known, or such a person where the sentence has one whom the claim
    leaves out.
    """
    names = _plain(" ".join(proper_names(claim)))
    if names - _plain(known) - _OWN_SOURCE:
        return True
    mine, theirs = _persons(claim), _persons(sentence)
    return bool(theirs - mine) and bool(mine - _persons(known))


def _persons(text: str) -> frozenset[str]:
    return frozenset(word_meaning(word) for word in _plain(text) & _all_persons())


def _plain(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(fold(text)))


@cache
def _all_persons() -> frozenset[str]:
    return frozenset(fold(lexicon.PERSONS).split())
