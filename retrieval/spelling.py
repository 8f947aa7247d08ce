"""Misspelt Spanish words: what they sound like, and which known word was meant (pure).

Letters that sound alike (b and v, c and z, g and j, ll and y, k and qu, a silent h) are one sound. The consonants alone
are a word's skeleton, by which PostgreSQL finds words: its function `skillnet_sound` is `skeleton` once more.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence

SHORTEST = 4  # letters; shorter lexemes are too like each other
SHORTEST_ASKED = 3  # «piza» ends as «piz»; one so short stands only for what sounds the same
ONE_ERROR = 5  # letters, from which on a word may differ by one error beside its sounds
CERTAINTY = 0.7  # of a word thought to be misspelt, beside 1 for one that is known
ALTERNATIVES = 3

_SOUNDS = (
    ("ch", "1"),
    ("ll", "y"),
    ("qu(?=[ei])", "k"),
    ("gu(?=[ei])", "2"),
    ("g(?=[ei])", "j"),
    ("c(?=[ei])", "s"),
    ("[zx]", "s"),
    ("[cq]", "k"),
    ("[vw]", "b"),
    ("ñ", "n"),
    ("h", ""),
    ("2", "g"),
    ("n(?=[bp])", "m"),
    (r"([a-z])\1+", r"\1"),
)
_VOWELS = "aeiou"
_CONSONANTS = "1bdfgjklmnprsty"


def sound(word: str) -> str:
    """How a word sounds, one letter a sound; accents do not count."""
    heard = _folded(word)
    for pattern, letter in _SOUNDS:
        heard = re.sub(pattern, letter, heard)
    return heard


def skeleton(word: str) -> str:
    """The consonants of a word as they sound."""
    return re.sub(f"[{_VOWELS}]", "", sound(word))


def skeletons_near(word: str) -> list[str]:
    """The skeletons of words that a misspelt one may stand for: its own, and those one consonant away."""
    own = skeleton(word)
    near = {own}
    if len(word) >= ONE_ERROR:
        places = range(len(own) + 1)
        near |= {own[:place] + letter + own[place:] for place in places for letter in _CONSONANTS}
        near |= {own[:place] + own[place + 1 :] for place in range(len(own))}
        near |= {own[:place] + letter + own[place + 1 :] for place in range(len(own)) for letter in _CONSONANTS}
        near |= {own[:place] + own[place + 1] + own[place] + own[place + 2 :] for place in range(len(own) - 1)}
    return sorted(near - {""})


def meant(word: str, known: Mapping[str, int]) -> list[str]:
    """Which of the known words (with how often they stand somewhere) a misspelt one means; the likeliest, if any."""
    errors = {other: errors for other in known if (errors := _errors(word, other)) is not None}
    fewest = min(errors.values(), default=0)
    likeliest = [other for other, count in errors.items() if count == fewest]
    return sorted(likeliest, key=lambda other: (-known[other], other))[:ALTERNATIVES]


def may_be_misspelt(lexeme: str) -> bool:
    """Whether a lexeme of a question is long enough, and of letters alone."""
    return len(lexeme) >= SHORTEST_ASKED and lexeme.isalpha()


def is_word(lexeme: str) -> bool:
    """Whether a lexeme is a word that another may stand for: long enough, and of letters alone."""
    return len(lexeme) >= SHORTEST and lexeme.isalpha()


def _errors(word: str, other: str) -> int | None:
    """0 for words that sound alike, 1 for one error beside that; None for different words."""
    if not is_word(other) or word == other:
        return None
    heard, also = sound(word), sound(other)
    if heard == also:
        return 0
    # A difference at an end makes other words and inflections («armas», «armada») more often than errors.
    if min(len(word), len(other)) < ONE_ERROR or (heard[:1], heard[-1:]) != (also[:1], also[-1:]):
        return None
    near = min(_distance(heard, also), _distance(_folded(word), _folded(other)))
    return 1 if near == 1 else None


def _distance(one: Sequence[str], other: Sequence[str]) -> int:
    """Letters added, left out, changed or swapped with their neighbour (optimal string alignment)."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        row = [i]
        for j, their in enumerate(other, start=1):
            best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != their))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == their:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        before, last = last, row
    return last[-1]


def _folded(word: str) -> str:
    decomposed = unicodedata.normalize("NFD", word.casefold().replace("ñ", "\0"))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter)).replace("\0", "ñ")
