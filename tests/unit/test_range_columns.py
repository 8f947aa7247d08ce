"""Tables whose rows are told apart by ranges of plain numbers."""

import math

import pytest

from tests.unit.passages import passage
from tutor.amounts import Amount, bare_range
from tutor.cutting import cut_units
from tutor.range_columns import decided_by_range
from tutor.scoring import Match, best_of, score_units

LOTS = """Tamaño del lote | Muestra | Se rechaza con
Hasta 50 | 5 | 1 defecto
De 51 a 150 | 13 | 2 defectos
Más de 150 | 32 | 3 defectos"""
MARKS = """Puntuación | Calificación
90 a 100 | A
70-89 | B
Menos de 70 | C"""


@pytest.mark.parametrize(
    ("question", "table", "row"),
    [
        ("¿Cuántas piezas se miden en un lote de 100?", LOTS, 1),
        ("lote de 100 piezas con 2 defectos, ¿se rechaza?", LOTS, 1),
        ("¿Qué muestra se coge de un lote de 2.000?", LOTS, 2),
        ("lote de 2000, ¿cuántas se miden?", LOTS, 2),
        ("proveedor con 85 puntos", MARKS, 1),
    ],
)
def test_the_row_whose_range_holds_the_number_decides(question, table, row):
    assert decided_by_range(question, cut_units(table)) == {at: at == row for at in range(3)}
    scored = score_units(question, [passage(table)], [[Match(0.8, 0.8, 0.8)] * 3])
    best = best_of(scored)
    assert best.index == row
    assert [one.signals["is_for_other"] for one in scored] == [float(at != row) for at in range(3)]


@pytest.mark.parametrize(
    "question",
    [
        "¿Cuántos defectos se admiten?",
        "¿Qué pasa en la línea 3?",  # that number names something
        "¿Qué dice la norma 9001 de los lotes del cliente 7?",  # which of both?
    ],
)
def test_other_questions_decide_nothing(question):
    assert decided_by_range(question, cut_units(LOTS)) == {}


def test_a_column_of_plain_numbers_is_none_of_ranges():
    assert decided_by_range("un lote de 13", cut_units("Lote | Piezas\n12 | 5\n13 | 8")) == {}


@pytest.mark.parametrize(
    ("cell", "inside", "outside"),
    [
        ("Hasta 50", 50, 51),
        ("De 501 a 1.200", 1200, 1201),
        ("90-100", 90, 89),
        ("Menos de 50", 49, 50),
        ("Más de 1.200 piezas", 1201, 1200),
        ("10 o más", 10, 9),
    ],
)
def test_a_cell_is_read_as_a_range(cell, inside, outside):
    found = bare_range(cell)
    assert found is not None
    assert found.holds(Amount(inside, ""))
    assert not found.holds(Amount(outside, ""))


@pytest.mark.parametrize(
    "cell", ["50", "De enero a marzo", "Hasta el lunes", "A", "", "De 3 a 5 días laborables o más"]
)
def test_other_cells_are_no_ranges(cell):
    assert bare_range(cell) is None


def test_a_range_without_an_end_has_none():
    found = bare_range("Más de 1.200")
    assert found is not None
    assert found.high == math.inf


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("¿Qué muestra se coge de cada tamaño de lote en 2026?", LOTS),
        (
            "Tengo 45 años, ¿cuántos días de vacaciones tengo?",
            "Antigüedad (años) | Días\nHasta 10 | 23\nMás de 10 | 26",
        ),
        ("Tengo 45 años, ¿cuántos días tengo?", "Años de antigüedad | Días\nHasta 10 | 23\nMás de 10 | 26"),
        (
            "¿Qué horario hay en 2026?",
            "Periodo | Horario\n01.01.2026 - 31.03.2026 | 9-14\n01.04.2026 - 31.12.2026 | 8-15",
        ),
        ("¿Qué red tiene el equipo 7?", "Red | Equipo\n10.0.0.1 - 10.0.0.50 | Caja\nMenos de 1..2 | Almacén"),
    ],
)
def test_years_ages_and_dates_decide_nothing(question, table):
    assert decided_by_range(question, cut_units(table)) == {}


def test_years_of_service_are_held_against_their_column():
    table = "Antigüedad (años) | Días\nHasta 10 | 23\nMás de 10 | 26"
    found = decided_by_range("¿Cuántos días tengo con 12 años de antigüedad?", cut_units(table))
    assert found == {0: False, 1: True}


@pytest.mark.parametrize("cell", ["01.01.2026 - 31.03.2026", "1.2.3 a 4", "Menos de 1..2", "10.0.0.1-10.0.0.50"])
def test_dates_and_addresses_are_no_ranges(cell):
    assert bare_range(cell) is None
