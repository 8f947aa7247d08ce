"""What the tables of a menu say of allergens."""

import pytest

from tutor.allergen_cells import says_of
from tutor.allergens import allergens_in

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
