"""Which rows of a PDF are headings, by their looks, their words and what stands around them. Pure."""

import re
from collections import defaultdict
from collections.abc import Sequence

from documents.parsing.pdf_elements import BodyLook, Element
from documents.parsing.wording import (
    Numbering,
    ends_sentence,
    is_bullet,
    is_caption,
    is_contents_entry,
    is_uppercase,
    legal_rank,
    list_marker,
    numbering,
    opens_article,
    split_article,
)

LARGER = 1.12  # times the body size: a heading's
_LONGEST = 200
_LONGEST_BOLD = 140
_LONGEST_COLOURED = 90
_MOST_ROWS = 8  # of one heading
_LIST_RUN = 5  # headings in a row, without any text between them, that make a list
_NEAR_ROWS = 30
_FEWEST_SLIDES = 5
_SLIDE_LETTERS = 400  # a page on average
_DEEP_NUMBER = re.compile(r"(?P<above>(?:\d{1,2}\.)+)(?P<last>\d{1,2}) ")
_LETTER = re.compile(r"[^\W\d_]")
_PLAIN_WORD = re.compile(r"(?<!\w)[^\W\d_]{3,}(?!\w)")
_SIGNED_ABOVE = re.compile(r"^[_.\-–—…\s]{8,}$")  # the line one signs on


class HeadingRows:
    """Finds rows that look like headings and joins those that are one heading over several rows."""

    def __init__(self, elements: Sequence[Element], body: BodyLook, matched: set[int]) -> None:
        self._elements = elements
        self._body = body
        self._matched = matched
        large = sum(len(e.line.text) for e in elements if e.line.size >= body.size * LARGER)
        self._title_colours = self._find_title_colours()
        self._size_tells = large <= 0.4 * sum(len(e.line.text) for e in elements)

    def groups(self) -> list[list[int]]:
        found: list[list[int]] = []
        for index in range(len(self._elements)):
            if self._is_candidate(index):
                if found and self._carries_on(found[-1], index):
                    found[-1].append(index)
                else:
                    found.append([index])
            elif found and self._is_plain_title(found[-1], index):
                found[-1].append(index)
        return self._without_lists([group for group in found if self._is_heading(group)])

    def _find_title_colours(self) -> set[int]:
        """Colours that several rows have and hardly one of them is anything but a short row set apart."""
        rows: defaultdict[int, list[bool]] = defaultdict(list)
        for element in self._elements:
            text, colour = element.line.text, element.line.colour
            if colour >= 0 and _differ(colour, self._body.colour):
                stands_alone = self._apart(element.gap_above, element) and len(text) <= _LONGEST_COLOURED
                is_link = "@" in text or "://" in text or "www." in text
                opens = text[:1].isupper() or text[:1].isdigit() or text[:1] in "¿¡"
                rows[colour].append(stands_alone and opens and not is_link and not ends_sentence(text.rstrip("?!")))
        return {colour for colour, alone in rows.items() if len(alone) > 1 and sum(alone) >= 0.8 * len(alone)}

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
            if is_block and max(sizes) >= LARGER * min(sizes) and len(text) <= _LONGEST and _LETTER.search(text):
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
        larger = self._size_tells and line.size >= self._body.size * LARGER
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
            (self._size_tells and line.size >= self._body.size * LARGER)
            or (line.is_bold and not self._body.is_bold)
            or (is_uppercase(text) and len(text) <= 110)
            or line.colour in self._title_colours
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

    def _is_plain_title(self, group: list[int], index: int) -> bool:
        """Whether a row of ordinary looks, in the middle of its column, is the title of the "CAPÍTULO I" above it."""
        last, this = self._elements[group[-1]], self._elements[index]
        follows = index == group[-1] + 1 and len(group) == 1 and _is_bare_legal(last.line.text)
        text = this.line.text
        is_title = not text.endswith((".", ":", ";", ",")) and text[:1].isupper() and _LETTER.search(text) is not None
        return follows and is_title and self._is_centred([group[-1], index]) and self._names_legal(last, this)

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
        if len(text) > _LONGEST or text.endswith((",", ";", "-")) or is_caption(text):
            return False
        if text[:1].islower() or len(_LETTER.findall(text)) < 2:
            return False
        number, rank = numbering(text), legal_rank(text)
        larger = self._size_tells and first.line.size >= self._body.size * LARGER
        bold = first.line.is_bold and not self._body.is_bold
        capitals = is_uppercase(text)
        above, below = self._apart(first.gap_above, first), self._apart(last.gap_below, last)
        if self._is_weak(group) and (self._signs(group) or not _PLAIN_WORD.search(text)):
            return False
        if text.endswith(".") and not (rank or number) and not (larger and len(text) < 80):
            return False
        if opens_article(text) and not (bold or larger):  # told apart from its text when paragraphs are whole
            return False
        if split_article(text) and not (bold or larger):
            return False
        if larger:
            return len(text) <= _LONGEST and not (text.endswith(".") and len(text) > 120)
        opens = above or self._ends_before(group[0])
        if first.line.colour in self._title_colours and above and opens and not self._runs_on(group[-1]):
            return True
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

    def _signs(self, group: list[int]) -> bool:
        """Whether a row says who signs: under the line for it, at the right, or as the last words of all."""
        if group[0] and _SIGNED_ABOVE.match(self._elements[group[0] - 1].line.text):
            return True
        first = self._elements[group[0]]
        middle = (first.column_left + first.column_right) / 2
        is_right = first.line.x0 > middle and not first.line.is_bold and not self._is_centred(group)
        return is_right or (group[-1] == len(self._elements) - 1 and group[0] > 0)

    def _is_numbered_title(self, group: list[int], text: str, number: Numbering) -> bool:
        """A short row that stands alone behind a number: "4.2.1 Identificación"."""
        first, last = self._elements[group[0]], self._elements[group[-1]]
        if number.family != "decimal" or len(text) > 110 or not _is_short(last) or text.endswith((":", ";", ",")):
            return False
        if number.depth >= 2:
            return not (text.endswith(".") and self._is_clause(group, number))
        if text.endswith(".") or len(text) > 70 or group[-1] + 1 >= len(self._elements):
            return False
        following = self._elements[group[-1] + 1]
        value = int(text.split(".")[0].split(")")[0].split()[0])
        is_sibling = following.line.text.startswith(str(value + 1))
        before = self._elements[group[0] - 1] if group[0] else None
        sibling = rf"{value - 1}\.(?!\d)"  # not "1.3" before "2. Compras"
        follows_sibling = before is not None and value > 1 and re.match(sibling, before.line.text) is not None
        return not (is_sibling or follows_sibling) and first.line.page == following.line.page

    def _is_clause(self, group: list[int], number: Numbering) -> bool:
        """Whether a numbered row with a stop is all that its number says: nothing stands below it before the next, or
        the number before or after opens a paragraph.
        """
        if group[-1] + 1 >= len(self._elements) or self._is_next(group, number):
            return True
        own = _DEEP_NUMBER.match(self._elements[group[0]].line.text)
        if own is None:
            return False
        sisters = tuple(f"{own['above']}{int(own['last']) + step} " for step in (-1, 1))
        near = range(max(0, group[0] - _NEAR_ROWS), min(len(self._elements) - 1, group[-1] + _NEAR_ROWS))
        return any(
            self._elements[at].line.text.startswith(sisters)
            and not _is_short(self._elements[at])
            and not _is_short(self._elements[at + 1])  # a heading has two rows at most
            for at in near
        )

    def _is_next(self, group: list[int], number: Numbering) -> bool:
        """Whether the row below has the number that follows: "5.5" or "5.4.2" behind "5.4.1", or a chapter's own. The
        "1." of a list and the "30" of "30 días" follow no number.
        """
        at = group[-1] + 1
        below = self._elements[at].line.text
        following = numbering(below)
        if following is None or following.depth > number.depth:
            return False
        if following.depth == 1:
            return self._is_heading([at])
        shared = following.depth - 1
        return below.split(".")[:shared] == self._elements[group[0]].line.text.split(".")[:shared]

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


def _differ(one: int, other: int) -> bool:
    """Whether two colours (0xRRGGBB) are told apart at a glance; a row of several colours is told from none."""
    return other >= 0 and any(abs((one >> shift & 0xFF) - (other >> shift & 0xFF)) >= 64 for shift in (16, 8, 0))


def _is_short(row: Element) -> bool:
    """Whether a row ends well before its column does."""
    return row.line.x1 < row.column_right - 0.12 * (row.column_right - row.column_left)


def _is_bare_legal(text: str) -> bool:
    return 0 < legal_rank(text) < 6 and len(text.split()) <= 2
