"""Passages cut into sentences, items and rows."""

from tests.unit.passages import LIST, MENU, STEPS, TABLE
from tutor.units import UnitKind, cut_units


def test_a_passage_is_cut_into_sentences_items_and_rows():
    kinds = [unit.kind for unit in cut_units(f"{STEPS}\n\n{TABLE}")]
    assert kinds == [UnitKind.SENTENCE, *[UnitKind.ITEM] * 3, *[UnitKind.SENTENCE] * 2, *[UnitKind.ROW] * 3]


def test_every_unit_stands_word_for_word_where_it_says():
    text = f"{STEPS}\n\n{TABLE}\n\n{LIST}"
    assert all(text[unit.start : unit.end] == unit.text for unit in cut_units(text))


def test_an_empty_cell_keeps_the_cells_behind_it_below_their_columns():
    header = ("Plato", "Gluten", "Huevo")
    rows = cut_units("Plato | Gluten | Huevo\nSopa | | Sí\nPan |  | Sí\n| Sopa | | Sí |")
    assert [(row.header, row.cells) for row in rows] == [(header, (dish, "", "Sí")) for dish in ("Sopa", "Pan", "Sopa")]


def test_a_dish_its_price_and_what_it_is_made_of_are_one():
    dishes = [unit.text for unit in cut_units(MENU)]
    assert [dish.split(" ", 1)[0] for dish in dishes] == ["Ensalada", "Tartar", "Macarrones"]
    assert "nueces" in dishes[0]
    assert "sésamo" in dishes[1]
    assert dishes[2].endswith("15 €")


def test_a_heading_line_answers_nothing():
    units = cut_units("2.1 Plazos\n\nSon 30 días.", headings=("2. Todo", "2.1 Plazos"))
    assert [unit.kind for unit in units] == [UnitKind.HEADING, UnitKind.SENTENCE]
