"""Rows of a PDF on their way to blocks, and the look of the running text among them. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from documents.parsing.pdf_lines import Line


@dataclass(slots=True)
class Element:
    """A row on its way to a block: what stands before and after it decides what it is."""

    line: Line
    gap_above: float  # points to the row above in the same column; large at a column's top
    gap_below: float
    column_left: float
    column_right: float
    level: int = 0  # of a heading, 0 for other text
    continues: bool = False  # a further row of the heading above


@dataclass(slots=True)
class BodyLook:
    """Looks of the running text: most letters' size and colour, whether they are bold, the usual gap between rows."""

    size: float = 10.0
    is_bold: bool = False
    gap: float = 2.0
    colour: int = 0


def body_look(elements: Sequence[Element]) -> BodyLook:
    sizes: Counter[float] = Counter()
    colours: Counter[int] = Counter()
    bold = letters = 0
    for element in elements:
        sizes[element.line.size] += len(element.line.text)
    if not sizes:
        return BodyLook()
    size = sizes.most_common(1)[0][0]
    gaps = []
    for element in elements:
        if abs(element.line.size - size) <= 0.5:
            colours[element.line.colour] += len(element.line.text)
            letters += len(element.line.text)
            bold += len(element.line.text) if element.line.is_bold else 0
            if -0.6 * size < element.gap_above < 3 * size:
                gaps.append(element.gap_above)
    gaps.sort()
    return BodyLook(
        size,
        letters > 0 and bold > 0.6 * letters,
        gaps[len(gaps) // 2] if gaps else 2.0,
        colours.most_common(1)[0][0],
    )
