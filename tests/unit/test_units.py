"""Passages cut into sentences, items and rows."""

import pytest

from tests.unit.passages import LIST, MENU, STEPS, TABLE
from tutor.cutting import cut_units
from tutor.units import UnitKind


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


def test_a_dish_its_price_and_what_it_is_made_of_are_one():
    dishes = [unit.text for unit in cut_units(MENU)]
    assert [dish.split(" ", 1)[0] for dish in dishes] == ["Ensalada", "Tartar", "Macarrones"]
    assert "nueces" in dishes[0]
    assert "sésamo" in dishes[1]
    assert dishes[2].endswith("15 €")


def test_a_heading_line_answers_nothing():
    units = cut_units("2.1 Plazos\n\nSon 30 días.", headings=("2. Todo", "2.1 Plazos"))
    assert [unit.kind for unit in units] == [UnitKind.HEADING, UnitKind.SENTENCE]


FAQ = """¿Puedo traer a mi perro?
Sí, los viernes.

P: ¿Dónde aparco la bici?

En el sótano. Hay veinte plazas.

¿Qué hay que llevar?

- El DNI
- La nómina

Los lunes se cierra."""


def test_a_question_of_the_document_answers_nothing_and_stands_before_what_answers_it():
    units = cut_units(FAQ)
    asked = {unit.text: FAQ[slice(*unit.support)] for unit in units if unit.support is not None}
    assert [unit.text for unit in units if not unit.may_answer] == [
        "¿Puedo traer a mi perro?",
        "P: ¿Dónde aparco la bici?",
        "¿Qué hay que llevar?",
    ]
    assert asked == {
        "Sí, los viernes.": "¿Puedo traer a mi perro?",
        "En el sótano.": "P: ¿Dónde aparco la bici?",
        "Hay veinte plazas.": "P: ¿Dónde aparco la bici?",
        "El DNI": "¿Qué hay que llevar?",
        "La nómina": "¿Qué hay que llevar?",
    }


def test_questions_in_a_row_are_answered_together():
    text = "¿Hay becas? ¿Para quién? Las hay para hijos de la plantilla."
    assert [(unit.lead, unit.support) for unit in cut_units(text)][2:] == [(1, (0, text.index("Las hay") - 1))]


def test_a_long_item_that_asks_and_answers_is_led_by_its_question():
    item = "1. ¿Se puede aparcar? " + "Sí, en el sótano hay sitio para las bicicletas de todo el personal. " * 5
    units = cut_units(item)
    assert [unit.kind for unit in units[:2]] == [UnitKind.QUESTION, UnitKind.ITEM]
    assert units[1].lead == 0


@pytest.mark.parametrize(
    "text",
    [
        "Pregunta siempre: «¿Lleva frutos secos?».",
        "- ¿Qué alergia tiene?\n- ¿Es grave?",
        "«¿Es así?»",
        "Se pregunta si hay alergias.",
    ],
)
def test_what_is_to_be_asked_is_no_question_of_the_document(text: str):
    assert all(unit.may_answer for unit in cut_units(text))


def test_a_question_does_not_lead_what_stands_far_behind_it():
    text = "¿Puedo traer a mi perro?\n\nSí.\n\nLos viernes.\n\nLa caja se cuenta dos veces."
    assert cut_units(text)[-1].lead is None


@pytest.mark.parametrize(
    ("answered", "behind", "goes_on"),
    [
        ("No.", "Se puede comer en la sala de descanso.", False),
        ("Consulta el apartado 4.", "Sí está permitido beber agua.", False),
        ("Sí, los viernes.", "Además, tiene que llevar correa.", True),
        ("Solo con:", "Su cartilla al día.", True),
        ("Sí, los viernes.", "- Con correa.\n- Con bozal.", True),
    ],
)
@pytest.mark.parametrize("apart", ["\n", "\n\n"])
def test_a_question_is_answered_by_one_paragraph_and_what_belongs_to_it(answered, behind, goes_on, apart):
    units = cut_units(f"¿Puedo fumar en la sala?{apart}{answered}\n\n{behind}")
    assert units[1].lead == 0
    assert (units[2].lead is not None) is goes_on


def leads(text: str) -> dict[str, str | None]:
    units = cut_units(text)
    return {
        unit.text: None if unit.lead is None else units[unit.lead].text for unit in units if unit.kind is UnitKind.ITEM
    }


ALLERGENS = """Causan alergias:
1. Crustáceos.
2. Soja, salvo:
- aceite de soja refinado;
- tocoferoles.
3. Leche, salvo:

- lactitol.

4. Huevos."""


def test_an_item_that_ends_with_a_colon_introduces_those_behind_it_until_its_own_list_goes_on():
    assert leads(ALLERGENS) == {
        "1. Crustáceos.": "Causan alergias:",
        "2. Soja, salvo:": "Causan alergias:",
        "aceite de soja refinado;": "2. Soja, salvo:",
        "tocoferoles.": "2. Soja, salvo:",
        "3. Leche, salvo:": "Causan alergias:",
        "lactitol.": "3. Leche, salvo:",
        "4. Huevos.": None,
    }


def test_lists_in_lists_are_told_apart_by_their_marks():
    text = "1. Se pide.\n2. Se aporta:\n- a) El acta, con:\n1. La fecha.\n2. La firma.\n- b) El plano.\n3. Se paga."
    assert leads(text) == {
        "1. Se pide.": None,
        "2. Se aporta:": None,
        "a) El acta, con:": "2. Se aporta:",
        "1. La fecha.": "a) El acta, con:",
        "2. La firma.": "a) El acta, con:",
        "b) El plano.": "2. Se aporta:",
        "3. Se paga.": None,
    }


def test_dashes_below_a_dash_are_introduced_until_their_sentence_ends_or_the_next_introduces():
    text = "- Saludar.\n- No se permite:\n- Fumar.\n- Gritar.\n- Se permite:\n- beber agua;\n- comer fruta.\n- Salir."
    assert leads(text) == {
        "Saludar.": None,
        "No se permite:": None,
        "Fumar.": "No se permite:",
        "Gritar.": "No se permite:",
        "Se permite:": None,
        "beber agua;": "Se permite:",
        "comer fruta.": "Se permite:",
        "Salir.": None,
    }


def test_an_item_repeated_before_one_that_it_introduces_still_introduces_it():
    assert leads("- No se permite: - Fumar.\n- Gritar.") == {
        "No se permite:": None,
        "Fumar.": "No se permite:",
        "Gritar.": "No se permite:",
    }


def test_a_mark_before_the_mark_of_the_text_is_no_part_of_an_item():
    units = cut_units("- a) El acta.\n- – El plano.\n- (2) La firma.")
    assert [(unit.text, unit.marker) for unit in units] == [
        ("a) El acta.", "a"),
        ("El plano.", ""),
        ("(2) La firma.", "2"),
    ]


INSTALLING = """Se instala con el siguiente comando.

aptitude install sudo

Hay que reiniciar el equipo.

Se muestra lo siguiente:

GRUB_DEFAULT=0

GRUB_TIMEOUT=1

Figura 1 El resultado

1. Conozca el tipo de sistema.

uname -m

Abrir

Si es de 64 bits, siga."""


def test_lines_that_are_no_sentences_belong_to_what_announces_them():
    assert leads(INSTALLING) == {
        "aptitude install sudo": "Se instala con el siguiente comando.",
        "GRUB_DEFAULT=0": "Se muestra lo siguiente:",
        "GRUB_TIMEOUT=1": "Se muestra lo siguiente:",
        "1. Conozca el tipo de sistema.": None,
        "uname -m": "1. Conozca el tipo de sistema.",
    }


def test_sentences_names_with_prices_and_headings_are_not_announced():
    text = "Los platos son los siguientes:\n\nTartar de atún 12 €\n\nAtún rojo y sésamo.\n\n2.1 Postres\n\nVarios"
    assert leads(text) == {}


def test_a_dish_named_in_a_list_is_one_with_what_it_is_made_of():
    text = "- Bianca 15$\n\nSalsa fondue, tocineta y maíz.\n\n- Della Casa 15$\n\nLomo de cerdo y rúgula.\n\n- Agua 2$"
    assert [unit.text for unit in cut_units(text)] == [
        "Bianca 15$\n\nSalsa fondue, tocineta y maíz.",
        "Della Casa 15$\n\nLomo de cerdo y rúgula.",
        "Agua 2$",
    ]


def test_a_short_item_is_weighed_with_those_that_it_introduces_and_a_clause_is_not():
    long = "2. Junto con la solicitud de inscripción de la asociación se aportará la documentación que sigue:"
    text = f"Requisitos:\n1. No se admite:\n- el fax;\n{long}\n- el acta."
    supports = {unit.text: text[slice(*unit.support)] for unit in cut_units(text) if unit.support}
    assert supports["el fax;"] == "1. No se admite:"
    assert supports["el acta."] == "Requisitos:"


@pytest.mark.parametrize(
    ("lead", "line", "is_led"),
    [
        ("El dinero se abona en la siguiente nómina.", "Vacaciones", False),
        ("El paquete llega en los siguientes días.", "Reclamaciones", False),
        ("La entrega la hace la siguiente persona de la lista.", "Guardias", False),
        ("Se instala con la siguiente utilidad.", "sudo apt install nginx", True),
        ("Se instala con el siguiente comando.", "aptitude install nginx", True),
        ("Hay que traer los siguientes documentos.", "DNI y tarjeta", True),
        ("Se escribe lo siguiente.", "Hola", True),
        ("Los datos que se piden son los siguientes.", "Nombre y apellidos", True),
    ],
)
def test_what_comes_next_in_time_or_turn_announces_nothing(lead: str, line: str, is_led: bool):
    assert (cut_units(f"{lead}\n\n{line}\n\nCada persona tiene 30 días.")[1].lead is not None) is is_led


BENEFITS = """La empresa ofrece:

- Seguro médico.
- Ayuda para estudios:
  - Por la formación
    - hasta 600 euros;
    - se pide en septiembre.
  - Por hijo.
- Comedor:
- Descuento en la clínica.
  - Para la familia:
- Cesta de Navidad."""


def test_an_item_introduces_those_further_in():
    assert leads(BENEFITS) == {
        "Seguro médico.": "La empresa ofrece:",
        "Ayuda para estudios:": "La empresa ofrece:",
        "Por la formación": "Ayuda para estudios:",
        "hasta 600 euros;": "Por la formación",
        "se pide en septiembre.": "Por la formación",
        "Por hijo.": "Ayuda para estudios:",
        "Comedor:": "La empresa ofrece:",
        "Descuento en la clínica.": "La empresa ofrece:",
        "Para la familia:": "Descuento en la clínica.",
        "Cesta de Navidad.": "La empresa ofrece:",
    }
