"""Whether what an answer says stands in what it cites."""

from dataclasses import replace

import pytest

from retrieval.types import Passage
from tests.unit.passages import passage
from tutor.faithfulness import judged_statements, stands

RULE = replace(
    passage(
        "El cliente dispone de 30 días para devolver. El reembolso tarda 5 días.\n\nSe hace así:\n1. Pide el tique.\n"
        "2. Mira el estado\ndel producto."
    ),
    heading_path=("Devoluciones", "2.1 Plazo general"),
)
TABLE = passage("Producto | Plazo | Envase\nConservas | 15 días | cerrado\nVino | 20 días; con tique | –")


@pytest.mark.parametrize(
    "words",
    [
        "El cliente dispone de 30 días para devolver.",
        "el cliente dispone de 30 dias",
        "El cliente dispone de 30…",
        "Mira el estado del producto.",
        "Plazo general: El reembolso tarda 5 días.",
        "Plazo general:",
    ],
)
def test_what_stands_there_is_faithful(words):
    assert stands(words, RULE)


@pytest.mark.parametrize(
    "words",
    [
        "El cliente dispone de 31 días para devolver.",
        "El cliente no dispone de 30 días para devolver.",
        "El cliente dispone de 5 días.",
        "Reembolsos: El reembolso tarda 5 días.",
        "Plazo general: El reembolso tarda 15 días.",
        "Plazo especial:",
        "30 días para devolver: El reembolso tarda 5 días.",
        "0 días para devolver.",
        "El cliente dispone de 3",
        "eneral: El reembolso tarda 5 días.",
        "azo general:",
    ],
)
def test_what_was_changed_added_or_put_together_is_not(words):
    assert not stands(words, RULE)


FORBIDDEN = replace(
    passage("Queda prohibido:\n\n- Durante la jornada:\n  - Usar el móvil.\n\nEl descanso dura 20 minutos."),
    heading_path=("3. Prohibiciones", "3.1 En sala"),
)


@pytest.mark.parametrize(
    "words",
    ["Prohibiciones: En sala: Usar el móvil.", "Prohibiciones: En sala:", "Queda prohibido: Durante la jornada:"],
)
def test_several_headings_or_introductions_may_stand_above(words):
    assert stands(words, FORBIDDEN)


@pytest.mark.parametrize(
    "words", ["Permisos: En sala: Usar el móvil.", "El descanso: Durante la jornada:", "Sala: No:"]
)
def test_nothing_else_may_stand_above(words):
    assert not stands(words, FORBIDDEN)


def test_a_row_may_name_its_columns_but_takes_no_cell_of_another_row():
    assert stands("Conservas — Plazo: 15 días; Envase: cerrado", TABLE)
    assert stands("Conservas; 15 días; cerrado", TABLE)
    assert stands("Vino — Plazo: 20 días; con tique; Envase: –", TABLE)
    assert stands("Conservas — Plazo: 15…; Envase: cerrado; …", TABLE)
    assert stands("Conservas — Plazo: 15…", TABLE)
    assert not stands("Conservas — Plazo: 20 días; Envase: cerrado", TABLE)
    assert not stands("Conservas — Coste: 15 días", TABLE)
    assert not stands("Conservas — Plazo: 1…; Envase: cerrado", TABLE)


@pytest.mark.parametrize(
    "words",
    [
        "Conservas; Plazo: 5 días",
        "Conservas — Plazo: 5 días; Envase: cerrado",
        "Vino; Envase: 20 días; con tique",
        "Conservas — Envase: –",
        "Conservas; cerrado; 15 días",
        "Conservas; 15 días; cerrado; no",
    ],
)
def test_a_cell_is_whole_and_stays_in_its_column(words):
    assert not stands(words, TABLE)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("18 °C como máximo", "Se guarda a -18 °C como máximo."),
        ("5 kg", "Pesa 2,5 kg."),
        ("Abre a las 10", "Abre a las 10:30."),
        ("Cuesta 3", "Cuesta 3,50 euros."),
        ("15 días", "Tarda de 10-15 días."),
    ],
)
def test_a_part_of_a_number_is_another_number(words, text):
    assert not stands(words, passage(text))


def test_a_row_with_many_cells_alike_is_soon_read():
    names = " | ".join(f"C{number}" for number in range(40))
    table = passage(f"Plato | {names}\nSopa" + " | no" * 40)
    assert not stands("Sopa" + "; no" * 20 + "; sí", table)
    assert stands("Sopa" + "; no" * 20 + "; C39: no", table)


def test_every_statement_is_judged_by_the_source_it_cites():
    other = passage("El horno se limpia cada noche.")
    text = (
        "El cliente dispone de 30 días para devolver. [Fuente 1] El horno se limpia cada noche. [Fuente 1]\n\n"
        "El horno se limpia cada noche. [Fuente 2]"
    )
    assert judged_statements(text, {1: RULE, 2: other}) == [
        ("El cliente dispone de 30 días para devolver.", True),
        ("El horno se limpia cada noche.", False),
        ("El horno se limpia cada noche.", True),
    ]


def test_steps_are_cited_by_what_introduces_or_closes_them():
    led = "Se hace así: [Fuente 1]\n\n1. Pide el tique.\n2. Mira el estado del producto.\n\n…"
    closed = "1. Pide el tique.\n2. Mira el estado del producto. [Fuente 1]"
    altered = "1. Pide el DNI.\n2. Mira el estado del producto. [Fuente 1]"
    assert [right for _words, right in judged_statements(led, {1: RULE})] == [True] * 3
    assert [right for _words, right in judged_statements(closed, {1: RULE})] == [True] * 2
    assert [right for _words, right in judged_statements(altered, {1: RULE})] == [False, True]


def test_what_cites_nothing_is_not_faithful():
    assert judged_statements("El reembolso tarda 5 días.", {1: RULE}) == [("El reembolso tarda 5 días.", False)]


SHIFTS = passage("Mañanas: Ana García. Tardes: Luis Pérez.")
SMOKING = passage("Permitido:\n\n- Comer en la sala.\n\nProhibido:\n\n- Fumar en la sala.\n\nEl descanso es breve.")
ASKED = passage("¿Se puede fumar?\nNo en la sala.\n\n¿Se puede comer?\nSí, en la cocina.")


@pytest.mark.parametrize(
    ("words", "source", "is_so"),
    [
        ("Mañanas: Ana García.", SHIFTS, True),
        ("Mañanas: Luis Pérez.", SHIFTS, False),
        ("Tardes: Ana García.", SHIFTS, False),
        ("Prohibido: Fumar en la sala.", SMOKING, True),
        ("Permitido: Fumar en la sala.", SMOKING, False),
        ("Prohibido: Comer en la sala.", SMOKING, False),
        ("Prohibido: El descanso es breve.", SMOKING, False),
        ("¿Se puede comer? Sí, en la cocina.", ASKED, True),
        ("¿Se puede fumar? Sí, en la cocina.", ASKED, False),
    ],
)
def test_a_label_stands_only_before_what_is_below_it(words: str, source: Passage, is_so: bool):
    assert stands(words, source) is is_so


def test_a_heading_stands_only_before_what_its_section_says():
    text = "Se admite con tique.\n\nSe admite sin tique."
    sections = [{"start": 0, "heading_path": ["Menaje"]}, {"start": 22, "heading_path": ["Vinos"]}]
    merged = replace(passage(text), locator={"sections": sections}, heading_path=("Devoluciones",))
    assert stands("Menaje: Se admite con tique.", merged)
    assert stands("Vinos: Se admite sin tique.", merged)
    assert not stands("Vinos: Se admite con tique.", merged)
