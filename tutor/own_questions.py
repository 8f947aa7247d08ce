"""The questions that a document puts itself, and what answers them. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tutor.leaning import follows_from, leans_back
from tutor.units import Unit, UnitKind

# «¿Se puede aparcar?», «P: ¿Se puede aparcar?», «And what about my dog?», but not «Di: «¿Qué desea?»».
_QUESTION = re.compile(r"(?:[\W\d_]*\b\w{1,9}\s*\d*\s*[.:)–-]\s*)?(?:[^¿?.:;«\"“]*¿)?[^¿?.:;«\"“]{3,}\?[\s)*_]*")


def with_questions(units: Sequence[Unit]) -> Iterator[Unit]:
    """The units, those that only ask as such, and each one behind them with what it answers: by itself it may say
    little («Sí, los viernes»), and the question as little as a heading.
    """
    asked: list[tuple[int, Unit]] = []  # the last questions in a row
    answered: list[Unit] = []  # what has been found to answer them
    for index, unit in enumerate(units):
        if _asks(unit, units[index + 1 : index + 2]):
            if asked and asked[-1][0] != index - 1:
                asked = []
            asked.append((index, unit))
            answered = []
            yield replace(unit, kind=UnitKind.QUESTION)
            continue
        if unit.kind is UnitKind.HEADING or (answered and not _goes_on(unit, answered)):
            asked = []
        answered.append(unit)
        if asked and unit.lead is None and unit.kind is not UnitKind.ROW:
            yield replace(unit, lead=asked[-1][0], support=(asked[0][1].start, asked[-1][1].end))
        else:
            yield unit


def _goes_on(unit: Unit, answered: Sequence[Unit]) -> bool:
    """Whether a unit still belongs to what answers a question: the first paragraph, what that announces or a list right
    behind it, and a paragraph that leans on it. What else follows answers nothing of what was asked.
    """
    first, last = answered[0], answered[-1]
    if unit.block in (first.block, last.block):
        return True
    is_next = last.block == first.block and unit.kind is not UnitKind.SENTENCE
    return is_next or last.text.endswith(":") or leans_back(unit.text) or follows_from(unit.text)


def _asks(unit: Unit, behind: Sequence[Unit]) -> bool:
    """Whether a unit is a question that the document puts itself; a list of questions is one to be asked."""
    is_of_item = unit.kind is UnitKind.ITEM and any(unit.paragraph == one.paragraph for one in behind)
    return (unit.kind is UnitKind.SENTENCE or is_of_item) and _QUESTION.fullmatch(unit.words) is not None
