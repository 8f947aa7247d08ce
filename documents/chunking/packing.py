"""Fills pieces with a section's content, greedily, keeping together what belongs together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from documents.chunking.pieces import PROSE, Atom, Group, Meter, Piece, split_atom
from documents.chunking.tables import split_row
from documents.parsing.types import Block, BlockKind
from documents.sentences import sentence_spans


@dataclass(frozen=True, slots=True)
class Limits:
    """Tokens of text, prefix apart. Pieces fill up to `target`; what belongs together may reach `budget`."""

    budget: int
    target: int
    min_tokens: int
    overlap_sentences: int
    overlap_tokens: int


class Packer:
    """Packs one section. Every step places at least one character, so it always ends."""

    def __init__(
        self, blocks: Sequence[Block], section: int, path: tuple[str, ...], limits: Limits, meter: Meter
    ) -> None:
        self._blocks = blocks
        self._section = section
        self._path = path
        self._limits = limits
        self._meter = meter
        self._costs: dict[tuple[str, ...], int] = {(): 0}
        self._piece = Piece({section: 0}, path)
        self.pieces: list[Piece] = []

    def pack(self, group: Group) -> list[Piece]:
        """The section's content as pieces in order."""
        self._place(group)
        if self._piece.atoms:
            self.pieces.append(self._piece)
        self._fill_short_tail()
        for piece in self.pieces:
            piece.shares[self._section] = sum(atom.cost for atom in piece.atoms if atom.kind is not BlockKind.HEADING)
        return self.pieces

    def _room(self) -> int:
        return self._limits.target - self._piece.cost

    def _place(self, member: Atom | Group) -> None:
        if member.cost <= self._room():
            self._append(member)
        elif (
            member.cost <= self._limits.budget - self._context_cost(_first_atom(member))
            and not self._holds_only_headings()
        ):
            self._start_with(member)
        elif isinstance(member, Group):
            self._place_members(member)
        else:
            for part in self._split(member):
                if part.cost <= self._room():
                    self._append(part)
                else:
                    self._start_with(part)

    def _holds_only_headings(self) -> bool:
        """Whether closing the piece now would part headings from their text."""
        return bool(self._piece.atoms) and all(atom.kind is BlockKind.HEADING for atom in self._piece.atoms)

    def _place_members(self, group: Group) -> None:
        opening = sum(atom.cost for atom in islice(group.atoms(), group.head + 1))
        if opening > self._room() and not self._holds_only_headings():
            self._next_piece(_first_atom(group))
        for member in group.members:
            self._place(member)

    def _start_with(self, member: Atom | Group) -> None:
        """Append to a new piece, without overlap where there is no room for it."""
        self._next_piece(_first_atom(member))
        if member.cost > self._limits.budget - self._piece.extra_cost:
            self._drop_overlap()
        self._append(member)

    def _context(self, atom: Atom) -> tuple[str, ...]:
        """The last lines of the atom's context that leave half of a piece free: the title goes first."""
        context = atom.context
        while context and self._cost(context) > self._limits.budget // 2:
            context = context[1:]
        return context

    def _context_cost(self, atom: Atom) -> int:
        return self._cost(self._context(atom))

    def _cost(self, context: tuple[str, ...]) -> int:
        if context not in self._costs:
            self._costs[context] = self._meter("\n".join(context))
        return self._costs[context]

    def _append(self, member: Atom | Group) -> None:
        self._piece.atoms.extend([member] if isinstance(member, Atom) else member.atoms())

    def _next_piece(self, first: Atom) -> None:
        """Open the piece that will begin with `first`, unless the open one is still empty."""
        if not self._piece.atoms:
            return
        self.pieces.append(self._piece)
        self._piece = Piece({self._section: 0}, self._path, continues=True)
        context = self._context(first)
        if context:
            self._piece.context, self._piece.extra_cost = context, self._cost(context)
        elif first.kind in PROSE:
            self._set_overlap(self._piece, self.pieces[-1])

    def _drop_overlap(self) -> None:
        if self._piece.overlap:
            self._piece.overlap = ""
            self._piece.extra_cost = 0

    def _set_overlap(self, piece: Piece, before: Piece) -> None:
        """As many of the last sentences before as the limits allow, none when not even one fits."""
        overlap = gap_behind = ""
        used = 0
        for gap, sentence, atom in islice(_sentences_backwards(before), self._limits.overlap_sentences):
            cost = atom.cost if atom.indent + atom.text == sentence else self._meter(sentence)
            if used + cost > self._limits.overlap_tokens:
                break
            overlap = sentence + gap_behind + overlap
            gap_behind = gap
            used += cost
        piece.overlap, piece.extra_cost = overlap, used

    def _split(self, atom: Atom) -> list[Atom]:
        headings = self._piece.own_cost if self._holds_only_headings() else 0
        budget = max(1, self._limits.target - self._context_cost(atom) - headings)
        if atom.cells is None:
            return split_atom(atom, budget, self._meter)
        return split_row(atom, atom.cells, self._blocks[atom.block], self._limits.target - headings, self._meter)

    def _fill_short_tail(self) -> None:
        """Move paragraphs or sentences from the last piece but one to a last piece that is too small."""
        if len(self.pieces) < 2:
            return
        before, last = self.pieces[-2:]
        if last.context or last.own_cost >= self._limits.min_tokens:
            return
        moved = False
        while (
            last.own_cost < self._limits.min_tokens
            and len(before.atoms) > 1
            and before.atoms[-1].kind in (BlockKind.PARAGRAPH, BlockKind.CLAUSE)
            and before.own_cost - before.atoms[-1].cost >= self._limits.min_tokens
            and last.own_cost + before.atoms[-1].cost <= self._limits.budget
        ):
            last.atoms.insert(0, before.atoms.pop())
            moved = True
        if moved:
            self._set_overlap(last, before)
            if last.cost > self._limits.budget:
                last.overlap, last.extra_cost = "", 0


def _first_atom(member: Atom | Group) -> Atom:
    return member if isinstance(member, Atom) else next(member.atoms())


def _sentences_backwards(piece: Piece) -> Iterator[tuple[str, str, Atom]]:
    """The sentences of the prose at the piece's end, last first, each behind the white space before it and with the
    atom it is of. What something introduces is left out: alone it may say the contrary.
    """
    for atom in reversed(piece.atoms):
        if atom.kind not in PROSE or atom.context:
            return
        spans = sentence_spans(atom.text)
        for (_, before), (start, end) in reversed(list(pairwise([(0, 0), *spans]))):
            if before:
                yield atom.text[before:start], atom.text[start:end], atom
            else:
                yield atom.glue, atom.indent + atom.text[start:end], atom
