"""Word tables as grids of text, merged cells settled."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from documents.parsing.docx_styles import W, flag, value, whole_number
from documents.parsing.docx_text import is_placeholder
from documents.parsing.ooxml import Element, local_name


@dataclass(slots=True)
class WordTable:
    """A table's text: cells merged downwards repeated in each row, those merged across once.

    `inner` are the tables inside its cells.
    """

    rows: list[list[str]] = field(default_factory=list)
    header_rows: int = 1
    inner: list[Element] = field(default_factory=list)


def only_cell(element: Element) -> Element | None:
    """The cell of a table that has a single one, else None."""
    cells = [cell for row in _parts(element, "tr") for cell in _parts(row, "tc")]
    return cells[0] if len(cells) == 1 else None


def read_table(element: Element, cell_text: Callable[[Element], str]) -> WordTable:
    """Read a w:tbl. `cell_text` gives a cell's own words, without those of tables inside it."""
    table = WordTable()
    stated_headers = 0
    above: dict[int, str] = {}
    for row in _parts(element, "tr"):
        properties = row.find(f"{W}trPr")
        if properties is not None and properties.find(f"{W}del") is not None:
            continue
        if properties is not None and flag(properties, "tblHeader") and stated_headers == len(table.rows):
            stated_headers += 1
        line: list[str] = []
        for cell in _parts(row, "tc"):
            table.inner.extend(_inner_tables(cell))
            look = cell.find(f"{W}tcPr")
            span = whole_number(value(look, "gridSpan")) if look is not None else None
            merge = look.find(f"{W}vMerge") if look is not None else None
            column = len(line)
            if merge is not None and merge.get(f"{W}val") in (None, "continue"):
                text = above.get(column, "")
            else:
                text = cell_text(cell)
            above[column] = text
            line.append(text)
            line.extend([""] * (min(span or 1, 64) - 1))
        table.rows.append(line)
    table.header_rows = stated_headers or 1
    return table


def _parts(parent: Element, wanted: str) -> Iterator[Element]:
    """Rows or cells, also those wrapped in content controls or tracked insertions."""
    for child in parent:
        name = local_name(child)
        if name == wanted:
            yield child
        elif name in ("sdt", "sdtContent", "customXml", "ins", "moveTo") and not (
            name == "sdt" and is_placeholder(child)
        ):
            yield from _parts(child, wanted)


def _inner_tables(parent: Element) -> Iterator[Element]:
    for child in parent:
        name = local_name(child)
        if name == "tbl":
            yield child
        elif name in ("sdt", "sdtContent", "customXml", "ins"):
            yield from _inner_tables(child)
