"""Table rows as parts of chunks: a row that fits is never cut; every piece repeats title and header."""

from collections.abc import Sequence
from dataclasses import replace

from documents.chunking.markdown import PlacedBlock
from documents.chunking.pieces import Atom, Meter, split_atom
from documents.parsing.types import Block, BlockKind


def table_rows(block: Block, place: PlacedBlock, index: int, meter: Meter, title: tuple[str, ...]) -> list[Atom]:
    """A table's rows as lines, bars between cells: its own words in order, so that they can be quoted."""
    texts = [_line(row) for row in block.rows or ()]
    atoms: list[Atom] = []
    for number, (cells, (start, end)) in enumerate(zip(block.rows or (), place.rows, strict=True)):
        if not texts[number]:
            continue
        atoms.append(
            Atom(
                texts[number],
                BlockKind.TABLE,
                index,
                start,
                end,
                glue="\n" if number or title else "\n\n",
                cost=meter(texts[number]),
                verbatim=False,
                row=number,
                cells=cells,
                context=(*title, *texts[: min(number, block.header_rows)]),
            )
        )
    return atoms


def _line(cells: Sequence[str]) -> str:
    """A row as a line; empty cells at its end are left out."""
    filled = max((number for number, cell in enumerate(cells, start=1) if cell.strip()), default=0)
    return " | ".join(" ".join(cell.split()) for cell in cells[:filled])


def split_row(atom: Atom, cells: Sequence[str], block: Block, budget: int, meter: Meter) -> list[Atom]:
    """A row that is too long, cell by cell, each under its column's name; a cell that is too long is cut.

    Pieces repeat the table's title and the row's first cell, when that is short.
    """
    is_body = atom.row is not None and atom.row >= block.header_rows
    header = (block.rows or ())[: block.header_rows] if is_body else ()
    title = atom.context[: len(atom.context) - len(header)]
    filled = [column for column, cell in enumerate(cells) if cell.strip()]
    label = cells[filled[0]] if filled and meter(cells[filled[0]]) <= budget // 4 else ""
    parts: list[Atom] = []
    for column in filled:
        name = " ".join(dict.fromkeys(row[column] for row in header if column < len(row) and row[column]))
        heading = f"{name}:\n" if name and meter(name) <= budget // 4 else ""
        context = (*title, label) if label and column != filled[0] else title
        room = max(1, budget - meter(heading) - meter("\n".join(context)))
        whole = replace(atom, text=cells[column], cost=meter(cells[column]), glue="\n", context=context)
        for part in [whole] if whole.cost <= room else split_atom(whole, room, meter):
            shown = tuple(part.text if index == column else "" for index in range(len(cells)))
            text = heading + part.text
            parts.append(replace(part, text=text, cost=meter(text), cells=shown, glue=part.glue and "\n"))
    return [replace(part, glue=atom.glue) if index == 0 else part for index, part in enumerate(parts)]
