"""Amounts in questions and the ranges of rules: which row is the one for «una devolución de 95 euros». Pure."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tutor.signs import MINUS, with_signs
from tutor.wording import compact

_UNITS = {
    "€": "€ euro euros eur",
    "%": "% por_ciento",
    "°": "°c °_c oc o_c grados",  # «ºC» is «oc» once folded
    "day": "dia dias",
    "hour": "hora horas",
    "minute": "minuto minutos",
    "month": "meses",
    "year": "ano anos",
    "kg": "kg kilo kilos",
}
_UNIT_OF = {written.replace("_", " "): unit for unit, forms in _UNITS.items() for written in forms.split()}
_UNIT = "|".join(map(re.escape, _UNIT_OF))


def _amount(name: str, *, needs_unit: bool = True) -> str:
    # No more digits than amounts have, from the first on: a long row of them is not tried from each.
    number = rf"(?P<{name}>−?(?<!\d)(?:\d{{1,3}}(?:\.\d{{3}}){{1,4}}(?:,\d{{1,6}})?|\d{{1,12}}(?:[.,]\d{{1,6}})?))"
    return rf"{number}(?:\s*(?P<{name}_unit>{_UNIT})(?!\w)){'' if needs_unit else '?'}"


_LESS = r"(?:menos de|menor(?:es)? (?:de|que|a)|inferior(?:es)? a|por debajo de|baj(?:ar|[ae]n?) de)"
_MORE = (
    r"(?:mas de|mayor(?:es)? (?:de|que|a)|superior(?:es)? a|por encima de|pas(?:ar|[ae]n?) de"
    r"|exced(?:er|[ea]n?) de)"
)
_NOT = (
    r"(?:(?:no|sin) (?:(?:puede|pueden|podra|podran|debe|deben|debera|deberan) )?"
    r"(?:(?:es|son|sea|sean|ser|sera|seran) )?)"
)
_UP_TO = rf"(?:hasta|igual(?:es)? o inferior(?:es)? a|{_NOT}{_MORE}|como maximo|maximo de)"
_AT_LEAST = rf"(?:desde|a partir de|igual(?:es)? o superior(?:es)? a|{_NOT}{_LESS}|como minimo|al menos|minimo de)"
_LOWER = rf"(?:(?P<low_counts>{_AT_LEAST})|{_MORE})"
_UPPER = rf"(?:(?P<high_counts>{_UP_TO})|{_LESS})"
_LOW, _HIGH = _amount("low"), _amount("high")
_FIRST = _amount("low", needs_unit=False)
# In order: what one has read, those after it do not read again. Of two bounds the words that begin first are read,
# so that «no menos de» is no «menos de».
_RANGES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?<!no )(?<!sin ){_LOWER} {_FIRST}\s*,?\s*(?:(?:y|e|pero) )?{_UPPER} {_HIGH}",
        rf"\b(?P<low_counts>(?P<high_counts>de|entre|desde)) {_FIRST}\s*(?:a|y|hasta|e)\s+{_HIGH}",
        rf"\b(?:{_UPPER} {_HIGH}|{_LOWER} {_LOW})",
        rf"{_HIGH} (?P<high_counts>o menos)\b",
        rf"{_LOW} (?P<low_counts>o mas)\b",
    )
)
_ASKED = re.compile(rf"(?P<side>\b{_NOT}?(?:{_LESS}|{_MORE}) )?(?<![\d.,]){_amount('value')}")


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
    match = _ASKED.search(compact(with_signs(question)))
    if match is None:
        return None
    value = value_of(match["value"])
    side = (match["side"] or "").strip()
    if re.fullmatch(_LESS, side):
        value = math.nextafter(value, -math.inf)
    elif re.fullmatch(_MORE, side):
        value = math.nextafter(value, math.inf)
    return Amount(value, _UNIT_OF[match["value_unit"]])


def ranges_in(text: str) -> Iterator[Range]:
    """The ranges that a text names: «hasta 30 €», «de 30,01 € a 150 €», «más de 400 €»; none of mixed units."""
    text = compact(with_signs(text))
    for pattern in _RANGES:
        for match in pattern.finditer(text):
            found = _range(match.groupdict())
            if found is not None:
                yield found
        text = pattern.sub("|", text)


def _range(named: Mapping[str, str | None]) -> Range | None:
    units = {_UNIT_OF[unit] for side in ("low", "high") if (unit := named.get(f"{side}_unit"))}
    if len(units) > 1:
        return None
    low, high = named.get("low"), named.get("high")
    lowest, highest = value_of(low) if low else -math.inf, value_of(high) if high else math.inf
    if highest < lowest and highest < 0:  # «entre −18 y −22 °C» is said from the warmer to the colder
        lowest, highest = highest, lowest
    return Range(
        lowest,
        highest,
        units.pop(),
        low_counts=named.get("low_counts") is not None,
        high_counts=named.get("high_counts") is not None,
    )


def is_for(amount: Amount, text: str) -> bool | None:
    """Whether any of a text's ranges in the amount's unit holds it; None when it names no such range."""
    found = [one for one in ranges_in(text) if one.unit == amount.unit]
    return any(one.holds(amount) for one in found) if found else None


def value_of(written: str) -> float:
    """The number that is written with points between thousands and a comma before decimals."""
    if written.startswith(MINUS):
        return -value_of(written.removeprefix(MINUS))
    if "," in written:
        written = written.replace(".", "").replace(",", ".")
    elif re.fullmatch(r"\d{1,3}(?:\.\d{3})+", written):
        written = written.replace(".", "")
    return float(written)


_BARE = r"−?(?:(?:\d{1,3}(?:\.\d{3}){1,4}|\d{1,12})(?:,\d{1,6})?|\d{1,12}\.\d{1,2})"  # and no date, no «1.2.3»
# Of a cell that is nothing else: «De 51 a 150», «90-100», «Menos de 50», «Más de 10 personas».
_BARE_RANGE = re.compile(
    rf"(?:(?:(?:de|desde|entre) )?(?P<low>{_BARE}) ?(?:a|y|hasta|-|–) ?(?P<high>{_BARE})"
    rf"|(?P<upper>(?P<high_counts>{_UP_TO})|{_LESS}) (?P<most>{_BARE})"
    rf"|(?P<lower>(?P<low_counts>{_AT_LEAST})|{_MORE}) (?P<least>{_BARE})"
    rf"|(?P<up_to>{_BARE}) o menos|(?P<from>{_BARE}) o mas)(?: [a-z]+)?\.?"
)


def bare_range(cell: str) -> Range | None:
    """The range that a cell consists of, whose unit, if any, the cell or its column names; that of the range is empty.
    None for other cells.
    """
    found = _BARE_RANGE.fullmatch(compact(with_signs(cell)))
    if found is None:
        return None
    low = found["low"] or found["least"] or found["from"]
    high = found["high"] or found["most"] or found["up_to"]
    return Range(
        value_of(low) if low else -math.inf,
        value_of(high) if high else math.inf,
        "",
        low_counts=found["lower"] is None or found["low_counts"] is not None,
        high_counts=found["upper"] is None or found["high_counts"] is not None,
    )
