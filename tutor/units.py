"""What an answer can be made of: a passage's sentences, list items with their lead-in, table rows with their header.
Pure.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from tutor.text_blocks import ITEM_MARK

_BAR = re.compile(r"\s\|(?=\s|$)")  # two in a row have an empty cell between them


class UnitKind(StrEnum):
    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    HEADING = "heading"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of a passage: `text` stands word for word at `start` to `end` of the passage's text.

    `block` numbers the paragraph, list or table it belongs to. An item's `lead` is the index, among the
    passage's units, of the sentence that introduces its list, or of the item that introduces it («No se permite:»);
    that of a sentence, or of a list that nothing else introduces, is the question that it answers. A row's `header`
    names its cells. `support` is where that header stands, or what is weighed with the unit as its lead. `marker` is a
    step's number as written.
    """

    kind: UnitKind
    text: str
    start: int
    end: int
    block: int
    paragraph: tuple[int, int]  # span of the whole paragraph, item or row
    lead: int | None = None
    marker: str = ""
    header: tuple[str, ...] = ()
    support: tuple[int, int] | None = None

    @property
    def may_answer(self) -> bool:
        return self.kind not in (UnitKind.HEADING, UnitKind.QUESTION)

    @property
    def words(self) -> str:
        """The text without the number of a step."""
        mark = ITEM_MARK.match(self.text) if self.marker else None
        return self.text[mark.end() :] if mark else self.text

    @property
    def cells(self) -> tuple[str, ...]:
        return split_cells(self.text) if self.kind is UnitKind.ROW else ()


def split_cells(line: str) -> tuple[str, ...]:
    """The cells of a table row written with bars."""
    inner = line.strip()
    if inner.startswith("| ") and inner.endswith(" |"):  # a bar at one end only has an empty cell beyond it
        inner = inner[2:-2]
    return tuple(cell.strip() for cell in _BAR.split(inner))
