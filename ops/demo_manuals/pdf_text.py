"""Lines of text for the PDF: words of two weights, broken to a width and set with real spaces."""
# mypy: allow-untyped-calls
# (PyMuPDF has no types.)

from collections.abc import Iterable
from dataclasses import dataclass

import pymupdf
from markdown_it.tree import SyntaxTreeNode

Colour = tuple[float, float, float]
Span = tuple[str, bool]  # text, bold
FONTS = {False: pymupdf.Font("helv"), True: pymupdf.Font("hebo")}


@dataclass(frozen=True, slots=True)
class TextStyle:
    """Sizes and distances in points."""

    size: float
    leading: float
    colour: Colour
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Lines:
    """A paragraph broken into lines, ready to be drawn anywhere."""

    lines: tuple[tuple[Span, ...], ...]
    style: TextStyle

    @property
    def height(self) -> float:
        return len(self.lines) * self.style.leading

    def draw(self, page: pymupdf.Page, left: float, top: float, *, right: float | None = None) -> None:
        """Draw with the upper left corner at (left, top), or flush with `right` when that is given."""
        writer = pymupdf.TextWriter(page.rect)
        baseline = top + (self.style.leading + 0.7 * self.style.size) / 2
        for line in self.lines:
            x = left if right is None else right - sum(_width(span, self.style.size) for span in line)
            for text, bold in line:
                writer.append((x, baseline), text, font=FONTS[bold], fontsize=self.style.size)
                x += _width((text, bold), self.style.size)
            baseline += self.style.leading
        writer.write_text(page, color=self.style.colour)


def break_lines(spans: Iterable[Span], style: TextStyle, width: float) -> Lines:
    """`spans` as lines no wider than `width`, broken at spaces only."""
    lines: list[list[Span]] = [[]]
    room = width
    for word in _words((text, bold or style.bold) for text, bold in spans):
        needed = sum(_width(piece, style.size) for piece in word)
        space = FONTS[word[0][1]].text_length(" ", style.size)
        if lines[-1] and space + needed > room:
            lines.append([])
            room = width
        elif lines[-1]:
            word[0] = (f" {word[0][0]}", word[0][1])
            needed += space
        room -= needed
        lines[-1] += word
    return Lines(tuple(tuple(_merged(line)) for line in lines), style)


def spans_of(inline: SyntaxTreeNode) -> list[Span]:
    return [
        (child.children[0].content if child.children else child.content, child.type == "strong")
        for child in inline.children
    ]


def longest_word(spans: Iterable[Span], style: TextStyle) -> float:
    words = _words((text, bold or style.bold) for text, bold in spans)
    return max(sum(_width(piece, style.size) for piece in word) for word in words)


def text_width(spans: Iterable[Span], style: TextStyle) -> float:
    """Points that `spans` take on one line."""
    return sum(_width((text, bold or style.bold), style.size) for text, bold in spans)


def _words(spans: Iterable[Span]) -> list[list[Span]]:
    """Words as pieces of one weight each: «**30 días**.» has a word «días.» of two pieces."""
    words: list[list[Span]] = [[]]
    for text, bold in spans:
        for index, part in enumerate(text.split(" ")):
            if index:
                words.append([])
            if part:
                words[-1].append((part, bold))
    return [word for word in words if word]


def _merged(line: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for text, bold in line:
        if merged and merged[-1][1] == bold:
            merged[-1] = (merged[-1][0] + text, bold)
        else:
            merged.append((text, bold))
    return merged


def _width(span: Span, size: float) -> float:
    return float(FONTS[span[1]].text_length(span[0], size))
