"""Questions about one dish's allergens: answered by what is said of that dish and of those, or by nothing."""

from dataclasses import replace

import pytest

from tests.unit.answers import answer
from tests.unit.passages import passage
from tutor.cutting import passage_units
from tutor.evidence import is_doubtful, is_off_subject
from tutor.scoring import Match, score_units
from tutor.subjects import subject_of
from tutor.wording import stems

DRINKS = """Bebida | Leche | Soja | Gluten
Manzanilla sola | No | No | No
Manzanilla con leche | Contiene | No | No
Manzanilla con bebida de soja | Trazas | Contiene | No
Manzanilla con bebida de avena | Trazas | No | Contiene
Cacao a la piedra | Contiene | Trazas | No

Las bebidas vegetales llevan trazas de leche porque comparten jarra.

La bebida de avena de la casa no está certificada sin gluten."""

CHEESES = """Producto | Leche | Huevos | Soja
Queso de Burgos | Contiene | No | No
Queso manchego | Contiene | Contiene | No
Paleta al corte | No | No | No
Olivada | No | No | No

El queso manchego contiene huevo por la lisozima. Es lo que más se olvida."""

PLATES = """Producto | Gluten | Leche
Bocadillo de paleta | Contiene | No
Tortilla de patata | No | No
Crema de calabacín | No | Trazas

El pan sin gluten se encarga el día anterior."""

BY_ALLERGEN = """N.º | Alérgeno | Dónde está
2 | Crustáceos | Crema de marisco, ensaladilla de gambas
10 | Mostaza | Vinagreta, mostaza antigua"""


def under(title, text, **others):
    return replace(passage(text, **others), heading_path=("Guía", title))


MENU = (
    under("4.2 Bebidas", DRINKS, chunk_id=1),
    under("5.1 Quesos, embutidos y salsas", CHEESES, chunk_id=2),
    under("4.3 Bocadillos y platos del día", PLATES, chunk_id=3),
    under("2.1 Lista", BY_ALLERGEN, chunk_id=4),
)
FRUITS = under("Plazos", "Producto | Plazo\nVino | 15 días\nQueso de Burgos | 3 días", chunk_id=5)


def on_subject(question, *passages):
    matches = [[Match(0.8, 0.8, 0.8)] * len(passage_units(one)) for one in passages]
    choices = score_units(question, passages, matches)
    return {one.unit.text.split(" | ")[0] for one in choices if not one.signals["off_subject"]}


@pytest.mark.parametrize(
    ("question", "dishes"),
    [
        ("¿La bebida de soja lleva leche?", {"Manzanilla con bebida de soja"}),
        ("¿La manzanilla con bebida de soja lleva leche?", {"Manzanilla con bebida de soja"}),
        ("¿La manzanilla con leche lleva soja?", {"Manzanilla con leche"}),
        ("¿El cacao a la piedra tiene gluten?", {"Cacao a la piedra"}),
        ("¿Puede un alérgico a la leche tomar la manzanilla con bebida de soja?", {"Manzanilla con bebida de soja"}),
        ("¿Puede tomar manzanilla con leche un intolerante a la lactosa?", {"Manzanilla con leche"}),
        ("soy alérgico a la soja, ¿puedo tomar la olivada?", {"Olivada"}),
        ("un cliente alérgico al huevo quiere un queso de Burgos", {"Queso de Burgos"}),
        ("¿Se le puede poner cacao a un alérgico a la soja?", {"Cacao a la piedra"}),
        ("¿La tortilla es apta para celíacos?", {"Tortilla de patata"}),
        ("¿Hay gluten en la tortilla?", {"Tortilla de patata"}),
        ("¿Lleva gluten o leche la crema de calabacín?", {"Crema de calabacín"}),
        ("¿La tortilla y la crema de calabacín llevan leche?", {"Tortilla de patata", "Crema de calabacín"}),
        ("¿El queso lleva soja?", {"Queso de Burgos", "Queso manchego"}),
        ("alérgenos del queso de Burgos", {"Queso de Burgos"}),
        ("¿La crema de marisco lleva crustáceos?", {"2"}),
    ],
)
def test_the_rows_of_the_dish_asked_about_answer_and_no_others(question, dishes):
    assert on_subject(question, *MENU) == dishes


@pytest.mark.parametrize(
    "question",
    [
        "¿El queso manchego lleva apio?",
        "¿Lleva gluten el queso manchego?",
        "¿Lleva mostaza el queso de Burgos?",
        "¿La crema de marisco lleva huevo?",
        "¿La mostaza antigua lleva gluten?",
        "¿La ensaladilla de gambas tiene moluscos?",
        "¿La olivada tiene gluten?",
        "¿La paleta lleva sulfitos?",
        "¿El bocadillo de tortilla lleva gluten?",
        "bocadillo tortilla gluten",
        "¿El bocadillo de paleta y queso lleva leche?",
        "¿Los embutidos llevan leche?",
        "¿El vino tiene gluten?",
        "¿Puede un celíaco tomar vino?",
        "¿La olivada es apta para celíacos?",
    ],
)
def test_where_nothing_is_said_of_it_nothing_answers(question):
    passages = (*MENU, FRUITS)
    matches = [[Match(0.9, 0.9, 0.9)] * len(passage_units(one)) for one in passages]
    assert is_off_subject(score_units(question, passages, matches))


def test_a_name_does_not_say_what_is_in_it_but_what_it_is_named_by_may_be_asked():
    (avena,) = (line for line in answer("¿La bebida de avena lleva gluten?", *MENU).text.splitlines() if "— " in line)
    assert avena.startswith("- Manzanilla con bebida de avena — Leche: Trazas; Soja: No; Gluten: Contiene")
    assert "no está certificada sin gluten" in answer("¿La bebida de avena lleva gluten?", *MENU).text


def test_a_sentence_about_another_allergen_is_not_shown_beside_the_dish():
    assert "vegetales" not in answer("¿La bebida de avena lleva gluten?", *MENU).text
    assert "lisozima" not in answer("¿El queso manchego lleva soja?", *MENU).text
    assert "lisozima" in answer("¿El queso manchego lleva huevo?", *MENU).text


def test_what_follows_from_a_sentence_about_the_dish_is_shown_with_it():
    text = (
        "Producto | Gluten | Soja\nTarta de almendra | No | No\nTarta de queso | Contiene | No\n\n"
        "La tarta de almendra se hace sin harina, pero en el mismo horno. Por eso no se ofrece a celíacos."
    )
    for question in ("¿La tarta de almendra lleva gluten?", "¿La tarta lleva gluten?"):
        shown = answer(question, passage(text)).text
        assert "- Tarta de almendra — Gluten: No" in shown
        assert "Por eso no se ofrece a celíacos." in shown


def test_all_dishes_of_that_name_are_shown():
    lines = answer("¿La manzanilla lleva leche?", *MENU).text.splitlines()
    assert sum(line.startswith("- Manzanilla ") for line in lines) == 4


def test_a_heading_that_names_the_kind_completes_the_name_of_a_row():
    tarts = under("Tartas", "Sabor | Gluten | Leche\nQueso | Sí | Sí\nManzana | Sí | No")
    assert on_subject("¿La tarta de manzana lleva leche?", tarts) == {"Manzana"}
    assert on_subject("¿Las tartas llevan leche?", tarts) == {"Queso", "Manzana"}


def test_what_is_below_the_name_of_a_dish_is_said_of_it():
    dish = under("Lasaña de la casa", "Contiene gluten y leche.\n\nAlérgeno | Lo lleva\nHuevo | Sí\nApio | No")
    assert on_subject("¿La lasaña lleva gluten?", dish) == {"Contiene gluten y leche."}
    assert on_subject("¿La lasaña lleva apio?", dish) == {"Apio"}


def test_the_drinks_without_are_listed_though_a_sentence_beside_them_is_nearer():
    (drinks,) = MENU[:1]
    text = answer("¿Qué bebidas no llevan leche?", drinks).text
    assert text.startswith("- Manzanilla sola — Leche: No")
    assert "Manzanilla con leche" not in text


@pytest.mark.parametrize(
    ("question", "thing", "allergens", "in_name"),
    [
        ("¿La bebida de soja lleva leche?", "bebida soja", {"leche"}, {"soja"}),
        ("¿La magdalena sin gluten lleva huevo?", "magdalena gluten", {"huevo"}, {"gluten"}),
        ("¿Tiene trazas de soja la palmera?", "palmera", {"soja"}, set()),
        ("¿Puede un celíaco tomar cerveza?", "cerveza", {"gluten"}, set()),
        ("¿Puedo servir la ensalada a un alérgico al huevo?", "ensalada", {"huevo"}, set()),
        ("una clienta es intolerante a la lactosa, ¿puede tomar el cacao?", "cacao", {"lactosa"}, set()),
    ],
)
def test_of_the_allergens_in_a_question_some_are_asked_about_and_some_name_the_dish(
    question, thing, allergens, in_name
):
    subject = subject_of(question)
    assert subject is not None
    assert subject.thing == stems(thing)
    assert (subject.allergens, subject.in_name, subject.asks) == (allergens, in_name, "allergens")


@pytest.mark.parametrize(
    "question",
    [
        "¿Qué puede comer un celíaco?",
        "¿Puede un celíaco comer algo?",
        "¿Puede un celíaco comer en la barra?",
        "Tengo un cliente celíaco, ¿qué hago?",
    ],
)
def test_who_may_eat_what_is_asked_of_no_one_dish(question):
    assert subject_of(question) is None


def test_what_is_done_for_another_allergen_is_not_done_for_this_one():
    rules = passage("Si el cliente es alérgico a la leche, usa la jarra roja.\n\nPara los alérgicos, lava la pala.")
    shown = on_subject("¿Qué hago con un cliente alérgico al sésamo?", rules)
    assert shown == {"Para los alérgicos, lava la pala."}


def test_a_list_by_allergen_answers_for_what_it_names():
    foods = passage("Los cereales con gluten están en:\n\n- Pimentón que no sea puro.\n- Harina.")
    assert any("Pimentón" in text for text in on_subject("¿El pimentón tiene gluten?", foods))
    assert not on_subject("¿El pimentón tiene huevo?", foods)


@pytest.mark.parametrize(
    ("question", "is_of_it"),
    [
        ("¿Cómo se hace la lasaña?", False),
        ("¿Cómo preparo un café con leche?", False),
        ("¿Qué lleva la lasaña?", True),
        ("¿Cómo hago para saber los alérgenos de la lasaña?", True),
    ],
)
def test_which_allergens_a_dish_has_does_not_say_how_it_is_made(question: str, is_of_it: bool):
    table = passage("Plato | Gluten | Leche\nLasaña | Contiene | Contiene\nCafé con leche | No | Contiene")
    choices = score_units(question, [table], [[Match(0.9, 0.9, 0.9)] * 2])
    assert is_off_subject(choices) is not is_of_it
    assert is_of_it or is_doubtful(choices)
