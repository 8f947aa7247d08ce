"""The numbers of a text with what they count, so that the same one is recognized however it is written. Pure."""

import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import NamedTuple

from tutor.prepared import lexicon
from tutor.signs import MINUS, with_signs
from tutor.wording import fold

_TOKEN = re.compile(r"−?\d+(?:[.,:/]\d+)*|−?[^\W\d_]+|[%€]")
_NOTE = re.compile(r"(?<=\d)[¹²³⁰⁴-⁹]+")  # the raised figures after a number are the mark of a footnote
_THOUSANDS = re.compile(r"[.,](?=\d{3}\b)")
AT_A_GLANCE = 10
_TENS = frozenset(range(30, 100, 10))


class Quantity(NamedTuple):
    number: str  # as digits, without what parts thousands; with «-» when below zero
    unit: str  # the first word for it in `lexicon.UNITS`; empty where none follows


def quantities(text: str) -> Iterator[Quantity]:
    """All of a text: «1.500 €», «treinta días», «las 9:00», «dos llaves». One («un día») counts nothing."""
    tokens = _tokens(text)
    at = 0
    while at < len(tokens):
        length, number = _number(tokens, at)
        at += length or 1
        if number:
            yield Quantity(number, _unit(tokens, at))


def counted(text: str, *, spelled: bool = True) -> Iterator[Quantity]:
    """Those of `quantities` that had to be looked up: written in figures or, if `spelled`, with a unit or larger than
    one counts at a glance («las dos llaves»).
    """
    figures = {_plain(figure) for figure in _tokens(text) if figure[-1].isdigit()}
    for one in quantities(text):
        if one.number in figures or (spelled and (one.unit or abs(float(one.number)) > AT_A_GLANCE)):
            yield one


def stands(one: Quantity, there: Collection[Quantity]) -> bool:
    """Whether a quantity is among others: in its unit, or where either is written without («de 2 a 4 horas»)."""
    return any(
        one.number == other.number and (one.unit == other.unit or not one.unit or not other.unit) for other in there
    )


def _tokens(text: str) -> list[str]:
    tokens: list[str] = _TOKEN.findall(fold(with_signs(_NOTE.sub("", text))).replace("por ciento", "%"))
    return tokens


def _number(tokens: list[str], at: int) -> tuple[int, str]:
    """How many tokens a number takes, and itself; (0, "") where none begins."""
    token = tokens[at]
    if token[-1].isdigit():
        return 1, _plain(token)
    if token.startswith(MINUS):
        length, number = _number([token.removeprefix(MINUS), *tokens[at + 1 : at + 3]], 0)
        return length, f"-{number}" if number else ""
    value = lexicon.NUMBERS.get(token)
    if value is None or value < 2:
        return 0, ""
    if value in _TENS and tokens[at + 1 : at + 2] == ["y"] and at + 2 < len(tokens):
        ones = lexicon.NUMBERS.get(tokens[at + 2], 0)
        if 1 < ones < 10:
            return 3, str(value + ones)
    return 1, str(value)


def _plain(figure: str) -> str:
    """A figure without what parts its thousands, and without zeros that say nothing: 1.500 → 1500, 9:00 → 9."""
    plain = _THOUSANDS.sub("", figure).replace(",", ".").replace(MINUS, "-")
    return re.sub(r"(?<=\d)[.:]0+$", "", plain)


def _unit(tokens: list[str], at: int) -> str:
    return _units().get(tokens[at], "") if at < len(tokens) else ""


@cache
def _units() -> dict[str, str]:
    lines = (line.split() for line in fold(lexicon.UNITS).splitlines())
    return {word: words[0] for words in lines if words for word in words}
