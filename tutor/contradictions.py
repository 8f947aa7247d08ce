"""What a sentence says otherwise than one that speaks of the same. Pure."""

import re
from functools import cache

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
    r"\b(?:no|nunca|jamas|tampoco|ningun|ninguna|prohibid[oa]s?|prohibe|imposible|sin|not|never|cannot|nao|pas)\b"
)


def contradicts(claim: str, sentence: str, *, text: str, question: str) -> bool:
    """Whether a claim denies what a sentence affirms, or the other way round, counts otherwise, says the opposite, or
    names somebody else. Numbers of the question, and people in it or in the text around the sentence, are no others.
    """
    return (
        _denies(claim, sentence)
        or _counts_otherwise(claim, sentence, text, question)
        or are_opposed(_plain(claim), _plain(sentence))
        or _names_another(claim, sentence, f"{text}\n{question}")
    )


def sentences_of(text: str) -> list[str]:
    """The sentences and lines of a text, without the signs that end them."""
    return _SENTENCE.findall(text)


def _denies(claim: str, sentence: str) -> bool:
    return bool((_denied_words(claim) ^ _denied_words(sentence)) & stems(claim) & stems(sentence))


def _denied_words(text: str) -> frozenset[str]:
    """The stems of the words that a negation bears on: the first one with a meaning after each."""
    folded = fold(text)
    found: set[str] = set()
    for match in _NEGATION.finditer(folded):
        following = (stems(word) for word in _WORD.findall(folded[match.end() :]))
        found |= next((meaning for meaning in following if meaning), frozenset())
    return frozenset(found)


def _counts_otherwise(claim: str, sentence: str, text: str, question: str) -> bool:
    """Whether a number of the claim stands neither in the sentence, which has another, nor in one that the claim takes
    up as well.
    """
    there, mine = list(quantities(sentence)), list(quantities(claim))
    if all(stands(one, mine) for one in there):
        return False
    said = stems(claim)
    known = [*there, *quantities(question)]
    for other in sentences_of(text):
        words = {word for word in stems(other) if not word.isdigit()}
        adds = len(words & said - stems(sentence)) >= FEW_WORDS
        if adds and len(words & said) >= SAME_MATTER * len(words):
            known += quantities(other)
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
