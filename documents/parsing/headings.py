"""Levels for headings that only look like headings: told apart by size, wording, weight and capitals. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from documents.parsing.wording import is_uppercase, legal_rank, numbering

_SAME_SIZE = 0.06  # sizes nearer than this fraction count as one


@dataclass(frozen=True, slots=True)
class HeadingLook:
    """A heading's words and how they look. `size` is in points."""

    text: str
    size: float
    is_bold: bool


def assign_levels(looks: Sequence[HeadingLook]) -> list[int]:
    """A level from 1 for each heading of a document, in order: how deep it stands among those still open above it."""
    steps = _size_steps([look.size for look in looks])
    levels: list[int] = []
    above: list[tuple[int, float]] = []
    for look in looks:
        weight = (steps[look.size], _rank(look))
        while above and above[-1] >= weight:
            above.pop()
        above.append(weight)
        levels.append(len(above))
    return levels


def _size_steps(sizes: Sequence[float]) -> dict[float, int]:
    """Each size's place among the sizes used, 0 for the largest; sizes that hardly differ share a place."""
    steps: dict[float, int] = {}
    step, reference = -1, 0.0
    for size in sorted(set(sizes), reverse=True):
        if step < 0 or size < reference * (1 - _SAME_SIZE):
            step, reference = step + 1, size
        steps[size] = step
    return steps


def _rank(look: HeadingLook) -> float:
    """Where headings of one size stand among each other, outermost first."""
    rank = legal_rank(look.text)
    if rank:
        return float(rank)
    number = numbering(look.text)
    if number:
        return {"roman": 4.5, "capital": 4.7}.get(number.family, 5 + number.depth / 10)
    if is_uppercase(look.text):
        return 5.0
    return 7.0 if look.is_bold else 8.0
