"""Running headers, footers and page numbers of a PDF: found by repetition across pages. Pure."""

import re
from collections import defaultdict
from collections.abc import Sequence

from documents.cleaning import is_page_counter
from documents.parsing.pdf_lines import Line, PageText

_ZONE = 0.17  # of the page's height, at the top and at the bottom
_ROWS = 6  # outermost rows of a page that may be furniture
_SHIFT = 9.0  # points a running line may move between pages
_NUMBER = re.compile(r"\d+")
_BARE_NUMBER = re.compile(r"^[\s\-–—|·\[(]*(?:\d{1,4}|[ivxlc]{1,6}|[IVXLC]{1,6})[\s\-–—|·.\])]*$")


def strip_furniture(pages: Sequence[PageText]) -> None:
    """Take running headers, footers and page numbers out of every page's lines."""
    groups: defaultdict[tuple[str, bool], list[Line]] = defaultdict(list)
    for page in pages:
        for line, at_top in _margin_lines(page):
            groups[_NUMBER.sub("#", line.text.casefold()).strip(), at_top].append(line)
    dropped: set[int] = set()
    needed = 2 if len(pages) <= 4 else 3
    for (key, _), lines in groups.items():
        for cluster in _by_height(lines, pages):
            if _is_running(key, cluster, needed):
                dropped.update(id(line) for line in cluster)
    for page in pages:
        margin = {id(line) for line, _ in _margin_lines(page)}
        page.lines = [
            line
            for line in page.lines
            if id(line) not in dropped and not (id(line) in margin and is_page_counter(line.text))
        ]


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
    if len({line.text for line in lines}) == 1 or _BARE_NUMBER.match(lines[0].text):
        return len(key) > 1 or key == "#"
    return _counts_pages(lines)


def _counts_pages(lines: list[Line]) -> bool:
    """Whether some number in the line goes up with the pages, or the line's texts are few for its pages."""
    if len({line.text for line in lines}) <= 0.34 * len({line.page for line in lines}):
        return True
    numbers = [(line.page, [int(number[:9]) for number in _NUMBER.findall(line.text)]) for line in lines]
    width = min(len(found) for _, found in numbers)
    for position in range(width):
        offsets = [found[position] - page for page, found in numbers]
        if max(offsets.count(offset) for offset in set(offsets)) >= 0.6 * len(offsets):
            return True
    return False
