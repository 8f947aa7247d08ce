"""Right and wrong answers."""

import pytest

from courses.grading import Question, is_right, percent

CHOICE = Question("single_choice", ["10 días", "30 días", "60 días"], [1])
ORDER = Question("order", ["Contar", "Anotar", "Guardar"], [])
FILL = Question("fill", [], ["1.500", "1500", "mil quinientos"])
HOURS = Question("fill", [], ["48"], "Completa con una cifra: «Se devuelve ____ horas antes, en caja».")


@pytest.mark.parametrize(
    ("question", "given"),
    [
        (CHOICE, ["30 días"]),
        (ORDER, ["Contar", "Anotar", "Guardar"]),
        (FILL, ["1500"]),
        (FILL, [" 1 500 "]),
        (FILL, ["Mil Quinientos"]),
        (HOURS, ["48"]),
        (HOURS, ["48 horas"]),
        (HOURS, ["48 Horas antes"]),
    ],
)
def test_right_answers(question: Question, given: list[str]):
    assert is_right(question, given)


@pytest.mark.parametrize(
    ("question", "given"),
    [
        (CHOICE, ["10 días"]),
        (CHOICE, []),
        (CHOICE, ["30 días", "10 días"]),
        (ORDER, ["Anotar", "Contar", "Guardar"]),
        (ORDER, ["Contar", "Anotar"]),
        (FILL, ["15"]),
        (FILL, ["1,500"]),
        (FILL, [""]),
        (HOURS, ["48 días"]),
        (HOURS, ["horas"]),
        (HOURS, ["24 horas"]),
    ],
)
def test_wrong_answers(question: Question, given: list[str]):
    assert not is_right(question, given)


def test_a_share_is_rounded_down():
    assert percent(2, 3) == 66
    assert percent(0, 0) == 100
