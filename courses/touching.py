"""Which sources rest on the sections that changed between two versions of a document. Pure functions.

A source is a heading path, with or without the subsections below it. An added section has no source yet: it touches
whoever rests on what stands right before it, for that is where a reader would look for it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from courses.sources import Source, ranges_of
from documents.diffing import Change, Path, Section, SectionChange, Span, compare, counterparts, sections_of
from documents.parsing.types import Block


@dataclass(frozen=True, slots=True)
class Touch:
    """What became of one source: the changes under it, and where it stands in the newer version.

    `path` is its new heading path; None when no section of it is left.
    """

    changes: tuple[SectionChange, ...]
    path: Path | None

    @property
    def is_orphaned(self) -> bool:
        return self.path is None


class VersionComparison:
    """Two versions of one document, asked about source after source."""

    def __init__(self, before: Sequence[Block], after: Sequence[Block]) -> None:
        self.changes: list[SectionChange] = compare(before, after)
        self._before = before
        self._became = counterparts(before, after)
        self._old = sections_of(before)
        self._new = sections_of(after)
        self._origins = {new: old for old, new in self._became.items()}

    def touch(self, source: Source) -> Touch:
        """The changes that touch a source, and where its heading went."""
        covered = self._covered(source)
        touching = tuple(
            change for change in self.changes if self._concerns(change, covered) and self._lies_in_part(change, source)
        )
        return Touch(touching, self._new_path(source, covered))

    def _covered(self, source: Source) -> frozenset[Path]:
        """The paths of the older version that a source rests on."""
        if source.is_page:
            return frozenset(section.path for section in _on_page(self._old, source.page or 1))
        return frozenset(section.path for section in self._old if source.covers(section.path))

    def _concerns(self, change: SectionChange, covered: frozenset[Path]) -> bool:
        if change.before is not None:
            path = change.before.path
            # A heading that moved took along all that stands below it, and says so for all.
            takes_along = Change.MOVED in change.changes and path
            return path in covered or (bool(takes_along) and any(one[: len(path)] == path for one in covered))
        return self._neighbour(change) in covered

    def _lies_in_part(self, change: SectionChange, source: Source) -> bool:
        """Of a heading's text cut for several lessons: whether the change lies in this source's part of it."""
        if source.part_count <= 1 or change.before is None or Change.EDITED not in change.changes:
            return True
        ranges = ranges_of(self._before, source)
        part = {line for first, last in ranges for block in self._before[first:last] for line in _lines(block)}
        changed, last_line = set[str](), ""
        for line in change.lines:
            last_line = last_line if line.before is None else _text(line.before)
            if line.before != line.after:
                changed.add(last_line)
        return bool(changed & part)

    def _neighbour(self, change: SectionChange) -> Path | None:
        """The older path of the nearest section above an added one that both versions have; else of the next below."""
        at = next(index for index, section in enumerate(self._new) if section == change.after)
        near = [*reversed(self._new[:at]), *self._new[at:]]
        return next((self._origins[section.path] for section in near if section.path in self._origins), None)

    def _new_path(self, source: Source, covered: frozenset[Path]) -> Path | None:
        path = source.heading_path
        if path in self._became:
            return self._became[path]
        if not path:  # the whole document, or a page of it
            return path if any(one in self._became for one in covered) else None
        # It named no section of the older version, but may name one of the newer.
        is_known = not covered and any(section.path == path for section in self._new)
        return path if is_known else None


def _lines(block: Block) -> Iterable[str]:
    return [block.text] if block.rows is None else [" ".join(row) for row in block.rows]


def _text(line: Sequence[Sequence[Span]]) -> str:
    return " ".join("".join(span.text for span in cell) for cell in line)


def _on_page(sections: Sequence[Section], page: int) -> Iterable[Section]:
    """The sections with something on a page: those that begin there, and the one that runs into it."""
    running = [section for section in sections if section.page is not None and section.page < page]
    beginning = [section for section in sections if section.page == page]
    return [*running[-1:], *beginning]


def summary(change: SectionChange) -> dict[str, object]:
    """A change as it is stored with a notice, without its text: {heading_path, before_path, change, page}.

    `change` is the one that weighs most: what was renamed and edited counts as edited.
    """
    kinds = change.changes
    kind = next(
        one for one in (Change.EDITED, Change.RENAMED, Change.MOVED, Change.ADDED, Change.REMOVED) if one in kinds
    )
    section = change.after or change.before
    assert section is not None  # one of the two versions has it
    before: Mapping[str, object] = {"before_path": list(change.before.path)} if change.before else {"before_path": None}
    return {"heading_path": list(section.path), **before, "change": kind.value, "page": section.page}
