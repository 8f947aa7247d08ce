"""What a question asks for, and whether a text holds it."""

from dataclasses import replace

import pytest

from tests.unit.passages import passage
from tutor.asking import (
    Wanted,
    asks_for_all,
    asks_several,
    asks_whether,
    defined_by,
    holds,
    lacked_in,
    rules,
    wanted_by,
)
from tutor.cutting import passage_units
from tutor.evidence import answer_signals
from tutor.headings_above import BELOW_TITLE
from tutor.scoring import Match, score_units
from tutor.word_weights import word_weights
from tutor.wording import asks_how, stems


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("¿Cuánto cuesta el envío?", Wanted.MONEY),
        ("kuanto cuesta el envio", Wanted.MONEY),
        ("¿Cada cuánto se limpia la cámara?", Wanted.DURATION),
        ("ke plazo hay para reclamar", Wanted.DURATION),
        ("¿Cuántas fotos hay que llevar?", Wanted.NUMBER),
        ("¿A qué hora se abre?", Wanted.TIME),
        ("cuando se abre", Wanted.TIME),
        ("¿Hasta cuándo puedo cambiar el turno?", Wanted.TIME),
        ("¿Cómo sé cuándo caduca el vale?", Wanted.TIME),
        ("¿Qué hago cuando llega una alerta?", Wanted.ANYTHING),
        ("¿Cómo se abona cuando no hay tique?", Wanted.ANYTHING),
        ("a quien aviso", Wanted.PERSON),
        ("cuanto tienpo se guarda", Wanted.DURATION),
        ("extencion de calidad", Wanted.CONTACT),
        ("¿Qué teléfono tiene el taller?", Wanted.CONTACT),
        ("¿Puedo grabar con el móvil?", Wanted.ANYTHING),
    ],
)
def test_what_is_asked_for_shows_in_the_words(question: str, wanted: Wanted):
    assert wanted_by(question) is wanted


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (Wanted.MONEY, "La recogida cuesta 3,90 €."),
        (Wanted.MONEY, "La entrega es gratuita."),
        (Wanted.DURATION, "Dentro de los quince (15) días hábiles siguientes."),
        (Wanted.DURATION, "La cámara se limpia mensualmente."),
        (Wanted.NUMBER, "Lleva tres fotos."),
        (Wanted.TIME, "Se limpia al final de la jornada."),
        (Wanted.PERSON, "Lo autoriza la encargada de turno."),
        (Wanted.PERSON, "Lo firma Marta."),
        (Wanted.CONTACT, "Escribe a taller@example.org."),
    ],
)
def test_a_text_that_holds_it_is_known(wanted: Wanted, text: str):
    assert holds(wanted, text)


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (Wanted.MONEY, "El envío tarda 3 días."),
        (Wanted.DURATION, "La cámara se limpia con agua caliente."),
        (Wanted.NUMBER, "Lleva fotos recientes."),
        (Wanted.PERSON, "Se autoriza por escrito."),
        (Wanted.CONTACT, "El taller está en la planta baja."),
    ],
)
def test_a_text_that_lacks_it_is_known(wanted: Wanted, text: str):
    assert not holds(wanted, text)


def test_words_that_sound_alike_meet_however_they_are_typed():
    assert stems("kiero debolber una boteya") == stems("quiero devolver una botella")
    assert asks_how("komo abro la caja")


def test_question_words_say_nothing_however_they_are_typed():
    assert stems("ke ago si no ay") == frozenset() == stems("qué hago si no hay")


def test_plain_numbers_are_no_words_to_look_for_and_codes_are():
    weights = word_weights("¿Quién aprueba 95 euros con el código E-4711 o el punto 1.4.4?", [])
    assert {"e4711", "1.4.4"} <= weights.keys()
    assert "95" not in weights


def test_the_row_of_a_code_scores_best():
    table = passage("Código | Qué pasa\nE-4711 | Tique usado\nE-4712 | Sin papel")
    choices = score_units("¿Qué es E-4712?", [table], [[Match()] * len(passage_units(table))])
    assert max(choices, key=lambda choice: choice.score).unit.text == "E-4712 | Sin papel"


@pytest.mark.parametrize("typed", ["e4711", "E-4711"])
def test_a_code_is_known_however_it_is_typed(typed: str):
    table = passage("Código | Qué pasa\nE-4711 | Tique usado\nE-4712 | Sin papel")
    choices = score_units(f"me sale {typed} en la caja", [table], [[Match()] * len(passage_units(table))])
    own = {choice.unit.text[:6]: choice.signals["own"] for choice in choices}
    assert own["E-4711"] > own["E-4712"]


def test_a_sentence_with_what_is_asked_for_is_preferred():
    text = passage("El taller arregla la cafetera. El taller tarda 15 días en la cafetera.")
    choices = score_units("¿Cuánto tarda el taller con la cafetera?", [text], [[Match()] * 2])
    assert max(choices, key=lambda choice: choice.score).index == 1


def test_evidence_says_when_what_is_asked_for_is_lacking():
    text = passage("El envío se hace por mensajero.")
    choices = score_units("¿Cuánto cuesta el envío?", [text], [[Match()]])
    assert answer_signals(choices)["no_type_around"] == 1.0
    assert answer_signals(choices)["information"] > 0
    assert answer_signals(choices)["open"] == 0.0


def test_a_mark_without_letters_answers_nothing():
    text = passage("•\n\nEl envío es gratis.")
    units = passage_units(text)
    assert [choice.unit.text for choice in score_units("¿El envío?", [text], [[Match()] * len(units)])] == [
        "El envío es gratis."
    ]


@pytest.mark.parametrize("question", ["¿Puedo cerrar sola?", "se puede fumar dentro", "tengo que firmar yo?"])
def test_questions_of_yes_or_no_are_known(question: str):
    assert asks_whether(question)


@pytest.mark.parametrize("question", ["¿Qué puedo pedir?", "cuánto puede tardar", "no tenemos luz"])
def test_other_questions_are_not_of_yes_or_no(question: str):
    assert not asks_whether(question)


@pytest.mark.parametrize(
    "question",
    [
        "How many days do I have?",
        "For how long is it kept?",
        "What do I do?",
        "Combien de jours ai-je ?",
        "À quelle heure ouvre le magasin ?",
        "Quantos dias tenho?",
        "Qual é o prazo?",
        "Quanti giorni ho?",
        "Come si apre la cassa?",
        "Wie viele Tage habe ich?",
        "Quants dies tinc?",
    ],
)
def test_question_words_of_other_languages_are_question_words(question: str):
    assert not asks_whether(question)


@pytest.mark.parametrize("question", ["Can I leave when the shop is closed?", "¿Come el personal en la sala?"])
def test_a_question_without_one_at_its_beginning_is_of_yes_or_no(question: str):
    assert asks_whether(question)


def _opposite(question: str, text: str) -> float:
    [choice] = score_units(question, [passage(text)], [[Match()]])
    return choice.signals["opposite"]


def test_a_rule_that_answers_no_is_not_about_the_opposite():
    assert not _opposite("¿Se puede pagar en efectivo?", "Solo se admite tarjeta.")
    assert _opposite("¿Cómo se cobra en efectivo?", "Solo se admite tarjeta.")
    assert _opposite("¿Se puede pagar en efectivo?", "La tarjeta se pasa por el lector.")
    assert not _opposite("¿Se abre los domingos?", "Los domingos está cerrada.")
    assert _opposite("¿Cómo se apaga la plancha?", "Para encender la plancha, gira el mando.")


def test_a_ruling_is_told_from_a_remark():
    assert rules("Nadie cierra en solitario.")
    assert not rules("La tienda tiene una terraza.")


def test_questions_for_all_of_something_are_known():
    assert asks_for_all("dime los 14 alérgenos")
    assert asks_for_all("¿Cuáles son los requisitos?")
    assert asks_for_all("¿Qué productos de limpieza se usan?")
    assert asks_for_all("¿Qué categorías de sistemas hay?")
    assert not asks_for_all("¿Cuál es el plazo?")


@pytest.mark.parametrize(
    ("question", "text", "is_defined"),
    [
        ("¿Qué es un vale?", "vale: documento con codigo de barras", True),
        ("que es el contacto cruzado", "el contacto cruzado se produce cuando pasa de uno a otro", True),
        ("¿Qué son las trazas?", "las trazas son restos", True),
        ("¿Qué son las trazas?", "se anotan las trazas", False),
        ("¿Qué es un vale?", "el valenciano es otro", False),
    ],
)
def test_a_sentence_says_what_something_is(question, text, is_defined):
    defined = defined_by(question)
    assert defined is not None
    assert (defined.match(text) is not None) is is_defined


def test_what_a_thing_is_also_called_may_stand_before_its_definition():
    defined = defined_by("¿Qué es un incidente de seguridad?")
    assert defined is not None
    assert defined.match("– incidente de seguridad (ciberincidente o incidente): suceso inesperado")


def test_other_questions_ask_for_no_definition():
    assert defined_by("¿Qué plazo hay?") is None


@pytest.mark.parametrize(
    ("text", "several"),
    [
        ("¿A qué hora se enciende la mesa? ¿Y cuándo se apaga la luz?", True),
        ("¿Quién limpia los baños? ¿Quién cierra la caja?", True),
        ("¿Quién limpia los baños?", False),
        ("Hola, ¿qué tal? ¿Quién limpia los baños?", False),
        ("Se ha roto la cafetera, ¿qué hago? Gracias", False),
    ],
)
def test_several_questions_at_once_are_known(text: str, several: bool):
    assert asks_several(text) is several


@pytest.mark.parametrize("question", ["el cliente no tiene tique, que hago", "ha perdido el tique, ¿qué hago?"])
def test_the_section_for_lack_of_a_thing_scores_best_for_who_has_it_not(question: str):
    used, lost = (
        replace(passage("Busca la compra del cliente.", chunk_id=number), heading_path=("Manual", heading))
        for number, heading in enumerate(("5.2 Tique ya usado", "3.3 Devolución sin tique"), 1)
    )
    choices = score_units(question, [used, lost], [[Match()]] * 2)
    assert [choice.signals["lacks_the_same"] for choice in choices] == [0.0, 1.0]
    assert choices[1].score > choices[0].score


@pytest.mark.parametrize(
    ("question", "titled"),
    [
        ("¿Qué hago cuando el cliente no está de acuerdo?", [0.0, BELOW_TITLE, 1.0]),
        ("¿Quién decide cuando el cliente no está de acuerdo?", [0.0] * 3),
        ("¿Qué hago cuando el cliente de la cafetería no está de acuerdo?", [0.0] * 3),
    ],
)
def test_sections_whose_heading_the_question_repeats_score_before_a_sentence_of_the_same_words(question, titled):
    heading = "8. Cuando el cliente no está de acuerdo"
    parts = [
        replace(passage("Si el cliente no está de acuerdo, llama.", chunk_id=1), heading_path=("Manual", "5.2 Tique")),
        replace(passage("Entrega la hoja.", chunk_id=2), heading_path=("Manual", heading, "8.2 La hoja")),
        replace(passage("Escucha hasta el final.", chunk_id=3), heading_path=("Manual", heading)),
    ]
    choices = score_units(question, parts, [[Match()]] * 3)
    assert [choice.signals["is_titled"] for choice in choices] == titled
    assert (choices[2].score > choices[1].score > choices[0].score) is any(titled)


@pytest.mark.parametrize("text", ["¿Cuándo se cierra?", "Sí, no tiene por qué.", "no sé qué hacer"])
def test_what_says_nothing_of_a_lack_lacks_nothing_that_a_heading_could_name(text: str):
    assert lacked_in(text).isdisjoint(lacked_in("Devolución sin tique"))


def test_a_sentence_that_begins_with_what_one_wants_to_do_goes_before_one_about_the_same_thing():
    one = passage("Los turnos extra se pagan un 25 % más. Para apuntarse hay que rellenar el formulario TE-2.")
    choices = score_units("¿Cómo me apunto a los turnos extra?", [one], [[Match()] * 2])
    assert [choice.signals["serves"] for choice in choices] == [0.0, 1.0]
    assert choices[1].score > choices[0].score


@pytest.mark.parametrize(
    ("question", "serves"),
    [
        ("¿Puedo tirar aceite por el fregadero?", 0.0),
        ("¿Cómo hay que tirar el aceite?", 1.0),
        ("¿Para tirar el aceite qué hago?", 1.0),
    ],
)
def test_how_a_thing_is_done_does_not_go_before_whether_it_may_be(question: str, serves: float):
    oil = passage("Para tirar el aceite, usa el bidón azul. Nunca por el fregadero.")
    assert [one.signals["serves"] for one in score_units(question, [oil], [[Match()] * 2])] == [serves, 0.0]


def test_what_a_dash_defines_is_defined():
    defined = defined_by("que es la merma")
    assert defined is not None
    assert defined.match("merma — lo que falta")


def test_when_something_opens_is_no_answer_to_when_it_closes():
    texts = [
        passage("Las tiendas abren a las 8:30.", chunk_id=1),
        passage("La puerta se cierra a las 21:00.", chunk_id=2),
    ]
    choices = score_units("¿A qué hora cierran las tiendas?", texts, [[Match()]] * 2)
    assert [choice.signals["opposite"] for choice in choices] == [1.0, 0.0]


@pytest.mark.parametrize(
    "text", ["a partir del segundo año", "el penúltimo día hábil de cada mes", "la primera semana", "el año siguiente"]
)
def test_an_ordinal_with_a_span_says_when(text):
    assert holds(Wanted.TIME, text)
    assert not holds(Wanted.TIME, "en segundo lugar, de vez en año")


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("días de asuntos propios", Wanted.DURATION),
        ("número de horas de formación", Wanted.DURATION),
        ("días de pago", Wanted.ANYTHING),
        ("horas de apertura", Wanted.ANYTHING),
    ],
)
def test_days_of_something_are_counted(question, wanted):
    assert wanted_by(question) is wanted
