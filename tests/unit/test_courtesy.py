import pytest

from tutor.courtesy import courtesy_reply, is_courtesy


@pytest.mark.parametrize("text", ["Hola", "¡Hola, buenas!", "ola buenas", "Buenos días, ¿qué tal?", "hey"])
def test_a_greeting_is_greeted_back(text):
    assert courtesy_reply(text).startswith("Hola.")


@pytest.mark.parametrize("text", ["gracias", "Vale, muchas gracias!", "ok perfecto", "Adiós, gracias por todo"])
def test_thanks_and_farewells_are_answered_in_kind(text):
    assert courtesy_reply(text).startswith("De nada.")


@pytest.mark.parametrize(
    "text",
    [
        "hola, ¿a qué hora se abre?",
        "Buenas tardes: ¿qué digo al teléfono?",
        "¿Qué vale el queso?",
        "gracias a quién le doy el tique",
        "¿Cómo va la cortadora?",
        "¿Y el domingo?",
        "",
    ],
)
def test_whoever_asks_something_besides_is_asking(text):
    assert not is_courtesy(text)
    assert courtesy_reply(text) == ""
