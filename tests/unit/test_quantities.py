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
