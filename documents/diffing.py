"""What changed between two versions of a document, section by section and word by word. Pure functions.

A section is a heading with what stands right under it; its subsections are sections of their own. Sections are paired
by their headings; those left over by their words, so that one that got another name or place is recognised.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from documents.parsing.types import Block, BlockKind

LIKENESS = 0.6  # shared words from which two sections, or two lines, are taken for the same one changed
MAX_COMPARED_PAIRS = 40_000  # of sections left over; beyond, only equal texts are recognised
MAX_COMPARED_WORDS = 2_000  # of a line; longer ones are shown as changed whole
CONTEXT_LINES = 1  # shown around a change

Path = tuple[str, ...]
Line = tuple[str, ...]  # one text, or the cells of a table's row

_WORDS = re.compile(r"\w+")
_TOKENS = re.compile(r"\s+|\w+|[^\w\s]")


class Change(StrEnum):
    ADDED = "added"
    REMOVED = "removed"
    EDITED = "edited"
    MOVED = "moved"
    RENAMED = "renamed"


@dataclass(frozen=True, slots=True)
class Section:
    """A heading's path, the page it begins on, and the lines under it up to the next heading."""

    path: Path
    page: int | None
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Span:
    """Some words of a line; `is_changed` where the other version has others."""

    text: str
    is_changed: bool = False


@dataclass(frozen=True, slots=True)
class LineChange:
    """A line of both versions, each as cells of spans. None: not there. Both None: equal lines left out here."""

    before: tuple[tuple[Span, ...], ...] | None
    after: tuple[tuple[Span, ...], ...] | None
    hidden_count: int = 0


@dataclass(frozen=True, slots=True)
class SectionChange:
    """What became of a section. One that was renamed or moved may be edited too."""

    changes: tuple[Change, ...]
    before: Section | None
    after: Section | None
    lines: tuple[LineChange, ...]


def compare(before: Sequence[Block], after: Sequence[Block]) -> list[SectionChange]:
    """The sections that changed, in the order of the newer version; removed ones where they used to stand."""
    old, new = sections_of(before), sections_of(after)
    pairs = _paired(old, new)
    moved = _moved(pairs, old, new)
    became = dict(pairs)
    origin = {there: here for here, there in pairs}
    changes: list[SectionChange] = []
    gone = _removed_before(old, became)
    for there, section in enumerate(new):
        here = origin.get(there)
        if here is None:
            changes.append(SectionChange((Change.ADDED,), None, section, _all_lines(section, is_new=True)))
            continue
        changes += [SectionChange((Change.REMOVED,), old[at], None, _all_lines(old[at])) for at in gone.get(here, ())]
        if found := _changes_of(old[here], section, is_moved=here in moved):
            lines = line_changes(old[here].lines, section.lines) if Change.EDITED in found else ()
            changes.append(SectionChange(found, old[here], section, lines))
    changes += [SectionChange((Change.REMOVED,), old[at], None, _all_lines(old[at])) for at in gone.get(None, ())]
    return changes


def counterparts(before: Sequence[Block], after: Sequence[Block]) -> dict[Path, Path]:
    """The newer path of each section that both versions have, by its older path. Removed ones are not in it."""
    old, new = sections_of(before), sections_of(after)
    paths: dict[Path, Path] = {}
    for here, there in _paired(old, new):
        paths.setdefault(old[here].path, new[there].path)
    return paths


def sections_of(blocks: Sequence[Block]) -> list[Section]:
    """The document's sections in reading order. Text before the first heading has an empty path."""
    sections: list[Section] = []
    path: Path = ()
    page: int | None = None
    lines: list[Line] = []
    begun = False
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            if begun:
                sections.append(Section(path, page, tuple(lines)))
            path, page, lines, begun = block.heading_path or (block.text,), block.page, [], True
            continue
        page, begun = (page if begun else block.page), True
        lines += [(block.text,)] if block.rows is None else [tuple(row) for row in block.rows]
    return [*sections, Section(path, page, tuple(lines))] if begun else sections


# --- pairing sections


def _paired(old: Sequence[Section], new: Sequence[Section]) -> list[tuple[int, int]]:
    """Indexes of the same section in both versions, in the old one's order."""
    became = _by_key(enumerate(old), enumerate(new))
    while True:
        left = [at for at in range(len(old)) if at not in became]
        taken = set(became.values())
        free = [at for at in range(len(new)) if at not in taken]
        if not left or not free:
            return sorted(became.items())
        # A renamed chapter renames the paths of all its sections: those are then found by their new path.
        renames = {old[here].path: new[there].path for here, there in became.items() if old[here].path}
        carried = [(at, _carried(old[at], renames)) for at in left]
        found = (
            _by_key(carried, [(at, new[at]) for at in free])
            or _likest(old, new, _alike(old, new, left, free))
            or _by_their_sections(old, new, became, set(left), set(free))
        )
        if not found:
            return sorted(became.items())
        became |= found


def _by_key(old: Iterable[tuple[int, Section]], new: Iterable[tuple[int, Section]]) -> dict[int, int]:
    """Sections with the same path; of several with one path the first goes with the first."""
    known = dict(_keyed(new))
    return {at: known[key] for key, at in _keyed(old) if key in known}


def _keyed(sections: Iterable[tuple[int, Section]]) -> Iterator[tuple[tuple[Path, int], int]]:
    seen: Counter[Path] = Counter()
    for at, section in sections:
        yield (section.path, seen[section.path]), at
        seen[section.path] += 1


def _carried(section: Section, renames: dict[Path, Path]) -> Section:
    for length in range(len(section.path) - 1, 0, -1):
        if (parent := section.path[:length]) in renames:
            return Section(renames[parent] + section.path[length:], section.page, section.lines)
    return section


def _alike(
    old: Sequence[Section], new: Sequence[Section], left: Sequence[int], free: Sequence[int]
) -> list[tuple[float, int, int]]:
    """Pairs of sections that share enough words, as (likeness, old index, new index)."""
    if len(left) * len(free) > MAX_COMPARED_PAIRS:
        texts = {_text(new[at]): at for at in reversed(free) if new[at].lines}
        return [(1.0, here, texts[text]) for here in left if (text := _text(old[here])) in texts]
    words_new = {at: _words(new[at]) for at in free}
    holders: dict[str, list[tuple[int, int]]] = {}
    for there, words in words_new.items():
        for word, count in words.items():
            holders.setdefault(word, []).append((there, count))
    matches = []
    for here in left:
        words = _words(old[here])
        shared: Counter[int] = Counter()
        for word, count in words.items():
            for there, other_count in holders.get(word, ()):
                shared[there] += min(count, other_count)
        total = words.total()
        scored = ((2 * count / (total + words_new[there].total()), here, there) for there, count in shared.items())
        matches += [match for match in scored if match[0] >= LIKENESS]
    return matches


def _likest(old: Sequence[Section], new: Sequence[Section], matches: list[tuple[float, int, int]]) -> dict[int, int]:
    """The best of these pairs, each section in one at most. Among equals those of one name, then the nearest."""

    def rank(match: tuple[float, int, int]) -> tuple[float, bool, int, int]:
        score, here, there = match
        return -score, old[here].path[-1:] != new[there].path[-1:], abs(here - there), here

    found: dict[int, int] = {}
    taken: set[int] = set()
    for _score, here, there in sorted(matches, key=rank):
        if here not in found and there not in taken:
            found[here] = there
            taken.add(there)
    return found


def _by_their_sections(
    old: Sequence[Section], new: Sequence[Section], became: dict[int, int], left: set[int], free: set[int]
) -> dict[int, int]:
    """Chapters left over, paired with the one to which most of their sections went."""
    parents_old, parents_new = _parents(old), _parents(new)
    votes: Counter[tuple[int, int]] = Counter()
    for here, there in became.items():
        if parents_old[here] in left and parents_new[there] in free:
            votes[parents_old[here], parents_new[there]] += 1
    matches = [(float(count), here, there) for (here, there), count in votes.items()]
    return _likest(old, new, matches)


def _parents(sections: Sequence[Section]) -> list[int]:
    """The index of the section that each one stands under; -1 for none."""
    parents: list[int] = []
    above: list[int] = []
    for at, section in enumerate(sections):
        while above and not _is_under(section.path, sections[above[-1]].path):
            above.pop()
        parents.append(above[-1] if above else -1)
        if section.path:
            above.append(at)
    return parents


def _is_under(path: Path, parent: Path) -> bool:
    return len(parent) < len(path) and path[: len(parent)] == parent


def _words(section: Section) -> Counter[str]:
    return Counter(_WORDS.findall(_text(section).lower()))


def _text(section: Section) -> str:
    return "\n".join(" ".join(line) for line in section.lines)


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


def _moved(pairs: Sequence[tuple[int, int]], old: Sequence[Section], new: Sequence[Section]) -> set[int]:
    """Old indexes of sections that stand elsewhere: under another heading, or out of the order the others kept."""
    renames = {old[here].path: new[there].path for here, there in pairs}
    elsewhere = {
        here
        for here, there in pairs
        if len(old[here].path) > 1 and renames.get(old[here].path[:-1], old[here].path[:-1]) != new[there].path[:-1]
    }
    elsewhere |= {here for here, there in pairs if min(len(old[here].path), 1) != min(len(new[there].path), 1)}
    return elsewhere | _out_of_order(pairs, old, new)


def _out_of_order(pairs: Sequence[tuple[int, int]], old: Sequence[Section], new: Sequence[Section]) -> set[int]:
    """Old indexes of sections that left the order of those they stand with under one heading.

    Heading by heading: a long chapter that went behind short ones is one that moved, however many sections it has. Of
    two that changed places the smaller one moved.
    """
    parents_old, parents_new = _parents(old), _parents(new)
    sizes = [1] * len(old)
    for here in reversed(range(len(old))):
        if parents_old[here] >= 0:
            sizes[parents_old[here]] += sizes[here]
    siblings: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for here, there in pairs:
        siblings.setdefault((parents_old[here], parents_new[there]), []).append((here, there))
    moved: set[int] = set()
    for together in siblings.values():
        kept = _longest_rising([there for _here, there in together], [sizes[here] for here, _there in together])
        moved |= {here for here, there in together if there not in kept}
    return moved


def _longest_rising(numbers: Sequence[int], sizes: Sequence[int]) -> set[int]:
    """The members of a longest rising subsequence; of equally long ones one of those whose sizes sum to the most.

    A Fenwick tree finds the best one ending below a number.
    """
    rank = {number: place for place, number in enumerate(sorted(numbers), start=1)}
    best: list[tuple[int, int, int]] = [(0, 0, -1)] * (len(numbers) + 1)  # (length, size, index of its last)
    before: list[int] = []
    for at, (number, size) in enumerate(zip(numbers, sizes, strict=True)):
        place, below = rank[number] - 1, (0, 0, -1)
        while place > 0:
            below = max(below, best[place])
            place &= place - 1
        before.append(below[2])
        here = (below[0] + 1, below[1] + size, at)
        place = rank[number]
        while place < len(best):
            best[place] = max(best[place], here)
            place += place & -place
    at = max(best)[2]
    kept: set[int] = set()
    while at >= 0:
        kept.add(numbers[at])
        at = before[at]
    return kept


def _say_the_same(old: Section, new: Section) -> bool:
    """Whether two sections hold the same words in the same order, however a new layout breaks them into lines."""
    return old.lines == new.lines or _text(old).split() == _text(new).split()


def _removed_before(old: Sequence[Section], became: dict[int, int]) -> dict[int | None, list[int]]:
    """Removed sections by the kept one that followed them; None: nothing kept followed."""
    gone: dict[int | None, list[int]] = {}
    waiting: list[int] = []
    for at in range(len(old)):
        if at not in became:
            waiting.append(at)
        elif waiting:
            gone[at], waiting = waiting, []
    if waiting:
        gone[None] = waiting
    return gone


def _changes_of(old: Section, new: Section, *, is_moved: bool) -> tuple[Change, ...]:
    renamed = old.path[-1:] != new.path[-1:]
    named = ((Change.RENAMED, renamed), (Change.MOVED, is_moved), (Change.EDITED, not _say_the_same(old, new)))
    return tuple(change for change, applies in named if applies)


# --- lines and words


def _all_lines(section: Section, *, is_new: bool = False) -> tuple[LineChange, ...]:
    lines = (tuple((Span(cell),) for cell in line) for line in section.lines)
    return tuple(LineChange(None, line) if is_new else LineChange(line, None) for line in lines)


def line_changes(old: Sequence[Line], new: Sequence[Line]) -> tuple[LineChange, ...]:
    """The lines of two texts side by side; of those that are equal only the ones next to a change."""
    changes: list[LineChange] = []
    opcodes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    for number, (kind, old_start, old_end, new_start, new_end) in enumerate(opcodes):
        if kind != "equal":
            changes += _replaced(old[old_start:old_end], new[new_start:new_end])
            continue
        lead = CONTEXT_LINES if number else 0
        tail = CONTEXT_LINES if number < len(opcodes) - 1 else 0
        same = [tuple((Span(cell),) for cell in line) for line in new[new_start:new_end]]
        hidden = len(same) - lead - tail
        if hidden < 2:
            changes += [LineChange(line, line) for line in same]
            continue
        changes += [LineChange(line, line) for line in same[:lead]]
        changes.append(LineChange(None, None, hidden))
        changes += [LineChange(line, line) for line in same[len(same) - tail :]]
    return tuple(changes)


def _replaced(old: Sequence[Line], new: Sequence[Line]) -> Iterator[LineChange]:
    """Lines that became others: each old one with the first new one after those already used that is like it."""
    used = 0
    for line in old:
        match = next((at for at in range(used, len(new)) if _is_like(line, new[at])), None)
        if match is None:
            yield LineChange(_whole(line), None)
            continue
        yield from (LineChange(None, _whole(added)) for added in new[used:match])
        yield _edited(line, new[match])
        used = match + 1
    yield from (LineChange(None, _whole(added)) for added in new[used:])


def _whole(line: Line) -> tuple[tuple[Span, ...], ...]:
    return tuple((Span(cell),) for cell in line)


def _is_like(old: Line, new: Line) -> bool:
    if len(old) > 1 and len(old) == len(new):  # rows of a table: most cells, or the first, which names the row
        return old[0] == new[0] or 2 * sum(a == b for a, b in zip(old, new, strict=True)) >= len(old)
    words = [Counter(_WORDS.findall(" ".join(line).lower())) for line in (old, new)]
    return _likeness(*words) >= LIKENESS


def _edited(old: Line, new: Line) -> LineChange:
    if len(old) != len(new):
        return LineChange(_whole(old), _whole(new))
    cells = [word_spans(before, after) for before, after in zip(old, new, strict=True)]
    return LineChange(tuple(before for before, _after in cells), tuple(after for _before, after in cells))


def word_spans(before: str, after: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Two texts as spans, the words that only one of them has marked as changed."""
    if before == after:
        return (Span(before),), (Span(after),)
    old, new = _TOKENS.findall(before), _TOKENS.findall(after)
    if max(len(old), len(new)) > MAX_COMPARED_WORDS:
        return (Span(before, True),), (Span(after, True),)
    spans: tuple[list[Span], list[Span]] = [], []
    for kind, old_start, old_end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for side, words in ((0, old[old_start:old_end]), (1, new[new_start:new_end])):
            if words:
                spans[side].append(Span("".join(words), kind != "equal"))
    return tuple(spans[0]), tuple(spans[1])
