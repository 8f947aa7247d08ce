"""Headings of a PDF and their levels: by the outline where it can be trusted, else by looks. Pure."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from documents.parsing.headings import HeadingLook, assign_levels
from documents.parsing.pdf_elements import BodyLook, Element, body_look
from documents.parsing.pdf_heading_rows import LARGER, HeadingRows
from documents.parsing.pdf_outline import OutlineEntry, match_outline
from documents.parsing.wording import is_contents_title, numbering


def mark_headings(elements: Sequence[Element], outline: Sequence[OutlineEntry]) -> None:
    """Set `level` and `continues` of the elements that are headings."""
    body = body_look(elements)
    matched = match_outline(elements, outline)
    trusted = len(matched) >= 3 and len(matched) >= 0.5 * len(outline)
    grouper = HeadingRows(elements, body, set(matched))
    groups = max(grouper.groups(), grouper.slide_titles(), key=len)
    if trusted:
        _level_by_outline(elements, groups, matched, body)
    else:
        ranked = [group for group in groups if not is_contents_title(_text(elements, group))]
        looks = [_look(elements, group) for group in ranked]
        for group, level in zip(ranked, assign_levels(looks), strict=True):
            _set(elements, group, level)
    _level_contents_titles(elements, groups)


def _level_contents_titles(elements: Sequence[Element], groups: Sequence[Sequence[int]]) -> None:
    """Put the title of a contents list beside the heading after it: nothing stands below it."""
    below = 1
    for group in reversed(groups):
        if is_contents_title(_text(elements, group)):
            _set(elements, group, below)
        below = elements[group[0]].level or below


def _text(elements: Sequence[Element], group: Sequence[int]) -> str:
    return " ".join(elements[index].line.text for index in group)


def _set(elements: Sequence[Element], group: Sequence[int], level: int) -> None:
    for place, index in enumerate(group):
        elements[index].level = level
        elements[index].continues = place > 0


def _look(elements: Sequence[Element], group: Sequence[int]) -> HeadingLook:
    line = elements[group[0]].line
    return HeadingLook(_text(elements, group), line.size, line.is_bold)


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
        if number is not None and number.family == "decimal" and line.size < body.size * LARGER and not line.is_bold:
            above = max((index for index in matched if index < group[0]), default=None)
            _set(elements, group, (matched[above][0] if above is not None else 0) + number.depth)
        elif by_look.get((line.size, line.is_bold)) and line.size >= body.size * LARGER:
            level = by_look[line.size, line.is_bold].most_common(1)[0][0]
            _set(elements, group, max(level, 2) if has_title and group[0] > first else level)
        elif line.size > largest:
            _set(elements, group, 2 if has_title and group[0] > first else 1)
        elif line.size >= body.size * LARGER or line.is_bold:
            smaller = [level for (size, _), levels in by_look.items() if size >= line.size for level in levels]
            _set(elements, group, max(smaller, default=0) + 1)
