"""What the tables of a menu say of allergens."""

import pytest

from tests.unit.passages import passage
from tests.unit.test_extractive import answer
from tutor.allergens import allergens_in, says_of
from tutor.evidence import is_off_subject
from tutor.scoring import Match, score_units

FOURTEEN = {
    "gluten": "gluten",
    "crustáceos": "crustaceos",
    "huevos": "huevo",
    "pescado": "pescado",
    "cacahuetes": "cacahuete",
    "soja": "soja",
    "lácteos": "leche",
    "frutos de cáscara": "frutos de cascara",
    "apio": "apio",
    "mostaza": "mostaza",
    "granos de sésamo": "sesamo",
    "dióxido de azufre y sulfitos": "sulfitos",
    "altramuces": "altramuces",
    "moluscos": "moluscos",
}


@pytest.mark.parametrize(("said", "key"), FOURTEEN.items())
def test_every_allergen_of_the_law_is_known(said, key):
    assert allergens_in(said) == {key}
    assert says_of(key, said.capitalize(), "Sí") is True
    assert says_of(key, said.capitalize(), "No") is False
    assert says_of(key, f"Sin {said}", "No") is True
    assert says_of(key, "Alérgenos", f"Trazas de {said}") is True


@pytest.mark.parametrize(
    ("allergen", "column", "cell", "says"),
    [
        ("gluten", "Celíacos", "Sí", False),
        ("gluten", "Celíacos", "No", True),
        ("gluten", "Para celíacos", "No", True),
        ("gluten", "Para celíacos", "No recomendado", True),
        ("gluten", "Celíacos", "Trazas", True),
        ("gluten", "Celíacos", "✓", False),
        ("gluten", "Celíacos", "✗", True),
        ("gluten", "Celíacos", "X", None),
        ("gluten", "Celíacos", "", None),
        ("gluten", "Celíacos", "Bajo pedido", None),
        ("gluten", "Celíacos", "Consultar", None),
        ("gluten", "No apto para celíacos", "Sí", True),
        ("gluten", "No apto para celíacos", "No", False),
        ("lactosa", "Intolerantes a la lactosa", "Sí", False),
        ("lactosa", "Intolerantes a la lactosa", "No", True),
        ("huevo", "Alérgicos al huevo", "No", True),
        ("huevo", "Alergia al huevo", "No", None),
        ("gluten", "Contiene gluten", "Sí", True),
        ("gluten", "Contiene gluten", "No", False),
        ("gluten", "No contiene gluten", "Sí", False),
        ("gluten", "No contiene gluten", "No", True),
        ("gluten", "¿Lleva gluten?", "No", False),
        ("gluten", "Gluten-free", "Sí", False),
        ("gluten", "Alérgenos", "Ninguno", False),
        ("huevo", "Contiene gluten", "No", None),
        ("gluten", "Gluten", "X", True),
        ("gluten", "Gluten", "", None),
        ("gluten", "Gluten", "–", False),
        ("gluten", "Gluten", "No, pero puede contener trazas", True),
        ("gluten", "Gluten", "No (salvo la salsa)", None),
        ("gluten", "Gluten", "Sin trazas", False),
        ("gluten", "Gluten", "En la salsa", True),
        ("gluten", "Gluten", "No consta", None),
        ("gluten", "Trazas de gluten", "Sí", True),
        ("gluten", "Trazas de gluten", "No", None),
        ("gluten", "Alérgenos", "Contiene leche. Sin gluten", False),
        ("leche", "Alérgenos", "Contiene leche. Sin gluten", True),
        ("huevo", "Alérgenos", "Sin gluten ni huevo", False),
        ("leche", "Alérgenos", "Sin gluten, leche", None),
        ("gluten", "Contiene", "Trigo, leche", True),
        ("gluten", "Apto para", "Celíacos, veganos", False),
        ("gluten", "No apto para", "Celíacos", True),
        ("gluten", "Observaciones", "No apto para celíacos", True),
        ("nueces", "Frutos de cáscara", "Sí", True),
        ("nueces", "Frutos secos", "No", False),
        ("frutos secos", "Nueces", "Sí", True),
        ("frutos secos", "Nueces", "No", None),
        ("marisco", "Crustáceos", "Sí", True),
        ("marisco", "Crustáceos", "No", None),
        ("lactosa", "Leche", "No", False),
        ("leche", "Lactosa", "No", None),
        ("leche", "Sin lactosa", "Sí", None),
        ("gluten", "Precio", "9 €", None),
        ("gluten", "Notas", "Sin gluten", False),
        ("gluten", "Notas", "No picante, sin gluten", False),
        ("gluten", "Notas", "No pica y es sin gluten", False),
        ("gluten", "Notas", "Lleva leche pero sin gluten", False),
        ("gluten", "Notas", "Sin gluten, pero con leche", False),
        ("gluten", "Notas", "Sin gluten. Se puede pedir sin leche", False),
        ("gluten", "Notas", "Sin gluten. Disponible los lunes", False),
        ("gluten", "Notas", "Sin gluten. Puede contener espinas", False),
        ("gluten", "Notas", "Sin gluten. Puede contener trazas de soja", False),
        ("gluten", "Notas", "Sin gluten y sin trazas", False),
        ("gluten", "Notas", "No hay versión sin gluten", True),
        ("gluten", "Notas", "No es sin gluten", True),
        ("gluten", "Notas", "No disponible sin gluten", True),
        ("gluten", "Notas", "No se puede pedir sin gluten", True),
        ("huevo", "Notas", "No hay opción sin gluten ni huevo", True),
        ("gluten", "Notas", "Nunca es libre de gluten", True),
        ("gluten", "Notas", "Sin gluten. Puede contener trazas", True),
        ("gluten", "Notas", "Sin gluten (posible contaminación cruzada)", True),
        ("gluten", "Notas", "Sin gluten salvo la salsa", None),
        ("gluten", "Notas", "Sin gluten ni huevo (salvo la salsa)", None),
        ("gluten", "Notas", "Sin gluten*", None),
        ("gluten", "Notas", "Sin gluten si se pide", None),
        ("gluten", "Notas", "Sin gluten. Consultar", None),
        ("gluten", "Notas", "Se puede pedir sin gluten", None),
        ("huevo", "Notas", "Se puede pedir sin gluten ni huevo", None),
        ("gluten", "Notas", "Hay opción sin gluten", None),
        ("gluten", "Apto para", "Celíacos (salvo la salsa)", None),
        ("gluten", "Gluten", "Sí (hay opción sin gluten)", True),
        ("gluten", "Gluten", "Sí, se puede pedir sin gluten", True),
        ("gluten", "Gluten", "Contiene; hay versión sin gluten", True),
        ("gluten", "Gluten", "No (sin gluten)", False),
        ("gluten", "Sin gluten", "Sí, sin gluten", False),
        ("gluten", "Celíacos", "Sí, sin gluten", False),
    ],
)
def test_what_a_cell_says(allergen, column, cell, says):
    assert says_of(allergen, column, cell, ["Otra"]) is says


def test_a_cross_beside_ticks_says_no():
    assert says_of("gluten", "Gluten", "X", ["X", "✓"]) is False
    assert says_of("gluten", "Apto celíacos", "X", ["X", "✓"]) is True


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


def test_dishes_whose_allergens_stand_nowhere_are_not_offered():
    choices = score_units("hay platos sin cacahuetes", [passage(PLATES)], [[Match(0.9, 0.9, 0.9)] * 4])
    assert is_off_subject(choices)


def test_a_rule_for_all_allergens_speaks_of_each():
    rule = passage("Los alérgenos de cada plato se miran en la ficha de cocina.")
    assert not is_off_subject(score_units("¿Qué platos llevan gluten?", [rule], [[Match(0.9, 0.9, 0.9)]]))
    warning = passage("Hay que avisar a sala si un plato lleva alérgenos.")
    question = "¿Hay que avisar si un plato lleva gluten?"
    assert not is_off_subject(score_units(question, [warning], [[Match(0.9, 0.9, 0.9)]]))
