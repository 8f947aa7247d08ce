"""Marks that follow the lines of the quoted words, where a block says more than the quote. Pure."""

import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import groupby

Rect = Sequence[float]  # x0, y0, x1, y1 in PDF points from the top left
# As MuPDF lists them: x0, y0, x1, y1, text, number of the block, of the line in it, of the word in that.
Word = tuple[float, float, float, float, str, int, int, int]

_RUN = 3  # words in a row: fewer also meet by chance
_GAP = 2  # words between two runs that are spelled otherwise, such as one parted at the end of a line
_ENOUGH = 0.6  # of the quote's words: with less found, as in a table told in other words, whole blocks say more


def fitted(marks: Sequence[Rect], words: Sequence[Word], quote: str) -> list[Rect]:
    """One box for each line of the words of `quote` inside `marks`; `marks` as they are where it is not found there."""
    wanted = [key for word in quote.split() if (key := _key(word))]
    inside = [word for word in words if any(_holds(mark, word) for mark in marks) and _key(word[4])]
    runs = [
        block
        for block in SequenceMatcher(
            None, [_key(word[4]) for word in inside], wanted, autojunk=False
        ).get_matching_blocks()
        if block.size >= min(_RUN, len(wanted))
    ]
    if not wanted or sum(run.size for run in runs) < _ENOUGH * len(wanted):
        return list(marks)
    said: set[int] = set()
    end = None
    for run in runs:
        if end is not None and run.a - end <= _GAP:
            said.update(range(end, run.a))
        end = run.a + run.size
        said.update(range(run.a, end))
    lines = groupby(sorted(said), key=lambda at: inside[at][5:7])
    return [_around([inside[at] for at in places]) for _line, places in lines]


def _key(word: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKD", word).casefold() if char.isalnum())


def _holds(mark: Rect, word: Word) -> bool:
    """Whether the middle of a word is in a mark."""
    x, y = (word[0] + word[2]) / 2, (word[1] + word[3]) / 2
    return mark[0] <= x <= mark[2] and mark[1] <= y <= mark[3]


def _around(words: Sequence[Word]) -> Rect:
    return (
        min(word[0] for word in words),
        min(word[1] for word in words),
        max(word[2] for word in words),
        max(word[3] for word in words),
    )
