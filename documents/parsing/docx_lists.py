"""The numbers Word computes for list paragraphs, from numbering.xml."""

import re
from collections import defaultdict
from dataclasses import dataclass

from documents.cleaning import clean_characters
from documents.parsing.docx_styles import W, value
from documents.parsing.ooxml import Element

_PLACEHOLDER = re.compile(r"%([1-9])")
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Level:
    start: int
    format: str
    text: str


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
                )
            self._abstract[definition.get(f"{W}abstractNumId") or ""] = levels
        for instance in root.iter(f"{W}num"):
            starts = {
                _number(override.get(f"{W}ilvl"), 0): _number(value(override, "startOverride"), 1)
                for override in instance.iter(f"{W}lvlOverride")
                if override.find(f"{W}startOverride") is not None
            }
            self._instances[instance.get(f"{W}numId") or ""] = (value(instance, "abstractNumId") or "", starts)

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
    return int(text) if text and text.lstrip("-").isdigit() else default
