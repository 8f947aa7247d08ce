"""Merges pieces that are too small to be found well, without making citations wrong.

A piece under the minimum merges with a small neighbour first, then with the piece before it, then with the
next, when

- both are of one section, or of sibling sections, or one is the text of the other's parent section; and
- both stand under the same top-level heading; and
- neither is an article or a clause of its own ("Artículo 7"): that is what people cite, so it stays alone.

The merged piece shows each section's heading as a line, and its locator says where each begins. Its path is
that of the section with more than 70 % of the tokens, else the longest common path, else the first one's.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from documents.chunking.pieces import Atom, Piece
from documents.chunking.sections import Section
from documents.parsing.types import BlockKind

_DOMINANT = 0.7


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
        if any(self._sections[section].is_cited_alone for section in (*before.shares, *piece.shares)):
            return False
        section, following = self._sections[_last(before)], self._sections[_first(piece)]
        return section.part == following.part and following.path[:-1] in (section.path[:-1], section.path)

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
        section = _first(piece)
        if piece.atoms[0].kind is BlockKind.HEADING or not self._sections[section].path:
            return replace(piece, headed=piece.headed or {section: 0})
        atom = self._heading(section)
        if piece.continues:  # the heading's own place is in an earlier piece
            kept = replace(piece, context=(atom.text, *piece.context), overlap="", headed={section: 0} | piece.headed)
            kept.extra_cost = atom.cost + (piece.extra_cost if piece.context else 0)
            return kept
        body = [replace(piece.atoms[0], glue="\n"), *piece.atoms[1:]]
        headed = {section: 0} | {other: at + 1 for other, at in piece.headed.items() if other != section}
        return replace(piece, atoms=[atom, *body], headed=headed)

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


def _common_path(paths: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    common: list[str] = []
    for parts in zip(*paths, strict=False):
        if len(set(parts)) > 1:
            break
        common.append(parts[0])
    return tuple(common)
