"""Lines that are no sentences below one that announces them: commands, what a screen shows, names. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace

from tutor.announcing import announces, may_announce
from tutor.list_levels import support_below
from tutor.price_lists import is_priced
from tutor.units import Unit, UnitKind
from tutor.wording import word_count

LONGEST_LINE = 12  # words of a line, announced by the sentence before it, that is no sentence
# Behind a prompt stands a program («$ apt install»), and not an amount or a title («$ 50 de fianza», «# Título»).
_COMMAND = re.compile(r"(?=[a-z$#./~])(?:sudo\s|\S+\s+(?:\S+\s+)*-{1,2}\w|[$#]\s+[a-z./~]|\.{0,2}/\w)")
_CAPTION = re.compile(r"(?:figura|tabla|cuadro|gr[aá]fico)?\s*\d+(?:\.\d+)*\.?\s", re.IGNORECASE)


def with_announced(text: str, units: Sequence[Unit]) -> list[Unit]:
    """The units, those on lines of their own below a sentence that announces them as items of a list; below a step, or
    behind «la siguiente utilidad.», only commands.
    """
    found: list[Unit] = []
    lead: int | None = None
    first: Unit | None = None
    for index, unit in enumerate(units):
        is_line = unit.kind is UnitKind.SENTENCE and _is_line(text, unit)
        if is_line and lead is not None and (announces(units[lead].text) or _COMMAND.match(unit.text)):
            first = first or unit
            support = support_below(units, lead)
            found.append(replace(unit, kind=UnitKind.ITEM, block=first.block, lead=lead, support=support))
            continue
        lead, first = (index if unit.kind is UnitKind.ITEM or may_announce(unit.text) else None), None
        found.append(unit)
    return found


def _is_line(text: str, unit: Unit) -> bool:
    """Whether a unit stands on a line of its own and is no sentence: short, and without a stop at its end."""
    behind = text[unit.end :].lstrip(" ")
    return (
        text[: unit.start].rstrip(" ").endswith("\n")
        and (not behind or behind.startswith("\n"))
        and "\n" not in unit.text
        and word_count(unit.text) <= LONGEST_LINE
        and not unit.text.endswith((":", "?", "!", ";"))
        and not (unit.text.endswith(".") and not unit.text.endswith(".."))
        and not is_priced(unit.text)
        and _CAPTION.match(unit.text) is None
    )
