"""The numbers Word computes for list paragraphs, from numbering.xml."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from documents.cleaning import clean_characters
from documents.parsing.docx_styles import W, left_indent, value, whole_number
from documents.parsing.ooxml import Element

_PLACEHOLDER = re.compile(r"%([1-9])")
_STEP = 200  # twentieths of a point, some 3.5 mm: an item that much further in is inside another
_DEEPEST = 9  # level a word processor offers
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Level:
    start: int
    format: str
    text: str
    indent: int | None


@dataclass(frozen=True, slots=True)
class ListPlace:
    """Where a paragraph stands among those of lists."""

    level: int  # from 1
    indent: int  # in twentieths of a point

    def is_below(self, other: "ListPlace") -> bool:
        """Whether it stands further in, or as far in a deeper list."""
        further = self.indent - other.indent
        return further >= _STEP or (further > -_STEP and self.level > other.level)


class Numbering:
    """Counts list paragraphs in document order and spells each one's label."""

    def __init__(self, root: Element | None) -> None:
        self._abstract: dict[str, dict[int, _Level]] = {}
        self._instances: dict[str, tuple[str, dict[int, int]]] = {}
        self._counters: defaultdict[str, dict[int, int]] = defaultdict(dict)
        self._restarted: set[tuple[str, int]] = set()
        if root is None:
            return
        for definition in root.iter(f"{W}abstractNum"):
            levels = {}
            for level in definition.iter(f"{W}lvl"):
                levels[_number(level.get(f"{W}ilvl"), 0)] = _Level(
                    _number(value(level, "start"), 1),
                    value(level, "numFmt") or "decimal",
                    value(level, "lvlText") or "",
                    left_indent(properties) if (properties := level.find(f"{W}pPr")) is not None else None,
                )
            self._abstract[definition.get(f"{W}abstractNumId") or ""] = levels
        for instance in root.iter(f"{W}num"):
            starts = {
                _number(override.get(f"{W}ilvl"), 0): _number(value(override, "startOverride"), 1)
                for override in instance.iter(f"{W}lvlOverride")
                if override.find(f"{W}startOverride") is not None
            }
            self._instances[instance.get(f"{W}numId") or ""] = (value(instance, "abstractNumId") or "", starts)

    def indent(self, num_id: str, level: int) -> int | None:
        """Where the text of list `num_id` begins at `level` (from 0), in twentieths of a point."""
        abstract_id, _starts = self._instances.get(num_id, ("", {}))
        definition = self._abstract.get(abstract_id, {}).get(level)
        return None if definition is None else definition.indent

    def label(self, num_id: str, level: int) -> str:
        """Label of the next paragraph of list `num_id` at `level` (from 0): "3.2", "b)", "•"; "" when it shows none."""
        instance = self._instances.get(num_id)
        if instance is None:
            return ""
        abstract_id, starts = instance
        levels = self._abstract.get(abstract_id, {})
        definition = levels.get(level)
        if definition is None:
            return "•"
        if definition.format == "bullet":
            return _bullet(definition.text)
        counters = self._counters[abstract_id]
        for deeper in [index for index in counters if index > level]:
            del counters[deeper]
        if level in starts and (num_id, level) not in self._restarted:
            self._restarted.add((num_id, level))
            counters[level] = starts[level]
        else:
            counters[level] = counters.get(level, definition.start - 1) + 1
        if definition.format == "none":
            return ""

        def spelled(found: re.Match[str]) -> str:
            index = int(found.group(1)) - 1
            shown = levels.get(index, definition)
            return spell(counters.get(index, shown.start), shown.format)

        return clean_characters(_PLACEHOLDER.sub(spelled, definition.text)).strip()


def levels_shown(run: Iterable[ListPlace]) -> Iterator[int]:
    """The level of each item of a run, as its places tell: of two lists put together by hand each has a first level."""
    above: list[tuple[ListPlace, int]] = []
    for place in run:
        while above and above[-1][0].is_below(place):
            above.pop()
        if not above or place.is_below(above[-1][0]):
            level = max(place.level, above[-1][1] + 1) if above else place.level
            above.append((place, min(level, _DEEPEST)))
        yield above[-1][1]


def spell(number: int, number_format: str) -> str:
    """A number the way a list shows it."""
    if number_format in ("lowerLetter", "upperLetter"):
        number = max(number, 1)
        letter = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letter.upper() if number_format == "upperLetter" else letter
    if number_format in ("lowerRoman", "upperRoman"):
        numeral = ""
        for size, sign in _ROMAN:
            while number >= size and len(numeral) < 20:
                numeral += sign
                number -= size
        return numeral.upper() if number_format == "upperRoman" else numeral
    if number_format == "decimalZero":
        return f"{number:02}"
    if number_format == "ordinal":
        return f"{number}.º"
    return str(number)


def _bullet(text: str) -> str:
    shown = clean_characters(text).strip()
    return shown if shown in ("-", "–", "*", "✓", "➢") else "•"


def _number(text: str | None, default: int) -> int:
    number = whole_number(text, signed=True)
    return default if number is None else number
