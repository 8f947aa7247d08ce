"""Merges pieces that are too small to be found well, without making citations wrong.

A piece under the minimum merges with a small neighbour first, then with the piece before it, then with the
next, when

- both are of one section, or of sibling sections, or one is the text of the other's parent section; and
- both stand under the same top-level heading; and
- neither is an article or a clause of its own ("Artículo 7"): that is what people cite, so it stays alone.

A heading without any text joins the next or previous piece under the same top-level heading, whatever its
depth; at the very start of a document (its title) it joins what follows.

The merged piece shows each section's heading as a line, and its locator says where each begins. Its path is
that of the section with more than 70 % of the tokens, else the longest common path, else the first one's.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from documents.chunking.pieces import Atom, Piece
from documents.chunking.sections import Section
from documents.parsing.types import BlockKind

_DOMINANT = 0.7
_CITED_ALONE = re.compile(
    r"\s*(?:art[íi]culo|article|artigo|articolo|artikel|art\.|cl[áa]usula|disposici[óo]n|anexo|§)\s*\S",
    re.IGNORECASE,
)


class Merger:
    """Merges the pieces of one document. `budget` gives the tokens a path's prefix leaves for text."""

    def __init__(
        self,
        sections: Sequence[Section],
        heading: Callable[[int], Atom],
        budget: Callable[[tuple[str, ...]], int],
        min_tokens: int,
    ) -> None:
        self._sections = sections
        self._heading = heading
        self._budget = budget
        self._min_tokens = min_tokens

    def merge(self, pieces: Sequence[Piece]) -> list[Piece]:
        """The pieces in order, small ones merged where the rules allow it and the result fits."""
        merged: list[Piece] = []
        for index, piece in enumerate(pieces):
            before = merged[-1] if merged else None
            after = pieces[index + 1] if index + 1 < len(pieces) else None
            joined = None
            if before is not None and self._wants(before, piece, after):
                joined = self._join(before, piece)
            if joined is None:
                merged.append(piece)
            else:
                merged[-1] = joined
        return merged

    def _is_small(self, piece: Piece) -> bool:
        return piece.cost < self._min_tokens

    def _wants(self, before: Piece, piece: Piece, after: Piece | None) -> bool:
        if not self._may_join(before, piece):
            return False
        if self._is_small(before):
            return True
        if not self._is_small(piece):
            return False
        same_section = _last(before) == _first(piece)
        next_is_better = after is not None and self._is_small(after) and self._may_join(piece, after)
        return same_section or not next_is_better

    def _may_join(self, before: Piece, piece: Piece) -> bool:
        if _last(before) == _first(piece):
            return True
        if any(self._cited_alone(section) for section in (*before.shares, *piece.shares)):
            return False
        path, next_path = self._sections[_last(before)].path, self._sections[_first(piece)].path
        bare = _is_bare(before)
        if path[:1] != next_path[:1]:
            return bare and _first(before) == 0
        return bare or _is_bare(piece) or next_path[:-1] in (path[:-1], path)

    def _cited_alone(self, section: int) -> bool:
        path = self._sections[section].path
        return bool(path) and _CITED_ALONE.match(path[-1]) is not None

    def _join(self, before: Piece, piece: Piece) -> Piece | None:
        """Both as one piece; None when that does not fit."""
        if _last(before) == _first(piece):
            joined = replace(before, atoms=before.atoms + piece.atoms, shares=dict(before.shares))
            for section, share in piece.shares.items():
                joined.shares[section] = joined.shares.get(section, 0) + share
        else:
            first, second = self._with_heading(before), self._with_heading(piece)
            shift = len(first.atoms)
            joined = replace(
                first,
                atoms=first.atoms + second.atoms,
                shares=first.shares | second.shares,
                headed=first.headed | {section: shift + at for section, at in second.headed.items()},
            )
        joined.path = self._path(joined.shares)
        return joined if joined.cost <= self._budget(joined.path) else None

    def _with_heading(self, piece: Piece) -> Piece:
        """The piece with its section's heading as its first line."""
        if piece.headed:
            return piece
        section = _first(piece)
        if _is_bare(piece) or not self._sections[section].path:
            return replace(piece, headed={section: 0})
        atom = self._heading(section)
        if piece.context:
            return replace(
                piece,
                context=(atom.text, *piece.context),
                extra_cost=piece.extra_cost + atom.cost,
                headed={section: 0},
            )
        if (
            piece.atoms[0].start < atom.end or piece.overlap
        ):  # not the section's first piece: the heading is repeated
            atom = replace(atom, start=piece.atoms[0].start, end=piece.atoms[0].start, verbatim=False)
        body = [replace(piece.atoms[0], glue="\n"), *piece.atoms[1:]]
        return replace(piece, atoms=[atom, *body], overlap="", extra_cost=0, headed={section: 0})

    def _path(self, shares: dict[int, int]) -> tuple[str, ...]:
        total = sum(shares.values())
        for section, share in shares.items():
            if share > _DOMINANT * total:
                return self._sections[section].path
        paths = [self._sections[section].path for section in shares]
        return _common_path(paths) or paths[0]


def _first(piece: Piece) -> int:
    return next(iter(piece.shares))


def _last(piece: Piece) -> int:
    return next(reversed(piece.shares))


def _is_bare(piece: Piece) -> bool:
    """Whether it holds nothing but headings."""
    return all(atom.kind is BlockKind.HEADING for atom in piece.atoms)


def _common_path(paths: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    common: list[str] = []
    for parts in zip(*paths, strict=False):
        if len(set(parts)) > 1:
            break
        common.append(parts[0])
    return tuple(common)
