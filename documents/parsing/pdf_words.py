"""Single words of a PDF page, for filling cells."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from documents.cleaning import clean_characters
from documents.parsing.pdf_lines import Box, PageText


@dataclass(frozen=True, slots=True)
class Word:
    box: Box
    text: str

    @property
    def middle(self) -> tuple[float, float]:
        return ((self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2)


def visible_words(page: Any, text: PageText) -> list[Word]:
    """The page's words that lie in lines still counted: no running header, nothing hidden."""
    boxes = [line.box for line in text.lines]
    words = []
    for x0, y0, x1, y1, word, *_ in page.get_text("words"):
        found = Word(text.upright.apply((x0, y0, x1, y1)), clean_characters(word))
        x, y = found.middle
        if found.text and any(a - 1 <= x <= c + 1 and b - 1 <= y <= d + 1 for a, b, c, d in boxes):
            words.append(found)
    return words


def cell_lines(words: list[Word]) -> list[str]:
    """A cell's words as lines of text, top to bottom."""
    return [" ".join(word.text for word in line) for line in word_lines(words)]


def word_lines(words: Sequence[Word]) -> list[list[Word]]:
    """Words by line, top to bottom, left to right."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: word.middle[1]):
        height = word.box[3] - word.box[1]
        if lines and abs(word.middle[1] - lines[-1][0].middle[1]) <= 0.45 * height:
            lines[-1].append(word)
        else:
            lines.append([word])
    return [sorted(line, key=lambda word: word.box[0]) for line in lines]
