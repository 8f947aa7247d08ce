"""Tables that go on over pages: header repeated, cut rows put together. Pure."""

from collections.abc import Sequence

from documents.parsing.pdf_elements import Element
from documents.parsing.pdf_grid import PageTable

_SAME_BORDER = 6.0  # points


def join_over_pages(flow: Sequence[Element | PageTable]) -> list[Element | PageTable]:
    """The flow with each page's part of a long table carrying the header, and no row in two pieces.

    The parts stay blocks of their own, one a page, so that each row keeps its page.
    """
    result: list[Element | PageTable] = []
    for item in flow:
        before = result[-1] if result else None
        if isinstance(item, PageTable) and isinstance(before, PageTable) and _goes_on(before, item):
            _carry_on(before, item)
            if not item.rows:
                continue
        result.append(item)
    return result


def _goes_on(before: PageTable, table: PageTable) -> bool:
    if table.page != before.page + 1 or len(table.columns) != len(before.columns):
        return False
    return all(abs(a - b) <= _SAME_BORDER for a, b in zip(before.columns, table.columns, strict=True))


def _carry_on(before: PageTable, table: PageTable) -> None:
    header = before.rows[: before.header_rows]
    if table.rows[: len(header)] == header:
        table.header_rows = before.header_rows
        return
    if not before.rows or len(before.rows) <= before.header_rows:
        return
    first = table.rows[0]
    if not first[0] and any(first) and _is_cut(before.rows[-1], first):
        before.rows[-1] = [f"{a} {b}".strip() for a, b in zip(before.rows[-1], first, strict=True)]
        table.rows = table.rows[1:]
    if table.rows:
        table.rows = [*(list(row) for row in header), *table.rows]
        table.header_rows = before.header_rows


def _is_cut(row: Sequence[str], rest: Sequence[str]) -> bool:
    """Whether `rest` carries on the cells of `row`: sentences that were open, words in small letters."""
    return any(text[:1].islower() for text in rest if text) or any(
        text and above and not above.endswith((".", ":", "!", "?")) for above, text in zip(row, rest, strict=True)
    )
