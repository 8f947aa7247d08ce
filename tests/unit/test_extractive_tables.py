"""Answers made of the rows of tables."""

from dataclasses import replace

import pytest

from tests.unit.answers import answer
from tests.unit.passages import TABLE, passage
from tutor.extractive import compose
from tutor.scoring import Match, score_units
from tutor.wording import word_count


def test_a_table_too_long_to_be_shown_whole_says_where_it_is_cut():
    rows = "\n".join(
        f"{name} | Nave número {at} del edificio nuevo | Turno {at}"
        for at, name in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    )
    whole = replace(passage(f"Puesto | Lugar | Turno\n{rows}"), heading_path=("Los puestos de la planta",))
    lines = answer("¿Cuáles son los puestos de la planta?", whole).text.splitlines()
    assert lines[0] == "- A; Nave número 0 del edificio nuevo; Turno 0 [Fuente 1]"
    assert lines[-2:] == ["", "…"]


def test_a_table_row_is_shown_with_its_headers():
    draft = answer("¿Qué plazo tienen los vinos y licores?", passage(TABLE))
    assert draft.text == "- Vinos y licores — Plazo: 15 días naturales; Condición: Precinto intacto [Fuente 1]"
    assert draft.sources[0].quote == "Vinos y licores | 15 días naturales | Precinto intacto"


def test_each_of_two_things_asked_about_has_its_row():
    draft = answer("¿Qué plazo tienen el menaje y el queso al corte?", passage(TABLE))
    assert {line.split(" — ")[0] for line in draft.text.splitlines()} == {"- Menaje", "- Queso al corte"}


def test_a_comma_that_joins_no_things_brings_no_other_row():
    draft = answer("Si vendo menaje un lunes, ¿qué plazo tienen los vinos y licores?", passage(TABLE))
    assert [line.split(" — ")[0] for line in draft.text.splitlines()] == ["- Vinos y licores"]


def test_a_first_column_of_amounts_is_named():
    table = "Antigüedad | Días de vacaciones\n3 años | 24\n10 años | 26"
    draft = answer("¿Cuántos días de vacaciones hay con una antigüedad de 3 años?", passage(table))
    assert "Antigüedad: 3 años; Días de vacaciones: 24" in draft.text


def test_a_first_column_of_numbers_is_named():
    table = "Paso | Tarea\n1 | Apagar la freidora\n2 | Vaciar la freidora"
    draft = answer("¿En qué paso se vacía la freidora?", passage(table))
    assert "Paso: 2; Tarea: Vaciar la freidora" in draft.text


def test_a_wide_row_shows_what_the_question_asks_about():
    header = " | ".join(f"Columna {number}" for number in range(30))
    row = " | ".join(f"valor {number} de relleno" for number in range(30)).replace("valor 27", "teléfono 27")
    draft = answer("¿Cuál es el teléfono?", passage(f"{header}\n{row}\n{row.replace('valor', 'dato')}"))
    assert "Columna 27: teléfono 27 de relleno" in draft.text
    assert word_count(draft.text) <= 160


RETURNS = """Importe de la devolución | Quién autoriza
Hasta 30 € | Dependienta
De 30,01 € a 150 € | Encargada de turno
Más de 150 € | Responsable de tienda"""


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("¿Quién autoriza una devolución de 95 euros?", "Encargada de turno"),
        ("devolución de 20 €, quién la autoriza", "Dependienta"),
        ("¿Quién autoriza una devolución de 300 €?", "Responsable de tienda"),
    ],
)
def test_of_a_table_of_amounts_the_row_that_decides_stands_alone(question, row):
    text = answer(question, passage(RETURNS)).text
    assert row in text
    assert text.count("Quién autoriza:") == 1


def test_a_table_asked_for_as_a_whole_is_shown_whole():
    kinds = "\n".join(f"{number} | Cosa {name}" for number, name in enumerate(("roja", "azul", "verde", "gris"), 1))
    whole = replace(passage(f"N.º | Color\n{kinds}"), heading_path=("Los cuatro colores",))
    other = passage("La norma habla de cuatro colores en total.", chunk_id=2, document_id=2)
    text = answer("¿Cuáles son los cuatro colores?", other, whole).text
    assert all(name in text for name in ("roja", "azul", "verde", "gris"))


SHIFTS = """Lugar | Turno | Entrada
Taller | Mañana | 6:00
Taller | Tarde | 14:00
Taller | Noche (solo línea 3) | 22:00"""


def test_each_of_two_things_has_its_row_though_their_first_cells_are_the_same():
    question, passages = "horario del taller de mañana y de noche", [passage(SHIFTS)]
    matches = [[Match(nearness, nearness, nearness) for nearness in (0.5, 0.4, 0.6)]]
    text = compose(question, passages, score_units(question, passages, matches), [0.9]).text
    assert [name for name in ("Mañana", "Tarde", "Noche") if name in text] == ["Mañana", "Noche"]
