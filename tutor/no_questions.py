"""What people write into the box that asks nothing: insults, greetings, keys struck at random, orders to the machine.

Pure but for the replies of tutor.courtesy. Certain cases alone: a question taken for none would be missed by those who
could answer it, while one that asks nothing costs them a click.
"""

import re

from tutor.courtesy import is_courtesy
from tutor.injections import gives_orders
from tutor.patterns import any_of
from tutor.wording import word_key

_INSULT = re.compile(
    any_of(
        r"""inutil(?:es)? idiotas? imbecil(?:es)? estupid[oa]s? tont[oa]s? gilipollas subnormal(?:es)?
        cabron(?:es|a|as)? mierdas? put[oa]s? hijoputa capull[oa]s? payas[oa]s? pendej[oa]s? boludos? joder jodete
        callate stupid idiots? moron asshole shit fuck"""
    )
)
_AROUND_INSULT = re.compile(
    any_of(
        "eres eras es sois sos un una unos unas de la el lo que muy mas tan tu vaya menuda menudo maquina robot"
        " tutor bot chat cosa vete a te vas y no sirves sirve para nada you are an the r so fucking off"
    )
)
_NO_WORD = re.compile(r"[b-df-hj-np-tv-xz]{5,}")  # Spanish joins four consonants at most: «abstracto»
_VOWEL = re.compile(r"[aeiouy]")
_LINK = re.compile(r"\]\(\s*(?:javascript|data):|<\s*script", re.IGNORECASE)


def asks_nothing(text: str) -> bool:
    """Whether a text certainly is no question that a document could answer."""
    written = word_key(text).split()
    words = [word for word in written if not word.isdigit()]
    is_polite = bool(words) and is_courtesy(" ".join(words))
    if not written or is_polite or gives_orders(text) or _LINK.search(text):
        return True
    # Word by word: one pattern for them all would try every way to read a repeated word.
    others = [word for word in words if not _INSULT.fullmatch(word)]
    if len(others) < len(words) and all(map(_AROUND_INSULT.fullmatch, others)):
        return True
    return any(map(_NO_WORD.search, words)) and all(_NO_WORD.search(word) or not _VOWEL.search(word) for word in words)
