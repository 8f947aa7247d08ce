"""The one thing that a question is about, and whether what was read names it."""

from dataclasses import replace

import pytest

from retrieval.types import SearchConfig, SearchResult
from skillnet.errors import BackendUnavailable
from tests.unit.answers import answer
from tests.unit.passages import TABLE, passage
from tutor.cutting import passage_units
from tutor.evidence import is_off_subject
from tutor.reading import assessed
from tutor.scoring import Match, score_units
from tutor.subjects import subject_of
from tutor.wording import stems

MENU = """Tartar de Atún 9$

Tartar de atún con aguacate y pepinillo.

Tarta de queso 6$

Lleva galleta y frutos rojos."""

DISHES = """Producto | Gluten | Leche
Lasaña boloñesa | Contiene | Contiene
Tortilla de patata | No | No"""


@pytest.mark.parametrize(
    ("question", "thing", "asks"),
    [
        ("alérgenos del tartar", "tartar", "allergens"),
        ("¿Qué alérgenos lleva la tarta de queso?", "tarta queso", "allergens"),
        ("¿Lleva gluten la tortilla de patata?", "tortilla patata", "allergens"),
        ("la bebida de abena lleva gluten?", "bebida avena", "allergens"),
        ("qué lleva la lasaña", "lasaña", ""),
        ("la hamburguesa lleva queso?", "hamburguesa", ""),
        ("menú infantil", "menú infantil", ""),
        ("¿cuánto cuesta el menú infantil los domingos?", "menú infantil", "price"),
        ("cuanto se paga la hora extra en domingo", "hora extra", "price"),
        ("¿hay trona para bebés?", "trona", ""),
        ("¿Cómo se limpia el horno de leña?", "horno", ""),
        ("donde esta el extintor", "extintor", ""),
        ("¿Se puede pagar con cheque restaurante?", "cheque restaurante", ""),
        ("puedo pagar en cheques", "cheques", ""),
    ],
)
def test_what_a_question_is_about(question, thing, asks):
    subject = subject_of(question)
    assert subject is not None
    assert (subject.thing, subject.asks) == (stems(thing), asks)


@pytest.mark.parametrize(
    "question",
    [
        "¿Qué plazo hay para devolver una lata?",
        "el tpv pone E-2210",
        "¿Caduca el vale?",
        "como enciendo el aparato",
        "no hay luz",
        "limpiar la cortadora",
        "descuadre de caja de 3 euros",
        "me sale el código E-4720",
    ],
)
def test_questions_in_more_words_are_about_no_one_thing(question):
    assert subject_of(question) is None


@pytest.mark.parametrize(
    ("question", "must_be_named"),
    [
        ("alérgenos del tartar", True),
        ("¿cuánto cuesta la caña?", True),
        ("qué lleva la lasaña", True),
        ("menú infantil", True),
        ("¿Dónde se guarda el dinero?", False),
        ("¿Hay wifi?", False),
        ("¿Se puede pagar con móvil?", False),
        ("horario verano", False),
    ],
)
def test_what_is_on_a_menu_must_be_named_and_other_things_may_be_called_otherwise(question, must_be_named):
    assert subject_of(question).must_be_named is must_be_named


class NoEmbedder:
    supports_tokens = False

    def embed_query(self, text):
        raise BackendUnavailable("embedder")


@pytest.mark.parametrize(
    ("question", "confidence", "is_answered"),
    [
        ("horario verano", 0.95, True),
        ("horario verano", 0.5, False),
        ("menú infantil", 0.95, False),
    ],
)
def test_what_is_called_otherwise_answers_only_when_all_else_is_clear(question, confidence, is_answered):
    one = passage("En julio y agosto la tienda abre de nueve a dos.")
    result = SearchResult(question, (one,), confidence, True, "en", "chunks", {"signals": {}}, "")
    assert assessed(result, SearchConfig(), NoEmbedder()).evidence is is_answered


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("¿Dónde está el baño?", "Los aseos están al fondo del pasillo."),
        ("¿Hay wifi?", "La red inalámbrica se llama Clientes."),
        ("¿Cuánto cuesta el aparcamiento?", "La plaza de garaje cuesta 40 € al mes."),
        ("¿Cómo abro una incidencia?", "Para comunicar una avería, abre un aviso en el portal."),
    ],
)
def test_a_manual_may_use_another_word_for_it(question, text):
    one = passage(text)
    assert not is_off_subject(score_units(question, [one], [[Match()]]))


@pytest.mark.parametrize(
    ("question", "text", "is_there"),
    [
        ("alérgenos del tartar", MENU, False),
        ("¿cuánto cuesta el tartar de atún?", MENU, True),
        ("¿cuánto cuesta el menú infantil?", MENU, False),
        ("qué lleva el tartar", MENU, True),
        ("¿Lleva gluten la tortilla de patata?", DISHES, True),
        ("¿Lleva gluten la lasaña de verduras?", DISHES, False),
        ("cuanto se paga la hora extra", "Si sales más tarde, anótalo como hora extra en la hoja AC-2.", False),
        ("menú infantil", TABLE, False),
        ("¿qué postres hay sin huevo?", MENU, False),
        ("¿qué platos hay sin gluten?", DISHES, True),
    ],
)
def test_nothing_answers_that_does_not_name_it(question, text, is_there):
    one = passage(text)
    choices = score_units(question, [one], [[Match()] * len(passage_units(one))])
    assert is_off_subject(choices) is not is_there


def test_what_names_it_comes_before_what_is_nearer():
    one = passage("Las raciones se preparan al momento.\n\nEl pan se corta antes.\n\nLa hamburguesa lleva queso.")
    matches = [Match(0.9, 0.9, 0.9), Match(0.8, 0.8, 0.8), Match(0.85, 0.85, 0.85)]
    near, _beside, named = score_units("qué lleva la hamburguesa", [one], [matches])
    assert named.score > near.score


def test_of_things_for_who_must_avoid_something_those_that_hold_it_come_last():
    one = passage(DISHES)
    choices = score_units("¿Qué platos son aptos para celíacos?", [one], [[Match(0.8, 0.8, 0.8)] * 2])
    assert max(choices, key=lambda choice: choice.score).unit.text.startswith("Tortilla")


def test_a_list_that_does_not_speak_of_it_is_not_shown_for_who_must_avoid_it():
    dishes = replace(passage(DISHES), heading_path=("Cafetería", "Platos"))
    menu = replace(passage("Pie de limón. 4$ Torta. 5$", chunk_id=2), heading_path=("Carta", "Platos"))
    assert "Torta" not in answer("¿Qué platos hay sin gluten?", menu, dishes).text
    assert "Torta" in answer("¿Qué platos hay?", menu).text


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("¿Qué platos hay sin gluten?", "Plato | Sin gluten | Precio\nLasaña | No | 9 €\nTortilla | Sí | 7 €"),
        ("¿Qué platos son aptos para celíacos?", "Plato | Apto celíacos\nLasaña | –\nTortilla | ✓"),
        ("¿Qué platos hay sin gluten?", "Plato | Apto para celíacos\nLasaña | No apto\nTortilla | Apto"),
        ("¿Qué platos hay sin gluten?", "Plato | Gluten\nLasaña | Sí\nTortilla | No contiene"),
        ("¿Qué platos hay sin gluten?", "Plato | Gluten\nLasaña | No apto\nTortilla | Sin gluten"),
        ("¿Qué platos hay sin gluten?", "Plato | Gluten\nLasaña | Trazas\nTortilla | 0"),
        ("¿Qué postres hay sin lactosa?", "Postre | Leche\nLasaña dulce | Sí\nTortilla dulce | –"),
        ("¿Qué postres hay sin lactosa?", "Postre | Sin lactosa\nLasaña dulce | No\nTortilla dulce | Sí"),
        ("¿Qué platos hay sin huevo?", "Plato | Huevo\nLasaña | Yema\nTortilla | Ninguno"),
        ("¿Qué platos hay sin gluten?", "Plato | Alérgenos\nLasaña | Gluten, leche\nTortilla | Huevo"),
        ("¿Qué platos hay sin gluten?", "Plato | Alérgenos\nLasaña | Trazas de gluten\nTortilla | –"),
        ("¿Qué platos hay sin gluten?", "Plato | Alérgenos\nLasaña | Gluten (trigo)\nTortilla | Leche y huevo"),
    ],
)
def test_whichever_way_a_column_says_it_the_thing_without_comes_first(question, table):
    holds, lacks = score_units(question, [passage(table)], [[Match(0.8, 0.8, 0.8)] * 2])
    assert (holds.signals["holds_avoided"], lacks.signals["holds_avoided"]) == (1.0, 0.0)
    assert not lacks.signals["off_subject"]


@pytest.mark.parametrize("column", ["Gluten", "Sin gluten", "Alérgenos"])
def test_a_cell_that_does_not_say_tells_nothing(column):
    (row,) = score_units("¿hay algo sin gluten?", [passage(f"Plato | {column}\nArroz | Consultar")], [[Match()]])
    assert not row.signals["holds_avoided"]


@pytest.mark.parametrize("cell", ["G, H", "1, 7", "Trigo y leche", "Salsa de la casa", "Consultar"])
def test_a_list_of_allergens_in_other_words_does_not_say_that_it_lacks_one(cell):
    (row,) = score_units("¿hay algo sin gluten?", [passage(f"Plato | Alérgenos\nArroz | {cell}")], [[Match()]])
    assert row.signals["off_subject"]


@pytest.mark.parametrize("question", ["¿Mandáis a Canarias?", "¿Abrís domingos?", "¿Enviáis paquetes a Francia?"])
def test_what_the_house_does_is_no_part_of_the_thing(question):
    assert subject_of(question) is None


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("¿Hacéis soldadura?", "soldadura"),
        ("¿Tenéis latón?", "latón"),
        ("mudanza dias libres", "mudanza"),
        ("seis platos", "seis platos"),
    ],
)
def test_measures_and_verbs_leave_the_thing(question, thing):
    subject = subject_of(question)
    assert subject is not None
    assert subject.thing == stems(thing)
