"""Strategies that cut the normalized text whatever its sections: fixed size, and recursive."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count

from documents.chunking.markdown import Layout
from documents.chunking.pieces import Atom, Meter, Piece
from documents.parsing.types import Block

_WORD = re.compile(r"\S{1,40}")  # longer runs count as several words, so that a window can always end
_FULL_ENOUGH = 0.94  # a window that holds this share of its size is not tried again
_TRIES = 4
_SEPARATORS = ("\n\n", "\n", ". ", " ")

Window = tuple[int, int, int]  # where it starts, where its own text starts (overlap before it), where it ends


def fixed_windows(text: str, size: int, overlap: int, meter: Meter) -> Iterator[Window]:
    """Windows of at most `size` tokens, each beginning about `overlap` tokens before the last one's end."""
    words = [match.span() for match in _WORD.finditer(text)]
    first = own = 0
    guess = max(1, size * 2 // 3)  # words in a window
    while own < len(words):
        stop, tokens = _fill(text, words, first, guess, size, meter)
        if stop <= own:  # nothing but overlap fits: leave it out
            first = own
            continue
        yield words[first][0], words[own][0], words[stop - 1][1]
        guess = max(1, stop - first)
        back = (stop - first) * overlap // max(1, tokens)
        own, first = stop, max(first + 1, stop - back)


def _fill(
    text: str, words: Sequence[tuple[int, int]], first: int, guess: int, size: int, meter: Meter
) -> tuple[int, int]:
    """Where a window of words from `first` ends, and its tokens: as full as a few tries make it."""
    best: tuple[int, int] | None = None
    stop = min(len(words), first + guess)
    for attempt in count(1):
        tokens = meter(text[words[first][0] : words[stop - 1][1]])
        if tokens <= size or stop - first == 1:
            if best is None or stop > best[0]:
                best = stop, tokens
            if stop == len(words) or tokens >= size * _FULL_ENOUGH or tokens > size:
                return best
        if best is not None and attempt >= _TRIES:
            return best
        fitting = first + max(1, int((stop - first) * size * (1 + _FULL_ENOUGH) / 2 / max(1, tokens)))
        stop = min(len(words), fitting if fitting != stop else stop + 1) if tokens <= size else min(stop - 1, fitting)
    raise AssertionError("count() never ends")


def recursive_windows(text: str, size: int, overlap: int) -> Iterator[Window]:
    """Windows of at most `size` characters, cut at blank lines, else lines, else sentences, else words.

    Source: the recursive character splitter that LangChain made common, here on spans instead of copies.
    """
    window: list[tuple[int, int]] = []
    own = 0  # index in the window of its first part that is not overlap
    for part in _parts(text, 0, len(text), size, 0):
        if window and part[1] - window[0][0] > size:
            yield window[0][0], window[own][0], window[-1][1]
            while window and (window[-1][1] - window[0][0] > overlap or part[1] - window[0][0] > size):
                window.pop(0)
            own = len(window)
        window.append(part)
    if window:
        yield window[0][0], window[own][0], window[-1][1]


def _parts(text: str, start: int, end: int, size: int, separator: int) -> Iterator[tuple[int, int]]:
    """Spans of at most `size` characters that cover the text but for the white space around them."""
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start >= end:
        return
    if separator and end - start <= size:
        yield start, end
    elif separator == len(_SEPARATORS):
        for at in range(start, end, size):
            yield at, min(end, at + size)
    else:
        mark = _SEPARATORS[separator]
        position = start
        while position < end:
            found = text.find(mark, position, end)
            stop = end if found < 0 else found + len(mark)
            yield from _parts(text, position, stop, size, separator + 1)
            position = stop


def window_pieces(
    windows: Iterator[Window],
    blocks: Sequence[Block],
    layout: Layout,
    paths: Sequence[tuple[str, ...]],
    meter: Meter,
) -> list[Piece]:
    """Windows as pieces. A piece's path is that of most of its own text."""
    pieces: list[Piece] = []
    block = 0
    for start, own, end in windows:
        while layout.blocks[block].end <= own and block + 1 < len(blocks):
            block += 1
        atoms: list[Atom] = []
        index, position = block, own
        while index < len(blocks) and layout.blocks[index].start < end:
            stop = min(end, layout.blocks[index].end)
            begin = max(position, layout.blocks[index].start)
            glue = layout.text[position:begin]
            words = layout.text[begin:stop]
            if words.strip():
                atoms.append(Atom(words, blocks[index].kind, index, begin, stop, glue, meter(words)))
            index, position = index + 1, stop
        if atoms:
            overlap = layout.text[start:own].rstrip()
            lengths: Counter[tuple[str, ...]] = Counter()
            for atom in atoms:
                lengths[paths[atom.block]] += len(atom.text)
            pieces.append(Piece({0: 0}, lengths.most_common(1)[0][0], atoms, overlap=overlap))
    return pieces
