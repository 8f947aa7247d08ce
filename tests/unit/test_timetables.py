"""Questions for opening hours, and what answers them."""

from dataclasses import replace

import pytest

from tests.unit.passages import passage
from tutor.cutting import passage_units
from tutor.extractive import compose
from tutor.scoring import Choice, Match, best_of, score_units
from tutor.timetables import asks_timetable, is_timetable

HOURS = """Día | Cafetería | Tienda
De lunes a viernes | De 8:00 a 21:00 | De 9:00 a 21:00
Sábado | De 8:30 a 21:00 | De 9:00 a 21:00
Domingo | De 9:00 a 15:00 | De 10:00 a 15:00

Los días 24 y 31 de diciembre todas las tiendas cierran a las 18:00."""
SHIFTS = "La encargada de apertura de la tienda llega a las 7:15 y abre a las 8:00. A las 8:50 se reúne el equipo."


def scored(question: str) -> list[Choice]:
    parts = [
        replace(passage(HOURS), heading_path=("Tienda", "Horario al público")),
        replace(passage(SHIFTS, chunk_id=2), heading_path=("Tienda", "Quién abre y quién cierra")),
    ]
    matches = [[Match(0.75, 0.7, 0.75)] * len(passage_units(parts[0])), [Match(0.8, 0.7, 0.8)] * 2]
    return score_units(question, parts, matches)


@pytest.mark.parametrize(
    "question",
    [
        "¿Cuál es el horario de apertura y cierre?",
        "horario de la tienda",
        "¿Qué horario tenéis?",
        "¿A qué hora abre la tienda?",
        "a que hora cerrais",
        "¿Hasta qué hora está abierta la cafetería?",
        "¿Qué días abre la tienda?",
    ],
)
def test_who_asks_for_opening_hours_is_understood(question: str):
    assert asks_timetable(question)
    best = best_of(scored(question))
    assert best.passage == 0
    assert best.signals["is_timetable"]


@pytest.mark.parametrize(
    "question",
    ["¿Quién hace los horarios?", "¿Puedo cambiar mi horario?", "¿A qué hora se hace la reunión de apertura?"],
)
def test_other_questions_about_hours_are_not_for_the_timetable(question: str):
    assert not asks_timetable(question)
    assert not any(one.signals["is_timetable"] for one in scored(question))


def test_the_timetable_of_the_shop_is_none_of_the_safe():
    assert asks_timetable("¿A qué hora se abre la caja fuerte?")
    assert not any(one.signals["is_timetable"] for one in scored("¿A qué hora se abre la caja fuerte?"))


@pytest.mark.parametrize(
    ("text", "title", "is_one"),
    [
        ("De lunes a viernes, de 9.00 a 14.00 horas.", "Horario", True),
        ("La biblioteca abre de 9 a 14 h.", "Biblioteca", True),
        ("Abierto 8:00–21:00", "Cafetería", True),
        ("Los turnos van de 8:00 a 15:00.", "Turnos", False),
        ("La entrega tarda de 2 a 3 días.", "Horario", False),
        ("Caben de 10 a 20 personas.", "Horario", False),
        ("La tienda abre a las 9:00.", "Tienda", False),
    ],
)
def test_a_timetable_says_from_when_to_when(text: str, title: str, is_one: bool):
    [unit] = passage_units(passage(text))
    assert is_timetable(unit, ("Manual", title)) is is_one


def test_the_whole_timetable_is_shown_and_of_a_day_its_row_first():
    parts = [replace(passage(HOURS), heading_path=("Tienda", "Horario al público"))]
    matches = [[Match(0.75, 0.7, 0.75)] * len(passage_units(parts[0]))]
    for question, days in (
        ("¿Cuál es el horario de apertura y cierre?", ("De lunes a viernes", "Sábado", "Domingo")),
        ("¿A qué hora abre la tienda el sábado?", ("Sábado",)),
    ):
        text = compose(question, parts, score_units(question, parts, matches), [0.9]).text
        assert [day for day in ("De lunes a viernes", "Sábado", "Domingo") if day in text] == list(days)
