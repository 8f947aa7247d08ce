"""Numbers and dates of a workbook the way a Spanish Excel shows them. Pure.

Covers what office workbooks use: dates and times, per cent, thousands, decimals, currency signs, literal text.
Fractions and powers are shown as plain numbers.
"""

import re
from datetime import datetime, timedelta
from functools import lru_cache

BUILT_IN = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: '#,##0 "€"', 6: '#,##0 "€"', 7: '#,##0.00 "€"',
    8: '#,##0.00 "€"', 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "General", 13: "General", 14: "dd/mm/yyyy",
    15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss",
    22: "dd/mm/yyyy h:mm", 37: "#,##0", 38: "#,##0", 39: "#,##0.00", 40: "#,##0.00", 41: "#,##0", 42: '#,##0 "€"',
    43: "#,##0.00", 44: '#,##0.00 "€"', 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss", 48: "0.00E+00", 49: "@",
}  # fmt: skip
_MONTHS = (
    "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre",
    "diciembre",
)  # fmt: skip
_DAYS = ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo")
_NOT_CODE = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h|m|s)[^\]]*\]', re.IGNORECASE)
_LITERAL = re.compile(r'"([^"]*)"|\\(.)')
_CURRENCY = re.compile(r"\[\$([^\]-]*)[^\]]*\]")
_DATE_LETTER = re.compile(r"[ymdhs]", re.IGNORECASE)
_TOKEN = re.compile(
    r'\[(?:h+|m+|s+)\]|y+|m+|d+|h+|s+(?:\.0+)?|AM/PM|A/P|"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|.', re.IGNORECASE
)
_DIGITS = re.compile(r"[#0?][#0?,.]*")
_LAST_SERIAL = 2_958_466  # 1 January 10000


@lru_cache(maxsize=512)
def is_date(code: str) -> bool:
    """Whether a format code shows a date or a time."""
    first = code.split(";")[0]
    if first.lower() in ("general", "@", "standard"):
        return False
    return _DATE_LETTER.search(re.sub(r"general|e\+0+", "", _NOT_CODE.sub("", first), flags=re.IGNORECASE)) is not None


def show(value: float, code: str, *, from_1904: bool = False) -> str:
    """A number as its format code shows it."""
    if is_date(code) and 0 <= value < _LAST_SERIAL:
        return _show_date(value, code.split(";")[0], from_1904=from_1904)
    sections = code.split(";")
    section = sections[0]
    if value < 0 and len(sections) > 1:
        shown = _show_number(-value, sections[1])
        return shown if "-" in sections[1] or "(" in sections[1] else f"-{shown}"
    return _show_number(value, section)


def plain(value: float) -> str:
    """A number without format: as many digits as it has, up to 15."""
    text = f"{value:.15g}"
    if "e" in text and abs(value) < 1e21:
        text = f"{value:.0f}" if abs(value) >= 1 else f"{value:.15f}".rstrip("0")
    return text.replace(".", ",")


def _show_number(value: float, section: str) -> str:
    currency = _CURRENCY.search(section)
    literal = currency.group(1) if currency else ""
    quoted = "".join(text or char for text, char in _LITERAL.findall(section))
    bare = _NOT_CODE.sub("", section)
    digits = _DIGITS.search(bare)
    if digits is None or "general" in bare.lower() or "e+" in bare.lower() or "/" in bare:
        return _with_signs(plain(value), literal, quoted.strip(), bare)
    pattern = digits.group()
    if "%" in bare:
        value *= 100
    decimals = len(re.sub(r"[^0#?]", "", pattern.partition(".")[2]))
    needed = pattern.partition(".")[2].count("0")
    whole = pattern.partition(".")[0]
    thousands = "," in whole.rstrip(",")
    value /= 1000 ** (len(whole) - len(whole.rstrip(",")))
    text = f"{value:,.{decimals}f}" if thousands else f"{value:.{decimals}f}"
    if decimals > needed and "." in text:
        head, _, tail = text.partition(".")
        tail = tail[:needed] + tail[needed:].rstrip("0")
        text = f"{head}.{tail}" if tail else head
    zeros = whole.count("0")
    if zeros > 1 and not thousands and value >= 0:
        head, dot, tail = text.partition(".")
        text = head.zfill(zeros) + dot + tail
    text = text.translate(str.maketrans(",.", ".,"))
    return _with_signs(text + ("%" if "%" in bare else ""), literal, quoted.strip(), bare)


def _with_signs(text: str, currency: str, quoted: str, bare: str) -> str:
    sign = currency.strip() or quoted or next((char for char in bare if char in "€$£¥"), "")
    return f"{text} {sign}" if sign else text


def _show_date(value: float, code: str, *, from_1904: bool) -> str:
    start = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30)  # noqa: DTZ001  (workbooks know no time zone)
    if not from_1904 and value < 60:
        start += timedelta(days=1)  # Excel believes in 29 February 1900
    moment = start + timedelta(seconds=round(value * 86_400))
    tokens = _TOKEN.findall(_CURRENCY.sub("", code))
    has_half_days = any(token.upper() in ("AM/PM", "A/P") for token in tokens)
    shown: list[str] = []
    for index, token in enumerate(tokens):
        shown.append(_date_piece(token, tokens, index, moment, value, has_half_days))
    return "".join(shown).strip()


def _date_piece(token: str, tokens: list[str], index: int, moment: datetime, value: float, half_days: bool) -> str:
    low = token.lower()
    if low.startswith("["):
        seconds = round(value * 86_400)
        return {"h": str(seconds // 3600), "m": str(seconds // 60), "s": str(seconds)}.get(low[1], "")
    if low[0] == "y":
        return f"{moment.year:04}" if len(low) > 2 else f"{moment.year % 100:02}"
    if low[0] == "m" and low.strip("m") == "":
        if _is_minutes(tokens, index):
            return f"{moment.minute:02}" if len(low) > 1 else str(moment.minute)
        month = _MONTHS[moment.month - 1]
        return {1: str(moment.month), 2: f"{moment.month:02}", 3: month[:3], 5: month[0].upper()}.get(len(low), month)
    if low[0] == "d" and low.strip("d") == "":
        day = _DAYS[moment.weekday()]
        return {1: str(moment.day), 2: f"{moment.day:02}", 3: day[:3]}.get(len(low), day)
    if low[0] == "h" and low.strip("h") == "":
        hour = (moment.hour % 12 or 12) if half_days else moment.hour
        return f"{hour:02}" if len(low) > 1 else str(hour)
    if low[0] == "s" and low.strip("s.0") == "":
        return f"{moment.second:02}"
    if low in ("am/pm", "a/p"):
        return "a. m." if moment.hour < 12 else "p. m."
    if token.startswith('"'):
        return token.strip('"')
    if token.startswith("\\"):
        return token[1:]
    return "" if token[0] in "_*;@" else token


def _is_minutes(tokens: list[str], index: int) -> bool:
    """An m is minutes right after hours or right before seconds."""
    before = next((token for token in reversed(tokens[:index]) if token[0].lower() in "ymdhs["), "")
    after = next((token for token in tokens[index + 1 :] if token[0].lower() in "ymdhs["), "")
    return before.lower().startswith(("h", "[h")) or after.lower().startswith("s")
