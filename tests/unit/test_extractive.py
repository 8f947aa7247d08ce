"""Answers made of the documents' own sentences, rows and steps."""

from dataclasses import replace

import numpy as np
import pytest

from retrieval.types import Passage, SearchResult
from skillnet.backends.fakes import FakeEmbedder
from tests.unit.passages import passage
from tutor.drafting import Draft
from tutor.extractive import compose
from tutor.grounding import ground, verify_quote, without_markers
from tutor.relevance import passage_relevances, unit_matches
from tutor.scoring import score_units
from tutor.units import UnitKind, cut_units
from tutor.vocabulary import kin
from tutor.wording import asks_how, stems, word_count

STEPS = """Para cerrar la caja sigue este orden:

1. Cuenta el efectivo dos veces.
2. Imprime el informe Z en el TPV.
3. Guarda el dinero en la caja fuerte.

El informe Z se conserva cinco años."""

TABLE = """Cada producto tiene su plazo.

Producto | Plazo | Condición
Menaje | 30 días naturales | Sin usar
Vinos y licores | 15 días naturales | Precinto intacto
Queso al corte | 48 horas | Solo por defecto"""

LIST = """No se admite la devolución de estos productos:

- Tarjetas regalo. Tienen una validez de 24 meses.
- Libros de cocina sin su retractilado.
- Alimentos congelados."""


def answer(question: str, *passages: Passage) -> Draft:
    choices = score_units(question, passages, unit_matches(question, passages, FakeEmbedder()))
    return compose(question, passages, choices, [0.9] * len(passages))


def test_a_passage_is_cut_into_sentences_items_and_rows():
    kinds = [unit.kind for unit in cut_units(f"{STEPS}\n\n{TABLE}")]
    assert kinds == [UnitKind.SENTENCE, *[UnitKind.ITEM] * 3, *[UnitKind.SENTENCE] * 2, *[UnitKind.ROW] * 3]


def test_every_unit_stands_word_for_word_where_it_says():
    text = f"{STEPS}\n\n{TABLE}\n\n{LIST}"
    assert all(text[unit.start : unit.end] == unit.text for unit in cut_units(text))


def test_an_empty_cell_keeps_the_cells_behind_it_below_their_columns():
    header = ("Plato", "Gluten", "Huevo")
    rows = cut_units("Plato | Gluten | Huevo\nSopa | | Sí\nPan |  | Sí\n| Sopa | | Sí |")
    assert [(row.header, row.cells) for row in rows] == [(header, (dish, "", "Sí")) for dish in ("Sopa", "Pan", "Sopa")]


def test_a_heading_line_answers_nothing():
    units = cut_units("2.1 Plazos\n\nSon 30 días.", headings=("2. Todo", "2.1 Plazos"))
    assert [unit.kind for unit in units] == [UnitKind.HEADING, UnitKind.SENTENCE]


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
    assert "…" not in answer("¿Cómo conecto la alarma antes de salir?", passage(text)).text


def test_a_table_too_long_to_be_shown_whole_says_where_it_is_cut():
    rows = "\n".join(
        f"{name} | Nave número {at} del edificio nuevo | Turno {at}"
        for at, name in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    )
    whole = replace(passage(f"Puesto | Lugar | Turno\n{rows}"), heading_path=("Los puestos de la planta",))
    lines = answer("¿Cuáles son los puestos de la planta?", whole).text.splitlines()
    assert lines[:3] == ["…", "", "- G; Nave número 6 del edificio nuevo; Turno 6 [Fuente 1]"]
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
    assert "depende" not in answer("¿Qué plazo de devolución hay?", passage(text)).text


def test_the_sentence_that_answers_is_chosen_over_the_first_one():
    text = "La tienda abre todos los días. El informe Z se conserva cinco años. Los guantes se cambian a menudo."
    draft = answer("¿Cuántos años se conserva el informe Z?", passage(text))
    assert draft.text.startswith("El informe Z se conserva cinco años. [Fuente 1]")


def test_a_sentence_that_points_back_brings_the_one_before():
    text = "El encargado firma la hoja DV-1. Esta firma autoriza la devolución de importes altos."
    draft = answer("¿Qué autoriza la devolución de importes altos?", passage(text))
    assert draft.text.startswith("El encargado firma la hoja DV-1. [Fuente 1] Esta firma")


def test_an_answer_has_at_most_three_sentences_and_two_sources_of_a_document():
    passages = [
        passage(f"El plazo de devolución número {number} es de {number} días.", chunk_id=number)
        for number in range(1, 6)
    ]
    draft = answer("¿Cuál es el plazo de devolución?", *passages)
    assert draft.text.count("[Fuente") <= 3
    assert len(draft.sources) <= 2


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
        assert without_markers(grounded.text) == without_markers(draft.text)
        assert all(verify_quote(cited.quote, cited.passage.text) for cited in grounded.citations)


DISHES = "Plato | Gluten | Leche\nLasaña | Sí | Sí\nMerluza | No | No\nFlan | No | Sí"


def test_a_sentence_that_answers_better_hides_none_of_the_dishes():
    question, told = "¿Qué platos llevan lactosa?", "La lactosa sienta mal a muchas personas."
    passages = passage(told), passage(DISHES)
    scored = score_units(question, passages, unit_matches(question, passages, FakeEmbedder()))
    choices = [replace(one, score=20.0 if one.unit.text == told else 17.0 + one.signals["of_diet"]) for one in scored]
    lines = compose(question, passages, choices, [0.9, 0.9]).text.splitlines()
    assert [line.partition(" —")[0] for line in lines if " — " in line] == ["- Lasaña", "- Flan"]
    assert f"{told} [Fuente 2]" in lines


def test_dishes_of_more_tables_than_a_document_is_cited_with_go_on_and_none_stands_without_its_source():
    question = "¿Qué platos llevan gluten?"
    tables = [DISHES.replace("Lasaña", dish) for dish in ("Canelones", "Lasaña", "Pizza")]
    draft = answer(question, *map(passage, tables), passage("El gluten está en el trigo."))
    lines = [line for line in draft.text.splitlines() if line]
    assert len([line for line in lines if line.startswith("- ")]) == 2
    assert all("[Fuente " in line for line in lines if line != "…")
    assert lines[-1] == "…"
    assert len(ground(draft.text, draft.sources).citations) == 2


def test_a_wide_row_shows_what_the_question_asks_about():
    header = " | ".join(f"Columna {number}" for number in range(30))
    row = " | ".join(f"valor {number} de relleno" for number in range(30)).replace("valor 27", "teléfono 27")
    draft = answer("¿Cuál es el teléfono?", passage(f"{header}\n{row}\n{row.replace('valor', 'dato')}"))
    assert "Columna 27: teléfono 27 de relleno" in draft.text
    assert word_count(draft.text) <= 160


def test_nothing_to_choose_from_gives_an_empty_draft():
    assert answer("¿Qué plazo hay?") == Draft("", ())
    assert answer("¿Qué plazo hay?", passage("Sección")).text == ""


def test_without_token_vectors_whole_sentences_are_compared():
    class SentenceEmbedder(FakeEmbedder):
        supports_tokens = False

    text = "La tienda abre todos los días. El informe Z se conserva cinco años."
    matches = unit_matches("¿Cuántos años se conserva el informe Z?", [passage(text)], SentenceEmbedder())
    assert np.argmax([match.similarity for match in matches[0]]) == 1


def test_relevance_falls_with_the_score_and_never_leaves_its_range():
    passages = [passage("a"), passage("b")]
    result = SearchResult("q", tuple(passages), 0.8, True, "es", "chunks", {})
    assert passage_relevances(result) == [0.8, 0.8]


@pytest.mark.parametrize(
    "question", ["¿Cómo cierro la caja?", "como cierro la caja", "pasos para abrir", "¿Qué hago si falla el TPV?"]
)
def test_questions_for_a_procedure_are_known_with_and_without_accents(question: str):
    assert asks_how(question)


def test_other_questions_do_not_ask_how():
    assert not asks_how("¿Cuántos días hay para devolver?")


def test_kin_words_meet_and_others_stay_apart():
    assert stems("devuelven devoluciones") == stems("DEVOLUCIÓN")
    assert stems("cierra la caja") == stems("cerrar cajas")
    assert stems("la de los que") == frozenset()
    assert stems("caja") != stems("cama")


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


@pytest.mark.parametrize(
    "told",
    ["socorro, una señora no respira", "se ha ido la luz", "no tenemos luz", "un cliente se ahoga"],
)
def test_what_has_gone_wrong_asks_for_what_to_do(told):
    assert asks_how(told)


@pytest.mark.parametrize(
    "question", ["¿Se ha cambiado el plazo?", "me ha dicho a qué hora se abre", "hay tazas azules"]
)
def test_other_sentences_do_not(question):
    assert not asks_how(question)


MENU = """Ensalada de primavera 9 €

Hojas verdes, piña confitada y nueces.

Tartar de atún 12 €
Atún rojo, aguacate y sésamo.

Macarrones con salmón y tomate. 15 €"""


def test_a_dish_its_price_and_what_it_is_made_of_are_one():
    dishes = [unit.text for unit in cut_units(MENU)]
    assert [dish.split(" ", 1)[0] for dish in dishes] == ["Ensalada", "Tartar", "Macarrones"]
    assert "nueces" in dishes[0]
    assert "sésamo" in dishes[1]
    assert dishes[2].endswith("15 €")


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


def test_a_closed_throat_is_trouble_with_breathing():
    assert not stems("se le ha cerrado la garganta").isdisjoint(
        frozenset().union(*map(kin, stems("dificultad para respirar")))
    )


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
