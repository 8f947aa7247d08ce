"""Emergencies told in a hurry."""

from dataclasses import replace

import pytest

from retrieval.types import Passage, SearchResult
from tests.unit.passages import passage
from tutor.emergencies import emergency_in, instructive, led_to_instructions
from tutor.reading import wording_of


@pytest.mark.parametrize(
    ("question", "looked_for"),
    [
        ("se le hincha la cara a un cliente despues de comer q hago", "reacción alérgica"),
        ("se le estan inchando los labios", "reacción alérgica"),
        ("un señor se esta atragantando", "atraganta"),
        ("una clienta se ha mareado", "desmaya"),
        ("¿qué hago si un compañero se desmaya?", "desmaya"),
        ("me e quemado con la plancha", "quema"),
        ("me he cortado con la cuchilla, ¿qué hago?", "corta"),
        ("un cliente se ha caído en el baño", "accidente"),
        ("hay fuego en el almacén", "incendio"),
        ("protocolo en caso de incendio", "incendio"),
        ("¿cuál es el protocolo en caso de robo?", "robo"),
        ("incendio en la cocina", "incendio"),
        ("accidente de trabajo", "accidente"),
        ("tiene la cara hinchada", "reacción alérgica"),
        ("un niño con urticaria", "reacción alérgica"),
        ("reacción alérgica de un cliente", "reacción alérgica"),
        ("fuego!!! en la cocina", "incendio"),
        ("se está quemando la freidora", "incendio"),
        ("hay sangre en el suelo", "sangra"),
        ("¿y si hay fuego?", "incendio"),
        ("huele a gas en la cocina", "gas"),
        ("nos están atracando", "atraco"),
        ("se le ha caído el datáfono a una clienta en el pie", "accidente"),
        ("me ha caído una caja en la cabeza", "accidente"),
        ("han forzado la puerta", "robo"),
        ("se está inundando el almacén", "inundación"),
        ("le ha salpicado lejía en un ojo", "químico"),
        ("q hago si me corto en la cocina", "corta"),
        ("si me quemo qué hago", "quema"),
        ("what should I do if a guest has an allergic reaction?", "reacción alérgica"),
        ("a client is choking and his lips are swollen what do i do", "reacción alérgica"),
        ("a customer can't breathe", "respirar"),
        ("she fainted, what do we do?", "desmaya"),
        ("the fryer is on fire!", "incendio"),
        ("I cut my hand", "corta"),
    ],
)
def test_signs_are_read_as_what_they_are_signs_of(question, looked_for):
    emergency = emergency_in(question)
    assert emergency is not None
    assert looked_for in emergency.wording


@pytest.mark.parametrize(
    "question",
    [
        "¿Quién revisa los extintores contra incendios?",
        "¿Cuántos ejercicios de incendio hay al año?",
        "¿Puedo registrar el bolso de alguien que creo que ha robado?",
        "¿Le doy agua a alguien que tiene una reacción alérgica?",
        "¿Cuánto cuesta la tarta?",
        "se ha caído el sistema",
        "se ha caído un pelo en la cara del envase",
        "faltan 80 euros en la caja",
        "se me ha roto el tique",
        "¿Cubre el seguro los daños en caso de incendio?",
        "which dishes cause an allergic reaction?",
        "when is the fire drill?",
        "how do I cut the ham?",
        "¿Cuántos días de baja tengo en caso de accidente laboral?",
        "¿Quién paga la baja en caso de accidente?",
        "¿Qué documentos entrego en caso de robo?",
        "baja por accidente",
        "seguro de robo",
        "detector de humo mantenimiento",
        "simulacro de incendio",
        "horario de mareas",
        "se hincha la masa del pan",
        "hinchar ruedas del carrito",
        "se ha cortado la luz",
        "se ha quemado una bombilla",
    ],
)
def test_what_asks_for_something_else_is_no_emergency(question):
    assert emergency_in(question) is None


def _section(number: int, text: str, *headings: str) -> Passage:
    return replace(passage(text, chunk_id=number), heading_path=headings)


SIGNS = _section(
    1, "Las señales son ronchas y mareo: es una urgencia.", "8. Si alguien sufre una reacción", "8.1 Signos"
)
STEPS = _section(2, "1. Llama al 112.\n2. No la dejes sola.", "8. Si alguien sufre una reacción", "8.2 Qué hacer")
LABELS = _section(3, "La cara visible del envase lleva la etiqueta.", "3. Etiquetas", "3.1 Envases")
HYGIENE = _section(4, "Las heridas se tapan con un vendaje impermeable.", "2. Higiene", "2.2 Actitudes")


def _result(*passages: Passage, question: str = "se ha mareado una clienta") -> SearchResult:
    return SearchResult(question, passages, 0.5, True, "es", "chunks", {"signals": {}}, "")


def test_signs_lead_to_the_section_beside_that_says_what_to_do():
    emergency = emergency_in("se ha mareado una clienta")
    assert instructive(emergency, [LABELS, SIGNS, STEPS]) == [STEPS]


def test_a_section_that_only_names_it_says_nothing_of_what_to_do():
    question = "me he cortado con la cuchilla"
    found = led_to_instructions(_result(LABELS, question=question), _result(HYGIENE), emergency_in(question))
    assert found.passages == ()
    assert not found.evidence


def test_what_the_emergencys_own_wording_finds_comes_first():
    emergency = emergency_in("se le hincha la cara a un cliente")
    found = led_to_instructions(_result(LABELS, SIGNS), _result(STEPS), emergency)
    assert found.passages == (STEPS,)
    assert found.question == "se ha mareado una clienta"


def test_who_only_names_an_emergency_gets_what_was_found_where_nothing_says_what_to_do():
    question = "accidente de trabajo"
    own = _result(LABELS, question=question)
    found = led_to_instructions(own, _result(HYGIENE), emergency_in(question))
    assert found == own
    assert wording_of(found) == question


def test_what_to_do_at_a_forced_door_is_no_instruction_for_who_is_being_robbed():
    door = _section(5, "Si la puerta está forzada, no entres y llama al 112.", "2. Apertura", "2.1 Antes de entrar")
    robbery = _section(6, "No te resistas. Llama al 112 cuando se vayan.", "9. Seguridad", "9.1 En caso de atraco")
    being_robbed, burgled = emergency_in("nos están atracando"), emergency_in("han forzado la puerta")
    assert being_robbed is not None and burgled is not None
    assert instructive(being_robbed, [door, robbery]) == [robbery]
    assert instructive(being_robbed, [door]) == []
    assert instructive(burgled, [door]) == [door]


def test_a_regulation_that_announces_procedures_says_nothing_of_what_to_do():
    fire = emergency_in("hay fuego en la cocina")
    assert fire is not None
    announced = passage(
        "Artículo 10. Se establecen procedimientos para: a) Evacuación en caso de incendio o sismo; b) Búsqueda y "
        "rescate; c) Primeros auxilios."
    )
    ordered = passage("En caso de incendio se evacúa el local y se llama al 112.", chunk_id=2)
    assert instructive(fire, [announced, ordered]) == [ordered]
    assert instructive(fire, [announced]) == []


def test_a_heading_of_emergencies_makes_no_instruction_of_a_mere_list_of_procedures():
    fire = emergency_in("hay fuego en la cocina")
    assert fire is not None
    text = "Se establecen procedimientos para: a) Evacuación en caso de incendio o sismo; b) Búsqueda y rescate."
    announced = replace(passage(text), heading_path=("Reglamento", "Artículo 10. Procedimientos de emergencia"))
    assert instructive(fire, [announced]) == []


SLIDE = _section(7, "Extintores cada 15 metros. Alarma continua: evacuar.", "Bienvenida", "En caso de emergencia")
NUMBERS = _section(8, "Asunto | Llamo a | Extensión\nAccidente o incendio | Emergencias internas | 333", "Teléfonos")


def test_what_stands_below_a_heading_of_emergencies_is_shown_even_to_be_looked_over():
    question = "¿Qué hago si hay un incendio?"
    fire = emergency_in(question)
    found = led_to_instructions(
        _result(LABELS, question=question), replace(_result(SLIDE), evidence=False, confidence=0.1), fire
    )
    assert found.passages == (SLIDE,)
    assert found.evidence
    rules = _section(9, "La puerta contra incendios se evacúa y se avisa al terminar.", "Limpieza", "Puertas")
    found = led_to_instructions(
        _result(LABELS, question=question), replace(_result(rules), evidence=False, confidence=0.1), fire
    )
    assert not found.evidence


def test_who_asks_whom_to_call_is_read_in_their_own_words_and_led_to_lists_of_numbers():
    question = "¿a quién llamo si hay un incendio?"
    fire = emergency_in(question)
    found = led_to_instructions(_result(NUMBERS, question=question), _result(SLIDE), fire)
    assert sorted(one.chunk_id for one in found.passages) == [7, 8]
    assert wording_of(found) == question
    asked_to_do = replace(found, question="¿qué hago si hay un incendio?")
    assert wording_of(asked_to_do) == fire.wording
    assert instructive(fire, [SLIDE, NUMBERS]) == [SLIDE]
