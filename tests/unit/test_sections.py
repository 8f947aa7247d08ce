"""Small sections that share a passage keep their own headings."""

from dataclasses import replace

import pytest

from retrieval.types import Passage
from tests.unit.answers import answer
from tests.unit.passages import passage
from tutor.cutting import cut_units, passage_units
from tutor.scoring import Match, score_units
from tutor.sections import heading_path_at, headings_of
from tutor.units import UnitKind

TEXT = (
    "Cámara frigorífica\nTemperatura de trabajo: 3-5 ºC.\n\nVitrina de bacalao\nTemperatura de trabajo: 0-2 ºC.\n\n"
    "Vitrina de encurtidos\nTemperatura de trabajo: 4-6 ºC."
)
TITLES = ("Cámara frigorífica", "Vitrina de bacalao", "Vitrina de encurtidos")


def merged() -> Passage:
    sections = [{"start": TEXT.index(title), "heading_path": ["Plan", title]} for title in TITLES]
    return replace(passage(TEXT), heading_path=("Plan", TITLES[-1]), locator={"sections": sections})


def test_each_place_of_a_merged_passage_has_the_headings_of_its_own_section():
    one = merged()
    assert [heading_path_at(one, TEXT.index(f"{degrees} ºC")) for degrees in ("3-5", "0-2", "4-6")] == [
        ("Plan", title) for title in TITLES
    ]
    assert headings_of(one) == ("Plan", TITLES[-1], *TITLES[:-1])
    assert [unit.text for unit in passage_units(one) if unit.kind is UnitKind.HEADING] == list(TITLES)


def test_a_passage_of_one_section_has_its_own_headings_everywhere():
    one = replace(passage("Son 30 días."), heading_path=("Manual", "2.1 Plazos"))
    assert heading_path_at(one, 5) == ("Manual", "2.1 Plazos")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("¿A qué temperatura está la cámara frigorífica?", "Cámara frigorífica: Temperatura de trabajo: 3-5 ºC."),
        ("¿A qué temperatura está la vitrina de bacalao?", "Vitrina de bacalao: Temperatura de trabajo: 0-2 ºC."),
        ("temperatura de la vitrina de encurtidos", "Vitrina de encurtidos: Temperatura de trabajo: 4-6 ºC."),
    ],
)
def test_the_section_that_the_question_names_answers_and_no_other(question: str, text: str):
    one = merged()
    best = max(score_units(question, [one], [[Match()] * len(passage_units(one))]), key=lambda choice: choice.score)
    assert heading_path_at(one, best.unit.start)[-1] == text.split(":")[0]
    assert answer(question, one).text.startswith(f"{text} [Fuente 1]")


def test_a_line_taken_for_a_heading_that_ends_with_a_full_stop_says_something():
    one = merged()
    listed = replace(one, locator={"sections": [{"start": 0, "heading_path": ["Plan", "9 Apio y derivados."]}]})
    assert "9 Apio y derivados." not in headings_of(listed)


def test_a_heading_that_names_a_price_is_kept_as_what_is_sold():
    (unit,) = cut_units("Salmón a la plancha 25 $\n\nCon puré de batata.", headings=["Salmón a la plancha 25 $"])
    assert unit.may_answer
    assert "Con puré" in unit.text
