"""Numbers with what they count, however they are written."""

import pytest

from tutor.quantities import Quantity, counted, quantities, stands


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.500 €", ("1500", "euro")),
        ("1500 euros", ("1500", "euro")),
        ("treinta días", ("30", "dia")),
        ("cuarenta y cinco minutos", ("45", "minuto")),
        ("24h", ("24", "hora")),
        ("las 9:00", ("9", "")),
        ("2,75 kg", ("2.75", "kilo")),
        ("el 10 por ciento", ("10", "%")),
        ("las 09:00", ("9", "")),
        ("a las 9.30", ("9:30", "")),
        ("9.30 h", ("9:30", "hora")),
        ("2,50 €", ("2.5", "euro")),
        ("1,250 kg", ("1.25", "kilo")),
        ("0,250 kg", ("0.25", "kilo")),
        ("1.250,50 €", ("1250.5", "euro")),
        ("1.500.000 €", ("1500000", "euro")),
        ("el 12.05.2024", ("12.05.2024", "")),
        ("el 09/03/2025", ("9/3/2025", "")),
        ("la extensión 0290", ("0290", "")),
        ("a -18 grados", ("-18", "grado")),
        ("a menos dieciocho grados", ("-18", "grado")),
        ("18 grados bajo cero", ("-18", "grado")),
    ],
)
def test_a_number_is_read_with_its_unit(text: str, expected: tuple[str, str]):
    assert list(quantities(text)) == [Quantity(*expected)]


@pytest.mark.parametrize("text", ["a las 10:30²", "a las １０：３０", "a las 10:30"])
def test_a_mark_of_a_note_and_wide_figures_change_no_number(text: str):
    assert list(quantities(text)) == list(counted(text)) == [Quantity("10:30", "")]


def test_the_square_of_a_unit_is_no_note():
    assert list(quantities("20 m²")) == list(quantities("20 m2"))


def test_one_counts_nothing_and_small_numbers_without_a_unit_are_seen_at_a_glance():
    assert not list(quantities("un día, una vez"))
    assert not list(counted("las dos llaves"))
    assert list(counted("las veinte llaves, en dos horas")) == [Quantity("20", ""), Quantity("2", "hora")]


def test_a_quantity_stands_in_its_own_unit_or_without_one():
    there = list(quantities("de 2 a 4 horas"))
    assert stands(Quantity("2", "hora"), there)
    assert stands(Quantity("4", "hora"), there)
    assert not stands(Quantity("4", "dia"), there)
    assert not stands(Quantity("3", "hora"), there)


def test_both_ends_of_a_time_are_times():
    assert list(quantities("de 9.30 a 14.00 h")) == [Quantity("9:30", ""), Quantity("14", "hora")]
    assert list(quantities("de las 9.30 a las 20.15")) == [Quantity("9:30", ""), Quantity("20:15", "")]


def test_in_english_the_comma_parts_thousands():
    assert list(quantities("1,250 kg", language="en")) == [Quantity("1250", "kilo")]
    assert list(quantities("1.250 kg", language="en")) == [Quantity("1.25", "kilo")]


def test_a_long_row_of_prices_is_no_row_of_times():
    assert Quantity("9.3", "") in list(quantities("9.30 " * 5_000))
