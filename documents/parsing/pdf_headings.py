"""Which rows of a PDF are headings, and of what level: by the outline, by looks, by wording. Pure."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from documents.parsing.headings import HeadingLook, assign_levels
from documents.parsing.pdf_lines import Line
from documents.parsing.wording import (
    Numbering,
    ends_sentence,
    is_bullet,
    is_caption,
    is_contents_entry,
    is_contents_title,
    is_uppercase,
    legal_rank,
    list_marker,
    numbering,
    opens_article,
    split_article,
)

_LARGER = 1.12  # times the body size
_LONGEST = 200
_LONGEST_BOLD = 140
_MOST_ROWS = 8  # of one heading
_LIST_RUN = 5  # headings in a row, without any text between them, that make a list
_FEWEST_SLIDES = 5
_SLIDE_LETTERS = 400  # a page on average
_OUTLINE_ROWS = 8
_LEADING_NUMBER = re.compile(r"^\s*(?:\d+(?:\.\d+)*\.?|[IVXLC]+\.)\s+")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    level: int
    title: str
    page: int


@dataclass(slots=True)
class Element:
    """A row on its way to a block: what stands before and after it decides what it is."""

    line: Line
    gap_above: float  # points to the row above in the same column; large at a column's top
    gap_below: float
    column_left: float
    column_right: float
    level: int = 0  # of a heading, 0 for other text
    continues: bool = False  # a further row of the heading above


@dataclass(slots=True)
class BodyLook:
    """Looks of the running text: most letters' size, whether they are bold, the usual gap between its rows."""

    size: float = 10.0
    is_bold: bool = False
    gap: float = 2.0


def body_look(elements: Sequence[Element]) -> BodyLook:
    sizes: Counter[float] = Counter()
    bold = letters = 0
    for element in elements:
        sizes[element.line.size] += len(element.line.text)
    if not sizes:
        return BodyLook()
    size = sizes.most_common(1)[0][0]
    gaps = []
    for element in elements:
        if abs(element.line.size - size) <= 0.5:
            letters += len(element.line.text)
            bold += len(element.line.text) if element.line.is_bold else 0
            if -0.6 * size < element.gap_above < 3 * size:
                gaps.append(element.gap_above)
    gaps.sort()
    return BodyLook(size, letters > 0 and bold > 0.6 * letters, gaps[len(gaps) // 2] if gaps else 2.0)


def mark_headings(elements: Sequence[Element], outline: Sequence[OutlineEntry]) -> None:
    """Set `level` and `continues` of the elements that are headings."""
    body = body_look(elements)
    matched = _match_outline(elements, outline)
    trusted = len(matched) >= 3 and len(matched) >= 0.5 * len(outline)
    grouper = _Grouper(elements, body, set(matched))
    groups = max(grouper.groups(), grouper.slide_titles(), key=len)
    if trusted:
        _level_by_outline(elements, groups, matched, body)
    else:
        looks = [_look(elements, group) for group in groups]
        for group, level in zip(groups, assign_levels(looks), strict=True):
            _set(elements, group, level)


def _set(elements: Sequence[Element], group: Sequence[int], level: int) -> None:
    for place, index in enumerate(group):
        elements[index].level = level
        elements[index].continues = place > 0


def _look(elements: Sequence[Element], group: Sequence[int]) -> HeadingLook:
    line = elements[group[0]].line
    return HeadingLook(" ".join(elements[index].line.text for index in group), line.size, line.is_bold)


def _level_by_outline(
    elements: Sequence[Element], groups: Sequence[Sequence[int]], matched: dict[int, tuple[int, int]], body: BodyLook
) -> None:
    """Levels from the outline; headings it leaves out take the level of those that look like them."""
    by_look: defaultdict[tuple[float, bool], Counter[int]] = defaultdict(Counter)
    for index, (level, count) in matched.items():
        line = elements[index].line
        by_look[line.size, line.is_bold][level] += 1
        _set(elements, range(index, index + count), level)
    taken = {row for index, (_, count) in matched.items() for row in range(index, index + count)}
    largest = max(size for size, _ in by_look)
    first = min(matched)
    has_title = [level for level, _ in matched.values()].count(1) == 1  # all the rest stands below it
    for group in groups:
        if any(index in taken for index in group):
            continue
        line = elements[group[0]].line
        number = numbering(line.text)
        if number is not None and number.family == "decimal" and line.size < body.size * _LARGER and not line.is_bold:
            above = max((index for index in matched if index < group[0]), default=None)
            _set(elements, group, (matched[above][0] if above is not None else 0) + number.depth)
        elif by_look.get((line.size, line.is_bold)) and line.size >= body.size * _LARGER:
            level = by_look[line.size, line.is_bold].most_common(1)[0][0]
            _set(elements, group, max(level, 2) if has_title and group[0] > first else level)
        elif line.size > largest:
            _set(elements, group, 2 if has_title and group[0] > first else 1)
        elif line.size >= body.size * _LARGER or line.is_bold:
            smaller = [level for (size, _), levels in by_look.items() if size >= line.size for level in levels]
            _set(elements, group, max(smaller, default=0) + 1)


class _Grouper:
    """Finds rows that look like headings and joins those that are one heading over several rows."""

    def __init__(self, elements: Sequence[Element], body: BodyLook, matched: set[int]) -> None:
        self._elements = elements
        self._body = body
        self._matched = matched
        large = sum(len(e.line.text) for e in elements if e.line.size >= body.size * _LARGER)
        self._size_tells = large <= 0.4 * sum(len(e.line.text) for e in elements)

    def groups(self) -> list[list[int]]:
        found: list[list[int]] = []
        for index in range(len(self._elements)):
            if self._is_candidate(index):
                if found and self._carries_on(found[-1], index):
                    found[-1].append(index)
                else:
                    found.append([index])
        return self._without_lists([group for group in found if self._is_heading(group)])

    def slide_titles(self) -> list[list[int]]:
        """The largest rows of each page, where pages hold as little as slides do."""
        by_page: defaultdict[int, list[int]] = defaultdict(list)
        for index, element in enumerate(self._elements):
            by_page[element.line.page].append(index)
        letters = sum(len(element.line.text) for element in self._elements)
        if len(by_page) < _FEWEST_SLIDES or letters > _SLIDE_LETTERS * len(by_page):
            return []
        titles: list[list[int]] = []
        for indices in by_page.values():
            sizes = [self._elements[index].line.size for index in indices]
            largest = [index for index, size in zip(indices, sizes, strict=True) if size >= 0.97 * max(sizes)]
            is_block = largest[-1] - largest[0] == len(largest) - 1 and len(largest) <= _MOST_ROWS
            text = self._text(largest)
            if is_block and max(sizes) >= _LARGER * min(sizes) and len(text) <= _LONGEST and _LETTER.search(text):
                titles.append(largest)
        return titles

    def _without_lists(self, groups: list[list[int]]) -> list[list[int]]:
        """Headings without long runs of rows that only capitals or weight tell apart: with no text between, a list."""
        kept: list[list[int]] = []
        run: list[list[int]] = []
        for group in [*groups, None]:
            follows = group is not None and run and group[0] == run[-1][-1] + 1
            if run and not follows:
                kept.extend(run if len(run) < _LIST_RUN else [])
                run = []
            if group is not None:
                if self._is_weak(group):
                    run.append(group)
                else:
                    kept.extend(run if len(run) < _LIST_RUN else [])
                    run = []
                    kept.append(group)
        return kept

    def _is_weak(self, group: list[int]) -> bool:
        line = self._elements[group[0]].line
        text = line.text
        larger = self._size_tells and line.size >= self._body.size * _LARGER
        return not (larger or group[0] in self._matched or legal_rank(text) or numbering(text))

    def _text(self, group: Sequence[int]) -> str:
        return " ".join(self._elements[index].line.text for index in group)

    def _is_candidate(self, index: int) -> bool:
        line = self._elements[index].line
        text = line.text
        if index in self._matched:
            return True
        if not _LETTER.search(text) or is_contents_entry(text) or is_bullet(text) or line.is_mono:
            return False
        smallest = 0.75 if is_uppercase(text) or legal_rank(text) else 0.9
        if line.size < smallest * self._body.size or len(text) > _LONGEST:
            return False
        return (
            (self._size_tells and line.size >= self._body.size * _LARGER)
            or (line.is_bold and not self._body.is_bold)
            or (is_uppercase(text) and len(text) <= 110)
            or legal_rank(text) > 0
            or numbering(text) is not None
        )

    def _carries_on(self, group: list[int], index: int) -> bool:
        """Whether a row belongs to the heading that the rows before it began."""
        last, this = self._elements[group[-1]], self._elements[index]
        if index != group[-1] + 1 or len(group) >= _MOST_ROWS or index in self._matched:
            return False
        first = self._elements[group[0]].line.text
        if _is_bare_legal(first) and len(group) == 1 and self._names_legal(last, this):
            return True
        same_look = abs(last.line.size - this.line.size) <= 0.6 and last.line.is_bold == this.line.is_bold
        near = max(0.75 * this.line.size, self._body.gap + 0.35 * this.line.size)
        close = last.line.page == this.line.page and this.gap_above <= near
        own_number = numbering(this.line.text) or list_marker(this.line.text) or legal_rank(this.line.text)
        if not (same_look and close) or own_number:
            return False
        if ends_sentence(last.line.text):
            return False
        if is_uppercase(last.line.text) != is_uppercase(this.line.text):
            return False
        full = last.line.x1 >= last.column_right - 0.3 * (last.column_right - last.column_left)
        centred = abs((last.line.x0 + last.line.x1) - (this.line.x0 + this.line.x1)) < 12
        return full or centred or this.line.text[:1].islower()

    @staticmethod
    def _names_legal(number: Element, this: Element) -> bool:
        """Whether a row is the title of the "CAPÍTULO I" above it."""
        text = this.line.text
        near = number.line.page == this.line.page and this.gap_above <= 2 * this.line.size
        return near and not (numbering(text) or list_marker(text) or legal_rank(text)) and len(text) <= 120

    def _is_heading(self, group: list[int]) -> bool:
        if any(index in self._matched for index in group):
            return True
        first, last = self._elements[group[0]], self._elements[group[-1]]
        text = self._text(group)
        if len(text) > _LONGEST or text.endswith((",", ";", "-")) or is_contents_title(text) or is_caption(text):
            return False
        if text[:1].islower() or len(_LETTER.findall(text)) < 2:
            return False
        number, rank = numbering(text), legal_rank(text)
        larger = self._size_tells and first.line.size >= self._body.size * _LARGER
        bold = first.line.is_bold and not self._body.is_bold
        capitals = is_uppercase(text)
        above, below = self._apart(first.gap_above, first), self._apart(last.gap_below, last)
        if text.endswith(".") and not (rank or number) and not (larger and len(text) < 80):
            return False
        if opens_article(text) and not (bold or larger):  # told apart from its text when paragraphs are whole
            return False
        if split_article(text) and not (bold or larger):
            return False
        if larger:
            return len(text) <= _LONGEST and not (text.endswith(".") and len(text) > 120)
        opens = above or self._ends_before(group[0])
        centred = self._is_centred(group)
        if bold:
            return len(text) <= _LONGEST_BOLD and opens and not self._runs_on(group[-1])
        if rank:
            stands_out = capitals or centred or _is_bare_legal(text) or (above and len(text) <= 100)
            return opens and stands_out and not self._runs_on(group[-1]) and not (rank == 6 and len(text) > 110)
        if capitals:
            set_off = (above and (below or opens)) or (centred and opens)
            is_coded = text[:3].isdigit()  # an entry of a classification
            return len(text) <= 110 and set_off and not is_coded and not (list_marker(text) and not number)
        return number is not None and above and below and self._is_numbered_title(group, text, number)

    def _is_numbered_title(self, group: list[int], text: str, number: Numbering) -> bool:
        """A short row that stands alone behind a number: "4.2.1 Identificación"."""
        first, last = self._elements[group[0]], self._elements[group[-1]]
        is_short = last.line.x1 < last.column_right - 0.12 * (last.column_right - last.column_left)
        if number.family != "decimal" or len(text) > 110 or not is_short or text.endswith((":", ";", ",")):
            return False
        if number.depth >= 2:
            return True
        if text.endswith(".") or len(text) > 70 or group[-1] + 1 >= len(self._elements):
            return False
        following = self._elements[group[-1] + 1]
        value = int(text.split(".")[0].split(")")[0].split()[0])
        is_sibling = following.line.text.startswith(str(value + 1))
        before = self._elements[group[0] - 1] if group[0] else None
        follows_sibling = before is not None and value > 1 and before.line.text.startswith(f"{value - 1}.")
        return not (is_sibling or follows_sibling) and first.line.page == following.line.page

    def _is_centred(self, group: Sequence[int]) -> bool:
        """Whether all rows stand in the middle of their column, clear of both borders."""
        for index in group:
            element = self._elements[index]
            left = element.line.x0 - element.column_left
            right = element.column_right - element.line.x1
            if min(left, right) < 8 or abs(left - right) > 0.25 * max(left, right) + 4:
                return False
        return True

    def _apart(self, gap: float, element: Element) -> bool:
        return gap > self._body.gap + 0.25 * max(element.line.size, self._body.size)

    def _ends_before(self, index: int) -> bool:
        """Whether the row above ends a sentence, a heading or a column, so that something new may begin here."""
        if index == 0:
            return True
        before, this = self._elements[index - 1], self._elements[index]
        if before.line.page != this.line.page or before.line.y0 > this.line.y0:
            return True
        short = before.line.x1 < before.column_right - 0.25 * (before.column_right - before.column_left)
        return ends_sentence(before.line.text) or (before.line.is_bold != this.line.is_bold and short)

    def _runs_on(self, index: int) -> bool:
        """Whether the row below carries on the sentence: bold words at the head of a paragraph, not a heading."""
        if index + 1 >= len(self._elements):
            return False
        this, after = self._elements[index], self._elements[index + 1]
        return (
            after.line.page == this.line.page
            and after.gap_above <= self._body.gap + 0.2 * this.line.size
            and after.line.text[:1].islower()
        )


def _is_bare_legal(text: str) -> bool:
    return 0 < legal_rank(text) < 6 and len(text.split()) <= 2


def _match_outline(elements: Sequence[Element], outline: Sequence[OutlineEntry]) -> dict[int, tuple[int, int]]:
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
        for count in range(1, _OUTLINE_ROWS + 1):
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
