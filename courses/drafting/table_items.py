"""Quiz items on what a table says of one of its rows. Pure functions."""

import re
from collections.abc import Iterator, Sequence

from courses.drafting.figure_items import value_of
from courses.drafting.items import OPTIONS, DraftedItem, says_too, section_name, shuffled, steady
from courses.drafting.titles import Casing
from documents.parsing.types import Block, BlockKind

MAX_CELL_WORDS = 12
OTHER_SCALE = 100  # times more, or less, than all others

_NUMBER = re.compile(r"\d{1,3}(?:\.\d{3})+|\d+(?:,\d+)?")
_IDENTIFIER = re.compile(r"\w_\w|^[\W\d]*$")  # a column of data, not of prose


def table_items(blocks: Sequence[Block], casing: Casing) -> Iterator[DraftedItem]:
    """Items that ask what a table says of a row in a column; of each row one, and of each column."""
    for at, block in enumerate(blocks):
        table = _plain_table(block)
        if table is None:
            continue
        header, rows, key = table
        caption = _caption(blocks, at, casing)
        free = list(range(len(rows)))  # a second question about a row would find its answer in the first one's passage
        for column in range(len(header)):
            name, values = header[column], [row[column] for row in rows]
            if column <= key or not _is_short(name) or _IDENTIFIER.search(name) or not all(map(_is_short, values)):
                continue
            if not free:
                break
            pick = free[steady(caption + name, len(free))]
            wrong = [value for value in dict.fromkeys(values) if not says_too(value, values[pick])]
            if len(wrong) < 2 or values == [row[key] for row in rows] or _is_out_of_scale(values[pick], wrong):
                continue
            free.remove(pick)
            options, right = shuffled(values[pick], wrong[: OPTIONS - 1])
            named = rows[pick][key]
            asked = f"{header[key]} {named}".strip() if named.isdigit() else named
            quote = " ".join(cell for cell in rows[pick] if cell)
            question = f"Según «{caption}», ¿qué corresponde a «{asked}» en «{name}»?"
            yield DraftedItem("single_choice", question, options, (right,), block.heading_path, block.page, quote)


def _plain_table(block: Block) -> tuple[list[str], list[list[str]], int] | None:
    """Header and rows of a table that says one thing a cell, and the column that names its rows; None for others."""
    if block.kind is not BlockKind.TABLE or not block.rows or block.header_rows != 1:
        return None
    width = max(map(len, block.rows))
    header, *rows = [[" ".join(cell.split()) for cell in row] + [""] * (width - len(row)) for row in block.rows]
    if rows and sum(cell != "" and cell == below for cell, below in zip(header, rows[0], strict=True)) > 1:
        header, *rows = rows  # its upper row only joins columns of the lower one
    if len(rows) < 3 or set(filter(None, header)) & {cell for row in rows for cell in row}:
        return None  # a header of more rows
    keys = next((at for at in range(width) if all(row[at] for row in rows)), None)
    if keys is None:
        return None
    names = [row[keys] for row in rows]
    is_naming = len(set(map(str.lower, names))) == len(names) and all(map(_is_short, names))
    return (header, rows, keys) if is_naming else None


def _caption(blocks: Sequence[Block], at: int, casing: Casing) -> str:
    before = blocks[at - 1].text if at else ""
    if re.match(r"(?:tabla|cuadro)\s", before, re.IGNORECASE) and len(before.split()) <= 15:
        return " ".join(before.split()).rstrip(" .:")
    return section_name(blocks[at], casing) or "la tabla"


def _is_out_of_scale(value: str, others: Sequence[str]) -> bool:
    """Whether a number is in another unit than all the others: 6 among 1024, 2048 and 4096."""
    if not all(_NUMBER.fullmatch(one) for one in (value, *others)):
        return False
    number, numbers = value_of(value), [value_of(one) for one in others]
    return number * OTHER_SCALE <= min(numbers) or number >= max(numbers) * OTHER_SCALE


def _is_short(cell: str) -> bool:
    return 0 < len(cell.split()) <= MAX_CELL_WORDS
