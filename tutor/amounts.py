"""Amounts in questions and the ranges of rules: which row is the one for «una devolución de 95 euros». Pure."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tutor.wording import compact

_NUMBER = r"(?P<{}>\d{{1,3}}(?:\.\d{{3}})+(?:,\d+)?|\d+(?:[.,]\d+)?)"
_UNIT = r"(?:\s*(?P<{}>€|euros?|eur|%|por ciento|º ?c|° ?c|grados|dias?|horas?|minutos?|meses|anos?|kg|kilos?))"
_UNITS = {
    "€": "€ euro euros eur",
    "%": "% por_ciento",
    "°": "ºc º_c °c °_c grados",
    "day": "dia dias",
    "hour": "hora horas",
    "minute": "minuto minutos",
    "month": "meses",
    "year": "ano anos",
    "kg": "kg kilo kilos",
}
_UNIT_OF = {written.replace("_", " "): unit for unit, forms in _UNITS.items() for written in forms.split()}
_LESS = r"(?:menos de|menor(?:es)? (?:de|que|a)|inferior(?:es)? a|por debajo de|baja de)"
_MORE = r"(?:mas de|mayor(?:es)? (?:de|que|a)|superior(?:es)? a|por encima de|pasa de|excede de|a partir de)"
_UP_TO = r"(?:hasta|igual o inferior a|no superior a|como maximo|maximo de)"
_AT_LEAST = r"(?:desde|igual o superior a|como minimo|al menos|minimo de)"


def _between(first: str) -> str:
    numbers = _NUMBER.format("low") + _UNIT.format("low_unit") + "?"
    return rf"\b{first} {numbers}\s*(?:a|y|hasta|e)\s+{_NUMBER.format('high')}{_UNIT.format('unit')}"


_BOUND = _NUMBER.format("bound") + _UNIT.format("unit")
_RANGES = (
    (re.compile(_between(r"(?:de|entre|desde)")), "between"),
    (re.compile(rf"\b{_UP_TO} {_BOUND}"), "up to"),
    (re.compile(rf"\b{_AT_LEAST} {_BOUND}"), "at least"),
    (re.compile(rf"\b{_LESS} {_BOUND}"), "less"),
    (re.compile(rf"\b{_MORE} {_BOUND}"), "more"),
    (re.compile(rf"{_BOUND} o menos\b"), "up to"),
    (re.compile(rf"{_BOUND} o mas\b"), "at least"),
)
_ASKED = re.compile(
    rf"(?P<side>\b(?:{_LESS}|{_MORE}|hasta) )?(?<![\d.,]){_NUMBER.format('value')}{_UNIT.format('unit')}(?!\w)"
)


@dataclass(frozen=True, slots=True)
class Amount:
    value: float
    unit: str


@dataclass(frozen=True, slots=True)
class Range:
    low: float
    high: float
    unit: str
    low_counts: bool = True
    high_counts: bool = True

    def holds(self, amount: Amount) -> bool:
        if amount.unit != self.unit or not self.low <= amount.value <= self.high:
            return False
        return (self.low_counts or amount.value != self.low) and (self.high_counts or amount.value != self.high)


def asked_amount(question: str) -> Amount | None:
    """The amount a question is about; «menos de 50 €» is just under it, «más de» just over it. None without one."""
    match = _ASKED.search(compact(question))
    if match is None:
        return None
    value = _value(match["value"])
    side = (match["side"] or "").strip()
    if re.fullmatch(_LESS, side):
        value = math.nextafter(value, -math.inf)
    elif re.fullmatch(_MORE, side):
        value = math.nextafter(value, math.inf)
    return Amount(value, _UNIT_OF[match["unit"]])


def ranges_in(text: str) -> Iterator[Range]:
    """The ranges that a text names: «hasta 30 €», «de 30,01 € a 150 €», «más de 400 €»."""
    text = compact(text)
    for pattern, sort in _RANGES:
        for match in pattern.finditer(text):
            unit = _UNIT_OF[match["unit"]]
            if sort == "between":
                yield Range(_value(match["low"]), _value(match["high"]), unit)
            elif sort in ("up to", "less"):
                yield Range(-math.inf, _value(match["bound"]), unit, high_counts=sort == "up to")
            else:
                yield Range(_value(match["bound"]), math.inf, unit, low_counts=sort == "at least")


def is_for(amount: Amount, text: str) -> bool | None:
    """Whether a text's first range in the amount's unit holds it; None when it names no such range."""
    found = [one for one in ranges_in(text) if one.unit == amount.unit]
    return any(one.holds(amount) for one in found) if found else None


def _value(written: str) -> float:
    if "," in written:
        written = written.replace(".", "").replace(",", ".")
    elif re.fullmatch(r"\d{1,3}(?:\.\d{3})+", written):
        written = written.replace(".", "")
    return float(written)
