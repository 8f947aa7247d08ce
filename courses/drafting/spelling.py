"""Words that were read wrong, told by how the same document spells them elsewhere.

Text recognition takes letters for one another: «olérgenos», where the document says «alérgenos» a hundred times. What
is one letter off a word that is far more frequent is taken for it; differences in the last letters are of gender and
number. Pure functions.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

OFTEN = 10  # times as often as the wrong word, and at all, stands the right one
KNOWN = 3  # times a spelling stands, from which on a title follows its accents
SHORTEST = 4  # letters of a word that may be doubted
SURE_LETTERS = 7  # from which on the right word is put in the wrong one's place
# Letters of like shape, a vowel and a consonant: exchanged they hardly ever make another word, as «u» and «n» do.
LOOK_ALIKE = frozenset({"ce", "co", "il", "ij", "it", "uv"})
FIRST_ALIKE = frozenset({"ao"})  # as the first letters of words, where few are told by them
ENDING = 2  # letters of gender and number

_WORD = re.compile(r"[^\W\d_]+")


class Spelling:
    """How a document's running `texts` spell words; only those that were `recognized` in pictures are doubted."""

    def __init__(self, texts: Iterable[str], *, recognized: bool) -> None:
        self._counts = Counter(word.lower() for text in texts for word in _WORD.findall(text))
        self._accented: dict[str, str] = {}
        self._alike: dict[str, str] = {}
        for word, count in self._counts.most_common():
            if recognized and count >= KNOWN and len(word) >= SURE_LETTERS:
                self._accented.setdefault(_plain(word), word)
            if recognized and count >= OFTEN and len(word) >= SHORTEST:
                for shape in _shapes(word):
                    self._alike.setdefault(shape, word)

    def is_doubtful(self, text: str) -> bool:
        """Whether a word of a text may have been read wrong."""
        return bool(self._alike) and any(self._meant(word.lower()) for word in _WORD.findall(text))

    def mended(self, text: str) -> str:
        """The text with the words that were surely read wrong, once, as the document spells them elsewhere."""
        return _WORD.sub(lambda match: self._right(match[0]), text)

    def _right(self, word: str) -> str:
        lower = word.lower()
        right = "" if self._counts[lower] else self._accented.get(_plain(lower), "")  # a word of titles alone
        if not right and self._counts[lower] <= 1 and len(word) >= SURE_LETTERS:
            meant = self._meant(lower)
            right = meant if _is_slip(lower, meant) else ""
        if not right or right == lower:
            return word
        return right.upper() if word.isupper() else right.capitalize() if word[0].isupper() else right

    def _meant(self, word: str) -> str:
        """The word one letter off that is far more frequent; empty where there is none."""
        if len(word) < SHORTEST:
            return ""
        count = max(1, self._counts[word])
        found = {one for shape in _shapes(word) if (one := self._alike.get(shape)) and one != word}
        return max(
            (one for one in found if self._counts[one] >= OFTEN * count), key=self._counts.__getitem__, default=""
        )


def _is_slip(word: str, meant: str) -> bool:
    """Whether the one letter in which two words of a length differ looks like the other's."""
    for at, pair in enumerate(zip(_plain(word), _plain(meant), strict=False)):
        if pair[0] != pair[1]:
            letters = "".join(sorted(pair))
            return letters in LOOK_ALIKE or (at == 0 and letters in FIRST_ALIKE)
    return False


def _shapes(word: str) -> Iterable[str]:
    """The word with each of its letters but the last ones left open."""
    return (f"{word[:at]}·{word[at + 1 :]}" for at in range(len(word) - ENDING))


def _plain(word: str) -> str:
    return "".join(one for one in unicodedata.normalize("NFD", word) if not unicodedata.combining(one))
