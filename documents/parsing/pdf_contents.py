"""Printed contents tables of a PDF: their title stays, their entries repeat the headings and are left out. Pure."""

import re
from collections.abc import Sequence

from documents.parsing.pdf_elements import Element
from documents.parsing.pdf_grid import PageTable
from documents.parsing.pdf_lines import Line
from documents.parsing.pdf_outline import folded
from documents.parsing.wording import is_contents_entry, is_contents_title

_ENDS_IN_NUMBER = re.compile(r"(?<![\d,.])(\d{1,4})\s*$")
_SHARE = 0.5  # of a page's rows that must be entries
_FEWEST = 5
_MORE_PAGES = 30  # printed numbers may be higher than the count of the file's pages
_LONGEST_LIST = 250  # rows of a contents list without page numbers
_ENTRY_LEAD = re.compile(
    r"^(?:[•▪◦●○■□–—\-*·]\s*)?(?:P(?:[áa]g)?\.?\s*\d+[.:]?\s+)?(?:\d+(?:\.\d+)*[.)]?\s+)?", re.IGNORECASE
)


def without_contents(rows: Sequence[Line], page_count: int, *, inside: bool) -> tuple[list[Line], bool]:
    """A page's rows without the entries of a contents table, and whether one may go on on the next page.

    `inside` says that the page before ended in one.
    """
    if not rows:
        return [], False
    title = next((index for index, row in enumerate(rows) if is_contents_title(row.text)), None)
    leaders = [index for index, row in enumerate(rows) if is_contents_entry(row.text)]
    numbered = _rising(rows, page_count + _MORE_PAGES if title is not None or inside else page_count)
    entries = sorted({*leaders, *(numbered if title is not None or inside or _is_dense(numbered, rows) else ())})
    if title is not None:
        entries = [index for index in entries if index > title]
    enough = len(entries) >= (2 if title is not None or inside else _FEWEST)
    if not enough or not (title is not None or inside or len(leaders) >= 3 or _is_dense(entries, rows)):
        return [row for index, row in enumerate(rows) if index not in set(leaders)], False
    first = entries[0] if title is None else title + 1
    if title is None and inside:
        first = 0
    elif title is None:
        first = _begin(rows, entries[0])
    last = entries[-1]
    if len(entries) < 0.35 * (last - first + 1):
        return [row for index, row in enumerate(rows) if index not in set(leaders)], False
    return [*rows[:first], *rows[last + 1 :]], len(rows) - last <= 3


def _is_dense(indices: Sequence[int], rows: Sequence[Line]) -> bool:
    return len(indices) >= _FEWEST and len(indices) >= _SHARE * len(rows)


def _rising(rows: Sequence[Line], highest: int) -> list[int]:
    """Rows that end in page numbers up to `highest` which never go down."""
    found: list[int] = []
    last = 0
    for index, row in enumerate(rows):
        match = _ENDS_IN_NUMBER.search(row.text)
        if match is None or not any(char.isalpha() for char in row.text):
            continue
        number = int(match.group(1))
        if last <= number <= highest:
            found.append(index)
            last = number
    return found


def _begin(rows: Sequence[Line], first: int) -> int:
    """Entries may take two rows: the row right above the first numbered one belongs to it when it is as large."""
    if (
        first > 0
        and rows[first].y0 - rows[first - 1].y1 < 0.5 * rows[first].height
        and abs(rows[first].size - rows[first - 1].size) < 0.3
    ):
        return first - 1
    return first


def without_contents_lists(flow: Sequence[Element | PageTable]) -> list[Element | PageTable]:
    """The flow without contents lists that have no page numbers: rows under a title that repeat later headings."""
    last_heading: dict[str, int] = {}
    for index, item in enumerate(flow):
        if isinstance(item, Element) and item.level:
            last_heading[_entry_key(item)] = index
    for index, item in enumerate(flow):
        if isinstance(item, Element) and is_contents_title(item.line.text):
            end = _list_end(flow, index, last_heading)
            if end is not None:
                return [*flow[: index + 1], *flow[end:]]
    return list(flow)


def _list_end(flow: Sequence[Element | PageTable], title: int, last_heading: dict[str, int]) -> int | None:
    repeated, last = 0, title
    for index in range(title + 1, min(title + _LONGEST_LIST, len(flow))):
        item = flow[index]
        if not isinstance(item, Element):
            break
        if last_heading.get(_entry_key(item), -1) > index:
            repeated, last = repeated + 1, index
        elif index - last > 6:
            break
    return last + 1 if repeated >= 3 and repeated >= 0.6 * (last - title) else None


def _entry_key(item: Element) -> str:
    return folded(_ENTRY_LEAD.sub("", item.line.text))
