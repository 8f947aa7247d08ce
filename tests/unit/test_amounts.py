"""Amounts of questions and the ranges of rules."""

import pytest

from tutor.amounts import Amount, asked_amount, is_for


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("¿Quién aprueba una devolución de 95 euros?", "De 30,01 € a 150 €"),
        ("una devolución de 30 €", "Hasta 30 €"),
        ("quién firma lo de menos de 50 €", "De 30,01 € a 150 €"),
        ("más de 400 euros", "Más de 400 €"),
        ("una sanción de 35.000 euros", "Las de importe igual o inferior a 40.000 euros"),
        ("una sanción de 100.000 euros", "De importe comprendido entre 40.001 y 300.000 euros"),
        ("la cámara está a 9 grados", "Si pasa de 8 °C"),
    ],
)
def test_an_amount_finds_the_range_it_lies_in(question, row):
    amount = asked_amount(question)
    assert amount is not None
    assert is_for(amount, row) is True


@pytest.mark.parametrize("row", ["Hasta 30 €", "De 150,01 € a 400 €", "Más de 400 €"])
def test_other_ranges_do_not_hold_it(row):
    assert is_for(Amount(95, "€"), row) is False


def test_a_bound_that_does_not_count_is_outside():
    assert is_for(Amount(400, "€"), "Más de 400 €") is False


@pytest.mark.parametrize("text", ["Son 200 € por cada caja", "Hasta 30 días"])
def test_a_text_without_a_range_in_the_unit_says_nothing(text):
    assert is_for(Amount(95, "€"), text) is None


def test_a_question_without_an_amount_has_none():
    assert asked_amount("¿Cuántas veces lo intento en 2026?") is None
