import json
from pathlib import Path

import pytest

from retrieval.followups import Form, Found, form_of, goes_on, topics_of, with_topic, without_opening

CONVERSATIONS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "benchmarks/data/conversations.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("¿y para los becarios?", Form.OPEN),
        ("¿Y si es festivo?", Form.OPEN),
        ("y en verano?", Form.OPEN),
        ("pero ¿y los domingos?", Form.OPEN),
        ("and on Sundays?", Form.OPEN),
        ("e os domingos?", Form.OPEN),
        ("¿cuánto tiempo?", Form.EMPTY),
        ("¿CUÁNTO TARDA?", Form.EMPTY),
        ("¿por qué?", Form.EMPTY),
        ("¿y eso?", Form.EMPTY),
        ("no", Form.EMPTY),
        ("", Form.EMPTY),
        ("¿?", Form.EMPTY),
        ("¿quién lo firma?", Form.OPEN),
        ("con cuanta antelacion las pido", Form.OPEN),
        ("quien me las aprueba", Form.OPEN),
        ("¿dónde lo devuelvo?", Form.OPEN),
        ("¿cómo puedo cambiarlo si llueve?", Form.OPEN),
        ("¿a qué hora la abren los lunes?", Form.OPEN),
        ("¿me las aprueba mi jefe?", Form.OPEN),
        ("¿Se lo tengo que decir a alguien si pierdo las llaves?", Form.WHOLE),
        ("¿A quién se lo digo si se rompe el congelador?", Form.SHORT),
        ("¿Cómo lo hago para pedir vacaciones?", Form.SHORT),
        ("¿Se puede entrar a las veinticuatro horas?", Form.SHORT),
        ("las vacaciones cuándo las pido", Form.SHORT),
        ("¿dónde guardo las llaves?", Form.SHORT),
        ("¿a qué hora abren? a las ocho", Form.SHORT),
        ("¿dónde están los documentos de la empresa que hay que firmar?", Form.WHOLE),
        ("¿cuándo la caja de la tienda no cuadra?", Form.WHOLE),
        ("temperatura del congelador", Form.SHORT),
        ("E-4711", Form.SHORT),
        ("¿Por qué tiene huevo el queso curado de oveja?", Form.WHOLE),
        ("¿Qué plazo hay para devolver una lata de conservas?", Form.WHOLE),
        ("la paella lleva marisco?", Form.WHOLE),
    ],
)
def test_the_wording_tells_what_a_question_leaves_out(question, form):
    assert form_of(question) is form


@pytest.mark.parametrize("talk", [talk for talk in CONVERSATIONS if talk["kind"] == "follow_up"], ids=str)
def test_no_follow_up_is_taken_for_a_whole_question(talk):
    assert form_of(talk["question"]) is not Form.WHOLE
    assert topics_of(talk["history"])


@pytest.mark.parametrize("talk", [talk for talk in CONVERSATIONS if talk["kind"] == "change"], ids=str)
def test_no_change_of_topic_is_taken_for_a_question_without_one(talk):
    assert form_of(talk["question"]) is not Form.EMPTY


def test_the_topic_is_the_latest_question_that_names_one():
    long = "¿Por qué tiene huevo el queso curado de oveja?"
    assert topics_of(["¿A qué hora llega el pan?", long, "¿y el fresco?", "¿por qué?"]) == [long]


def test_a_short_topic_comes_with_the_one_before_it_as_well():
    assert topics_of(["¿Qué hago tras una reacción?", "¿a quién llamo?"]) == [
        "¿a quién llamo?",
        "¿Qué hago tras una reacción? ¿a quién llamo?",
    ]


def test_where_every_question_takes_up_something_the_fullest_is_the_topic():
    assert topics_of(["¿y el pan sin gluten cómo se pide?", "¿y se tuesta?"]) == ["¿y el pan sin gluten cómo se pide?"]


def test_what_takes_up_the_topic_is_no_part_of_what_is_named():
    assert without_opening("¿Y la E-402?") == "la E-402"
    assert without_opening("la E-402") == "la E-402"


@pytest.mark.parametrize("history", [[], ["¿por qué?", "¿y eso?", ""]])
def test_there_may_be_no_topic(history):
    assert topics_of(history) == []


def test_a_question_and_its_topic_are_one_text():
    assert with_topic("¿Cuánto cuesta?", "¿y en tienda?") == "¿Cuánto cuesta? ¿y en tienda?"


@pytest.mark.parametrize(
    ("form", "alone", "joined", "expected"),
    [
        (Form.EMPTY, Found(0.9, 1.0, 1.0), Found(0.1, 0.0, 0.0), True),  # there is nothing to search alone
        (Form.WHOLE, Found(0.2, 0.1, 0.1), Found(0.9, 1.0, 1.0), False),
        (Form.SHORT, Found(0.93, 1.0, 1.0), Found(0.98, 1.0, 1.0), True),
        (Form.SHORT, Found(0.98, 1.0, 1.0), Found(0.93, 1.0, 1.0), False),
        (Form.SHORT, Found(0.1, 0.4, 0.4), Found(0.84, 0.4, 0.0), False),  # only the topic makes it sure
        (Form.SHORT, Found(0.1, 0.0, 0.0), Found(0.84, 0.0, 0.0), False),  # nothing of it is anywhere
        (Form.OPEN, Found(0.1, 0.9, 0.9), Found(0.84, 0.2, 0.0), False),
        (Form.OPEN, Found(0.95, 1.0, 1.0), Found(0.94, 1.0, 1.0), True),
        (Form.OPEN, Found(0.77, 1.0, 1.0), Found(0.5, 1.0, 1.0), True),
        (Form.OPEN, Found(0.99, 1.0, 1.0), Found(0.58, 1.0, 1.0), False),  # far less sure
        (Form.OPEN, Found(0.99, 1.0, 1.0), Found(0.78, 0.0, 0.0), False),  # its own words are not there
    ],
)
def test_what_was_found_decides(form, alone, joined, expected):
    assert goes_on(form, alone, joined) is expected
