"""What of a folded word is compared: its root, that of its synonyms' first. Pure."""

from collections.abc import Iterable
from functools import cache

from tutor.prepared import lexicon
from tutor.wording import EMPTY_WORDS, fold, stem


@cache
def word_meaning(word: str) -> str:
    """The root of a folded word, that of its synonyms' first; empty for words that say how, not what."""
    if word in _frame() or len(word) == 1:
        return ""
    return _synonyms().get(word) or _synonyms().get(root(word)) or root(word)


@cache
def root(word: str) -> str:
    """A stem cut further than search would: two short questions about one thing seldom have two words of one root."""
    cut = stem(word)
    if len(cut) >= 5 and cut[-2:] in ("ar", "er", "ir"):
        cut = cut[:-2]
    elif len(cut) >= 4 and cut[-1] in "aeo":
        cut = cut[:-1]
    return cut[:-1] if len(cut) >= 5 and cut[-1] == "i" else cut


@cache
def light_meanings() -> frozenset[str]:
    """What general words mean, which come and go between two ways of asking the same."""
    return frozenset(map(word_meaning, fold(lexicon.LIGHT).split()))


@cache
def _frame() -> frozenset[str]:
    return EMPTY_WORDS | frozenset(fold(lexicon.FRAME).split())


@cache
def _synonyms() -> dict[str, str]:
    table: dict[str, str] = {}
    for words in lines_of(lexicon.SYNONYMS):
        for word in words:
            table.setdefault(word, root(words[0]))
            table.setdefault(root(word), root(words[0]))
    return table


def lines_of(text: str) -> Iterable[list[str]]:
    """The folded words of each line of a table."""
    return (words for line in fold(text).splitlines() if (words := line.split()))
