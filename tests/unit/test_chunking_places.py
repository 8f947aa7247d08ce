"""Where a chunk's text stands in its document: pages, rectangles and the normalized text."""

import pytest

from documents.chunking import block_spans, normalized_text
from documents.parsing.types import BlockKind
from tests.unit.chunks import chunk, heading, item, paragraph, table, texts, words


def test_rectangles_are_kept_by_page():
    blocks = [
        paragraph("Uno.", page=3, locator={"rects": [[0, 0, 10, 10]]}),
        paragraph("Dos.", page=4, locator={"rects_by_page": {"4": [[1, 1, 9, 9]], "5": [[2, 2, 8, 8]]}}),
    ]
    (found,) = chunk(blocks)
    assert found.locator["rects"] == {"3": [[0, 0, 10, 10]], "4": [[1, 1, 9, 9]], "5": [[2, 2, 8, 8]]}
    assert (found.page_start, found.page_end) == (3, 5)
    assert found.locator["pages"] == [{"start": 0, "page": 3}, {"start": 6, "page": 4}]


@pytest.mark.parametrize("locator", [{"slide": 3}, {"time": "00:01:05"}])
def test_places_in_files_without_pages_are_kept(locator):
    assert chunk([paragraph("Uno.", locator=locator)])[0].locator == locator


def test_the_normalized_text_is_markdown():
    blocks = [
        heading("Caja"),
        heading("Caja", "Abrir"),
        paragraph("Texto."),
        item("uno"),
        item("2. dos"),
        item("• tres"),
        paragraph(""),
        table(("A", "B|C"), ("1", "")),
        paragraph("x = 1", kind=BlockKind.CODE),
    ]
    text = normalized_text(blocks)
    assert text == (
        "# Caja\n\n## Abrir\n\nTexto.\n\n- uno\n2. dos\n- tres\n\n"
        "| A | B\\|C |\n| --- | --- |\n| 1 |  |\n\n```\nx = 1\n```"
    )
    spans = block_spans(blocks)
    assert [text[start:end] for start, end in spans[:4]] == ["# Caja", "## Abrir", "Texto.", "- uno"]
    assert spans[6][0] == spans[6][1]
    assert text[slice(*spans[7])].startswith("| A |")


def test_blank_blocks_do_not_move_the_spans():
    blocks = [paragraph(""), paragraph("Uno."), table(("", " ")), paragraph(words(300))]
    found = chunk(blocks, max_tokens=200, overlap_sentences=0)
    text = normalized_text(blocks)
    assert [text[one.char_start : one.char_end] for one in found] == texts(found)
