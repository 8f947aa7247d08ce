"""Answers made of the documents' own sentences, rows and steps."""

from dataclasses import replace

import pytest

from retrieval.types import Passage
from skillnet.backends.fakes import FakeEmbedder
from tests.unit.answers import answer
from tests.unit.passages import LIST, MENU, STEPS, TABLE, passage
from tutor.choices import MAX_SENTENCES
from tutor.drafting import Draft
from tutor.extractive import compose
from tutor.grounding import ground, verify_quote, without_markers
from tutor.relevance import unit_matches
from tutor.scoring import score_units
from tutor.wording import word_count


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


def test_a_table_too_long_to_be_shown_whole_says_where_it_is_cut():
    rows = "\n".join(
        f"{name} | Nave número {at} del edificio nuevo | Turno {at}"
        for at, name in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    )
    whole = replace(passage(f"Puesto | Lugar | Turno\n{rows}"), heading_path=("Los puestos de la planta",))
    lines = answer("¿Cuáles son los puestos de la planta?", whole).text.splitlines()
    assert lines[0] == "- A; Nave número 0 del edificio nuevo; Turno 0 [Fuente 1]"
    assert lines[-2:] == ["", "…"]


ABONO = (
    "El abono de temporada se compra en la taquilla.",
    "Este carné vale para dos personas.",
    "También incluye una visita guiada.",
    "Además permite entrar gratis al museo.",
    "Este papel lleva una fotografía reciente.",
    "También se renueva por internet.",
    "Este trámite dura un día.",
    "Además admite mascotas pequeñas.",
    "También descuenta parte del aparcamiento.",
)


def best_of_season_ticket(*best: int) -> str:
    """The answer made of these sentences, best first."""
    whole = passage(" ".join(ABONO))
    choices = score_units("¿Y?", [whole], unit_matches("¿Y?", [whole], FakeEmbedder()))
    scores = {index: 9.0 - 0.1 * rank for rank, index in enumerate(best)}
    draft = compose("¿Y?", [whole], [replace(one, score=scores.get(one.index, 0.0)) for one in choices], [0.9])
    return without_markers(draft.text)


def test_an_answer_has_at_most_two_sentences_more_that_the_others_lean_on():
    assert best_of_season_ticket(2, 5, 8, 0) == " ".join(ABONO[:3])


def test_a_sentence_that_leans_on_one_shown_already_needs_no_room():
    assert best_of_season_ticket(3, 4) == "Sección: " + " ".join(ABONO[1:5])


def test_a_table_row_is_shown_with_its_headers():
    draft = answer("¿Qué plazo tienen los vinos y licores?", passage(TABLE))
    assert draft.text == "- Vinos y licores — Plazo: 15 días naturales; Condición: Precinto intacto [Fuente 1]"
    assert draft.sources[0].quote == "Vinos y licores | 15 días naturales | Precinto intacto"


def test_each_of_two_things_asked_about_has_its_row():
    draft = answer("¿Qué plazo tienen el menaje y el queso al corte?", passage(TABLE))
    assert {line.split(" — ")[0] for line in draft.text.splitlines()} == {"- Menaje", "- Queso al corte"}


def test_a_comma_that_joins_no_things_brings_no_other_row():
    draft = answer("Si vendo menaje un lunes, ¿qué plazo tienen los vinos y licores?", passage(TABLE))
    assert [line.split(" — ")[0] for line in draft.text.splitlines()] == ["- Vinos y licores"]


def test_a_first_column_of_amounts_is_named():
    table = "Antigüedad | Días de vacaciones\n3 años | 24\n10 años | 26"
    draft = answer("¿Cuántos días de vacaciones hay con una antigüedad de 3 años?", passage(table))
    assert "Antigüedad: 3 años; Días de vacaciones: 24" in draft.text


def test_a_first_column_of_numbers_is_named():
    table = "Paso | Tarea\n1 | Apagar la freidora\n2 | Vaciar la freidora"
    draft = answer("¿En qué paso se vacía la freidora?", passage(table))
    assert "Paso: 2; Tarea: Vaciar la freidora" in draft.text


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


def test_a_sentence_cut_short_gives_way_to_a_whole_one():
    text = (
        "El plazo de devolución depende de la\n\nEl plazo de devolución de vinos dura quince días. "
        "El plazo de devolución de quesos abarca dos jornadas. El plazo de devolución de menaje llega a un mes."
    )
    shown = answer("¿Qué plazo de devolución hay?", passage(text)).text
    assert "quince días" in shown
    assert "depende" not in shown


def test_the_sentence_that_answers_is_chosen_over_the_first_one():
    text = "La tienda abre todos los días. El informe Z se conserva cinco años. Los guantes se cambian a menudo."
    draft = answer("¿Cuántos años se conserva el informe Z?", passage(text))
    assert draft.text.startswith("El informe Z se conserva cinco años. [Fuente 1]")


def test_a_sentence_that_points_back_brings_the_one_before():
    text = "El encargado firma la hoja DV-1. Esta firma autoriza la devolución de importes altos."
    draft = answer("¿Qué autoriza la devolución de importes altos?", passage(text))
    assert draft.text.startswith("El encargado firma la hoja DV-1. [Fuente 1] Esta firma")


RULES = (
    "El menaje se devuelve sin usar.",
    "Cada queso lleva etiqueta.",
    "Las tarjetas regalo caducan pronto.",
    "Un encargado firma los abonos grandes.",
    "Ningún libro vuelve abierto.",
)


def of_equals(*passages: Passage) -> Draft:
    """The answer where every sentence answers as well as the others."""
    choices = score_units("¿Y?", passages, unit_matches("¿Y?", passages, FakeEmbedder()))
    return compose("¿Y?", passages, [replace(one, score=9.0) for one in choices], [0.9] * len(passages))


def test_an_answer_has_at_most_three_sentences():
    assert without_markers(of_equals(passage(" ".join(RULES))).text) == " ".join(RULES[:3])


def test_an_answer_cites_a_document_at_most_twice():
    one, *others = [passage(rule, document_id=1, chunk_id=number) for number, rule in enumerate(RULES)]
    assert [source.passage for source in of_equals(one, *others).sources] == [one, others[0]]
    elsewhere = replace(others[-1], document_id=2)
    assert [source.passage for source in of_equals(one, *others, elsewhere).sources] == [one, others[0], elsewhere]


@pytest.mark.parametrize("question", ["¿Cómo se hace el trabajo?", "¿Qué dice el trabajo largo?"])
def test_no_answer_is_longer_than_a_hundred_and_sixty_words(question: str):
    steps = "\n".join(f"{n}. El trabajo {n} " + "se hace con mucho cuidado siempre " * 6 for n in range(1, 15))
    long = "El trabajo largo " + "y muy pesado de explicar " * 60 + "se dice."
    draft = answer(question, passage(f"El trabajo se hace así:\n\n{steps}"), passage(long, document_id=2))
    assert 0 < word_count(draft.text) <= 160


def test_every_quote_is_exact_and_grounding_keeps_the_whole_draft():
    passages = [passage(STEPS), passage(TABLE, document_id=2), passage(LIST, document_id=3)]
    for question in ("¿Cómo se cierra la caja?", "plazo del queso al corte", "¿Se devuelven tarjetas regalo?"):
        draft = answer(question, *passages)
        grounded = ground(draft.text, draft.sources)
        assert grounded.citations
        assert without_markers(grounded.text) == without_markers(draft.text)
        assert all(verify_quote(cited.quote, cited.passage.text) for cited in grounded.citations)


def test_a_wide_row_shows_what_the_question_asks_about():
    header = " | ".join(f"Columna {number}" for number in range(30))
    row = " | ".join(f"valor {number} de relleno" for number in range(30)).replace("valor 27", "teléfono 27")
    draft = answer("¿Cuál es el teléfono?", passage(f"{header}\n{row}\n{row.replace('valor', 'dato')}"))
    assert "Columna 27: teléfono 27 de relleno" in draft.text
    assert word_count(draft.text) <= 160


def test_nothing_to_choose_from_gives_an_empty_draft():
    assert answer("¿Qué plazo hay?") == Draft("", ())
    assert answer("¿Qué plazo hay?", passage("Sección")).text == ""


RETURNS = """Importe de la devolución | Quién autoriza
Hasta 30 € | Dependienta
De 30,01 € a 150 € | Encargada de turno
Más de 150 € | Responsable de tienda"""


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("¿Quién autoriza una devolución de 95 euros?", "Encargada de turno"),
        ("devolución de 20 €, quién la autoriza", "Dependienta"),
        ("¿Quién autoriza una devolución de 300 €?", "Responsable de tienda"),
    ],
)
def test_of_a_table_of_amounts_the_row_that_decides_stands_alone(question, row):
    text = answer(question, passage(RETURNS)).text
    assert row in text
    assert text.count("Quién autoriza:") == 1


def test_a_table_asked_for_as_a_whole_is_shown_whole():
    kinds = "\n".join(f"{number} | Cosa {name}" for number, name in enumerate(("roja", "azul", "verde", "gris"), 1))
    whole = replace(passage(f"N.º | Color\n{kinds}"), heading_path=("Los cuatro colores",))
    other = passage("La norma habla de cuatro colores en total.", chunk_id=2, document_id=2)
    text = answer("¿Cuáles son los cuatro colores?", other, whole).text
    assert all(name in text for name in ("roja", "azul", "verde", "gris"))


def test_steps_for_the_opposite_do_not_answer():
    right = passage("Pulsa el botón verde y elige la carpeta.")
    right = replace(right, heading_path=("Respaldo de la base de datos",))
    wrong = passage("Pulsa el botón verde y elige el archivo.", chunk_id=2, document_id=2)
    wrong = replace(wrong, heading_path=("Restauración de la base de datos",))
    assert "carpeta" in answer("quiero un respaldo de la base de datos", wrong, right).text.split("[Fuente 1]")[0]


def test_the_dish_asked_for_is_shown_without_the_others():
    text = without_markers(answer("¿Qué lleva el tartar de atún?", passage(MENU)).text)
    assert "Tartar de atún 12 €: Atún rojo, aguacate y sésamo." in text
    assert "nueces" not in text
    assert "Macarrones" not in text


def test_when_something_has_happened_the_steps_of_another_section_answer():
    signs = passage("Las señales son picor en la boca y tos. Si alguien se ahoga, es urgente.")
    steps = passage("1. Llama al 112 si alguien se ahoga.\n2. No lo dejes solo.", chunk_id=2)
    text = answer("q hago si un cliente se ahoga", signs, steps).text
    assert text.index("Llama al 112") < text.index("No lo dejes solo")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Pie de parchita. 4$ Torta de chocolate. 5$", ["Pie de parchita. 4$", "Torta de chocolate. 5$"]),
        ("Tartar de atún\n\n14,50 €\n\nTortilla\n\n9,00 €", ["Tartar de atún 14,50 €", "Tortilla 9,00 €"]),
        ("Tartar de atún\n14,50\nTortilla\n9,00", ["Tartar de atún 14,50", "Tortilla 9,00"]),
    ],
)
def test_a_price_stands_with_its_name_before_the_mark(text, lines):
    one = replace(passage(text), heading_path=("Carta", "POSTRES"))
    assert answer("¿Qué postres hay?", one).text.splitlines() == [f"- {line} [Fuente 1]" for line in lines]


KEYS = "Avisa a Seguridad en cuanto te des cuenta. El bombín se cambia en 24 horas. Avisar tarde es una falta."


def in_section(text: str, heading: str) -> Passage:
    return replace(passage(text), heading_path=("Manual", heading))


def test_a_short_section_that_the_question_names_answers_as_a_whole():
    text = answer("se me han perdido las llaves", in_section(KEYS, "5.4 Llaves perdidas")).text
    assert [text.find(sentence) >= 0 for sentence in KEYS.split(". ")] == [True] * 3
    assert text.index("Avisa a Seguridad") < text.index("El bombín") < text.index("Avisar tarde")


def test_a_short_section_is_told_whole_to_who_says_what_has_happened():
    power = (
        "Espera cinco minutos. Mantén cerradas las cámaras. Atiende solo con efectivo. Con más de una hora sin luz se "
        "cierra la tienda."
    )
    text = answer("no hay luz en la tienda", in_section(power, "Corte de luz")).text
    assert all(sentence.rstrip(".") in text for sentence in power.split(". "))


def test_a_long_section_is_not_told_whole():
    long = " ".join(f"La llave número {number} se guarda en el armario del pasillo {number}." for number in range(12))
    text = answer("llaves perdidas", in_section(long, "Llaves perdidas")).text
    assert 1 <= text.count("se guarda") <= MAX_SENTENCES


def test_the_table_of_a_section_that_is_asked_for_is_shown_with_all_its_rows():
    table = "Importe | Quién\nHasta 30 € | Dependiente\nHasta 150 € | Encargada\nMás de 150 € | Jefa de zona"
    own = f"{table}\n\nNadie autoriza sus propias compras, sea cual sea el importe."
    text = answer("¿Quién decide según el importe?", in_section(own, "1.3 Quién decide según el importe")).text
    assert all(row.split(" | ")[1] in text for row in table.splitlines()[1:])


def test_the_steps_of_a_chapter_answer_who_asks_by_its_name():
    heading = "6. Cómo atender a una persona alérgica"
    texts = {
        "6.1 Paso a paso": "1. Escucha qué alergia tiene.\n2. Comprueba la ficha.\n3. Anota el pedido.",
        "6.3 Encargos": "Los encargos de una persona alérgica los atiende quien tiene la formación al día.",
    }
    parts = [
        replace(passage(text, chunk_id=number), heading_path=("Guía", heading, title))
        for number, (title, text) in enumerate(texts.items())
    ]
    shown = answer("¿Cómo atender a una persona alérgica?", *reversed(parts)).text
    assert shown.startswith("1. Escucha") and "3. Anota" in shown


def test_a_section_about_something_else_is_not_told_whole():
    power = "Espera cinco minutos. Mantén cerradas las cámaras. Con más de una hora sin luz se cierra la cafetería."
    text = answer("se ha roto la cafetera", in_section(power, "Corte de luz")).text
    assert "Espera cinco minutos" not in text


def test_a_ruling_is_not_pushed_aside_by_a_list_of_its_section():
    text = "Está prohibido fumar en la terraza.\n\nSe puede:\n- Comer\n- Beber"
    shown = answer("¿Puedo fumar en la terraza?", in_section(text, "Fumar en la terraza")).text
    assert shown.startswith("Está prohibido fumar")


def test_a_number_is_not_pushed_aside_by_a_list_of_its_section():
    text = "Tienes 22 días de vacaciones.\n\nPara pedirlas:\n- El impreso V-1\n- La firma de tu responsable"
    shown = answer("¿Cuántas vacaciones tengo?", in_section(text, "Vacaciones")).text
    assert shown.startswith("Tienes 22 días")


def test_what_follows_from_a_sentence_is_shown_with_it():
    cake = "La tarta se hace sin harina, pero en el mismo obrador. Por eso no es apta para celíacos."
    text = answer("¿La tarta se hace sin harina?", passage(f"{cake} La tienda abre a las nueve de la mañana.")).text
    assert "Por eso no es apta para celíacos" in text
    assert "abre a las nueve" not in text


FAQ = (
    "¿Puedo traer a mi perro a la oficina?\nSí, los viernes, si no hay visitas.\n\n"
    "¿Puedo teletrabajar desde otro país?\nNo. El convenio lo limita a España.\n\n"
    "¿Qué documentos hay que llevar al médico?\n\n- El DNI\n- La tarjeta sanitaria"
)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("¿Puedo traer a mi perro a la oficina?", "Sí, los viernes, si no hay visitas. [Fuente 1]"),
        (
            "¿Puedo traer mi perro el lunes?",
            "¿Puedo traer a mi perro a la oficina? Sí, los viernes, si no hay visitas. [Fuente 1]",
        ),
        ("¿Puedo teletrabajar desde otro país?", "No. [Fuente 1] El convenio lo limita a España. [Fuente 1]"),
    ],
)
def test_a_question_of_the_document_is_answered_by_what_follows_it(question: str, text: str):
    assert answer(question, passage(FAQ)).text == text


def test_a_quote_ends_before_the_next_question_of_the_document():
    (source,) = answer("¿Puedo traer a mi perro a la oficina?", passage(FAQ)).sources
    assert source.quote == "¿Puedo traer a mi perro a la oficina?\nSí, los viernes, si no hay visitas."


def test_the_list_below_a_question_of_the_document_is_shown_whole():
    draft = answer("¿Qué documentos llevo al médico?", passage(FAQ))
    assert draft.text.splitlines() == [
        "¿Qué documentos hay que llevar al médico? [Fuente 1]",
        "",
        "- El DNI",
        "- La tarjeta sanitaria",
    ]


def test_a_line_that_only_repeats_the_question_is_no_answer():
    text = "Qué productos pueden presentarse\n\nLos informes de los dos últimos años."
    assert answer("¿Qué productos pueden presentarse?", passage(text)).text == (
        "Los informes de los dos últimos años. [Fuente 1]"
    )


def test_a_sentence_of_the_questions_words_says_that_it_is_so():
    assert answer("¿Los clientes pagan el envío?", passage("Los clientes pagan el envío.")).text == (
        "Los clientes pagan el envío. [Fuente 1]"
    )


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
