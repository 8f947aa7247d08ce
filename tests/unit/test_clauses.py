"""Clauses that are asked for by their number."""

import pytest

from tests.unit.answers import answer
from tests.unit.passages import passage
from tutor.clauses import asked_clause, is_clause

CLAUSES = """4.2.3 La decisión se toma en una semana.

4.2.4 Las piezas se verifican antes de volver a la línea. No se admite más de un reproceso.

9.1 Se cambia la cláusula 4.2.4. Se sube el límite de la cláusula 4.2.5."""


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("¿Qué dice la cláusula 4.2.4?", "4.2.4"),
        ("apartado 4.2", "4.2"),
        ("el punto n.º 5.3 del manual", "5.3"),
        ("¿Qué dice la cláusula quinta?", ""),
        ("la versión 4.2.4", ""),
        ("artículo 12", ""),
    ],
)
def test_a_question_asks_for_a_clause_by_its_number(question, number):
    assert asked_clause(question) == number


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("4.2.4 Las piezas", True),
        ("4.2.4. Las piezas", True),
        ("Apartado 4.2.4: las piezas", True),
        ("4.2.41 Las piezas", False),
        ("4.2.4.1 Las piezas", False),
        ("Se cambia la cláusula 4.2.4", False),
    ],
)
def test_a_clause_begins_with_its_number(text, found):
    assert is_clause("4.2.4", text) is found


def test_without_a_number_nothing_is_the_clause():
    assert not is_clause("", "4.2.4 Las piezas")


def test_the_clause_answers_and_not_what_mentions_it():
    text = answer("¿Qué dice la cláusula 4.2.4?", passage(CLAUSES)).text
    assert text.startswith("4.2.4 Las piezas se verifican")
    assert "Se cambia" not in text


def test_a_clause_is_shown_to_its_end():
    text = "4.2 Plazo. El plazo es de un mes. Se cuenta desde el día siguiente.\n\n4.3 Pago. Se paga al contado."
    shown = answer("¿Qué dice la cláusula 4.2?", passage(text)).text
    assert "El plazo es de un mes." in shown
    assert "Se cuenta desde el día siguiente." in shown
    assert "al contado" not in shown
