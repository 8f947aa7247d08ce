"""Quotes are words that follow each other in the document itself."""

from documents.chunking import ChunkSettings, chunk_blocks
from documents.parsing.types import Block, BlockKind
from tutor.cutting import cut_units
from tutor.grounding import verify_quote
from tutor.locating import find_place, standing_quote
from tutor.marking import mark_section
from tutor.units import UnitKind

BLOCKS = [
    {"kind": "paragraph", "text": "No se devuelven:"},
    {"kind": "list_item", "text": "1. Los huevos."},
    {"kind": "list_item", "text": "2. El queso fresco."},
]


def test_a_quote_over_neighbouring_blocks_is_kept():
    assert standing_quote("No se devuelven:\n1. Los huevos.", "1. Los huevos.", BLOCKS) == (
        "No se devuelven:\n1. Los huevos."
    )


def test_a_repeated_lead_in_is_left_out_of_the_quote():
    assert standing_quote("No se devuelven:\n2. El queso fresco.", "2. El queso fresco.", BLOCKS) == (
        "2. El queso fresco."
    )


def test_nested_items_are_quoted_and_found_in_the_document_as_flat_ones_are():
    items = [
        ("No está permitido:", 1, 3),
        ("Tomar mate en el aula.", 2, 3),
        ("Usar el móvil, salvo:", 2, 4),
        ("Urgencias.", 3, 4),
    ]
    blocks = [
        Block(BlockKind.LIST_ITEM, f"• {text}", level=level, page=page, locator={"rects": [[level, 0, 9, 9]]})
        for text, level, page in items
    ]
    settings = ChunkSettings(max_tokens=512)
    (chunk,) = chunk_blocks(
        blocks, title="", language="es", count_tokens=lambda text: len(text.split()), settings=settings
    )
    stored = [block.to_json() for block in blocks]
    units = cut_units(chunk.text)
    assert [(unit.kind, unit.text) for unit in units] == [(UnitKind.ITEM, text) for text, _, _ in items]
    for unit, (_, level, page) in zip(units, items, strict=True):
        quote = chunk.text[slice(*unit.paragraph)]
        assert verify_quote(quote, chunk.text)
        place = find_place(quote, unit.text, stored, pages=(chunk.page_start, chunk.page_end), heading_path=())
        assert place is not None
        assert (place.page, place.locator) == (page, {"rects": [[level, 0, 9, 9]]})
    quote = chunk.text[units[0].start : units[1].end]
    assert quote == "No está permitido:\n  - Tomar mate en el aula."
    assert standing_quote(quote, units[1].text, stored) == quote
    marked = mark_section(stored, heading_path=[], quote=quote)
    assert [any(run.is_marked for run in block.runs) for block in marked] == [True, True, False, False]
