"""The parts chunks are put together from, and the splitting of a text that is too long for one chunk."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from documents.chunking.markdown import Layout
from documents.parsing.types import Block, BlockKind
from documents.sentences import sentence_spans

PROSE = frozenset({BlockKind.PARAGRAPH, BlockKind.CLAUSE, BlockKind.QA, BlockKind.LIST_ITEM})


@dataclass(frozen=True, slots=True)
class Atom:
    """Text that is placed as one: a block, a sentence of it, or a table row."""

    text: str
    kind: BlockKind
    block: int  # index of its block in the document
    start: int  # span in the normalized text
    end: int
    glue: str  # what stands between it and the atom before
    cost: int  # tokens
    verbatim: bool = True  # its text is the span's text, so parts of it have spans of their own
    row: int | None = None  # index of its table row
    cells: tuple[str, ...] | None = None  # of a table row: cells as they are in this atom
    context: tuple[str, ...] = ()  # what a piece repeats that begins here: lead-ins, or title and header
    indent: str = ""  # blanks before a nested list item, no part of its text


@dataclass(frozen=True, slots=True)
class Group:
    """What stays in one chunk when it fits. Its first `head` atoms never end a piece on their own."""

    members: tuple["Atom | Group", ...]
    head: int = 0

    @property
    def cost(self) -> int:
        return sum(member.cost for member in self.members)

    def atoms(self) -> Iterator[Atom]:
        for member in self.members:
            if isinstance(member, Atom):
                yield member
            else:
                yield from member.atoms()


@dataclass(slots=True)
class Piece:
    """A chunk in the making: repeated context lines, or overlap from the piece before, then its own atoms."""

    shares: dict[int, int]  # the sections it holds, in order: index of the section to tokens of its text
    path: tuple[str, ...]
    atoms: list[Atom] = field(default_factory=list)
    context: tuple[str, ...] = ()
    overlap: str = ""
    extra_cost: int = 0  # tokens of context and overlap
    continues: bool = False  # whether an earlier piece begins its section
    headed: dict[int, int] = field(default_factory=dict)  # after merging: section to the index of its first atom

    @property
    def own_cost(self) -> int:
        return sum(atom.cost for atom in self.atoms)

    @property
    def cost(self) -> int:
        return self.own_cost + self.extra_cost

    def lead(self) -> str:
        """The repeated text, with the white space that stands before the piece's own."""
        indent = self.atoms[0].indent
        if self.context:
            return "\n".join(self.context) + "\n" + indent
        if self.overlap:
            return self.overlap + (self.atoms[0].glue or " ") + indent
        return indent

    def own_text(self) -> str:
        return "".join((atom.glue + atom.indent if index else "") + atom.text for index, atom in enumerate(self.atoms))


def block_atom(blocks: Sequence[Block], layout: Layout, index: int, meter: "Meter") -> Atom:
    """A block as one atom, in the words of the normalized text."""
    place = layout.blocks[index]
    end = place.body + len(place.words)
    kind = blocks[index].kind if blocks[index].kind is not BlockKind.TABLE else BlockKind.PARAGRAPH  # no cells known
    return Atom(place.words, kind, index, place.body, end, "\n\n", meter(place.words))


class Meter:
    """Counts the tokens of a text on its own, without what the model adds to every passage."""

    def __init__(self, count_tokens: Callable[[str], int]) -> None:
        self.whole = count_tokens
        self._added = count_tokens("")

    def __call__(self, text: str) -> int:
        return max(0, self.whole(text) - self._added)


def split_atom(atom: Atom, budget: int, meter: Meter) -> list[Atom]:
    """Parts of at most `budget` tokens: sentences (of code, lines), or runs of characters of long ones."""
    split = _line_spans if atom.kind is BlockKind.CODE else sentence_spans
    spans = split(atom.text)
    parts: list[tuple[int, int, int]] = []
    for start, end in spans:
        cost = meter(atom.text[start:end])
        if cost <= budget:
            parts.append((start, end, cost))
        else:
            parts.extend(_hard_spans(atom.text, start, end, cost, budget, meter))
    return cut(atom, parts)


def cut(atom: Atom, parts: Sequence[tuple[int, int, int]]) -> list[Atom]:
    """The atom's parts (start, end, tokens) as atoms; the white space between them becomes glue."""
    atoms: list[Atom] = []
    previous_end = 0
    for start, end, cost in parts:
        span = (atom.start + start, atom.start + end) if atom.verbatim else (atom.start, atom.end)
        text = atom.text[start:end]
        atoms.append(
            replace(
                atom,
                text=text,
                start=span[0],
                end=span[1],
                glue=atom.text[previous_end:start] if atoms else atom.glue,
                cost=cost,
                indent="" if atoms else atom.indent,
            )
        )
        previous_end = end
    return atoms


def _line_spans(text: str) -> list[tuple[int, int]]:
    spans = []
    position = 0
    for line in text.splitlines(keepends=True):
        stripped = line.rstrip()
        if stripped:
            spans.append((position, position + len(stripped)))
        position += len(line)
    return spans


def _hard_spans(
    text: str, start: int, end: int, cost: int, budget: int, meter: Meter
) -> Iterator[tuple[int, int, int]]:
    """Runs of `text[start:end]` within the budget, at white space where there is some, never empty."""
    stride = max(1, (end - start) * budget // max(1, cost))
    position = start
    while position < end:
        stop = _at_space(text, position, min(end, position + stride), end)
        used = meter(text[position:stop])
        while used > budget and stop - position > 1:
            stop = _at_space(text, position, position + max(1, (stop - position) * 3 // 4), end)
            used = meter(text[position:stop])
        yield position, stop, used
        position = stop
        while position < end and text[position].isspace():
            position += 1


def _at_space(text: str, start: int, stop: int, end: int) -> int:
    """`stop`, or the last white space in the second half before it, so that words stay whole."""
    if stop >= end or text[stop].isspace():
        return stop
    for position in range(stop - 1, (start + stop) // 2, -1):
        if text[position].isspace():
            return position
    return stop
