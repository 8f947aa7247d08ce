"""Quizzes as forms: options shuffled, steps numbered, answers in words."""

import pytest

from courses.answer_forms import QuizForm
from courses.grading import shuffled
from courses.models import QuizItem, QuizKind

STEPS = QuizItem(pk=7, kind=QuizKind.ORDER, question="¿En qué orden?", options=["Contar", "Anotar", "Guardar"])
FIGURE = QuizItem(pk=8, kind=QuizKind.FILL, question="¿Cuántos días?", answer=["30"])


def quiz(data: dict[str, str] | None = None, *, number: int = 1) -> QuizForm:
    return QuizForm(data, items=[STEPS, FIGURE], user_id=5, number=number)


def numbered(form: QuizForm, wanted: list[str]) -> dict[str, str]:
    """The fields that put the steps in the wanted order."""
    [steps, _figure] = form.questions()
    return {field.html_name: str(wanted.index(str(field.label)) + 1) for field in steps.fields}


def test_options_come_in_the_same_order_for_one_seed_and_in_others_for_others():
    options = ["uno", "dos", "tres", "cuatro", "cinco"]
    assert shuffled(options, seed="a") == shuffled(options, seed="a")
    assert len({tuple(shuffled(options, seed=str(seed))) for seed in range(20)}) > 5
    assert sorted(shuffled(options, seed="a")) == sorted(options)


def test_steps_are_never_shown_solved():
    assert all(shuffled(["a", "b"], seed=str(seed), solved=["a", "b"]) == ["b", "a"] for seed in range(10))
    assert shuffled(["a", "a"], seed="x", solved=["a", "a"]) == ["a", "a"]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_numbered_steps_and_figures_are_read_in_words(number: int):
    data = {**numbered(quiz(number=number), ["Anotar", "Contar", "Guardar"]), "q8": "30", "number": str(number)}
    form = quiz(data, number=9)  # the page that was answered counts, not the next one
    assert form.is_valid(), form.errors
    assert form.given() == {7: ["Anotar", "Contar", "Guardar"], 8: ["30"]}


@pytest.mark.parametrize("numbers", [["1", "1", "2"], ["1", "", ""], ["", "", ""], ["1", "2", "9"]])
def test_steps_need_a_number_each(numbers: list[str]):
    form = quiz({**{f"q7-{at}": number for at, number in enumerate(numbers)}, "q8": "30", "number": "1"})
    assert not form.is_valid()
    assert form.questions()[0].errors


@pytest.mark.parametrize("number", ["", "x", "-1", "9" * 30])
def test_a_page_number_that_is_none_is_refused(number: str):
    form = quiz({"q8": "30", "number": number})
    assert not form.is_valid()
    assert "number" in form.errors
