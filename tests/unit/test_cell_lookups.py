"""Rows found by a cell that is not their first, or by part of one."""

import pytest

from tests.unit.passages import passage
from tutor.asking import wanted_by
from tutor.cell_lookups import PART, WHOLE, answers_by_column, found_in_cells
from tutor.cutting import cut_units
from tutor.evidence import is_looked_up, says_all
from tutor.scoring import Match, score_units
from tutor.word_weights import keys_of

STOCK = """Código | Material | Existencias | Proveedor
LA-58 | Latón | 260 | Metales Bidasoa
AC-10 | Acero | 180 | Aceros Urola
AC-42 | Acero duro | 95 | Aceros Urola"""
PHONES = """Necesito | Llamo a | Extensión
Nóminas | Inés Larrea | 204
Calidad, planos | Leire Urabayen | 226"""
TASKS = """Tarea | Frecuencia | Quién
Comprobar la correa del husillo | Mensual | Operario
Revisar la correa del husillo | Anual | Servicio técnico"""
HYGIENE = """Qué | Con qué | Responsable
Camillas | Desinfectante y papel | Auxiliar
Electrodos y ventosas | Alcohol | Auxiliar"""


def found(question, table):
    rows = cut_units(table)
    return [found_in_cells(keys_of(question), wanted_by(question), row, rows) for row in rows]


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        ("¿Quién es el proveedor de latón?", STOCK, [WHOLE, 0, 0]),
        ("¿Quién es el proveedor de acero duro?", STOCK, [0, 0, WHOLE]),
        ("extensión de Leire", PHONES, [0, PART]),
        ("¿Quién puede revisar la correa?", TASKS, [0, PART]),
        ("¿Quién es el proveedor de acero?", STOCK, [0, 0, 0]),  # two rows say it
        ("¿Quién es el proveedor de latón de Navarra?", STOCK, [0, 0, 0]),
        ("extensión de mantenimiento", PHONES, [0, 0]),
        ("correo de Leire", PHONES, [0, 0]),  # that column is not there
        ("latón", STOCK, [0, 0, 0]),
        ("¿Quién puede abrir la caja?", "Quién | Qué\nAna | No puede abrir la caja\nLuis | Cierra la tienda", [0, 0]),
    ],
)
def test_a_row_is_found_by_what_one_of_its_cells_says_alone(question, table, expected):
    assert found(question, table) == expected


def test_a_whole_cell_is_sure_and_a_part_of_one_is_not():
    stock = score_units("¿Quién es el proveedor de latón?", [passage(STOCK)], [[Match()] * 3])
    phones = score_units("extensión de Leire", [passage(PHONES)], [[Match()] * 2])
    assert is_looked_up(stock)
    assert says_all(phones) and not is_looked_up(phones)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("¿Con qué se limpian las camillas?", [True, False]),
        ("¿Con qué se desinfectan los electrodos?", [False, True]),
        ("¿Qué pasa con las camillas?", [False, False]),
        ("¿Con qué se lavan las toallas?", [False, False]),
    ],
)
def test_a_question_begins_as_a_column_is_called(question, expected):
    rows = cut_units(HYGIENE)
    assert [answers_by_column(question, keys_of(question), row, rows) for row in rows] == expected


def test_a_row_that_only_seems_near_lies_below_the_one_that_is_named():
    near, named = score_units(
        "¿Y los electrodos?", [passage(HYGIENE)], [[Match(0.9, 0.9, 0.9), Match(0.85, 0.85, 0.85)]]
    )
    assert named.score > near.score


def test_a_column_called_like_a_word_within_the_question_is_not_what_it_begins_with():
    table = "Qué | Cuándo\nCinta | Cada lunes\nPrensa | Cada martes"
    rows = cut_units(table)
    assert answers_by_column("¿Cuándo se revisa la cinta?", keys_of("¿Cuándo se revisa la cinta?"), rows[0], rows)
    question = "¿Quién arregla la cinta cuando se para?"
    assert not answers_by_column(question, keys_of(question), rows[0], rows)
