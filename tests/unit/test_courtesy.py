import pytest

from tutor.courtesy import courtesy_reply, is_courtesy


@pytest.mark.parametrize("text", ["Hola", "¡Hola, buenas!", "ola buenas", "Buenos días, ¿qué tal?", "hey"])
def test_a_greeting_is_greeted_back(text):
    assert courtesy_reply(text).startswith("Hola.")


@pytest.mark.parametrize("text", ["gracias", "Vale, muchas gracias!", "ok perfecto", "Adiós, gracias por todo"])
def test_thanks_and_farewells_are_answered_in_kind(text):
    assert courtesy_reply(text).startswith("De nada.")


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("¿Quién eres?", "Soy el tutor"),
        ("Hola, ¿en qué puedes ayudarme?", "Soy el tutor"),
        ("¿De qué puedes ayudarme?", "Soy el tutor"),
        ("¿Qué documentos hay?", "Los documentos que puedes leer"),
        ("Quiero hablar con una persona", "Para hablar con una persona"),
        ("puedo hablar con alguien por favor", "Para hablar con una persona"),
    ],
)
def test_who_asks_about_the_tutor_is_told(text, begins):
    assert courtesy_reply(text).startswith(begins)


@pytest.mark.parametrize(
    "text",
    [
        "¿Qué documentos hay que presentar?",
        "¿Qué manuales hay que leer al entrar?",
        "¿Quién eres tú para abrir la caja?",
        "¿Puedo hablar con una persona menor sin sus padres?",
        "¿Con quién hablo si falta dinero?",
        "hola, ¿a qué hora se abre?",
        "Buenas tardes: ¿qué digo al teléfono?",
        "¿Qué vale el queso?",
        "gracias a quién le doy el tique",
        "¿Cómo va la cortadora?",
        "¿Y el domingo?",
        "otra vez",
        "¿De verdad?",
        "equipo",
        "por la ayuda",
        "muy",
        "",
    ],
)
def test_whoever_asks_something_besides_is_asking(text):
    assert not is_courtesy(text)
    assert courtesy_reply(text) == ""
