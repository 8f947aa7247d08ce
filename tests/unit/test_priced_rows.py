"""Rows of price lists whose cells are plain numbers."""

from dataclasses import replace

import pytest

from tests.unit.passages import passage
from tutor.cutting import cut_units
from tutor.priced_rows import figures_named, is_priced_row
from tutor.scoring import Match, score_units
from tutor.wording import asked, stems

SERVICES = """Servicio | Unidad | Precio | Plazo
Corte de pelo | sesión | 18 | 2 días
Mechas 3 tonos | hora | 48 | 5 días
Mechas 5 tonos | hora | 72 | 3 días"""
VOUCHERS = """Servicio | Duración (min) | Sesión suelta | Bono de 10
Masaje | 45 | 42 | 370
Sauna | 30 | 15"""


def on_subject(question, text, *headings):
    part = replace(passage(text), heading_path=headings or ("Sección",))
    choices = score_units(question, [part], [[Match(0.8, 0.8, 0.8)] * len(cut_units(text, headings=headings))])
    return [one.unit.cells[0] for one in choices if not one.signals["off_subject"]]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("¿Cuánto cuesta el corte de pelo?", ["Corte de pelo"]),
        ("precio de las mechas 5 tonos", ["Mechas 5 tonos"]),  # «5 días» names no row
        ("precio de las mechas de 4 tonos", []),
        ("¿Cuánto cuesta el tinte?", []),
    ],
)
def test_a_figure_below_a_price_answers_what_a_thing_costs(question, rows):
    assert on_subject(question, SERVICES) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("¿Cuánto vale el bono de 10 de masaje?", ["Masaje"]),
        ("cuanto cuesta una sesion de sauna", ["Sauna"]),
        ("precio del bono de 20 de masaje", []),
    ],
)
def test_below_a_heading_of_prices_the_columns_name_what_is_sold(question, rows):
    assert on_subject(question, VOUCHERS, "Tarifas 2026") == rows
    assert on_subject(question, VOUCHERS, "Nuestros servicios") == []


@pytest.mark.parametrize("column", ["Duración (min)", "Existencias (kg)", "Código", "Plazo de entrega", "N.º", "% IVA"])
def test_a_measure_is_no_price(column):
    (row,) = cut_units(f"Servicio | {column}\nMasaje | 45")
    assert not is_priced_row(row, ["Tarifas 2026"])


def test_a_question_of_money_finds_its_sort_of_thing_in_such_a_row():
    (masaje, _) = score_units(
        "¿Cuánto cuesta un masaje?",
        [replace(passage(VOUCHERS), heading_path=("Tarifas",))],
        [[Match()] * 2],
    )
    assert (masaje.signals["type"], masaje.signals["no_type"], masaje.signals["no_type_around"]) == (1.0, 0.0, 0.0)


def test_the_figures_of_a_name_are_not_those_of_an_amount():
    (row,) = cut_units("Código | Material | Precio | Plazo\nAL-70 | Chapa 3 mm | 8 | 5 días")
    assert figures_named(row, stems("chapa de 5 mm")) == {"70", "3"}


def test_a_size_in_a_cell_of_its_own_names_the_row():
    sizes = "Plato | Tamaño | Precio\nPizza | 30 cm | 9\nPizza | 40 cm | 12"
    question = "precio de la pizza de 40 cm"
    choices = score_units(question, [passage(sizes)], [[Match(0.8, 0.8, 0.8)] * 2])
    assert [one.signals["off_subject"] for one in choices] == [1.0, 0.0]


@pytest.mark.parametrize(("typed", "meant"), [("el kilo de laton", "kilo"), ("un kit", "kit"), ("kien es", "quien")])
def test_words_with_a_k_of_their_own_keep_it(typed, meant):
    assert meant in asked(typed).split()
    assert stems(asked("kilo")) == stems("kilo")
