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


@pytest.mark.parametrize(
    ("row", "inside", "outside"),
    [
        ("No más de 100 €", (1, 100), (101,)),
        ("Si no excede de 100 €", (1, 100), (101,)),
        ("Siempre que no pase de 100 €", (1, 100), (101,)),
        ("Importes no superiores a 100 €", (1, 100), (101,)),
        ("El importe no podrá ser superior a 100 €", (1, 100), (101,)),
        ("Sin exceder de 100 €", (1, 100), (101,)),
        ("No más de 30 €, hasta 100 € con firma", (1, 100), (101,)),
        ("No menos de 100 €", (100, 101), (1,)),
        ("Si no es inferior a 100 €", (100, 101), (1,)),
        ("Si no baja de 100 €", (100, 101), (1,)),
        ("A partir de 100 €", (100, 101), (99,)),
        ("Igual o superior a 100 €", (100, 101), (99,)),
        ("Desde 30 € hasta 100 €", (30, 100), (29, 101)),
        ("A partir de 30 € y hasta 100 €", (30, 100), (29, 101)),
        ("Más de 30 € y no más de 100 €", (31, 100), (30, 101)),
        ("Superior a 30 € e inferior a 100 €", (31, 99), (30, 100)),
        ("Entre 30 y 100 €", (30, 100), (29, 101)),
        ("100 € o menos", (1, 100), (101,)),
        ("100 € o más", (100, 101), (99,)),
        ("Hasta 30 €, o más de 100 €", (30, 101), (31, 100)),
    ],
)
def test_a_range_has_the_bounds_that_its_words_give_it(row, inside, outside):
    assert [is_for(Amount(value, "€"), row) for value in inside] == [True] * len(inside)
    assert [is_for(Amount(value, "€"), row) for value in outside] == [False] * len(outside)


@pytest.mark.parametrize("row", ["De 2 horas a 3 días", "Desde 2 horas hasta 3 días", "Entre 2 horas y 3 días"])
def test_a_range_of_mixed_units_is_none(row):
    assert is_for(Amount(2, "day"), row) is None
    assert is_for(Amount(2, "hour"), row) is None


@pytest.mark.parametrize("unit", ["°C", "° C", "ºC", "º C", "℃", "grados"])
def test_degrees_are_read_however_they_are_written(unit):
    assert asked_amount(f"¿Sirvo la sopa a 65 {unit}?") == Amount(65, "°")
    assert is_for(Amount(70, "°"), f"Más de 65 {unit}") is True


@pytest.mark.parametrize("question", ["no más de 100 €", "si no pasa de 100 €", "a partir de 100 €"])
def test_an_amount_asked_for_with_its_bound_is_the_bound(question):
    assert asked_amount(question) == Amount(100, "€")


@pytest.mark.parametrize("text", ["Son 200 € por cada caja", "Hasta 30 días"])
def test_a_text_without_a_range_in_the_unit_says_nothing(text):
    assert is_for(Amount(95, "€"), text) is None


def test_a_question_without_an_amount_has_none():
    assert asked_amount("¿Cuántas veces lo intento en 2026?") is None


@pytest.mark.parametrize("question", ["la cámara está a -20 °C", "está a −20 grados", "está a 20 grados bajo cero"])
def test_an_amount_below_zero_keeps_its_sign(question):
    amount = asked_amount(question)
    assert amount == Amount(-20, "°")
    assert is_for(amount, "De 15 °C a 25 °C") is False
    assert is_for(amount, "Entre -18 y -22 °C") is True
    assert is_for(amount, "Menos de -18 °C") is True
