"""Other words for the same, and for the opposite."""

import pytest

from tutor.vocabulary import kin, says_the_opposite
from tutor.wording import stems


def _one(word: str) -> str:
    (found,) = stems(word)
    return found


@pytest.mark.parametrize(
    ("asked", "written"),
    [("ahoga", "respirar"), ("inchando", "hinchazón"), ("metálico", "efectivo"), ("aprobar", "autoriza")],
)
def test_everyday_words_meet_those_of_a_manual_misspelt_or_not(asked, written):
    assert _one(written) in kin(_one(asked))


def test_a_title_about_the_opposite_is_told_from_the_right_one():
    asked = stems("pasos para hacer un respaldo")
    assert says_the_opposite(asked, stems("Restauración de la base de datos"))
    assert not says_the_opposite(asked, stems("Respaldo y restauración de datos"))
