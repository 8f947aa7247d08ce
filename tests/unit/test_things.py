"""The things that questions name."""

import pytest

from tutor.things import named_things
from tutor.wording import stems


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("¿Cuál es la contraseña del correo?", "contraseña correo"),
        ("¿Tenéis una copa de vino?", "copa vino"),
        ("qué plazo hay para devolver las tazas", "tazas"),
        ("¿Se puede pagar en dólares?", "dólares"),
    ],
)
def test_words_behind_an_article_or_a_preposition_name_things(question: str, things: str):
    assert stems(things) <= named_things(question)


def test_verbs_and_question_words_name_nothing():
    assert named_things("¿Cómo se hace para devolver y por qué?").isdisjoint(stems("devolver hace"))
