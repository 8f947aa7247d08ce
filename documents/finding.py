"""Words looked for inside one document, block by block (pure)."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from documents.reading import BLOCKS_A_PART, Piece

# Each character to one, so that places in a text folded whole are places in the text. Beyond U+3000 no letter has
# an accent of its own.
_FOLDS = {code: unicodedata.normalize("NFD", chr(code).lower())[0] for code in range(0x3000)}

BEFORE = 60  # characters shown before the first word found
LENGTH = 240  # of what is shown


@dataclass(frozen=True, slots=True)
class Run:
    text: str
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A block that says all the words: a line of it, the section it stands in, and where to find it."""

    text: str
    words: Sequence[str]  # folded
    section: str
    page: int | None
    part: int
    anchor: str

    @property
    def runs(self) -> tuple[Run, ...]:
        """A line of the text around the first word found, with every word marked. Worked out when asked for: of many
        finds a page shows few.
        """
        return _runs(self.text, self.words)


def find(blocks: Sequence[dict[str, Any]], words: str) -> list[Found]:
    """The blocks that say all of `words`, in reading order. Accents and case make no difference, nor do word ends.

    A block's own headings count as said: «fianza bicicletas» finds «Fianza» under «Alquiler de bicicletas».
    """
    wanted = list(dict.fromkeys(folded(words).split()))
    found = []
    for index, block in enumerate(blocks):
        text = " ".join(block["text"].split())
        same = folded(text)
        unsaid = [word for word in wanted if word not in same]
        if len(unsaid) == len(wanted):
            continue
        path = block.get("heading_path") or []
        around = folded(" ".join(path)) if unsaid else ""
        if not all(word in around for word in unsaid):
            continue
        found.append(
            Found(
                text,
                wanted,
                section=path[-1] if path else "",
                page=block.get("page"),
                part=index // BLOCKS_A_PART + 1,
                anchor=f"b{_first_of_list(blocks, index)}",
            )
        )
    return found


def with_marks(pieces: Sequence[Piece], found: Sequence[Found]) -> list[Piece]:
    """The pieces, those that hold something found with the words to mark in them."""
    words = {one.anchor: tuple(one.words) for one in found}
    return [replace(piece, marks=words[piece.anchor]) if piece.anchor in words else piece for piece in pieces]


def marked(text: str, words: Sequence[str]) -> list[Run]:
    """The whole text, with each of the folded `words` marked wherever it stands."""
    return _marked(text, 0, len(text), _spans(folded(text), words))


def folded(text: str) -> str:
    """In lower case and without accents, as long as it was."""
    return text.translate(_FOLDS)


def _first_of_list(blocks: Sequence[dict[str, Any]], index: int) -> int:
    """List items in a row are shown as one piece, under the first one's anchor; a part begins a new one."""
    start = index - index % BLOCKS_A_PART
    while (
        index > start
        and blocks[index]["kind"] == blocks[index - 1]["kind"] == "list_item"
        and (blocks[index].get("page"), blocks[index].get("locator"))
        == (blocks[index - 1].get("page"), blocks[index - 1].get("locator"))
    ):
        index -= 1
    return index


def _runs(text: str, wanted: Sequence[str]) -> tuple[Run, ...]:
    spans = _spans(folded(text), wanted)
    start = max(0, spans[0][0] - BEFORE)
    start = text.rfind(" ", 0, start) + 1 if start else 0
    end = min(len(text), max(start + LENGTH, spans[0][1]))
    before, after = [Run("… ")] if start else [], [Run(" …")] if end < len(text) else []
    return (*before, *_marked(text, start, end, spans), *after)


def _marked(text: str, start: int, end: int, spans: Sequence[tuple[int, int]]) -> list[Run]:
    runs, place = [], start
    for first, last in spans:
        if first >= place and last <= end:
            runs += [Run(text[place:first]), Run(text[first:last], is_marked=True)]
            place = last
    runs.append(Run(text[place:end]))
    return [run for run in runs if run.text]


def _spans(same: str, wanted: Sequence[str]) -> list[tuple[int, int]]:
    spans = []
    for word in wanted:
        place = same.find(word)
        while place >= 0:
            spans.append((place, place + len(word)))
            place = same.find(word, place + len(word))
    return sorted(spans)
