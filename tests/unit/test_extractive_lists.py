"""Answers made of steps and of the items of lists, with what introduces them."""

from dataclasses import replace

import pytest

from skillnet.backends.fakes import FakeEmbedder
from tests.unit.answers import answer
from tests.unit.passages import LIST, STEPS, passage
from tutor.cutting import passage_units
from tutor.extractive import compose
from tutor.relevance import unit_matches
from tutor.scoring import score_units
from tutor.units import UnitKind


def test_a_question_how_gets_the_steps_in_order_with_their_lead_in():
    draft = answer("¿Cómo se cierra la caja?", passage(STEPS))
    assert draft.text.splitlines() == [
        "Para cerrar la caja sigue este orden: [Fuente 1]",
        "",
        "1. Cuenta el efectivo dos veces.",
        "2. Imprime el informe Z en el TPV.",
        "3. Guarda el dinero en la caja fuerte.",
    ]


CLOSING = (
    "Apaga la plancha",
    "Vacía los cubos",
    "Friega el suelo",
    "Cuenta el dinero de la caja uno",
    "Cuenta el dinero de la caja dos",
    "Firma el parte",
    "Guarda el dinero en la caja fuerte",
    "Apaga el ordenador",
    "Cierra las ventanas",
    "Baja la persiana del almacén",
    "Conecta la alarma antes de salir",
    "Apaga las luces",
    "Cierra la puerta",
    "Baja la persiana de la calle",
    "Devuelve la llave",
)


@pytest.mark.parametrize("numbered", [False, True])
def test_steps_that_begin_in_the_middle_say_so(numbered: bool):
    marks = [f"{number}." if numbered else "-" for number in range(1, len(CLOSING) + 1)]
    steps = [f"{mark} {step}." for mark, step in zip(marks, CLOSING, strict=True)]
    text = "Pasos para cerrar la tienda:\n\n" + "\n".join(steps)
    lines = answer("¿Cómo conecto la alarma antes de salir?", passage(text)).text.splitlines()
    assert lines[:3] == ["Pasos para cerrar la tienda: [Fuente 1]", "", "…"]
    assert lines[3:5] == ["", steps[3]]
    assert lines[-1] == steps[-1]


def test_steps_shown_whole_have_no_gap_before_them():
    text = "Pasos para cerrar la tienda:\n\n" + "\n".join(f"- {step}." for step in CLOSING[-12:])
    shown = answer("¿Cómo conecto la alarma antes de salir?", passage(text)).text
    assert shown.count("\n- ") == 12
    assert "…" not in shown


def test_a_list_is_shown_whole_when_its_lead_in_answers():
    draft = answer("¿De qué productos no se admite la devolución?", passage(LIST))
    assert draft.text.splitlines()[0] == "No se admite la devolución de estos productos: [Fuente 1]"
    assert "- Alimentos congelados." in draft.text


def test_one_item_that_answers_comes_with_its_lead_in():
    draft = answer("¿Qué validez tienen las tarjetas regalo, cuántos meses?", passage(LIST))
    assert draft.text.splitlines()[0].startswith("No se admite")
    assert "24 meses" in draft.text
    assert "congelados" not in draft.text


def test_a_list_is_not_shown_with_a_gap():
    things = passage(LIST)
    choices = score_units("¿Y tarjetas o congelados?", [things], unit_matches("tarjetas", [things], FakeEmbedder()))
    scores = {"Tarjetas": 9.0, "Tienen": 0.0, "Libros": 2.0, "Alimentos": 8.5}
    ranked = [replace(one, score=scores.get(one.unit.text.split()[0], 0.0)) for one in choices]
    draft = compose("¿Y tarjetas o congelados?", [things], ranked, [0.9])
    assert "- Libros de cocina sin su retractilado." in draft.text


def test_a_heading_that_ends_with_a_colon_introduces_its_list():
    text = "- Aceite de soja refinado.\n- Tocoferoles naturales de soja."
    section = replace(passage(text), heading_path=("Productos a base de soja, salvo:",))
    draft = answer("¿Los tocoferoles naturales de soja se declaran?", section)
    assert draft.text.startswith("Productos a base de soja, salvo: [Fuente 1]\n\n- ")


CONDUCT = """Normas de convivencia:
- Saludar a los compañeros.
- No está permitido:
- Beber mate en las aulas.
- Correr por los pasillos."""


def test_a_prohibition_is_shown_with_what_forbids_it():
    lines = answer("¿Puedo beber mate en el aula?", passage(CONDUCT)).text.splitlines()
    assert lines[0] == "Normas de convivencia: No está permitido: [Fuente 1]"
    assert "- Beber mate en las aulas." in lines


def test_the_same_item_of_two_lists_is_shown_in_both():
    olives = "- Aceitunas rellenas de anchoa."
    groups = f"Productos por grupos:\n1. Cereales:\n{olives}\n2. Pescado:\n{olives}"
    text = answer("¿Qué alergias dan las aceitunas rellenas de anchoa?", passage(groups)).text
    assert text == f"Productos por grupos: [Fuente 1]\n\n1. Cereales:\n{olives}\n2. Pescado:\n{olives}"


CLAUSES = """1. La solicitud se presenta en el registro de la consejería.
2. Con la solicitud se aportan los documentos:
- a) El acta de la asamblea.
- b) Los estatutos firmados.
3. El plazo de resolución es de tres meses."""


def test_an_item_that_introduces_a_list_is_shown_with_it_alone():
    assert answer("¿Qué documentos se aportan con la solicitud?", passage(CLAUSES)).text.splitlines() == [
        "2. Con la solicitud se aportan los documentos: [Fuente 1]",
        "",
        "- a) El acta de la asamblea.",
        "- b) Los estatutos firmados.",
    ]


def test_steps_are_shown_with_those_that_they_introduce():
    text = "Para cerrar el local:\n1. Apaga:\n- la plancha.\n- el horno.\n2. Cierra el local."
    shown = answer("¿Cómo se cierra el local?", passage(text)).text.splitlines()
    assert shown[2:] == ["1. Apaga:", "- la plancha.", "- el horno.", "2. Cierra el local."]


def test_what_a_sentence_announces_is_shown_with_it():
    text = "Para iniciar el programa se escribe lo siguiente:\n\ncd..\n\ncd Escritorio\n\nDespués se cierra la sesión."
    assert answer("¿Cómo se inicia el programa?", passage(text)).text.splitlines()[:4] == [
        "Para iniciar el programa se escribe lo siguiente: [Fuente 1]",
        "",
        "- cd..",
        "- cd Escritorio",
    ]


def test_a_second_sentence_is_shown_once_with_the_command_that_it_announces():
    text = (
        "El paquete sudo da permisos al usuario.\n\n"
        "Se instala una vez en cada equipo nuevo, con el siguiente comando.\n\naptitude install sudo"
    )
    whole = passage(text)
    choices = score_units("¿Y?", [whole], unit_matches("¿Y?", [whole], FakeEmbedder()))
    scores = {0: 9.0, 1: 8.0}
    shown = compose("¿Y?", [whole], [replace(one, score=scores.get(one.index, 0.0)) for one in choices], [0.9]).text
    assert shown.count("siguiente comando") == shown.count("- aptitude install sudo") == 1


PIZZAS = """- Bianca 15$

Salsa fondue, tocineta y maíz.

- Della Casa 15$

Lomo de cerdo, cebolla y rúgula."""


def test_a_dish_of_a_list_is_shown_by_its_name():
    shown = answer("¿Qué lleva la pizza Della Casa?", passage(PIZZAS)).text
    assert "- Della Casa 15$: Lomo de cerdo, cebolla y rúgula." in shown
    assert "Bianca" not in shown


def test_all_dishes_of_a_list_are_shown():
    pizzas = replace(passage(PIZZAS), heading_path=("Pizzas",))
    assert answer("¿Qué pizzas hay?", pizzas).text.splitlines() == [
        "- Bianca 15$: Salsa fondue, tocineta y maíz. [Fuente 1]",
        "- Della Casa 15$: Lomo de cerdo, cebolla y rúgula. [Fuente 1]",
    ]


def test_an_item_of_several_sentences_has_its_number_once():
    sentences = [
        "5. La decisión se comunica por escrito.",
        "Se archiva en la oficina central.",
        "El plazo es de un mes.",
    ]
    filler = (
        "Todo lo demás se rige por el reglamento de la casa y por lo que diga la dirección en cada caso concreto. " * 3
    )
    whole = passage(" ".join([*sentences, filler]))
    choices = score_units("¿Y?", [whole], unit_matches("¿Y?", [whole], FakeEmbedder()))
    scores = {0: 9.0, 2: 8.5}
    drafts = [replace(one, score=scores.get(one.index, 0.0)) for one in choices]
    assert compose("¿Y?", [whole], drafts, [0.9]).text == (
        "5. La decisión se comunica por escrito. Se archiva en la oficina central. El plazo es de un mes. [Fuente 1]"
    )


def test_some_items_of_an_introduced_list_say_that_there_are_more():
    whole = passage("Las sanciones son:\n- Aviso.\n- Suspensión de empleo.\n- Despido.\n- Traslado.")
    choices = score_units("¿Y?", [whole], unit_matches("¿Y?", [whole], FakeEmbedder()))
    scores = {2: 9.0, 3: 8.5}
    draft = compose("¿Y?", [whole], [replace(one, score=scores.get(one.index, 0.0)) for one in choices], [0.9])
    assert draft.text.splitlines()[2:] == ["- Suspensión de empleo.", "- Despido.", "", "…"]


def test_how_a_dish_is_made_is_told_by_the_steps_of_its_recipe():
    kept = replace(
        passage("Las croquetas se congelan hasta tres meses.", chunk_id=1), heading_path=("Receta", "Conservación")
    )
    made = replace(
        passage("1. Funde la mantequilla.\n2. Forma las croquetas y fríelas.", chunk_id=2),
        heading_path=("Receta", "Elaboración"),
    )
    question, parts = "¿Cómo se hacen las croquetas?", (kept, made)
    choices = score_units(question, parts, unit_matches(question, parts, FakeEmbedder()))
    drafted = compose(question, parts, [replace(one, score=9.0) for one in choices], [0.9] * 2)
    assert drafted.text.startswith("1. Funde la mantequilla.")
    assert "congelan" not in drafted.text.split("[Fuente 1]")[0]


def test_numbered_steps_that_introduce_a_list_stand_above_it_without_their_numbers():
    text = "Pasos:\n\n1. Antes de encender el horno:\n\n- Se abre la llave.\n- Se mira el piloto.\n\n2. Se enciende."
    shown = answer("¿Qué se hace con la llave y el piloto antes de encender el horno?", passage(text)).text
    assert "1. Antes" not in shown.splitlines()[0]
    assert "Antes de encender el horno:" in shown


def test_a_long_introduction_is_cut_so_that_the_answer_keeps_its_length():
    long = " ".join(f"palabra{number}" for number in range(160))
    text = f"El personal de limpieza {long} recoge:\n\n- Cristales {long}.\n- Papel."
    shown = answer("¿Qué recoge el personal de limpieza de cristales?", passage(text)).text
    assert len(shown.split()) <= 150 + 10


@pytest.mark.parametrize(
    ("line", "is_command"),
    [
        ("$ apt install nginx", True),
        ("# systemctl restart nginx", True),
        ("sudo reboot", True),
        ("./instalar.sh", True),
        ("$ 50 de fianza", False),
        ("# Título", False),
    ],
)
def test_only_a_command_below_a_step_is_its_item(line: str, is_command: bool):
    units = passage_units(passage(f"1. Se prepara el equipo.\n\n{line}\n\n2. Se apaga."))
    (found,) = [unit for unit in units if unit.text == line]
    assert (found.kind is UnitKind.ITEM) == is_command


def test_answers_of_a_list_of_questions_are_shown_without_the_letter_before_them():
    text = "P: ¿Se puede fumar en el almacén?\n\nR: No, en ningún caso.\n\nP: ¿Se puede comer?\n\nR: Sí, en la sala."
    shown = answer("¿puedo fumar en el almacén?", passage(text)).text
    assert "No, en ningún caso." in shown
    assert "R:" not in shown and "P:" not in shown


KINDS = """Faltas leves:

- Llegar tarde una vez.
- No avisar.

Faltas graves:

- Llegar tarde tres veces.
- Faltar un día.

Faltas muy graves:

- El robo.
- El acoso a los compañeros."""


@pytest.mark.parametrize(
    ("kind", "item"),
    [("faltas graves", "Faltar un día"), ("faltas muy graves", "El robo"), ("faltas leves", "No avisar")],
)
def test_of_lists_alike_the_one_that_is_named_is_shown(kind, item):
    text = answer(f"¿Cuáles son las {kind}?", replace(passage(KINDS), heading_path=("Faltas y sanciones",))).text
    assert text.startswith(f"{kind.capitalize()}:")
    assert item in text
