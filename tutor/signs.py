"""Numbers below zero, however they are written. Pure."""

import re

from tutor.prepared import lexicon
from tutor.wording import word_key

MINUS = "−"

_SPELLED = "|".join(word for word in lexicon.NUMBERS if word not in ("medio", "media"))
_NUMBER = rf"(?:\d+(?:[.,]\d+)?|(?:(?:{_SPELLED})(?:\s+y\s+(?:{_SPELLED}))?)\b)"
_DEGREES = r"\s*(?:[°º](?:\s?c\b)?|℃|o\s?c\b|grados?\b|c\b)"
_TO = r"\s*(?:a|y|e|o|u|hasta|/|-|–)\s*"
# A dash may part a range, a date or a code, or begin an item. It lowers a number where degrees follow, or behind a word
# or sign that wants a number; with a space between them only where both hold.
_WANTS = r"(?:\b(?:a|de|desde|hasta|entre|y|o|en|los|las|planta|piso|nivel|sotano|sótano)\s+|[<>≤≥=]\s*)"
_BEHIND_SIGN = r"[:;,|(<>≤≥=][ \t]*"
_APART = r"(?<![\w)\]%€°º+/-])(?<![\d°º%€]\s)(?<!°c\s)(?<!ºc\s)(?<!\+/)"
# In a cell, behind a colon or «T.ª», a figure that stands alone has its degrees elsewhere, as in a header.
_ALONE = r"\d{1,3}(?:[.,]\d+)?(?:\s*(?:a|y|hasta|/)\s*[-–]?\d{1,3}(?:[.,]\d+)?)?[ \t]*(?:[|);,?!\n]|\.(?!\d)|$)"
_NAMED = r"(?:[:|][ \t]*|\b(?:temp(?:\.|eraturas?)|t\.?\s?ª|m[aá]x(?:\.|imas?)|m[ií]n(?:\.|imas?))\s+)"
_DASH = re.compile(
    rf"(?P<before>{_WANTS})[-–](?=\d)(?!\d+[-–/]\d)"
    rf"|(?P<spaced>{_WANTS}|{_BEHIND_SIGN})[-–]\s(?={_NUMBER}{_DEGREES})"
    rf"|(?P<named>{_NAMED})[-–](?={_ALONE})"
    rf"|(?P<second>(?:\d|[°º]\s?c)\s?/\s?)[-–](?={_NUMBER}{_DEGREES}|{_ALONE})"
    rf"|(?:(?<=\n)|^)[-–](?=\d{{1,3}}(?:[.,]\d+)?[ \t]*\|)"
    rf"|{_APART}[-–](?={_NUMBER}(?:\s?/\s?[-–]\d+)?{_DEGREES})"
    rf"|−\s?(?=\d)",
    re.IGNORECASE,
)
# «Al menos 18 grados» and «más o menos 18 grados» are not below zero.
_SAID = re.compile(
    r"(?<!\bal )(?<!\blo )(?<!\bo )(?<!\bni )(?<!\bno )\bmenos\s+"
    rf"(?={_NUMBER}(?:{_TO}menos\s+{_NUMBER})?{_DEGREES})"
    rf"|(?<=\bplanta )menos\s+(?={_NUMBER})",
    re.IGNORECASE,
)
# «Negativos» may be results or balances: it lowers degrees, and a figure that something is kept at.
_BELOW = re.compile(
    rf"(?P<at>\ba\s+(?=[-–−]?\d))?(?<!\w)(?:[-–−](?=\d))?(?P<low>{_NUMBER})(?P<low_unit>(?:{_DEGREES})?)"
    rf"(?:(?P<to>{_TO})[-–−]?(?P<high>{_NUMBER})(?P<high_unit>(?:{_DEGREES})?))?"
    r"\s+(?:(?:bajo|por debajo de)\s+cero|(?P<negative>negativos))\b",
    re.IGNORECASE,
)


def with_signs(text: str) -> str:
    """`text` with `MINUS` right before every number below zero: «-18 °C», «menos 18 grados», «18 °C bajo cero»."""
    if not re.search(r"[-–−]|menos|cero|negativos", text, re.IGNORECASE):
        return text
    text = _BELOW.sub(_lowered, text)
    text = _SAID.sub(MINUS, text)
    return _DASH.sub(lambda match: (match[match.lastgroup] if match.lastgroup else "") + MINUS, text)


def _lowered(match: re.Match[str]) -> str:
    if match["negative"] and not (match["at"] or match["low_unit"] or match["high_unit"]):
        return match[0]
    low = f"{match['at'] or ''}{MINUS}{match['low']}{match['low_unit']}"
    return low if match["high"] is None else f"{low}{match['to']}{MINUS}{match['high']}{match['high_unit']}"


def word_key_with_signs(text: str) -> str:
    """The words of `text` as `word_key` gives them, «menos» before the numbers below zero."""
    return word_key(with_signs(text).replace(MINUS, " menos "))
