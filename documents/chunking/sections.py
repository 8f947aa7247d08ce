"""Blocks to sections, and what belongs together in them: list and lead-in, table and title, clauses."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile

from documents.chunking.lists import lead_in, list_group
from documents.chunking.markdown import Layout
from documents.chunking.pieces import PROSE, Atom, Group, Meter, block_atom
from documents.chunking.tables import table_rows
from documents.parsing.types import Block, BlockKind

_CAPTION = re.compile(r"\s*(?:tabla|cuadro|table|tableau|tabella|tabela|quadro|taula|tabelle)\s+[\dIVX]", re.IGNORECASE)
_CITED_ALONE = re.compile(
    r"""\s*(?:
        (?:art[íi]culo|article|artigo|articolo|artikel|art\.|cl[áa]usula|§)\s*
        (?:\d|[ivxlc]+\b|[úu]nic|primer|segund|tercer|cuart|quint|sext|s[ée]ptim|octav|noven|d[ée]cim|und[ée]cim|duod[ée]cim)
        |disposici[óo]n\s+(?:adicional|transitoria|derogatoria|final)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_LONGEST_CAPTION = 300  # characters of one that is worth repeating


@dataclass(slots=True)
class Section:
    """A heading and the blocks under it until the next heading. Text before the first has no path."""

    path: tuple[str, ...]
    part: int  # counts the top-level headings so far: two may have one name
    heading: int | None = None  # index of the heading's block
    blocks: list[int] = field(default_factory=list)

    @property
    def is_cited_alone(self) -> bool:
        """Whether people cite it by its heading ("artículo 7"), so that it must not stand under another."""
        return bool(self.path) and _CITED_ALONE.match(self.path[-1]) is not None


def split_sections(blocks: Sequence[Block]) -> list[Section]:
    """The document's sections in reading order.

    A heading with no text of its own but text in sections under it makes none: its words are in their paths.
    """
    paths = heading_paths(blocks)
    sections: list[Section] = []
    part = 0
    for index, (block, path) in enumerate(zip(blocks, paths, strict=True)):
        is_heading = block.kind is BlockKind.HEADING
        if sections and (path[:1] != sections[-1].path[:1] or (is_heading and len(path) == 1)):
            part += 1
        if is_heading:
            sections.append(Section(path, part, heading=index))
        else:
            if not sections or sections[-1].path != path:
                sections.append(Section(path, part))
            sections[-1].blocks.append(index)
    return [section for index, section in enumerate(sections) if section.blocks or not _is_named_below(sections, index)]


def _is_named_below(sections: Sequence[Section], index: int) -> bool:
    """Whether a section with text under it has its heading in its path."""
    path = sections[index].path
    below = takewhile(lambda other: _is_above(path, other.path), islice(sections, index + 1, None))
    return any(other.blocks for other in below)


def home_of_bare_headings(sections: Sequence[Section]) -> list[tuple[int, list[int], list[int]]]:
    """Each section with text, with the headings without any that its chunk shows before it and behind it.

    Such a heading goes to the next section, or to the one before where only that is under the same top-level
    heading. It is on its own where there is neither, or where people cite it.
    """
    homes: list[tuple[int, list[int], list[int]]] = []
    waiting: list[int] = []
    for index, section in enumerate(sections):
        if section.blocks:
            homes.append((index, waiting, []))
            waiting = []
        elif section.is_cited_alone:
            homes += [(other, [], []) for other in (*waiting, index)]
            waiting = []
        else:
            after = next((other.part for other in sections[index + 1 :] if other.blocks), None)
            before = sections[homes[-1][0]] if homes and not waiting else None
            if before is not None and before.blocks and before.part == section.part != after:
                homes[-1][2].append(index)
            else:
                waiting.append(index)
    return homes + [(index, [], []) for index in waiting]


def _is_above(path: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return len(path) < len(other) and other[: len(path)] == path


def heading_paths(blocks: Sequence[Block]) -> list[tuple[str, ...]]:
    """The path of each block; worked out from the headings' levels where the parser gave none at all."""
    if any(block.heading_path for block in blocks):
        return [block.heading_path or ((block.text,) if block.kind is BlockKind.HEADING else ()) for block in blocks]
    paths: list[tuple[str, ...]] = []
    open_headings: list[tuple[int, str]] = []
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            level = block.level or 1
            while open_headings and open_headings[-1][0] >= level:
                open_headings.pop()
            open_headings.append((level, block.text))
        paths.append(tuple(text for _, text in open_headings))
    return paths


def heading_atom(layout: Layout, section: Section, meter: Meter) -> Atom:
    """The section's heading as a line of text. Where no block holds it, the line's span is empty."""
    if section.heading is not None:
        place = layout.blocks[section.heading]
        end = place.body + len(place.words)
        return Atom(place.words, BlockKind.HEADING, section.heading, place.body, end, "\n\n", meter(place.words))
    words = section.path[-1] if section.path else ""
    start = layout.blocks[section.blocks[0]].start
    return Atom(words, BlockKind.HEADING, section.blocks[0], start, start, "\n\n", meter(words), verbatim=False)


def group_section(blocks: Sequence[Block], layout: Layout, section: Section, meter: Meter) -> Group:
    """The section's content as groups in groups, in order."""
    members: list[Atom | Group] = []
    clause: list[Atom | Group] = []  # a clause and what follows it, until the next one
    for is_clause, member in _members(blocks, layout, section.blocks, meter):
        if is_clause:
            _close_clause(clause, members)
            clause.append(member)
        elif clause:
            clause.append(member)
        else:
            members.append(member)
    _close_clause(clause, members)
    return Group(tuple(members))


def _close_clause(clause: list[Atom | Group], members: list[Atom | Group]) -> None:
    if len(clause) > 1:
        members.append(Group(tuple(clause)))
    else:
        members.extend(clause)
    clause.clear()


def _members(
    blocks: Sequence[Block], layout: Layout, indexes: Sequence[int], meter: Meter
) -> Iterator[tuple[bool, Atom | Group]]:
    """The section's atoms, lists and tables, each with whether it opens a clause."""
    position = 0
    while position < len(indexes):
        index = indexes[position]
        block = blocks[index]
        following = blocks[indexes[position + 1]] if position + 1 < len(indexes) else None
        lead = None
        if following is not None and block.kind in PROSE and block.kind is not BlockKind.LIST_ITEM:
            lead = _lead_in(block, following)
        if lead is not None:
            position += 1
        lead_atom = block_atom(blocks, layout, index, meter) if lead is not None else None
        opens_clause = block.kind is BlockKind.CLAUSE
        block, index = blocks[indexes[position]], indexes[position]
        context = (lead,) if lead else ()
        members: list[Atom | Group] = [] if lead_atom is None else [lead_atom]
        if block.kind is BlockKind.LIST_ITEM:
            following_indexes = islice(indexes, position, None)
            items = list(takewhile(lambda at: blocks[at].kind is BlockKind.LIST_ITEM, following_indexes))
            yield opens_clause, list_group(blocks, layout, items, meter, lead_atom, lead or "")
            position += len(items)
            continue
        if block.kind is BlockKind.TABLE and block.rows:
            members += table_rows(block, layout.blocks[index], index, meter, context)
            yield opens_clause, Group(tuple(members), head=block.header_rows + len(context))
        elif members:
            members.append(replace(block_atom(blocks, layout, index, meter), context=context))
            yield opens_clause, Group(tuple(members), head=len(context))
        else:
            yield opens_clause, block_atom(blocks, layout, index, meter)
        position += 1


def _lead_in(block: Block, following: Block) -> str | None:
    """The sentence of `block` that introduces `following`: it ends with a colon, or is a table's caption."""
    if following.kind not in (BlockKind.LIST_ITEM, BlockKind.TABLE, BlockKind.CODE):
        return None
    text = block.text.rstrip()
    if following.kind is BlockKind.TABLE and _CAPTION.match(text) and len(text) <= _LONGEST_CAPTION:
        return text
    return lead_in(text)
