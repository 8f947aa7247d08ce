"""Scripted edits of a document, each with the blocks of the older version that it concerns. Pure but for files."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from documents.parsing.types import Block, BlockKind

FEWEST_WORDS = 8  # of a paragraph that is edited
NEW_PARAGRAPH = "Quien tenga dudas sobre este punto las consulta con su responsable antes de empezar."
NEW_HEADING = "Disposiciones de última hora"


@dataclass(frozen=True, slots=True)
class Edit:
    """A newer version, and the indexes of the older version's blocks whose lessons it touches."""

    after: list[Block]
    concerned: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading's blocks with all below it, end exclusive; `own_last` ends what stands right under it."""

    first: int
    own_last: int
    last: int


BlockEdit = Callable[[Sequence[Block], frozenset[int], random.Random], Edit | None]


def sections(blocks: Sequence[Block]) -> list[Section]:
    """Sections whose path is theirs alone, so that an edit of one is an edit of that one."""
    headings = [at for at, block in enumerate(blocks) if block.kind is BlockKind.HEADING]
    paths = Counter(blocks[at].heading_path for at in headings)
    found = []
    for number, at in enumerate(headings):
        path = blocks[at].heading_path
        if paths[path] > 1 or not path:
            continue
        later = headings[number + 1 :]
        own_last = later[0] if later else len(blocks)
        last = next((one for one in later if blocks[one].heading_path[: len(path)] != path), len(blocks))
        found.append(Section(at, own_last, last))
    return found


def paragraphs(blocks: Sequence[Block], taught: frozenset[int]) -> list[int]:
    """Blocks of running text that some lesson teaches and that no other block repeats."""
    texts = Counter(block.text for block in blocks)
    return [
        at
        for at in sorted(taught)
        if blocks[at].kind not in (BlockKind.HEADING, BlockKind.TABLE)
        and len(blocks[at].text.split()) >= FEWEST_WORDS
        and texts[blocks[at].text] == 1
    ]


def misspelt(text: str, chance: random.Random) -> str:
    """The text with two letters of a long word swapped."""
    words = text.split(" ")
    places = [at for at, word in enumerate(words) if len(word) > 5 and word[2] != word[3]]
    at = chance.choice(places or [0])
    word = words[at]
    words[at] = word[:2] + word[3:4] + word[2:3] + word[4:]
    return " ".join(words)


def other_number(text: str) -> str:
    """The text with its first digit one higher."""
    at = next(at for at, letter in enumerate(text) if letter.isdigit())
    return f"{text[:at]}{(int(text[at]) + 1) % 10}{text[at + 1 :]}"


def has_number(text: str) -> bool:
    return any(letter in "0123456789" for letter in text)


def typo(blocks: Sequence[Block], taught: frozenset[int], chance: random.Random) -> Edit | None:
    places = [at for at in paragraphs(blocks, taught) if misspelt(blocks[at].text, random.Random(0)) != blocks[at].text]
    return _reworded(blocks, places, lambda text: misspelt(text, chance), chance)


def number_changed(blocks: Sequence[Block], taught: frozenset[int], chance: random.Random) -> Edit | None:
    places = [at for at in paragraphs(blocks, taught) if has_number(blocks[at].text)]
    return _reworded(blocks, places, other_number, chance)


def _reworded(
    blocks: Sequence[Block], places: Sequence[int], reword: Callable[[str], str], chance: random.Random
) -> Edit | None:
    if not places:
        return None
    at = chance.choice(places)
    return Edit([*blocks[:at], replace(blocks[at], text=reword(blocks[at].text)), *blocks[at + 1 :]], (at,))


def paragraph_added(blocks: Sequence[Block], taught: frozenset[int], chance: random.Random) -> Edit | None:
    places = paragraphs(blocks, taught)
    if not places:
        return None
    at = chance.choice(places)
    added = replace(blocks[at], kind=BlockKind.PARAGRAPH, text=NEW_PARAGRAPH, level=None)
    return Edit([*blocks[: at + 1], added, *blocks[at + 1 :]], (at,))


def section_added(blocks: Sequence[Block], taught: frozenset[int], chance: random.Random) -> Edit | None:
    """Concerned is what stands right before it."""
    places = [one for one in sections(blocks) if one.own_last == one.last and one.last - 1 in taught]
    if not places:
        return None
    one = chance.choice(places)
    path = (*blocks[one.first].heading_path[:-1], NEW_HEADING)
    added = [
        replace(blocks[one.first], text=NEW_HEADING, heading_path=path),
        Block(BlockKind.PARAGRAPH, NEW_PARAGRAPH, page=blocks[one.last - 1].page, heading_path=path),
    ]
    return Edit([*blocks[: one.last], *added, *blocks[one.last :]], (one.last - 1,))


def section_renamed(blocks: Sequence[Block], taught: frozenset[int], chance: random.Random) -> Edit | None:
    """Concerned is what stands right under the heading; sections below it keep their own names."""
    places = [one for one in sections(blocks) if one.own_last - one.first > 1 and one.first in taught]
    if not places:
        return None
    one = chance.choice(places)
    old = blocks[one.first].heading_path
    name = f"Normas revisadas: {blocks[one.first].text.lower()}"
    renamed = [replace(block, heading_path=(*old[:-1], name, *block.heading_path[len(old) :])) for block in
               blocks[one.first : one.last]]  # fmt: skip
    renamed[0] = replace(renamed[0], text=name)
    return Edit([*blocks[: one.first], *renamed, *blocks[one.last :]], tuple(range(one.first, one.own_last)))


def section_removed(blocks: Sequence[Block], taught: frozenset[int], chance: random.Random) -> Edit | None:
    places = [one for one in sections(blocks) if _is_body(blocks, one, taught) and one.last - one.first <= 40]
    if not places:
        return None
    one = chance.choice(places)
    return Edit([*blocks[: one.first], *blocks[one.last :]], tuple(range(one.first, one.last)))


def section_moved(blocks: Sequence[Block], taught: frozenset[int], chance: random.Random) -> Edit | None:
    """A section goes behind two or more others under the same heading."""
    known = sections(blocks)
    places = []
    for one in known:
        path = blocks[one.first].heading_path
        later = [
            other
            for other in known
            if other.first >= one.last and blocks[other.first].heading_path[:-1] == path[:-1]
            and len(blocks[other.first].heading_path) == len(path)
        ]  # fmt: skip
        parent_last = next(
            (at for at in range(one.last, len(blocks)) if blocks[at].heading_path[: len(path) - 1] != path[:-1]),
            len(blocks),
        )
        later = [other for other in later if other.last <= parent_last]
        if len(later) >= 3 and _is_body(blocks, one, taught):
            places.append((one, later[-1].last))
    if not places:
        return None
    one, target = chance.choice(places)
    moved = [*blocks[: one.first], *blocks[one.last : target], *blocks[one.first : one.last], *blocks[target:]]
    return Edit(moved, tuple(range(one.first, one.last)))


def _is_body(blocks: Sequence[Block], one: Section, taught: frozenset[int]) -> bool:
    words = sum(len(block.text.split()) for block in blocks[one.first + 1 : one.own_last])
    return words >= FEWEST_WORDS and taught.issuperset(range(one.first, one.last))


def cell_changed(blocks: Sequence[Block], taught: frozenset[int], chance: random.Random) -> Edit | None:
    places = [at for at in sorted(taught) if (blocks[at].rows or ()) and len(blocks[at].rows or ()) > 1]
    if not places:
        return None
    at = chance.choice(places)
    rows = [list(row) for row in blocks[at].rows or ()]
    row = rows[chance.randrange(1, len(rows))]
    row[-1] = f"{row[-1]} revisado".strip()
    text = "\n".join(" | ".join(cells) for cells in rows)
    after = replace(blocks[at], rows=tuple(tuple(cells) for cells in rows), text=text)
    return Edit([*blocks[:at], after, *blocks[at + 1 :]], (at,))


def nothing(blocks: Sequence[Block], taught: frozenset[int], chance: random.Random) -> Edit | None:
    return Edit(list(blocks), ())


def new_layout(blocks: Sequence[Block], taught: frozenset[int], chance: random.Random) -> Edit | None:
    """Paragraphs broken elsewhere or run together, other pages, other places on them, other spaces."""
    after: list[Block] = []
    shift = 0
    for block in blocks:
        shift += chance.random() < 0.05
        page = None if block.page is None else block.page + shift
        moved = replace(block, page=page, locator={})
        words = block.text.split(" ")
        if block.kind is BlockKind.PARAGRAPH and len(words) > 6 and chance.random() < 0.3:
            cut = chance.randrange(2, len(words) - 2)
            after += [replace(moved, text=" ".join(words[:cut])), replace(moved, text=" ".join(words[cut:]))]
        elif (
            after and block.kind is after[-1].kind is BlockKind.PARAGRAPH
            and block.heading_path == after[-1].heading_path and chance.random() < 0.3
        ):  # fmt: skip
            after[-1] = replace(after[-1], text=f"{after[-1].text} {block.text}")
        elif block.kind is BlockKind.PARAGRAPH:
            after.append(replace(moved, text=block.text.replace(" ", "\n", 1)))
        else:
            after.append(moved)
    return Edit(after, ())


BLOCK_EDITS: dict[str, BlockEdit] = {
    "typo": typo,
    "number changed": number_changed,
    "paragraph added": paragraph_added,
    "section added": section_added,
    "section moved": section_moved,
    "section renamed": section_renamed,
    "section removed": section_removed,
    "table cell changed": cell_changed,
    "nothing changed": nothing,
    "layout only": new_layout,
}
