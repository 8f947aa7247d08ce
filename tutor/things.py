"""The things that a question names: «la contraseña del correo», «una copa de vino». Pure.

Nearness of meaning says that passages speak of something like it; that none holds the very thing asked about is the
surest sign that the documents say nothing of it. Verbs and adjectives have too many other words for the same.
"""

import re

from tutor.wording import asked, stems

_ARTICLES = "el la los las un una unos unas del al mi mis tu tus su sus cada cuanto cuanta cuantos cuantas hay"
_BEFORE_NAMES = "de por con en sin para a que"
_NAMED = re.compile(
    rf"\b(?:(?:{'|'.join(_ARTICLES.split())}) (?P<article>\w{{3,}})"
    # What follows a preposition may as well be a verb: «para devolver».
    rf"|(?:{'|'.join(_BEFORE_NAMES.split())}) (?!(?:{'|'.join(_ARTICLES.split())}|que)\b)"
    r"(?P<preposition>\w{3,}(?<!ar)(?<!er)(?<!ir))\b)"
)


def named_things(question: str) -> frozenset[str]:
    """The stems (see `tutor.wording.stems`) of the words that an article or a preposition marks as names of things."""
    named = (match["article"] or match["preposition"] for match in _NAMED.finditer(asked(question)))
    return stems(" ".join(named))
