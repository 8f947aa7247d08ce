"""A PDF's bookmarks: where their titles stand in the text, and how deep. Pure."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from documents.parsing.pdf_elements import Element
from documents.parsing.wording import legal_rank

_MOST_ROWS = 8  # of one title
_LEADING_NUMBER = re.compile(r"^\s*(?:\d+(?:\.\d+)*\.?|[IVXLC]+\.)\s+")


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    level: int
    title: str
    page: int


def match_outline(elements: Sequence[Element], outline: Sequence[OutlineEntry]) -> dict[int, tuple[int, int]]:
    """First row of each outline entry found in the text: index -> (level, rows), sought where the entry points."""
    by_page: defaultdict[int, list[int]] = defaultdict(list)
    for index, element in enumerate(elements):
        by_page[element.line.page].append(index)
    matched: dict[int, tuple[int, int]] = {}
    found_at: dict[int, int] = {}  # place in the outline -> element
    for position, entry in enumerate(outline):
        places = [(entry.title, page) for page in (entry.page, entry.page + 1, entry.page - 1)]
        places.append((_LEADING_NUMBER.sub("", entry.title), entry.page))
        for title, page in places:
            wanted = folded(title)
            found = _find(elements, by_page.get(page, []), wanted, matched) if len(wanted) >= 2 else None
            if found is not None:
                matched[found[0]] = (entry.level, found[1])
                found_at[position] = found[0]
                break
    levels = _outline_levels(outline, set(found_at))
    return {index: (levels[position], matched[index][1]) for position, index in found_at.items()}


def _outline_levels(outline: Sequence[OutlineEntry], found: set[int]) -> list[int]:
    """Level of each entry among those found in the text. Flat outlines of laws get the depth their words tell."""
    outermost: dict[int, int] = {}
    for entry in outline:
        rank = legal_rank(entry.title)
        if rank:
            outermost[entry.level] = min(rank, outermost.get(entry.level, rank))
    levels: list[int] = []
    above: list[tuple[tuple[int, int], bool]] = []
    for position, entry in enumerate(outline):
        weight = (entry.level, legal_rank(entry.title) or outermost.get(entry.level, 0))
        while above and above[-1][0] >= weight:
            above.pop()
        levels.append(1 + sum(is_found for _, is_found in above))
        above.append((weight, position in found))
    return levels


def _find(
    elements: Sequence[Element], indices: Sequence[int], wanted: str, matched: dict[int, tuple[int, int]]
) -> tuple[int, int] | None:
    best: tuple[float, int, int] | None = None
    for index in indices:
        if index in matched:
            continue
        text = ""
        for count in range(1, _MOST_ROWS + 1):
            if index + count > len(elements):
                break
            text += folded(elements[index + count - 1].line.text)
            if text == wanted or (count == 1 and folded(_LEADING_NUMBER.sub("", elements[index].line.text)) == wanted):
                look = elements[index].line
                score = look.size + (2 if look.is_bold else 0)
                if best is None or score > best[0]:
                    best = (score, index, count)
                break
            if not wanted.startswith(text):
                break
    return None if best is None else (best[1], best[2])


def folded(text: str) -> str:
    """Letters and digits only, without accents and case: for comparing titles."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return "".join(char for char in decomposed if char.isalnum())
