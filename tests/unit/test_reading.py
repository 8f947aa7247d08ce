"""Parsed blocks, arranged to be read."""

from documents import reading


def block(kind="paragraph", text="texto", page=None, **fields):
    return {"kind": kind, "text": text, "page": page, "heading_path": [], **fields}


def test_every_page_is_marked_once_where_it_begins():
    shown = reading.pieces([block(page=1), block(page=1), block(page=2), block()], 1)
    assert [piece.kind for piece in shown] == [
        "page",
        "paragraph",
        "paragraph",
        "page",
        "paragraph",
        "paragraph",
    ]
    assert [piece.anchor for piece in shown if piece.kind == "page"] == ["pagina-1", "pagina-2"]


def test_list_items_in_a_row_are_one_list():
    shown = reading.pieces(
        [block("list_item", "• uno"), block("list_item", "• dos"), block(), block("list_item", "• tres")], 1
    )
    assert [piece.items for piece in shown] == [("• uno", "• dos"), (), ("• tres",)]


def test_cells_know_their_column_even_in_ragged_rows():
    table = block(
        "table",
        "",
        rows=[["Producto", "Plazo"], ["Vino", "15 días"], ["Pan"], ["Té", "1", "extra"]],
        header_rows=1,
    )
    (piece,) = reading.pieces([table], 1)
    assert piece.header_rows == (("Producto", "Plazo"),)
    assert piece.rows == (
        (("Producto", "Vino"), ("Plazo", "15 días")),
        (("Producto", "Pan"),),
        (("Producto", "Té"), ("Plazo", "1"), ("", "extra")),
    )


def test_sheets_and_slides_are_announced_where_they_change():
    blocks = [
        block(locator={"sheet": "Enero", "rows": [1, 2]}),
        block(locator={"sheet": "Enero", "rows": [3, 4]}),
        block(locator={"sheet": "Febrero"}),
    ]
    assert [piece.place for piece in reading.pieces(blocks, 1) if piece.kind == "place"] == [
        {"sheet": "Enero"},
        {"sheet": "Febrero"},
    ]


def test_headings_stand_below_the_title_of_the_page():
    levels = [reading.pieces([block("heading", level=level)], 1)[0].tag_level for level in (1, 2, 9)]
    assert levels == [2, 3, 6]


def test_the_outline_says_in_which_part_a_heading_is():
    blocks = (
        [block("heading", "Primera", level=1)]
        + [block()] * reading.BLOCKS_A_PART
        + [block("heading", "Segunda", level=2)]
    )
    first, second = reading.outline(blocks)
    assert (first.part, second.part) == (1, 2)
    assert second.anchor == f"b{reading.BLOCKS_A_PART + 1}"
    assert any(piece.anchor == second.anchor for piece in reading.pieces(blocks, 2))


def test_a_page_is_found_in_its_part_and_one_without_text_at_the_page_before():
    blocks = [block(page=n // 100 + 1 if n < 300 else 9) for n in range(450)]
    assert reading.part_of_page(blocks, 1) == 1
    assert reading.part_of_page(blocks, 3) == 2
    assert reading.part_of_page(blocks, 5) == 2  # nothing on 4 to 8: where 3 begins
    assert reading.part_of_page(blocks, 9) == 2
    assert reading.part_of_page([], 7) == 1
