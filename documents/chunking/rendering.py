"""Pieces to drafts: the texts, the place in the file, and a last check that the embedder sees all of it."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from documents.chunking.pieces import Atom, Meter, Piece, cut
from documents.chunking.sections import Section
from documents.chunking.types import ChunkDraft
from documents.parsing.types import Block, BlockKind

_PREFIX_SHARE = 4  # a prefix takes at most a quarter of the limit
_LABEL_LENGTHS = (
    (200, 8),
    (100, 6),
    (60, 4),
    (40, 2),
    (24, 1),
)  # characters of a name, names of the path kept


class Prefixes:
    """`[Documento: T] [Sección: H1 > H2]` and a line break for each path, shortened where too long."""

    def __init__(self, title: str, max_tokens: int, meter: Meter) -> None:
        self._title = " ".join(title.split())
        self._max_tokens = max_tokens
        self._meter = meter
        self._known: dict[tuple[str, ...], tuple[str, int]] = {}

    def text(self, path: tuple[str, ...]) -> str:
        return self._get(path)[0]

    def budget(self, path: tuple[str, ...]) -> int:
        """Tokens left for the text under this path."""
        return max(1, self._max_tokens - self._get(path)[1])

    def _get(self, path: tuple[str, ...]) -> tuple[str, int]:
        if path not in self._known:
            self._known[path] = self._shortened(path)
        return self._known[path]

    def _shortened(self, path: tuple[str, ...]) -> tuple[str, int]:
        empty = self._meter.whole("")
        for length, names in _LABEL_LENGTHS:
            prefix = self._write(path[-names:], length)
            cost = self._meter.whole(prefix)
            if cost - empty <= self._max_tokens // _PREFIX_SHARE:
                return prefix, cost
        return "", empty

    def _write(self, path: Sequence[str], length: int) -> str:
        parts = []
        if self._title:
            parts.append(f"[Documento: {_clip(self._title, length)}]")
        if path:
            parts.append(f"[Sección: {' > '.join(_clip(name, length) for name in path)}]")
        return " ".join(parts) + "\n" if parts else ""


def _clip(name: str, length: int) -> str:
    name = " ".join(name.split())
    if len(name) <= length:
        return name
    head = name[:length]
    return (head.rsplit(" ", 1)[0] if " " in head[length // 2 :] else head) + "…"


class Renderer:
    """Turns one document's pieces into drafts."""

    def __init__(
        self,
        blocks: Sequence[Block],
        sections: Sequence[Section],
        prefixes: Prefixes,
        max_tokens: int,
        meter: Meter,
        language: str,
    ) -> None:
        self._blocks = blocks
        self._sections = sections
        self._prefixes = prefixes
        self._max_tokens = max_tokens
        self._meter = meter
        self._language = language

    def render(self, pieces: Sequence[Piece]) -> list[ChunkDraft]:
        """The drafts in order, each within the limit: what turns out too long is cut again."""
        drafts: list[ChunkDraft] = []
        for piece in pieces:
            for fitting in self._fit(piece):
                drafts.append(self._draft(len(drafts), *fitting))
        return drafts

    def _fit(self, piece: Piece) -> Iterator[tuple[Piece, str, int]]:
        """The piece, or smaller ones, with meaning text and tokens.

        Estimates add up what parts cost alone; a tokenizer may see more in the whole.
        """
        meaning = self._prefixes.text(piece.path) + piece.lead() + piece.own_text()
        tokens = self._meter.whole(meaning)
        if tokens <= self._max_tokens:
            yield piece, meaning, tokens
        elif piece.overlap:
            yield from self._fit(replace(piece, overlap=""))
        elif len(piece.atoms) > 1:
            first, second = _parted(piece)
            yield from self._fit(first)
            yield from self._fit(second)
        elif piece.context:
            yield from self._fit(replace(piece, context=piece.context[1:]))
        elif len(piece.atoms[0].text) > 1:
            for half in _halves(piece.atoms[0]):
                yield from self._fit(replace(piece, atoms=[half]))
        else:  # one character: only the prefix can still give way
            meaning = piece.own_text()
            yield piece, meaning, self._meter.whole(meaning)

    def _draft(self, position: int, piece: Piece, meaning: str, tokens: int) -> ChunkDraft:
        lead = piece.lead()
        text = lead + piece.own_text()
        pages = [page for atom in piece.atoms for page in _pages(self._blocks[atom.block])]
        kind, table = self._kind(piece)
        return ChunkDraft(
            position=position,
            kind=kind.value,
            text=text,
            meaning_text=meaning,
            heading_path=piece.path,
            level=len(piece.path),
            page_start=min(pages, default=None),
            page_end=max(pages, default=None),
            locator=self._locator(piece) | self._starts(piece, len(lead)),
            language=self._language,
            char_start=min(atom.start for atom in piece.atoms),
            char_end=max(atom.end for atom in piece.atoms),
            token_count=tokens,
            content_hash=hashlib.sha256(" ".join(text.split()).casefold().encode()).hexdigest(),
            rows=None if table is None else self._rows(piece, table),
            header_rows=0 if table is None else self._blocks[table].header_rows,
            own_start=len(lead),
        )

    def _kind(self, piece: Piece) -> tuple[BlockKind, int | None]:
        """The kind that makes most of the piece, and its table when the piece is that and its title only."""
        weights: Counter[BlockKind] = Counter()
        for atom in piece.atoms:
            weights[atom.kind] += 0 if atom.kind is BlockKind.HEADING else len(atom.text)
        kind = weights.most_common(1)[0][0]
        tables = {atom.block for atom in piece.atoms if atom.kind is BlockKind.TABLE}
        others = {atom.block for atom in piece.atoms if atom.kind is not BlockKind.TABLE}
        return kind, (tables.pop() if kind is BlockKind.TABLE and len(tables) == 1 and len(others) <= 1 else None)

    def _rows(self, piece: Piece, table: int) -> tuple[tuple[str, ...], ...]:
        block = self._blocks[table]
        header = (block.rows or ())[: block.header_rows]
        own = [
            atom.cells
            for atom in piece.atoms
            if atom.block == table and atom.cells is not None and (atom.row or 0) >= block.header_rows
        ]
        return (*header, *own)

    def _starts(self, piece: Piece, offset: int) -> dict[str, Any]:
        """Where pages and merged sections begin in the text. Repeated text counts as the first one's."""
        section_at = {atom: section for section, atom in piece.headed.items()}
        pages: list[dict[str, Any]] = []
        sections: list[dict[str, Any]] = []
        for index, atom in enumerate(piece.atoms):
            offset += len(atom.glue + atom.indent) if index else 0
            start = offset if index else 0
            page = self._blocks[atom.block].page
            if page is not None and (not pages or pages[-1]["page"] != page):
                pages.append({"start": start, "page": page})
            if index in section_at:
                path = self._sections[section_at[index]].path
                sections.append({"start": start, "heading_path": list(path)})
            offset += len(atom.text)
        starts = {"pages": pages, "sections": sections}
        return {key: found for key, found in starts.items() if len(found) > 1}

    def _locator(self, piece: Piece) -> dict[str, Any]:
        """The first block's place, its sheet rows widened to the last one's; for PDF, rectangles by page."""
        locator: dict[str, Any] = {}
        rects: dict[str, list[list[float]]] = {}
        for index in dict.fromkeys(atom.block for atom in piece.atoms):
            block = self._blocks[index]
            for page, found in _rects(block).items():
                rects.setdefault(page, []).extend(found)
            place = {key: value for key, value in block.locator.items() if key not in ("rects", "rects_by_page")}
            if "rows" in place:
                place["rows"] = self._sheet_rows(piece, index, place["rows"])
            if not locator:
                locator = place
            elif "rows" in place and locator.get("sheet") == place.get("sheet"):
                locator["rows"] = _widened(locator.get("rows"), place["rows"])
        if rects:
            locator["rects"] = rects
        return locator

    def _sheet_rows(self, piece: Piece, index: int, rows: Any) -> Any:
        """The sheet rows of the piece's table rows, where the block counts one sheet row a table row."""
        numbers = [atom.row for atom in piece.atoms if atom.block == index and atom.row is not None]
        table = self._blocks[index].rows
        if not numbers or table is None or not _is_range(rows) or rows[1] - rows[0] + 1 != len(table):
            return rows
        return [rows[0] + min(numbers), rows[0] + max(numbers)]


def _is_range(rows: Any) -> bool:
    return isinstance(rows, list | tuple) and len(rows) == 2 and all(isinstance(row, int) for row in rows)


def _widened(rows: Any, more: Any) -> Any:
    if not _is_range(rows) or not _is_range(more):
        return rows
    return [min(rows[0], more[0]), max(rows[1], more[1])]


def _rects(block: Block) -> dict[str, list[list[float]]]:
    by_page = block.locator.get("rects_by_page")
    if by_page:
        return {str(page): list(rects) for page, rects in by_page.items()}
    rects = block.locator.get("rects")
    return {str(block.page): list(rects)} if rects and block.page is not None else {}


def _pages(block: Block) -> list[int]:
    pages = [] if block.page is None else [block.page]
    return pages + [int(page) for page in block.locator.get("rects_by_page") or {}]


def _parted(piece: Piece) -> tuple[Piece, Piece]:
    """Two pieces with about half of the tokens each; the second repeats its own context."""
    middle = _middle(piece.atoms)
    first_headed = {section: at for section, at in piece.headed.items() if at < middle}
    second_headed = {section: at - middle for section, at in piece.headed.items() if at >= middle}
    if first_headed and 0 not in second_headed.values():  # it goes on with the section the first one ends in
        second_headed = {max(first_headed, key=first_headed.__getitem__): 0} | second_headed
    second = piece.atoms[middle:]
    return (
        replace(piece, atoms=piece.atoms[:middle], headed=first_headed),
        replace(piece, atoms=second, context=second[0].context, headed=second_headed),
    )


def _middle(atoms: Sequence[Atom]) -> int:
    """Where to cut in two: at half the tokens, with at least one atom on each side."""
    half = sum(atom.cost for atom in atoms) / 2
    used = 0
    for index, atom in enumerate(atoms[:-1]):
        used += atom.cost
        if used >= half:
            return index + 1
    return len(atoms) - 1


def _halves(atom: Atom) -> list[Atom]:
    """Two parts of a text of at least two characters, at white space when there is some in the first half."""
    text = atom.text
    middle = next((at for at in range(len(text) // 2, 0, -1) if text[at].isspace()), len(text) // 2)
    second = middle + len(text[middle:]) - len(text[middle:].lstrip())
    spans = [(start, end) for start, end in ((0, middle), (second, len(text))) if start < end]
    return cut(atom, [(start, end, atom.cost // 2) for start, end in spans])
