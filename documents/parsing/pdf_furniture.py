"""Running headers, footers and page numbers of a PDF: found by repetition across pages. Pure.

A line in the margin goes when its words stand at one height on page after page, or its number follows the pages', and
nothing but such lines stands between it and the edge. Words that stand close to the text must be on most pages: a
sentence that opens several pages is text, and so is a heading that only its number tells from others.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from documents.cleaning import is_page_counter
from documents.parsing.pdf_lines import Line, PageText

_ZONE = 0.17  # of the page's height, at the top and at the bottom
_ROWS = 6  # outermost rows of a page that may be furniture
_MOST = 0.4  # of a document's letters: running lines are never more
_SHIFT = 9.0  # points a running line may move between pages
_STILL = 2.5  # points it may move where it stands close to the text
_LARGER = 1.12  # times the body size: a heading's
_SMALLER = 0.92
_TITLE = 1.5  # times the running line's size: the title it was made from
_APART = 0.7  # of the body size, more than the usual gap between rows
_DENSE = 0.45  # of the pages from its first to its last: every other one will do
_MOST_PAGES = 0.6
_NUMBER = re.compile(r"\d+")
_ROMAN = re.compile(r"^[ivxlc]{1,8}$", re.IGNORECASE)
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_SAYS_PAGE = re.compile(r"\b(?:p[áa]g(?:ina|s)?|page|hoja|folio)\b|\bp\.\s*\d", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Body:
    """The running text's look; `gap` is the usual one between its rows, in points."""

    size: float
    is_bold: bool
    gap: float


@dataclass(slots=True)
class _Group:
    """Lines of different pages that may be one running line."""

    lines: list[Line]
    at_top: bool
    counts_pages: bool


def strip_furniture(pages: Sequence[PageText]) -> None:
    """Take running headers, footers and page numbers out of every page's lines."""
    margins = {page.number: _margin_lines(page) for page in pages}
    dropped = {id(line) for line in _running_lines(pages, margins)}
    if _letters(line for page in pages for line in page.lines if id(line) in dropped) > _MOST * _letters(
        line for page in pages for line in page.lines
    ):  # copies of one page, not running lines
        dropped = set()
    dropped -= {id(line) for line in _title_of_all(pages, dropped)}
    for page in pages:
        counters = {id(line) for line, _ in margins[page.number] if _is_counter(line, page)}
        gone = [line for line in page.lines if id(line) in dropped or id(line) in counters]
        page.margin_boxes = [line.box for line in gone]
        taken = {id(line) for line in gone}
        page.lines = [line for line in page.lines if id(line) not in taken]


def _title_of_all(pages: Sequence[PageText], dropped: set[int]) -> list[Line]:
    """Lines repeated on every page that are the title as well: on the first page bold and larger than all else."""
    first = pages[0]
    running = [
        line for line in first.lines if id(line) in dropped and line.is_bold and any(map(str.isalpha, line.text))
    ]
    others = [line.size for line in first.lines if id(line) not in dropped]
    largest = max((line.size for line in running), default=0.0)
    if largest <= max(others, default=largest) or largest < _LARGER * _body(pages).size:
        return []
    return [line for line in running if line.size == largest]


def _letters(lines: Iterable[Line]) -> int:
    return sum(len(line.text) for line in lines)


def _running_lines(pages: Sequence[PageText], margins: dict[int, list[tuple[Line, bool]]]) -> list[Line]:
    by_key: defaultdict[tuple[str, bool], list[Line]] = defaultdict(list)
    for page in pages:
        for line, at_top in margins[page.number]:
            by_key[_key(line.text), at_top].append(line)
    groups = [
        group
        for (key, at_top), lines in by_key.items()
        for cluster in _by_height(lines, pages)
        for group in _groups(key, cluster, at_top, len(pages))
    ]
    counters = {id(line) for page in pages for line, _ in margins[page.number] if _is_counter(line, page)}
    running = _settled(groups, pages, counters)
    found = [line for group in running for line in group.lines]
    held = {id(line) for line in found}
    sizes: defaultdict[tuple[str, bool], float] = defaultdict(float)
    for group in running:
        for line in group.lines:
            sizes[line.text, group.at_top] = max(sizes[line.text, group.at_top], line.size)
    for (key, at_top), lines in by_key.items():
        if len(key) > 12:  # the same words at another height of the margin are the same running line
            missed = [line for line in lines if id(line) not in held]
            found += [line for line in missed if line.size < _TITLE * sizes.get((line.text, at_top), 0.0)]
    return found


def _key(text: str) -> str:
    """A line's words with its numbers left open; "#" for a number alone, Roman or not."""
    bare = text.strip(" -–—|·.[]()")
    return "#" if _ROMAN.match(bare) else _NUMBER.sub("#", text.casefold()).strip()


def _is_counter(line: Line, page: PageText) -> bool:
    """A page counter in words, or the page's own number alone at its very edge."""
    if is_page_counter(line.text):
        return True
    if line.text.strip(" -–—") != str(page.number):
        return False
    outermost = all(other is line or other.y1 <= line.y0 for other in page.lines) or all(
        other is line or other.y0 >= line.y1 for other in page.lines
    )
    return outermost and len(page.lines) > 1


def _roman(numeral: str) -> int:
    values = [_ROMAN_VALUES[sign] for sign in numeral.lower()]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


def _margin_lines(page: PageText) -> list[tuple[Line, bool]]:
    """Lines of the outer rows of the top and bottom zones; True for the top."""
    top, bottom = page.frame[1], page.frame[3]
    zone = (bottom - top) * _ZONE
    ordered = sorted(page.lines, key=lambda line: line.y0)
    found = [(line, True) for line in ordered if line.y1 <= top + zone][: _ROWS * 3]
    found += [(line, False) for line in reversed(ordered) if line.y0 >= bottom - zone][: _ROWS * 3]
    return found


def _by_height(lines: list[Line], pages: Sequence[PageText]) -> list[list[Line]]:
    """Lines that stand at about the same height, one group each."""
    tops = {page.number: page.frame[1] for page in pages}
    clusters: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (line.y0 - tops[line.page], line.page)):
        last = clusters[-1][-1] if clusters else None
        if last is not None and abs((line.y0 - tops[line.page]) - (last.y0 - tops[last.page])) <= _SHIFT:
            clusters[-1].append(line)
        else:
            clusters.append([line])
    return clusters


def _groups(key: str, lines: list[Line], at_top: bool, page_count: int) -> list[_Group]:
    """The running lines that lines of one key and height may be, by how often they return."""
    is_number = not any(char.isalpha() for char in key)
    needed = 2 if page_count <= 4 else 3
    if "#" in key and _page_count(lines) >= (2 if is_number else needed) and _counts_pages(lines):
        return [_Group(lines, at_top, counts_pages=True)]
    if len(key) < 2:
        return []
    by_text: defaultdict[str, list[Line]] = defaultdict(list)
    for line in lines:
        by_text[line.text].append(line)
    return [
        _Group(same, at_top, counts_pages=False)
        for alike in by_text.values()
        for same in _by_size(alike)
        if _page_count(same) >= needed and _is_dense(same)
    ]


def _by_size(lines: list[Line]) -> list[list[Line]]:
    """The title and the running line made from it are two things."""
    smallest = min(line.size for line in lines)
    small = [line for line in lines if line.size <= 1.3 * smallest]
    return [small, [line for line in lines if line.size > 1.3 * smallest]]


def _page_count(lines: Sequence[Line]) -> int:
    return len({line.page for line in lines})


def _is_dense(lines: Sequence[Line]) -> bool:
    """Whether most, or every other, of the pages between the first and the last have the line."""
    numbers = {line.page for line in lines}
    return len(numbers) >= _DENSE * (max(numbers) - min(numbers) + 1)


def _counts_pages(lines: list[Line]) -> bool:
    """Whether some number in the line goes up with the pages."""
    if all(_ROMAN.match(line.text.strip()) for line in lines):
        offsets = [_roman(line.text.strip()) - line.page for line in lines]
        return max(offsets.count(offset) for offset in set(offsets)) >= 0.6 * len(offsets)
    numbers = [(line.page, [int(number[:9]) for number in _NUMBER.findall(line.text)]) for line in lines]
    width = min(len(found) for _, found in numbers)
    for position in range(width):
        offsets = [found[position] - page for page, found in numbers]
        if max(offsets.count(offset) for offset in set(offsets)) >= 0.6 * len(offsets):
            return True
    return False


def _settled(groups: list[_Group], pages: Sequence[PageText], counters: set[int]) -> list[_Group]:
    """The groups that are furniture by their place. What is shown to be text may show the same of its neighbours."""
    body = _body(pages)
    by_number = {page.number: page for page in pages}
    while True:
        taken = counters | {id(line) for group in groups for line in group.lines}
        kept = [group for group in groups if _is_furniture(group, by_number, taken, body)]
        if len(kept) == len(groups):
            return kept
        groups = kept


def _is_furniture(group: _Group, pages: dict[int, PageText], taken: set[int], body: _Body) -> bool:
    places = [_place(line, pages[line.page], group.at_top, taken) for line in group.lines]
    if sum(is_outermost for is_outermost, _ in places) < _MOST_PAGES * len(places):
        return False
    is_apart = median(gap for _, gap in places) > body.gap + _APART * body.size
    first = group.lines[0]
    is_large = first.size >= _LARGER * body.size
    if group.counts_pages:
        says_page = not any(char.isalpha() for char in _key(first.text)) or _SAYS_PAGE.search(first.text)
        is_heading = is_large or (first.is_bold and not body.is_bold)
        return bool(says_page) or (not is_heading and (is_apart or first.size <= _SMALLER * body.size))
    if is_apart and not is_large:
        return True
    return (is_apart or _page_count(group.lines) > 2) and _share(group.lines, pages) >= _MOST_PAGES


def _place(line: Line, page: PageText, at_top: bool, taken: set[int]) -> tuple[bool, float]:
    """Whether only running lines stand between a line and the edge, and the gap from it, or from the running lines
    that follow it, to the text; infinite where there is no text."""
    start, edge = (line.y0, line.y1) if at_top else (-line.y1, -line.y0)
    others = sorted(
        (other.y0, other.y1, id(other)) if at_top else (-other.y1, -other.y0, id(other))
        for other in page.lines
        if other is not line and not other.is_turned
    )
    is_outermost = True
    row_end = edge
    for near, far, other in others:
        if far <= start + 1:
            is_outermost = is_outermost and other in taken
        elif other in taken:
            edge = max(edge, far)
        elif near >= row_end - 1:  # else it stands beside the line
            return is_outermost, near - edge
    return is_outermost, float("inf")


def _share(lines: Sequence[Line], pages: dict[int, PageText]) -> float:
    """The part of the pages that have the line at its very height: of all, or of the even or odd ones."""
    heights = {line.page: line.y0 - pages[line.page].frame[1] for line in lines}
    usual = median(heights.values())
    numbers = {number for number, height in heights.items() if abs(height - usual) <= _STILL}
    sides = {number % 2 for number in numbers}
    among = [number for number in pages if number % 2 in sides] if len(numbers) > 2 else list(pages)
    return len(numbers) / len(among)


def _body(pages: Sequence[PageText]) -> _Body:
    sizes: Counter[float] = Counter()
    bold = 0
    gaps: list[float] = []
    for page in pages:
        for line in page.lines:
            sizes[line.size] += len(line.text)
            bold += len(line.text) if line.is_bold else 0
    size = sizes.most_common(1)[0][0] if sizes else 10.0
    for page in pages:
        rows = sorted((line for line in page.lines if abs(line.size - size) <= 0.5), key=lambda line: line.y0)
        gaps += [below.y0 - above.y1 for above, below in pairwise(rows) if -0.6 * size < below.y0 - above.y1 < 3 * size]
    return _Body(size, bold > 0.6 * sum(sizes.values()), max(median(gaps), 0.0) if gaps else 0.0)
