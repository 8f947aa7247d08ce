"""How much each of a question's words tells, and what share of that other words hold. Pure."""

import math
import re
from collections.abc import Sequence

from tutor.asking import ABOUT_NOTHING
from tutor.patterns import any_of
from tutor.vocabulary import kin
from tutor.wording import compact, stems

RARE = math.log(2)  # weight of a word that no more than half of the passages have
SOME = 0.25  # of what the question's words tell: more than a word that stands everywhere
SHORTENED = 3  # letters from which on those before a number may be the beginning of a word
KIN_WEIGHT = 0.7  # of another word for one of the question's, beside 1 for the word itself
_LETTERS_AND_DIGITS = re.compile(r"(?P<letters>[a-z]{1,5})-?(?P<digits>\d+)")
# Before numbers, and no code with them: «nº3», «24-dic», «m2», «v2».
_ABBREVIATES = re.compile(
    any_of("n no num nro tel telf p pp pag v m cm mm km co covid ene feb mar abr may jun jul ago sept? oct nov dic")
)
_ONE_OF_SEVERAL = re.compile(r"(?<!\w)[a-z]{1,5}-?\d+,? (?:o|u|ni) |\b(?:o|u|ni) [a-z]{1,5}-?\d+(?!\w)")
_CODE = re.compile(r"(?<![\w.])(?:[a-z]{1,5}-?\d[\w-]*|\d+(?:\.\d+)+|\d{1,2}:\d{2})(?![\w])")


def keys_of(text: str) -> frozenset[str]:
    """What a text is compared by: its stems, its codes (E-4711, 1.4.4), written in one or not, and times of the day."""
    return stems(text) | frozenset(code.replace("-", "") for code in _CODE.findall(compact(text)))


def word_weights(question: str, texts: Sequence[frozenset[str]]) -> dict[str, float]:
    """What each of the question's stems and codes tells: those that stand in few of the texts the more, as in BM25.

    Plain numbers are left out: «una devolución de 95 euros» is answered by a rule that speaks of «hasta 100 €».
    """
    count = len(texts)
    weights = {}
    for word in keys_of(ABOUT_NOTHING.sub("", question)):
        if not word.isdigit():
            found = sum(word in text for text in texts)
            weights[word] = math.log(1 + (count - found + 0.5) / (found + 0.5))
    return weights


class AskedWords:
    """The words of a question, each with what it tells among those of the passages."""

    def __init__(self, question: str, passages: Sequence[frozenset[str]]) -> None:
        self.weights = word_weights(question, passages)
        self.all = frozenset(self.weights)
        self.total = sum(self.weights.values())
        most = max(self.weights.values(), default=0.0)
        self.telling = [word for word, weight in self.weights.items() if weight >= most]

    def share(self, words: frozenset[str]) -> float:
        """The share of what the question's words tell that these words hold, or others for the same."""
        held = sum(weight * is_held(word, words) for word, weight in self.weights.items())
        return held / self.total if self.total else 0.0

    def tells(self, label: frozenset[str]) -> bool:
        """Whether a row's name says which row it is: the first one of a table without a header bears a word that stands
        everywhere, «Producto».
        """
        return self.share(label) >= SOME or any(self.weights.get(word, 0.0) >= RARE for word in label)


def names_unknown_code(question: str, texts: Sequence[str]) -> bool:
    """Whether a question names a code (E-500), and none of the texts bears any it names, in one, with a dash or apart.

    There is no other word for a code: what speaks of another one does not answer. One of several that are asked about
    («¿Es MD5 o SHA?») need not be there.
    """
    asked = compact(question)
    if _ONE_OF_SEVERAL.search(asked):
        return False
    codes = [match for code in _CODE.findall(asked) if (match := _LETTERS_AND_DIGITS.fullmatch(code))]
    written = [
        _written(code["letters"], code["digits"]) for code in codes if not _ABBREVIATES.fullmatch(code["letters"])
    ]
    folded = [compact(text) for text in texts] if written else []
    return bool(written) and not any(re.search(pattern, text) for pattern in written for text in folded)


def _written(letters: str, digits: str) -> str:
    """How texts may write a code, and in full what its letters may be short for: «art5», «Artículo 5»."""
    if len(letters) < SHORTENED:
        return rf"(?<!\w){letters}[\W_]?{digits}(?!\w)"
    return rf"(?<!\w){letters}[a-z]{{0,12}}[\W_]{{0,3}}{digits}(?!\w)"


def is_held(word: str, words: frozenset[str]) -> float:
    """1 when the words hold this one, less when they hold another for the same, 0 when neither."""
    if word in words:
        return 1.0
    return 0.0 if words.isdisjoint(kin(word)) else KIN_WEIGHT
