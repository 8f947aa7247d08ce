"""Quotes are words that follow each other in the document itself."""

from tutor.locating import standing_quote

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
