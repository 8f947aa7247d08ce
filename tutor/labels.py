"""The names that rows and definitions bear: «Mantenimiento | 260», «Vale: documento…». Pure."""

import re

from tutor.units import Unit, UnitKind
from tutor.wording import word_count

MAX_LABEL_WORDS = 5
MAX_DEFINED_WORDS = 2  # of a sentence: «Es para consultores: …» defines nothing
_LABEL = re.compile(r"\W*(?P<label>[^:.;?¿\n]{2,60}):\s*\w")


def label_of(unit: Unit) -> str:
    """What a row, a list's item or a definition is about: its first cell with words, or what stands before its colon;
    else empty.
    """
    if unit.kind is UnitKind.ROW:
        return next((cell for cell in unit.cells if any(map(str.isalpha, cell))), "")
    found = _LABEL.match(unit.text)
    label = found["label"] if found else ""
    most = MAX_LABEL_WORDS if unit.kind is UnitKind.ITEM else MAX_DEFINED_WORDS
    return label if word_count(label) <= most else ""
