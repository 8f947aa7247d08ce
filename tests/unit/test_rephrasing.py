"""«¿Y los domingos?» in whole words."""

import pytest

from retrieval.followups import Form, form_of
from retrieval.rephrasing import with_part_exchanged


@pytest.mark.parametrize(
    ("topic", "question", "whole"),
    [
        ("¿A qué hora abrimos los sábados?", "¿y los domingos?", "¿A qué hora abrimos los domingos?"),
        ("¿A qué hora abre la tienda los domingos?", "¿y la cafetería?", "¿A qué hora abre la cafetería los domingos?"),
        ("quién autoriza una devolución de 200 euros", "¿y de 20?", "quién autoriza una devolución de 20 euros"),
        ("¿Cuánto se guarda la hoja de temperaturas?", "¿y la de arqueo?", "¿Cuánto se guarda la hoja de arqueo?"),
        ("¿Lleva gluten la tortilla de patata?", "y el hummus", "¿Lleva gluten el hummus?"),
        ("¿Cuánto dura la nata en la cámara?", "¿y en el congelador?", "¿Cuánto dura la nata en el congelador?"),
        ("¿Qué hago si paga con tarjeta?", "¿y con Bizum?", "¿Qué hago si paga con Bizum?"),
    ],
)
def test_the_part_of_the_same_kind_is_exchanged(topic, question, whole):
    assert with_part_exchanged(topic, question) == whole


@pytest.mark.parametrize(
    "question",
    [
        "¿y cuándo se cierra?",
        "¿y quién firma la hoja de temperaturas?",
        "¿y si es festivo?",
        "¿Y el código de la alarma cada cuánto se cambia?",
        "¿y eso?",
        "los domingos",
        "",
    ],
)
def test_a_question_of_its_own_exchanges_nothing(question):
    assert with_part_exchanged("¿A qué hora abrimos los sábados?", question) == ""


def test_where_two_things_may_be_meant_none_is_exchanged():
    assert with_part_exchanged("¿Cuánto duran las vacaciones de la plantilla?", "¿y los becarios?") == ""


@pytest.mark.parametrize(
    ("topic", "question"),
    [
        ("¿Quién abre la tienda?", "¿y el encargado?"),  # a person is no thing that is opened
        ("¿Quiénes cierran la caja?", "¿y los becarios?"),
        ("¿Puedo devolver lo comprado en 2024?", "¿y 3 meses?"),
        ("¿Qué pasa con lo comprado en mayo de 2024?", "¿y 20 euros?"),
    ],
)
def test_what_is_of_another_kind_is_not_exchanged(topic, question):
    assert with_part_exchanged(topic, question) == ""


@pytest.mark.parametrize(
    ("topic", "question", "whole"),
    [
        ("¿Cuántos días de vacaciones tengo en 2025?", "¿y de baja?", "¿Cuántos días de baja tengo en 2025?"),
        (
            "¿Cuántas horas de formación se hacen al año?",
            "¿y de prácticas?",
            "¿Cuántas horas de prácticas se hacen al año?",
        ),
        ("¿Cuántos días de vacaciones tengo en 2025?", "¿y en 2026?", "¿Cuántos días de vacaciones tengo en 2026?"),
        ("¿Cuántos días de vacaciones tengo en 2025?", "¿y 2026?", "¿Cuántos días de vacaciones tengo en 2026?"),
        ("¿Qué días libres hay en 2025 con 3 hijos?", "¿y 2026?", "¿Qué días libres hay en 2026 con 3 hijos?"),
        ("¿A quién aviso si falta el jefe?", "¿y el encargado?", "¿A quién aviso si falta el encargado?"),
        ("¿Quién autoriza las devoluciones?", "¿y los descuentos?", "¿Quién autoriza los descuentos?"),
        ("¿Quién da 200 euros de caja en 2024?", "¿y 20?", "¿Quién da 20 euros de caja en 2024?"),
        ("¿Qué hago con 2000 euros de caja?", "¿y con 300?", "¿Qué hago con 300 euros de caja?"),
    ],
)
def test_the_verb_and_the_year_stay_where_they_are(topic, question, whole):
    assert with_part_exchanged(topic, question) == whole


def test_a_question_with_its_own_verb_and_thing_stands_alone():
    assert form_of("¿y quién firma la hoja de temperaturas?") is Form.WHOLE


def test_an_amount_names_nothing_by_itself():
    assert form_of("¿y de 20?") is Form.EMPTY
