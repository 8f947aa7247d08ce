"""Other words for the same, and for the opposite."""

import pytest

from tutor.vocabulary import kin, opposites, says_the_opposite
from tutor.wording import stems


def _one(word: str) -> str:
    (found,) = stems(word)
    return found


@pytest.mark.parametrize(
    ("asked", "written"),
    [("ahoga", "respirar"), ("inchando", "hinchazón"), ("aprobar", "autoriza")],
)
def test_everyday_words_meet_those_of_a_manual_misspelt_or_not(asked, written):
    assert _one(written) in kin(_one(asked))


def test_paying_with_coins_is_paying_in_cash_and_metal_is_not():
    assert stems("¿Se paga en metálico?") == stems("¿Se paga en efectivo?")
    assert not kin(_one("metal")) and not kin(_one("metálica"))


_COMMON = """
    fuerza esfuerzo reforzar grano gran grande metal metálico metálica grave graves gravedad inflamable inflamables
    movilidad actividad actividades borrador borradores diferido diferida soldar soldador costura costumbre pico
    ambulante restaurante solar timón humano humedad fuga ronda emergente multitud imaginar tecnología camino robot
    instante
"""


@pytest.mark.parametrize("word", _COMMON.split())
def test_no_common_word_is_taken_for_one_of_another_meaning(word: str):
    assert not kin(_one(word)) | opposites(_one(word))


def test_calling_somebody_has_nothing_to_do_with_a_fire():
    assert _one("fuego") not in kin(_one("llamo"))


def test_a_title_about_the_opposite_is_told_from_the_right_one():
    asked = stems("pasos para hacer un respaldo")
    assert says_the_opposite(asked, stems("Restauración de la base de datos"))
    assert not says_the_opposite(asked, stems("Respaldo y restauración de datos"))


def test_a_closed_throat_is_trouble_with_breathing():
    assert not stems("se le ha cerrado la garganta").isdisjoint(
        frozenset().union(*map(kin, stems("dificultad para respirar")))
    )


def test_what_people_call_events_of_their_lives_is_what_a_list_of_leaves_calls_them():
    for asked, written in (("se ha muerto mi abuelo", "Fallecimiento de un familiar"), ("paternidad", "Nacimiento")):
        assert any(kin(word) & stems(written) for word in stems(asked))
