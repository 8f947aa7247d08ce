"""Running headers, footers and page numbers of a PDF: found by repetition across pages. Pure."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from documents.cleaning import is_page_counter
from documents.parsing.pdf_lines import Line, PageText

_ZONE = 0.17  # of the page's height, at the top and at the bottom
_ROWS = 6  # outermost rows of a page that may be furniture
_MOST = 0.4  # of a document's letters: running lines are never more
_SHIFT = 9.0  # points a running line may move between pages
_NUMBER = re.compile(r"\d+")
_ROMAN = re.compile(r"^[ivxlc]{1,8}$", re.IGNORECASE)
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


def strip_furniture(pages: Sequence[PageText]) -> None:
    """Take running headers, footers and page numbers out of every page's lines."""
    groups: defaultdict[tuple[str, bool], list[Line]] = defaultdict(list)
    for page in pages:
        for line, at_top in _margin_lines(page):
            groups[_key(line.text), at_top].append(line)
    dropped: set[int] = set()
    for page in pages:
        page.margin_boxes = []
    needed = 2 if len(pages) <= 4 else 3
    for (key, _), lines in groups.items():
        running = [
            cluster for cluster in _by_height(lines, pages) if _is_running(key, cluster, 2 if key == "#" else needed)
        ]
        if running and len(key) > 12:  # the same words at another height of the margin are the same running line
            running = [lines]
        dropped.update(id(line) for cluster in running for line in cluster)
    if _letters(line for page in pages for line in page.lines if id(line) in dropped) > _MOST * _letters(
        line for page in pages for line in page.lines
    ):  # copies of one page, not running lines
        dropped = set()
    for page in pages:
        margin = {id(line) for line, _ in _margin_lines(page)}
        gone = [line for line in page.lines if id(line) in dropped or (id(line) in margin and _is_counter(line, page))]
        page.margin_boxes = [line.box for line in gone]
        taken = {id(line) for line in gone}
        page.lines = [line for line in page.lines if id(line) not in taken]


def _letters(lines: Iterable[Line]) -> int:
    return sum(len(line.text) for line in lines)


def _key(text: str) -> str:
    """A line's words with its numbers left open; "#" for a number alone, Roman or not."""
    bare = text.strip(" -–—|·.[]()")
    return "#" if _ROMAN.match(bare) else _NUMBER.sub("#", text.casefold()).strip()


def _is_counter(line: Line, page: PageText) -> bool:
    """A page counter in words, or the page's own number alone at its very edge."""
    if is_page_counter(line.text):
        return True
    outermost = all(other is line or other.y1 <= line.y0 for other in page.lines) or all(
        other is line or other.y0 >= line.y1 for other in page.lines
    )
    return outermost and len(page.lines) > 1 and line.text.strip(" -–—") == str(page.number)


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
    """Lines that stand at about the same height and have the same size, one group each."""
    tops = {page.number: page.frame[1] for page in pages}
    clusters: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (line.y0 - tops[line.page], line.page)):
        last = clusters[-1][-1] if clusters else None
        if last is not None and abs((line.y0 - tops[line.page]) - (last.y0 - tops[last.page])) <= _SHIFT:
            clusters[-1].append(line)
        else:
            clusters.append([line])
    return clusters


def _is_running(key: str, lines: list[Line], needed: int) -> bool:
    on_pages = {line.page for line in lines}
    if len(on_pages) < needed:
        return False
    sizes = [line.size for line in lines]
    if max(sizes) > 1.3 * min(sizes) and len(key) > 12:  # a title and the running line made from it
        return False
    if key != "#" and len({line.text for line in lines}) == 1:
        return len(key) > 1
    return _counts_pages(lines)


def _counts_pages(lines: list[Line]) -> bool:
    """Whether some number in the line goes up with the pages, or the line's texts are few for its pages."""
    if all(_ROMAN.match(line.text.strip()) for line in lines):
        offsets = [_roman(line.text.strip()) - line.page for line in lines]
        return max(offsets.count(offset) for offset in set(offsets)) >= 0.6 * len(offsets)
    if len({line.text for line in lines}) <= 0.34 * len({line.page for line in lines}):
        return True
    numbers = [(line.page, [int(number[:9]) for number in _NUMBER.findall(line.text)]) for line in lines]
    width = min(len(found) for _, found in numbers)
    for position in range(width):
        offsets = [found[position] - page for page, found in numbers]
        if max(offsets.count(offset) for offset in set(offsets)) >= 0.6 * len(offsets):
            return True
    return False
