"""Passages cut into sentences, items and rows."""

import pytest

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


FAQ = """¿Puedo traer a mi perro?
Sí, los viernes.

P: ¿Dónde aparco la bici?

En el sótano. Hay veinte plazas.

¿Qué hay que llevar?

- El DNI
- La nómina

Los lunes se cierra."""


def test_a_question_of_the_document_answers_nothing_and_stands_before_what_answers_it():
    units = cut_units(FAQ)
    asked = {unit.text: FAQ[slice(*unit.support)] for unit in units if unit.support is not None}
    assert [unit.text for unit in units if not unit.may_answer] == [
        "¿Puedo traer a mi perro?",
        "P: ¿Dónde aparco la bici?",
        "¿Qué hay que llevar?",
    ]
    assert asked == {
        "Sí, los viernes.": "¿Puedo traer a mi perro?",
        "En el sótano.": "P: ¿Dónde aparco la bici?",
        "Hay veinte plazas.": "P: ¿Dónde aparco la bici?",
        "El DNI": "¿Qué hay que llevar?",
        "La nómina": "¿Qué hay que llevar?",
        "Los lunes se cierra.": "¿Qué hay que llevar?",
    }


def test_questions_in_a_row_are_answered_together():
    text = "¿Hay becas? ¿Para quién? Las hay para hijos de la plantilla."
    assert [(unit.lead, unit.support) for unit in cut_units(text)][2:] == [(1, (0, text.index("Las hay") - 1))]


def test_a_long_item_that_asks_and_answers_is_led_by_its_question():
    item = "1. ¿Se puede aparcar? " + "Sí, en el sótano hay sitio para las bicicletas de todo el personal. " * 5
    units = cut_units(item)
    assert [unit.kind for unit in units[:2]] == [UnitKind.QUESTION, UnitKind.ITEM]
    assert units[1].lead == 0


@pytest.mark.parametrize(
    "text",
    [
        "Pregunta siempre: «¿Lleva frutos secos?».",
        "- ¿Qué alergia tiene?\n- ¿Es grave?",
        "«¿Es así?»",
        "Se pregunta si hay alergias.",
    ],
)
def test_what_is_to_be_asked_is_no_question_of_the_document(text: str):
    assert all(unit.may_answer for unit in cut_units(text))


def test_a_question_does_not_lead_what_stands_far_behind_it():
    text = "¿Puedo traer a mi perro?\n\nSí.\n\nLos viernes.\n\nLa caja se cuenta dos veces."
    assert cut_units(text)[-1].lead is None
