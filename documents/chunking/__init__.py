"""Blocks to chunks, by section and token budget. Pure: tokens are counted by the caller's function."""

from collections.abc import Callable, Sequence

from documents.chunking.markdown import Layout, block_spans, is_blank, lay_out, normalized_text
from documents.chunking.merging import Merger
from documents.chunking.packing import Limits, Packer
from documents.chunking.pieces import Atom, Group, Meter, Piece
from documents.chunking.rendering import Prefixes, Renderer
from documents.chunking.sections import (
    Section,
    group_section,
    heading_atom,
    heading_paths,
    home_of_bare_headings,
    split_sections,
)
from documents.chunking.types import MARKDOWN_MAX_TOKENS, ChunkDraft, ChunkSettings
from documents.chunking.windows import fixed_windows, recursive_windows, window_pieces
from documents.parsing.types import Block, BlockKind

__all__ = [
    "ChunkDraft",
    "ChunkSettings",
    "block_spans",
    "chunk_blocks",
    "normalized_text",
]


def chunk_blocks(
    blocks: Sequence[Block],
    *,
    title: str,
    language: str,
    count_tokens: Callable[[str], int],
    settings: ChunkSettings,
) -> list[ChunkDraft]:
    """Cut a document into chunks, in reading order; the same input gives the same chunks.

    `count_tokens` counts what the model sees of a passage, its prefix and special tokens included. No
    `meaning_text` counts more than `settings.max_tokens`: long titles are shortened there, long texts cut.
    The function is called about once for each block, sentence of a long block, heading path and chunk.
    """
    blocks = [block for block in blocks if not is_blank(block)]
    if not blocks:
        return []
    layout = lay_out(blocks)
    meter = Meter(count_tokens)
    prefixes = Prefixes(title, settings.max_tokens, meter)
    sections = split_sections(blocks)
    if settings.strategy in ("fixed", "recursive"):
        pieces = _windows(blocks, layout, prefixes, settings, meter)
    else:
        pieces = _by_section(blocks, layout, sections, prefixes, settings, meter)
    renderer = Renderer(blocks, sections, prefixes, settings.max_tokens, meter, language)
    return renderer.render(pieces)


def _windows(
    blocks: Sequence[Block], layout: Layout, prefixes: Prefixes, settings: ChunkSettings, meter: Meter
) -> list[Piece]:
    paths = heading_paths(blocks)
    size, overlap = settings.window_size, settings.window_overlap
    if settings.strategy == "fixed":
        room = min(prefixes.budget(path) for path in set(paths))
        size = min(size, room)
        windows = fixed_windows(layout.text, size, min(overlap, size // 2), meter)
    else:
        windows = recursive_windows(layout.text, size, overlap)
    return window_pieces(windows, blocks, layout, paths, meter)


def _by_section(
    blocks: Sequence[Block],
    layout: Layout,
    sections: Sequence[Section],
    prefixes: Prefixes,
    settings: ChunkSettings,
    meter: Meter,
) -> list[Piece]:
    def heading(section: int) -> Atom:
        return heading_atom(layout, sections[section], meter)

    section_of = {section.heading: index for index, section in enumerate(sections)}
    pieces: list[Piece] = []
    for index, before, after in home_of_bare_headings(sections):
        section = sections[index]
        leading = [heading(bare) for bare in before]
        if before or not section.blocks:
            leading.append(heading(index))
        group = group_section(blocks, layout, section, meter)
        members = (*leading, *group.members, *(heading(bare) for bare in after))
        packer = Packer(blocks, index, section.path, _limits(settings, prefixes.budget(section.path)), meter)
        for piece in packer.pack(Group(members, head=len(leading))):
            shown = [(at, atom) for at, atom in enumerate(piece.atoms) if atom.kind is BlockKind.HEADING]
            if before or after:
                piece.headed = {index: 0} | {section_of.get(atom.block, index): at for at, atom in shown}
            pieces.append(piece)
    if settings.strategy == "markdown":
        return pieces
    return Merger(sections, heading, prefixes.budget, settings.min_tokens).merge(pieces)


def _limits(settings: ChunkSettings, budget: int) -> Limits:
    if settings.strategy == "markdown":
        return Limits(
            budget=min(budget, max(MARKDOWN_MAX_TOKENS, settings.window_size)),
            target=min(budget, settings.window_size),
            min_tokens=0,
            overlap_sentences=settings.window_overlap,  # as many as fit into overlap_tokens
            overlap_tokens=settings.window_overlap,
        )
    return Limits(budget, budget, settings.min_tokens, settings.overlap_sentences, overlap_tokens=budget // 3)
