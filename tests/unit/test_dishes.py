"""Dishes asked for by their allergens: which are shown, and what is said of them."""

from dataclasses import replace

import pytest

from skillnet.backends.fakes import FakeEmbedder
from tests.unit.answers import answer
from tests.unit.passages import passage
from tutor.allergen_phrases import warns
from tutor.evidence import is_off_subject
from tutor.extractive import compose
from tutor.grounding import ground
from tutor.relevance import unit_matches
from tutor.scoring import Match, score_units

PLATES = """Plato | Gluten | Lactosa
Lasaña | Sí | Sí
Merluza | No | No
Croquetas | Sí | Sí
Arroz blanco | No | No"""

DESSERTS = """Postre | Celíacos
Flan | Sí
Tarta de queso | No
Arroz con leche | Sí
Brownie | No"""

NUTS = """Plato | Gluten | Frutos secos | Lactosa
Ensalada de nueces | No | Sí | No
Sopa | No | No | No
Lentejas | No | No | No
Crema | No | No | Sí
Paella | No | Trazas | No"""

LISTED = """Plato | Alérgenos
Bizcocho | Frutos secos, leche
Merluza | Pescado
Tortilla | Huevo. Sin gluten
Flan | Huevo y leche
Arroz | –"""

MARKED = """Plato | Gluten | Huevo
Sopa | | X
Pan | X |
Fideos | X | X
Arroz | |"""

OPTIONS = """Plato | Gluten
Lasaña | Sí (hay opción sin gluten)
Merluza | No
Hamburguesa | Sí, se puede pedir sin gluten
Croquetas | Sí"""

NOTES = """Plato | Notas
Lasaña | No hay versión sin gluten
Croquetas | No es sin gluten
Pollo | Se puede pedir sin gluten
Merluza | Sin gluten"""

DISHES = "Plato | Gluten | Leche\nLasaña | Sí | Sí\nMerluza | No | No\nFlan | No | Sí"


@pytest.mark.parametrize(
    ("question", "table", "shown"),
    [
        ("¿Qué platos llevan huevo?", LISTED, {"Tortilla", "Flan"}),
        ("¿Qué platos llevan gluten?", OPTIONS, {"Lasaña", "Hamburguesa", "Croquetas"}),
        ("¿Qué platos llevan gluten?", NOTES, {"Lasaña", "Croquetas", "Pollo"}),
        ("¿Qué platos no puede comer un celíaco?", NOTES, {"Lasaña", "Croquetas", "Pollo"}),
        ("¿Qué puede comer un celíaco?", NOTES, {"Pollo", "Merluza"}),
        ("¿Qué platos hay sin frutos secos?", LISTED, {"Merluza", "Tortilla", "Flan", "Arroz"}),
        ("¿Qué platos llevan gluten?", MARKED, {"Pan", "Fideos"}),
        ("¿Qué platos hay sin gluten?", MARKED, {"Sopa", "Arroz"}),
        ("¿Qué platos llevan gluten o huevo?", MARKED, {"Pan", "Fideos", "Sopa"}),
        ("¿Qué platos hay sin leche?", PLATES, {"Lasaña", "Merluza", "Croquetas", "Arroz blanco"}),
        ("¿Qué platos llevan lactosa?", PLATES, {"Lasaña", "Croquetas"}),
        ("¿Qué platos no puede comer un celíaco?", PLATES, {"Lasaña", "Croquetas"}),
        ("¿Qué platos no son aptos para celíacos?", PLATES, {"Lasaña", "Croquetas"}),
        ("¿Qué platos son aptos para celíacos?", PLATES, {"Merluza", "Arroz blanco"}),
        ("¿Qué platos no llevan lactosa?", PLATES, {"Merluza", "Arroz blanco"}),
        ("¿Qué postres hay para celíacos?", DESSERTS, {"Flan", "Arroz con leche"}),
        ("¿Qué postres no puede tomar un celíaco?", DESSERTS, {"Tarta de queso", "Brownie"}),
        ("¿Qué platos hay sin frutos secos?", NUTS, {"Sopa", "Lentejas", "Crema"}),
        ("¿Qué platos llevan frutos secos?", NUTS, {"Ensalada de nueces", "Paella"}),
        ("¿Hay lasaña sin gluten?", PLATES, {"Lasaña"}),
        ("¿Qué platos llevan gluten y cuáles no?", PLATES, {"Lasaña", "Merluza", "Croquetas", "Arroz blanco"}),
    ],
)
def test_an_answer_holds_the_dishes_asked_for_and_no_others(question, table, shown):
    text = answer(question, passage(table)).text
    dishes = {line.split(" | ")[0] for line in table.splitlines()[1:]}
    assert {dish for dish in dishes if f"- {dish} " in text} == shown


@pytest.mark.parametrize(
    "question", ["¿Qué platos hay sin frutos secos?", "¿Qué platos hay?", "¿Cuáles son los platos?"]
)
def test_every_cell_that_speaks_of_allergens_says_of_which_column_it_is(question):
    rows = [line for line in answer(question, passage(NUTS)).text.splitlines() if line.startswith("- ")]
    assert rows
    assert all("Frutos secos: " in row and "Gluten: " in row for row in rows)


def test_an_empty_cell_is_shown_as_such():
    table = "Plato | Gluten | Huevo\nSopa | | X\nPan | X |\nArroz | |"
    assert "Sopa — Gluten: –; Huevo: X" in answer("¿Qué platos hay sin gluten?", passage(table)).text


def test_a_menu_in_several_tables_is_shown_with_the_rows_of_each():
    desserts = passage(DESSERTS.replace("Postre", "Plato"), chunk_id=2)
    text = answer("¿Qué platos puede comer un celíaco?", passage(PLATES), desserts).text
    assert all(f"- {dish} " in text for dish in ("Merluza", "Arroz blanco", "Flan", "Arroz con leche"))
    assert "Lasaña" not in text and "Brownie" not in text


def test_rows_of_a_wide_table_are_cut_to_what_was_asked_before_any_is_left_out():
    names = ("Gluten", "Huevo", "Pescado", "Soja", "Leche", "Apio", "Mostaza", "Sésamo", "Sulfitos", "Moluscos")
    rows = [f"Plato {number} | " + " | ".join(["No"] * len(names)) for number in range(14)]
    lines = answer("¿Qué platos hay sin soja?", passage("\n".join([" | ".join(["Plato", *names]), *rows]))).text
    assert lines.count("Soja: No") == len(rows)


def test_one_dish_is_asked_for_wherever_it_stands():
    text = answer("¿Hay algún brownie sin gluten?", passage(PLATES), passage(DESSERTS, chunk_id=2)).text
    assert text.splitlines() == ["- Brownie — Celíacos: No [Fuente 1]"]


def test_where_nothing_is_known_to_lack_it_all_rows_are_shown():
    table = "Plato | Alérgenos | Notas\nTarta | 1 | Puede contener trazas de frutos secos\nPan | 1 | –\nSopa | 7 | –"
    text = answer("¿Qué platos hay sin frutos secos?", passage(table)).text
    assert [line.split(" ")[1] for line in text.splitlines()] == ["Tarta", "Pan", "Sopa"]
    assert "Puede contener trazas" in text


def test_a_warning_beside_the_table_is_shown_with_its_rows():
    warning = "Todos los platos sin gluten pueden llevar trazas de gluten: compartimos freidora."
    assert warning in answer("¿Qué platos hay sin gluten?", passage(f"{PLATES}\n\n{warning}")).text


def test_dishes_whose_allergens_stand_nowhere_are_not_offered():
    choices = score_units("hay platos sin cacahuetes", [passage(PLATES)], [[Match(0.9, 0.9, 0.9)] * 4])
    assert is_off_subject(choices)


def test_a_rule_for_all_allergens_speaks_of_each():
    rule = passage("Los alérgenos de cada plato se miran en la ficha de cocina.")
    assert not is_off_subject(score_units("¿Qué platos llevan gluten?", [rule], [[Match(0.9, 0.9, 0.9)]]))
    warning = passage("Hay que avisar a sala si un plato lleva alérgenos.")
    question = "¿Hay que avisar si un plato lleva gluten?"
    assert not is_off_subject(score_units(question, [warning], [[Match(0.9, 0.9, 0.9)]]))


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


def test_a_row_that_stands_twice_is_shown_once_where_it_answers_best():
    question = "¿Qué platos hay sin gluten?"
    whole = passage("Plato | Gluten\nFlan | No\nArroz | No\n\nCarta nueva:\n\nPlato | Gluten\nFlan | No\nTarta | No")
    scored = score_units(question, [whole], unit_matches(question, [whole], FakeEmbedder()))
    second = [one for one in scored if one.unit.text == "Flan | No"][-1]
    choices = [replace(one, score=20.0 if one == second else 10.0) for one in scored]
    lines = compose(question, [whole], choices, [0.9]).text.splitlines()
    assert lines == ["- Flan — Gluten: No [Fuente 1]", "- Tarta — Gluten: No [Fuente 1]", "", "…"]


BY_ALLERGEN = """N.º | Alérgeno | Dónde está
1 | Gluten | Pan, croquetas
2 | Crustáceos | Ensaladilla
5 | Cacahuetes | Crema de cacahuete
7 | Leche | Queso"""


@pytest.mark.parametrize(
    "question",
    ["¿Hay platos sin cacahuetes?", "¿Qué puede comer un alérgico al cacahuete?", "¿Qué platos llevan cacahuetes?"],
)
@pytest.mark.parametrize("numbered", [True, False])
def test_allergens_are_no_dishes(question, numbered):
    table = BY_ALLERGEN if numbered else "\n".join(row.split(" | ", 1)[1] for row in BY_ALLERGEN.splitlines())
    lines = answer(question, passage(table)).text.splitlines()
    assert ["Crema de cacahuete" in line for line in lines] == [True]


def test_a_quote_of_the_dishes_without_holds_none_that_has_it():
    table = "Plato | Soja\nMagdalena | No\nTarta | Contiene\nPalmera | No\nBizcocho | No"
    draft = answer("¿Qué platos hay sin soja?", passage(table))
    assert "Tarta" not in draft.text
    assert all("Tarta" not in source.quote for source in draft.sources)


def test_what_another_document_says_of_allergens_does_not_stand_beside_dishes():
    course = passage("La eliminación de la soja puede reducir la exposición a alérgenos.", document_id=2, chunk_id=2)
    draft = answer("¿Qué platos hay sin soja?", passage("Plato | Soja\nMagdalena | No\nTarta | No"), course)
    assert "eliminación" not in draft.text


CHEESES = """Producto | Leche | Huevos | Soja
Jamón ibérico | No | No | No
Pesto | Contiene | No | No"""
WITH_GLUTEN = """Producto | Gluten | Leche
Bizcocho | Contiene | No
Flan | No | Contiene"""


@pytest.mark.parametrize("question", ["¿El jamón ibérico tiene gluten?", "¿El pesto lleva sulfitos?"])
def test_a_row_that_says_nothing_of_the_allergen_asked_about_is_no_answer(question: str):
    assert is_off_subject(score_units(question, [passage(CHEESES)], [[Match(0.9, 0.9, 0.9)] * 2]))


@pytest.mark.parametrize(
    ("question", "table"), [("¿El pesto lleva leche?", CHEESES), ("¿El bizcocho tiene gluten?", WITH_GLUTEN)]
)
def test_a_row_that_says_something_of_it_is_one(question: str, table: str):
    assert not is_off_subject(score_units(question, [passage(table)], [[Match(0.9, 0.9, 0.9)] * 2]))


SANTIAGO = (
    "La tarta de Santiago se hace con almendra y sin harina, pero se corta en el mismo obrador que el resto. "
    "Por eso no se ofrece como apta para celíacos. La única opción segura sin gluten es la magdalena envasada."
)
BAKERY = f"""Producto | Gluten | Leche | Huevos
Cruasán de mantequilla | Contiene | Contiene | Contiene
Tarta de queso | Contiene | Contiene | Contiene
Tarta de Santiago | No | Trazas | Contiene
Magdalena sin gluten envasada | No | Contiene | Contiene

{SANTIAGO}"""
DRINKS = """Bebida | Leche | Soja | Gluten
Café solo | No | No | No
Café con bebida de avena | Trazas | No | Contiene

La bebida de avena que usamos no está certificada sin gluten."""
WARNING = ("se corta en el mismo obrador que el resto.", "Por eso no se ofrece como apta para celíacos.")


@pytest.mark.parametrize(
    "question",
    [
        "¿Qué dulces puede comer un celíaco?",
        "¿Qué productos no llevan gluten?",
        "dime qué tartas son sin gluten",
        "¿La tarta de Santiago es apta para celíacos?",
        "¿Qué puedo ofrecer a un celíaco de postre?",
    ],
)
@pytest.mark.parametrize("below", [3.0, 10.0])
def test_what_warns_of_a_shown_dish_is_shown_with_it_however_low_it_scores(question: str, below: float):
    parts = [
        replace(passage(text, chunk_id=number), heading_path=("4. Productos de la cafetería", title))
        for number, (title, text) in enumerate({"4.1 Bollería": BAKERY, "4.2 Bebidas": DRINKS}.items())
    ]
    scored = score_units(question, parts, [[Match(0.7, 0.6, 0.7)] * 7, [Match(0.7, 0.6, 0.7)] * 3])
    choices = [replace(one, score=one.score - below * (" | " not in one.unit.text)) for one in scored]
    draft = compose(question, parts, choices, [0.9] * 2)
    text = ground(draft.text, draft.sources).text
    assert text.count("[Fuente") == draft.text.count("[Fuente")
    assert "- Tarta de Santiago — Gluten: No" in text
    assert all(sentence in text for sentence in WARNING)
    assert "Bollería: Por eso" not in text
    assert text.index("La tarta de Santiago se hace con almendra") < text.index("Por eso no se ofrece")


@pytest.mark.parametrize(
    ("note", "is_shown"),
    [
        ("El flan no es apto para celíacos.", True),
        ("Todos los platos pueden contener trazas de gluten.", True),
        ("La lasaña no es apta para celíacos.", False),
        ("El flan se sirve frío.", False),
    ],
)
def test_a_warning_of_another_dish_is_left_out(note: str, is_shown: bool):
    table = "Plato | Gluten\nLasaña | Contiene\nFlan | No"
    scored = score_units("¿Qué platos hay sin gluten?", [passage(f"{table}\n\n{note}")], [[Match(0.7, 0.6, 0.7)] * 3])
    choices = [replace(one, score=one.score - 20.0 * (" | " not in one.unit.text)) for one in scored]
    text = compose("¿Qué platos hay sin gluten?", [passage(f"{table}\n\n{note}")], choices, [0.9]).text
    assert (note in text) is is_shown


FRIED = "Plato | Alérgenos\nPatatas fritas | Ninguno\nCroquetas | Gluten, leche"


@pytest.mark.parametrize(
    ("note", "is_shown"),
    [
        ("Todo se fríe en la misma freidora que las croquetas.", True),
        ("Todas las frituras comparten aceite con las croquetas, que llevan gluten.", True),
        ("Se usa la misma freidora que para las croquetas.", True),
        ("Ningún plato es apto para celíacos.", True),
        ("Las croquetas no son aptas para celíacos.", False),
        ("Los demás platos pueden llevar trazas de leche.", False),
        ("No se puede reservar la terraza.", False),
        ("No vendemos postres para llevar.", False),
    ],
)
def test_a_warning_beside_the_table_is_shown_with_a_dish_that_it_does_not_name(note: str, is_shown: bool):
    text = answer("¿Las patatas fritas llevan gluten?", passage(f"{FRIED}\n\n{note}")).text
    assert text.startswith("- Patatas fritas")
    assert (note in text) is is_shown


def test_warnings_leave_room_for_the_rows_and_none_is_said_twice():
    rows = "\n".join(f"Plato {number} | No" for number in range(15))
    notes = " ".join(f"El plato {number} puede contener trazas de gluten por la harina." for number in range(45))
    general = "Todos los platos comparten freidora."
    source = f"Plato | Gluten\n{rows}\n\n{notes} {general}"
    parts = [passage(source, chunk_id=number) for number in range(4)]
    text = answer("¿Qué platos hay sin gluten?", *parts).text
    assert general in text
    assert "…" in text
    assert len(text.split()) < 230
    assert sum(line.startswith("- Plato") for line in text.splitlines()) >= 8
    sentences = [line for line in text.replace("[Fuente", "\n").splitlines() if "trazas" in line]
    told = [line.partition("El plato")[2] for line in sentences]
    assert len(told) == len(set(told))


@pytest.mark.parametrize(
    "text",
    [
        "Los celíacos no deben tomarlo.",
        "Se elabora en un obrador donde hay gluten.",
        "El pan se corta con la tabla del queso.",
        "Por eso no se ofrece como apta para celíacos.",
        "La bebida no está certificada sin gluten.",
        "Las patatas se fríen en la freidora de las croquetas.",
        "La freidora se comparte con las croquetas.",
        "Ningún postre es apto para celíacos.",
        "No se sirve a celíacos.",
        "Puede contener restos de frutos secos.",
    ],
)
def test_what_warns_of_an_allergen(text: str):
    assert warns(text)


@pytest.mark.parametrize(
    "text",
    [
        "No se sirve vino.",
        "No vendemos postres para llevar.",
        "Compartir plato es gratis.",
        "No se permite fumar.",
        "Los restos se tiran al contenedor.",
        "El pan se hace en el horno de leña.",
        "Se sirve en la bandeja del local.",
    ],
)
def test_what_warns_of_nothing(text: str):
    assert not warns(text)
