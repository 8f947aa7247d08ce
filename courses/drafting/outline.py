"""Documents cut into modules and lessons of a size that people read in one sitting. Pure functions.

The headings decide. A section that fits becomes a lesson with all below it; neighbours that are too short share one;
what is too long is cut at its subsections, and where it has none, between paragraphs. Chapters that are numbered, or
stand below the one title of a document, share no lesson. Nothing is left out.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from typing import Any

from courses.drafting.chapters import key_of
from courses.drafting.misreadings import casing_of
from courses.drafting.titles import (
    clean_title,
    is_generic,
    is_labelled,
    is_noise,
    joint_title_to_end,
    lowered,
    shortened,
    without_label,
)
from courses.drafting.tree import Node, main_nodes, tree_of
from documents.parsing.types import Block, BlockKind

LESSON_WORDS = 700  # sections in a row share a lesson up to this size
TINY_WORDS = 60  # too little for a lesson of its own
CHAPTER_WORDS = 50  # enough for a chapter's own lesson
SHORT_WORDS = 250  # from which on a section has a lesson of its own
LONGEST_WORDS = 1_100  # of a lesson's source text: with what is added around it a lesson stays under 1,500
MODULE_WORDS = 6_000
SHORT_MODULE_WORDS = 400
MODULE_LESSONS = 12
DECK_SECTIONS = 8  # in one lesson are too many to be called anything but what their document is called
MANY_SECTIONS = 4  # together they are called what they stand under
NUMBER_STEP = 2  # between chapters in a row: a heading may have been lost

_NUMBERED = re.compile(
    r"\s*(?:(?i:cap[ií]tulo|m[oó]dulo|unidad|tema|parte)\s+)?(?:(?P<figure>\d{1,2})|(?P<roman>[IVX]+))(?:[.):ºª]|\s)"
)
_ROMAN = {"I": 1, "V": 5, "X": 10}
_ARTICLE = re.compile(r"^\s*(?:art[ií]culo|disposici[oó]n|anexo)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document to make a course of, as it was read; only its `chapters` of these keys, where some were chosen."""

    document_id: int
    version_id: int
    title: str
    blocks: Sequence[Block]
    chapters: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class OutlineSource:
    """A section that a lesson rests on."""

    document_id: int
    version_id: int
    heading_path: tuple[str, ...]
    page: int | None
    with_subsections: bool
    part: int = 1
    part_count: int = 1


@dataclass(frozen=True, slots=True)
class BlockRange:
    """Blocks of a document's version, end exclusive: what a lesson is written from."""

    document_id: int
    version_id: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class OutlinedLesson:
    title: str
    sources: tuple[OutlineSource, ...]
    ranges: tuple[BlockRange, ...]
    words: int


@dataclass(frozen=True, slots=True)
class OutlinedModule:
    title: str
    lessons: tuple[OutlinedLesson, ...]
    goals: tuple[str, ...] = field(default=())


def outline(documents: Sequence[SourceDocument]) -> list[OutlinedModule]:
    """The modules of a course on these documents, in their order, each with its lessons.

    Every word of the documents' chosen chapters stands in exactly one lesson, tables of contents aside.
    """
    modules = [module for document in documents for module in _Outliner(document, alone=len(documents) == 1).modules()]
    return _distinct(modules)


@dataclass(frozen=True, slots=True)
class _Unit:
    """A run of blocks under one heading, alone or with all below it; `part` of `parts` where a long one was cut."""

    node: Node
    first: int
    last: int
    words: int
    with_children: bool
    part: int = 1
    parts: int = 1
    page: int | None = None


class _Outliner:
    def __init__(self, document: SourceDocument, *, alone: bool) -> None:
        self._document = document
        self._blocks = document.blocks
        self._alone = alone
        self._casing = casing_of(document.blocks)
        self._root = tree_of(document.blocks)
        self._has_title = _has_title(self._root)
        self._standing = _standing_chapters(self._root)

    def modules(self) -> list[OutlinedModule]:
        chosen = self._document.chapters
        nodes = [node for node in main_nodes(self._root) if chosen is None or key_of(node) in chosen]
        total = sum(node.words for node in nodes)
        if not total:
            return []
        is_small_part = not self._alone and total <= MODULE_WORDS  # one of several documents: a module of its own
        groups = [nodes] if is_small_part else _grouped(list(_chapters(nodes)))
        modules: list[OutlinedModule] = []
        for group in groups:
            shared = _parted(_shared(list(self._units(group)), self._chapter))
            lessons = [self._lesson(units) for units in shared]
            modules += self._cut(self._module_title(group, whole=len(groups) == 1), lessons, alone=len(group) == 1)
        return modules

    def _module_title(self, group: Sequence[Node], *, whole: bool) -> str:
        own = clean_title(self._document.title, self._casing)
        cover = group[0] if self._is_cover(group, own) else None
        inside = [node for node in group if node is not cover]
        named = [node for node in inside if node.words >= TINY_WORDS] or inside  # a few lines name no module
        titles = [title for node in named if (title := self._title(node))]
        # A first heading taken for the document's title names no more than what stands under it.
        is_a_section = own in (titles if len(titles) > 1 else map(self._title, inside))
        is_named = whole and len(group) > 1 and not is_a_section
        return joint_title_to_end(titles, self._title(inside[-1])) if titles and not is_named else own

    def _is_cover(self, group: Sequence[Node], own: str) -> bool:
        """Whether the first section bears the document's title, above chapters that are all numbered."""
        first, *others = group
        is_first = bool(self._root.children) and first.path == self._root.children[0].path
        numbers = [bool(_number_of(node.heading)) for node in others]
        return (
            is_first and self._title(first) == own and not _number_of(first.heading) and bool(others) and all(numbers)
        )

    def _cut(self, title: str, lessons: list[OutlinedLesson], *, alone: bool) -> Iterator[OutlinedModule]:
        """A module, or several of the same name in turn where it has too many lessons."""
        if len(lessons) == 1:
            lessons = [replace(lessons[0], title=title)]
        lessons = [self._qualified(lesson, title if alone else "") for lesson in lessons]
        parts = -(-len(lessons) // MODULE_LESSONS)
        size = -(-len(lessons) // parts)
        for part in range(parts):
            chosen = tuple(lessons[part * size : (part + 1) * size])
            name = title if parts == 1 else f"{title} ({part + 1} de {parts})"
            yield OutlinedModule(name, chosen)

    def _qualified(self, lesson: OutlinedLesson, module_title: str) -> OutlinedLesson:
        """«Métodos analíticos: introducción» for a lesson whose title any chapter may have."""
        path = lesson.sources[0].heading_path
        if self._alone and len(path) == 2 and self._has_title:
            return lesson  # it stands under the title of the course's only document
        above = clean_title(path[-2], self._casing) if len(path) > 1 else module_title
        if not is_generic(lesson.title) or not above or is_generic(above) or above == lesson.title:
            return lesson
        return replace(lesson, title=shortened(f"{without_label(above)}: {lowered(without_label(lesson.title))}"))

    def _title(self, node: Node) -> str:
        return clean_title(node.heading, self._casing) if node.heading else ""

    # --- lessons

    def _chapter(self, unit: _Unit) -> tuple[str, ...]:
        """The chapter with a lesson of its own that a unit stands in; empty where there is none."""
        path = unit.node.path
        return next((path[:at] for at in range(1, len(path) + 1) if path[:at] in self._standing), ())

    def _units(self, nodes: Sequence[Node]) -> Iterator[_Unit]:
        for node in nodes:
            if not node.words:
                continue
            has_sections = any(child.words for child in node.children)
            if node.words <= (LESSON_WORDS if has_sections else LONGEST_WORDS):
                last = max(one.last for one in node.walk())
                yield _Unit(node, node.first, last, node.words, with_children=True, page=node.page)
                continue
            if node.own_words:
                yield from self._parts(node)
            yield from self._units(node.children)

    def _parts(self, node: Node) -> Iterator[_Unit]:
        """A heading's own text, cut between blocks into parts of about the same size."""
        parts = -(-node.own_words // LONGEST_WORDS)
        bounds = cut_evenly(self._blocks, node.first, node.last, parts)
        for number, first in enumerate(bounds, start=1):
            last = bounds[number] if number < len(bounds) else node.last
            size = sum(len(block.text.split()) for block in self._blocks[first:last])
            page = self._blocks[first].page
            yield _Unit(node, first, last, size, False, number, len(bounds), page)

    def _lesson(self, units: Sequence[_Unit]) -> OutlinedLesson:
        document = self._document
        ranges = tuple(BlockRange(document.document_id, document.version_id, one.first, one.last) for one in units)
        return OutlinedLesson(
            self._lesson_title(units), tuple(self._sources(units)), ranges, sum(one.words for one in units)
        )

    def _lesson_title(self, units: Sequence[_Unit]) -> str:
        last = self._title(units[-1].node)
        if not all(is_labelled(self._title(unit.node)) for unit in units):  # «Artículos 4 a 7» counts them all
            long = [unit for unit in units if unit.words >= TINY_WORDS]  # not named after a few lines, unless all are
            units = long if 2 * sum(unit.words for unit in long) >= sum(unit.words for unit in units) else units
        titles = []
        for unit in units:
            title = self._title(unit.node) or self._opening(unit)
            titles.append(title if unit.parts == 1 else f"{title} ({unit.part} de {unit.parts})")
        parents = {unit.node.path[:-1] for unit in units}
        parent = next(iter(parents)) if len(parents) == 1 else ()
        is_named = bool(parent) and not is_noise(parent[-1]) and parent[-1] not in self._casing.misread
        above = clean_title(parent[-1], self._casing) if is_named else ""
        if len(parent) > 1 and len(units) >= MANY_SECTIONS and above and not all(map(is_labelled, titles)):
            return above
        return joint_title_to_end(titles, last, above)

    def _opening(self, unit: _Unit) -> str:
        """A name for text without a heading: its pages in a long document, else that it comes first."""
        pages = [page for block in self._blocks[unit.first : unit.last] if (page := block.page) is not None]
        if unit.parts > 1 and pages:
            return f"Páginas {pages[0]} a {pages[-1]}" if pages[-1] > pages[0] else f"Página {pages[0]}"
        return self._document.title if unit.parts > 1 or not self._root.children else "Presentación"

    def _sources(self, units: Sequence[_Unit]) -> Iterator[OutlineSource]:
        """The sections of the units; one source for a heading and all below it where all of that is in the lesson."""
        inside = [node for unit in units for node in (unit.node.walk() if unit.with_children else (unit.node,))]
        paths = {node.path for node in inside}
        every = {node.path for node in self._root.walk()}
        done: set[tuple[str, ...]] = set()
        pages = {unit.node.path: unit.page for unit in reversed(units)}
        parts = {unit.node.path: (unit.part, unit.parts) for unit in units}
        for node in inside:
            if node.path in done or (not node.own_words and not node.path):
                continue
            below = {path for path in every if path[: len(node.path)] == node.path}
            whole = bool(node.path) and below <= paths
            if not whole and not node.own_words:
                continue
            done |= below if whole else {node.path}
            page = pages.get(node.path, node.page)
            part, count = parts.get(node.path, (1, 1))
            yield self._source(node.path, page, whole, part, count)
        for path, page in {path: page for node in inside for path, page in node.strays.items()}.items():
            if path not in done:
                yield self._source(path, page, False)

    def _source(
        self, path: tuple[str, ...], page: int | None, whole: bool, part: int = 1, count: int = 1
    ) -> OutlineSource:
        return OutlineSource(self._document.document_id, self._document.version_id, path, page, whole, part, count)


def cut_evenly(blocks: Sequence[Block], first: int, last: int, parts: int) -> list[int]:
    """Where each of `parts` parts of about as many words begins, between blocks; fewer where the blocks are few."""
    body = range(first + (blocks[first].kind is BlockKind.HEADING), last)
    total = sum(len(blocks[at].text.split()) for at in body)
    bounds, words = [first], 0
    for at in body:
        if words and words >= total * len(bounds) / parts and len(bounds) < parts:
            bounds.append(at)
        words += len(blocks[at].text.split())
    return bounds


def _distinct(modules: Sequence[OutlinedModule]) -> list[OutlinedModule]:
    """The modules with numbers behind the titles that several lessons have, and with what is learnt in each."""
    counts = Counter(lesson.title for module in modules for lesson in module.lessons)
    numbers: Counter[str] = Counter()
    distinct = []
    for module in modules:
        lessons = []
        for lesson in module.lessons:
            title, count = lesson.title, counts[lesson.title]
            numbers[title] += 1
            lessons.append(replace(lesson, title=f"{title} ({numbers[title]} de {count})" if count > 1 else title))
        goals = tuple(dict.fromkeys(lesson.title for lesson in lessons))[:6]
        distinct.append(OutlinedModule(module.title, tuple(lessons), goals))
    return distinct


def _chapters(nodes: Sequence[Node]) -> Iterator[Node]:
    """Nodes small enough to be a module; larger ones give way to what is below them."""
    for node in nodes:
        if node.words <= MODULE_WORDS or not node.children:
            yield node
            continue
        if node.own_words:
            yield replace(node, children=[])
        yield from _chapters([child for child in node.children if child.words])


def _grouped(nodes: Sequence[Node]) -> list[list[Node]]:
    """Chapters in modules: a short one joins the one before it, if that keeps to a module's size."""
    groups: list[list[Node]] = []
    for node in nodes:
        before = groups[-1] if groups else []
        size = sum(one.words for one in before)
        joins = before and (
            (node.words < SHORT_MODULE_WORDS and size + node.words <= MODULE_WORDS / 2) or size < SHORT_MODULE_WORDS
        )
        if joins:
            before.append(node)
        else:
            groups.append([node])
    return groups


def _has_title(root: Node) -> bool:
    """Whether one heading holds the whole document."""
    return sum(bool(node.words) for node in root.children) == 1


def _standing_chapters(root: Node) -> set[tuple[str, ...]]:
    """The chapters that share no lesson with another: of a document of few chapters, those that are numbered, and where
    one title holds them all, each of them. A chapter of a few lines and an article of a law do not stand by themselves.
    """
    nodes = main_nodes(root)
    has_title = _has_title(root)
    numbered = _numbered(nodes)
    chapters = [
        node
        for node in nodes
        if node.words >= CHAPTER_WORDS
        and node.level  # not the text before the first heading
        and not _ARTICLE.match(node.heading)
        and ((has_title and len(node.path) > 1) or node.path in numbered)
    ]
    return {node.path for node in chapters} if len(chapters) <= MODULE_LESSONS else set()


def _numbered(nodes: Sequence[Node]) -> set[tuple[str, ...]]:
    """Those whose numbers go on from each other's: «10 consejos» and «Vi la luz» are no chapters 10 and 6."""
    found = [(number, node.path) for node in nodes if (number := _number_of(node.heading))]
    pairs = [(one, other) for (a, one), (b, other) in pairwise(found) if 0 < b - a <= NUMBER_STEP]
    return {path for pair in pairs for path in pair}


def _number_of(heading: str) -> int:
    """The number that a heading begins with; 0 without one."""
    match = _NUMBERED.match(heading)
    if match is None:
        return 0
    if match["figure"]:
        return int(match["figure"])
    values = [_ROMAN[letter] for letter in match["roman"]]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))


def _shared(units: Sequence[_Unit], chapter_of: Callable[[_Unit], tuple[str, ...]]) -> list[list[_Unit]]:
    """Units in lessons: short neighbours share one, those under one parent first of all."""
    lessons: list[list[_Unit]] = []
    for unit in units:
        before = lessons[-1] if lessons else []
        size = sum(one.words for one in before)
        chapters = {chapter for one in (*before, unit) if (chapter := chapter_of(one))}
        if before and len(chapters) <= 1 and _join(before, size, unit):
            before.append(unit)
        else:
            lessons.append([unit])
    return lessons


def _parted(lessons: list[list[_Unit]]) -> list[list[_Unit]]:
    """The lessons; where there is but one of many short sections, such as the slides of a deck, several instead."""
    if len(lessons) != 1 or len(lessons[0]) < DECK_SECTIONS:
        return lessons
    (units,) = lessons
    total = sum(unit.words for unit in units)
    count = max(1, round(total / SHORT_WORDS))
    parts: list[list[_Unit]] = [[] for _ in range(count)]
    words = 0
    for unit in units:
        parts[min(count - 1, (2 * words + unit.words) * count // (2 * total))].append(unit)  # by where its middle is
        words += unit.words
    return [part for part in parts if part]


def _join(before: Sequence[_Unit], size: int, unit: _Unit) -> bool:
    """Whether a unit shares the lesson of those before it, which have `size` words."""
    together = size + unit.words
    if min(size, unit.words) < TINY_WORDS:
        return together <= LONGEST_WORDS + TINY_WORDS
    if unit.parts > 1 or before[-1].parts > 1:
        return False
    same_parent = before[-1].node.path[:-1] == unit.node.path[:-1]
    is_short = min(size, unit.words) < SHORT_WORDS
    return is_short and together <= (LESSON_WORDS if same_parent else SHORT_WORDS)


def as_json(modules: Sequence[OutlinedModule]) -> dict[str, Any]:
    """The outline as plain JSON types, to be stored and edited."""
    return {
        "modules": [
            {
                "title": module.title,
                "goals": list(module.goals),
                "lessons": [
                    {
                        "title": lesson.title,
                        "words": lesson.words,
                        "sources": [asdict(source) for source in lesson.sources],
                        "ranges": [[one.document_id, one.version_id, one.first, one.last] for one in lesson.ranges],
                    }
                    for lesson in module.lessons
                ],
            }
            for module in modules
        ]
    }
