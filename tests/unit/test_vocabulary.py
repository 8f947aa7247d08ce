"""Other words for the same, and for the opposite."""

import pytest

from tutor.vocabulary import kin, opposites, says_the_opposite
from tutor.wording import stems


def _one(word: str) -> str:
    (found,) = stems(word)
    return found


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("ahoga", "respirar"),
        ("inchando", "hinchazón"),
        ("aprobar", "autoriza"),
        ("pendrive", "USB"),
        ("parar", "detiene"),
    ],
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
    instante términos terminal extintor extintores pesos
"""


@pytest.mark.parametrize("word", _COMMON.split())
def test_no_common_word_is_taken_for_one_of_another_meaning(word: str):
    assert not kin(_one(word)) | opposites(_one(word))


@pytest.mark.parametrize("word", ["orden", "ordenar", "órdenes", "ordenado"])
def test_a_computer_is_no_order(word: str):
    assert _one("ordenador") != _one(word)
    assert _one("dispositivo") not in kin(_one(word))
    assert _one("dispositivo") in kin(_one("ordenadores"))


def test_who_smokes_is_asked_about_with_tobacco():
    assert all(_one("tabaco") in kin(_one(word)) for word in ("fuma", "fuman", "fumadores"))


def test_calling_somebody_has_nothing_to_do_with_a_fire():
    assert _one("fuego") not in kin(_one("llamo"))


def test_a_title_about_the_opposite_is_told_from_the_right_one():
    asked = stems("pasos para hacer un respaldo")
    assert says_the_opposite(asked, stems("Restauración de la base de datos"))
    assert not says_the_opposite(asked, stems("Respaldo y restauración de datos"))


def test_who_asks_for_both_of_two_opposites_gets_either():
    asked = stems("¿Cuál es el horario de apertura y cierre?")
    assert not says_the_opposite(asked, stems("La tienda abre a las 9:00."))
    assert not says_the_opposite(asked, stems("La tienda cierra a las 22:00."))
    assert says_the_opposite(stems("¿A qué hora se abre?"), stems("La tienda cierra a las 22:00."))


def test_who_asks_whether_it_is_open_is_answered_by_closed():
    asked, closed = stems("¿Se abre los domingos?"), stems("Los domingos está cerrada.")
    assert not says_the_opposite(asked, closed, asks_whether=True)
    assert says_the_opposite(asked, closed)
    assert says_the_opposite(stems("¿Se restaura solo?"), stems("Haz una copia de respaldo."), asks_whether=True)


def test_a_closed_throat_is_trouble_with_breathing():
    assert not stems("se le ha cerrado la garganta").isdisjoint(
        frozenset().union(*map(kin, stems("dificultad para respirar")))
    )


def test_what_people_call_events_of_their_lives_is_what_a_list_of_leaves_calls_them():
    for asked, written in (("se ha muerto mi abuelo", "Fallecimiento de un familiar"), ("paternidad", "Nacimiento")):
        assert any(kin(word) & stems(written) for word in stems(asked))
