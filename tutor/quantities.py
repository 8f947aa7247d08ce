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
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:[.,]\d{3})+")
_CLOCK = re.compile(r"(?:[01]?\d|2[0-3])\.[0-5]\d")  # «a las 9.30», «9.30 h», «de 9.30 a 14.00 h»
_HOURS_AFTER_H = re.compile(r"(?<!\d)(\d{1,2})h(?=[0-5]\d\b)", re.IGNORECASE)  # «9h30»
_OF_THE_CLOCK = frozenset({"h", "hs", "hora", "horas"})
_TO = frozenset({"a", "y", "e", "o", "hasta", "las", "la"})
AT_A_GLANCE = 10
_TENS = frozenset(range(30, 100, 10))


class Quantity(NamedTuple):
    number: str  # its value in digits («-18», «2.5»), a time as «9:30», a full hour as «9»
    unit: str  # the first word for it in `lexicon.UNITS`; empty where none follows


def quantities(text: str, *, language: str = "es") -> Iterator[Quantity]:
    """All of a text: «1.500 €», «treinta días», «las 9:00», «dos llaves». One («un día») counts nothing.
    «1,250» is a thousand and more in English alone.
    """
    tokens = _tokens(text, language)
    at = 0
    while at < len(tokens):
        length, number = _number(tokens, at)
        at += length or 1
        if number:
            yield Quantity(number, _unit(tokens, at))


def counted(text: str, *, spelled: bool = True, language: str = "es") -> Iterator[Quantity]:
    """Those of `quantities` that had to be looked up: written in figures or, if `spelled`, with a unit or larger than
    one counts at a glance («las dos llaves»).
    """
    figures = {token for token in _tokens(text, language) if token[-1].isdigit()}
    for one in quantities(text, language=language):
        if one.number in figures or (spelled and (one.unit or abs(float(one.number)) > AT_A_GLANCE)):
            yield one


def stands(one: Quantity, there: Collection[Quantity]) -> bool:
    """Whether a quantity is among others: in its unit, or where either is written without («de 2 a 4 horas»)."""
    return any(
        one.number == other.number and (one.unit == other.unit or not one.unit or not other.unit) for other in there
    )


def _tokens(text: str, language: str) -> list[str]:
    """The words of a text, folded, and its figures as their values."""
    text = _HOURS_AFTER_H.sub(r"\1:", with_signs(_NOTE.sub("", text)))
    tokens: list[str] = _TOKEN.findall(fold(text).replace("por ciento", "%"))
    return [
        _plain(token.replace(".", ":") if _is_clock(tokens, at) else token, language) if token[-1].isdigit() else token
        for at, token in enumerate(tokens)
    ]


def _is_clock(tokens: list[str], at: int) -> bool:
    """Whether a figure with a point is a time of day, by the words around it or around the one it goes on to."""
    if not _CLOCK.fullmatch(tokens[at]):
        return False
    if _is_said_of_the_clock(tokens, at):
        return True
    to = next((one for one in range(at + 1, min(at + 4, len(tokens))) if tokens[one] not in _TO), at)
    return to > at and _CLOCK.fullmatch(tokens[to]) is not None and _is_said_of_the_clock(tokens, to)


def _is_said_of_the_clock(tokens: list[str], at: int) -> bool:
    return (at > 0 and tokens[at - 1] in ("las", "la")) or (at + 1 < len(tokens) and tokens[at + 1] in _OF_THE_CLOCK)


def _number(tokens: list[str], at: int) -> tuple[int, str]:
    """How many tokens a number takes, and itself; (0, "") where none begins."""
    token = tokens[at]
    if token[-1].isdigit():
        return 1, token
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


def _plain(figure: str, language: str) -> str:
    """The value of a figure, whatever parts its thousands and however many zeros it has: 1.500 → 1500, 09:00 → 9,
    2,50 → 2.5, 09/03 → 9/3.
    """
    if figure.startswith(MINUS):
        return f"-{_plain(figure.removeprefix(MINUS), language)}"
    if "/" in figure or ":" in figure:
        parts = re.sub(r"\b0(?=\d)", "", figure.split(":")[0])
        return re.sub(r"(?:[.:]0+)+$", "", figure.replace(figure.split(":")[0], parts, 1).replace(",", "."))
    signs = re.findall(r"[.,]", figure)
    if not signs:
        return re.sub(r"^0(?=\d$)", "", figure)
    if len(set(signs)) == 2:
        decimal = signs[-1] if signs.count(signs[-1]) == 1 else ""
    elif len(signs) > 1 or signs[0] == ("," if language == "en" else "."):
        decimal = "" if _GROUPED.fullmatch(figure) else signs[0]
    else:
        decimal = signs[0]
    if signs.count(decimal) > 1:  # a date, a section
        return figure
    whole, _, rest = figure.rpartition(decimal) if decimal else (figure, "", "")
    rest = rest.rstrip("0")
    return re.sub(r"[.,]", "", whole) + (f".{rest}" if rest else "")


def _unit(tokens: list[str], at: int) -> str:
    return _units().get(tokens[at], "") if at < len(tokens) else ""


@cache
def _units() -> dict[str, str]:
    lines = (line.split() for line in fold(lexicon.UNITS).splitlines())
    return {word: words[0] for words in lines if words for word in words}
