"""What people write into the box that asks nothing: insults, greetings, keys struck at random, orders to the machine.

Pure but for the replies of tutor.courtesy. Certain cases alone: a question taken for none would be missed by those who
could answer it, while one that asks nothing costs them a click.
"""

import re

from tutor.courtesy import is_courtesy
from tutor.injections import gives_orders
from tutor.patterns import any_of
from tutor.wording import word_key

_INSULTS = any_of(
    r"""inutil(?:es)? idiotas? imbecil(?:es)? estupid[oa]s? tont[oa]s? gilipollas subnormal(?:es)? cabron(?:es|a|as)?
    mierdas? put[oa]s? hijoputa capull[oa]s? payas[oa]s? pendej[oa]s? boludos? joder jodete callate
    stupid idiots? moron asshole shit fuck"""
)
_AROUND_INSULTS = any_of(
    "eres eras es sois sos un una unos unas de la el lo que muy mas tan puto puta tu vaya menuda menudo maquina robot"
    " tutor bot chat cosa vete a te vas y no sirves sirve para nada you are a an the you r so fucking off"
)
_ONLY_INSULTS = re.compile(rf"(?:(?:{_INSULTS}|{_AROUND_INSULTS})(?: |$))+")
_INSULT = re.compile(rf"\b{_INSULTS}\b")
_NO_WORD = re.compile(r"[b-df-hj-np-tv-xz]{5,}")  # Spanish joins four consonants at most: «abstracto»
_VOWEL = re.compile(r"[aeiouy]")
_LINK = re.compile(r"\]\(\s*(?:javascript|data):|<\s*script", re.IGNORECASE)


def asks_nothing(text: str) -> bool:
    """Whether a text certainly is no question that a document could answer."""
    written = word_key(text).split()
    words = [word for word in written if not word.isdigit()]
    key = " ".join(words)
    if not written or (words and is_courtesy(key)) or gives_orders(text) or _LINK.search(text):
        return True
    if _INSULT.search(key) and _ONLY_INSULTS.fullmatch(key):
        return True
    return any(map(_NO_WORD.search, words)) and all(_NO_WORD.search(word) or not _VOWEL.search(word) for word in words)
