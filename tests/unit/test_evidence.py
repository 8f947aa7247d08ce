"""What the best sentence says about whether it answers."""

from collections.abc import Mapping

import pytest

from retrieval.types import SearchConfig, SearchResult
from skillnet.backends.fakes import FakeEmbedder
from tests.unit.passages import passage
from tutor.cutting import passage_units
from tutor.evidence import answer_signals, is_looked_up, names_unknown_code, points_elsewhere, says_all
from tutor.reading import assessed
from tutor.scoring import Choice, Match, score_units


def signals(question: str, text: str) -> Mapping[str, float]:
    passages = [passage(text), passage("La tienda abre todos los días.", chunk_id=2)]
    matches = [[Match()] * len(passage_units(one)) for one in passages]
    return answer_signals(score_units(question, passages, matches))


def test_a_thing_that_no_passage_holds_is_missing():
    text = "El vino se guarda en la bodega."
    assert signals("¿Dónde se guarda el vino?", text)["thing_missing"] == 0
    assert signals("¿Dónde se guarda el extintor?", text)["thing_missing"] > 0


@pytest.mark.parametrize(
    ("question", "text", "is_unknown"),
    [
        ("¿Qué hago si sale la alarma E-500?", "La alarma E-402 avisa de la presión.", True),
        ("¿Qué hago si sale la alarma E500?", "La alarma E 500 avisa de la presión.", False),
        ("¿Qué hago si sale la alarma e-500?", "E500: falta aceite.", False),
        ("¿En qué se diferencian la E-402 y la E-500?", "La alarma E-402 avisa de la presión.", False),
        ("¿El resumen es MD5 o SHA?", "El resumen es SHA512.", False),
        ("¿Se imprime en A4 o en A3?", "Se imprime en folio.", False),
        ("¿Cuántos días hay para devolver en la tienda nº3?", "En la tienda hay 30 días.", False),
        ("¿Puedo trabajar si tuve covid-19?", "Quien está enfermo no trabaja.", False),
        ("¿Qué dice el art5?", "Artículo 5. Vacaciones.", False),
        ("¿Qué hago si sale la alarma E-500?", "El 500 es el número de la avería.", True),
        ("¿Se imprime en A3?", "Se imprime en A4.", True),
        ("¿Qué dice la norma ISO 9001?", "Trabajamos según la norma de calidad.", False),
        ("¿A qué hora se cierra, a las 18:00?", "Se cierra a las 19:00.", False),
    ],
)
def test_a_code_that_nothing_read_bears_is_known(question: str, text: str, is_unknown: bool):
    choices = score_units(question, [passage(text)], [[Match()] * len(passage_units(passage(text)))])
    assert names_unknown_code(choices) is is_unknown
    signals = {"late_interaction": 0.9, "best_coverage": 1.0, "bm25": 1.0}
    result = SearchResult(question, (passage(text),), 0.95, True, "es", "chunks", {"signals": signals})
    assert assessed(result, SearchConfig(), FakeEmbedder()).evidence is not is_unknown


@pytest.mark.parametrize(
    "text",
    [
        "Véase la lista de precios.",
        "Los precios figuran en el anexo II.",
        "Consulta la tabla del apartado 3.",
        "Para más detalle, véase también el siguiente apartado.",
        "Precios: ver anexo II.",
    ],
)
def test_a_sentence_that_only_says_where_to_look_is_known(text: str):
    assert points_elsewhere(text)


@pytest.mark.parametrize(
    "text",
    [
        "El plazo es de 30 días.",
        "La lista se cierra a las nueve.",
        "El botiquín está en la sala, junto al cuadro eléctrico.",
        "El interruptor está en el cuadro eléctrico.",
        "Para ver la ficha del cliente pulsa F5.",
        "El plazo es de 30 días (véase el anexo II).",
        "Consulta con el encargado antes de firmar la hoja.",
    ],
)
def test_other_sentences_say_something(text: str):
    assert not points_elsewhere(text)


EXTENSIONS = """Quién | Extensión | Cuándo
Sistemas | 250 | De 7:00 a 22:30
Mantenimiento | 260 | Todos los días
Obrador | 270 | Por la mañana
Calidad | 240 | Por la tarde"""
FORMS = """Hoja | Para qué | Quién la firma | Se guarda
DN-1 | Donación | Responsable de tienda | 2 años
DV-3 | Transferencia | La jefa de zona | 6 años"""


def looked_up(question: str, *texts: str) -> tuple[str, bool]:
    """The best unit, and whether it is what a question asks for by name."""
    passages = [passage(text, chunk_id=number) for number, text in enumerate(texts, 1)]
    choices = score_units(question, passages, [[Match()] * len(passage_units(one)) for one in passages])
    return best(choices).unit.text, is_looked_up(choices)


def best(choices: list[Choice]) -> Choice:
    return max(choices, key=lambda choice: choice.score)


@pytest.mark.parametrize(
    ("question", "table", "row"),
    [
        ("¿Cuál es la extensión de mantenimiento?", EXTENSIONS, "Mantenimiento | 260"),
        ("¿Qué extensión tiene Calidad?", EXTENSIONS, "Calidad | 240"),
        ("¿Quién firma la DN-1?", FORMS, "DN-1 | Donación"),
        ("¿Quién firma la hoja DN-1?", FORMS, "DN-1 | Donación"),
        ("cuanto tiempo se guarda la DV-3", FORMS, "DV-3 | Transferencia"),
    ],
)
def test_a_row_of_the_name_asked_for_with_the_column_asked_for_is_looked_up(question: str, table: str, row: str):
    beside = "Llama a Mantenimiento o a Calidad (extensión 200) y firma la hoja que se guarda."
    found, is_found = looked_up(question, beside, table)
    assert found.startswith(row)
    assert is_found


@pytest.mark.parametrize(
    "question",
    [
        "¿Cuál es la extensión de Compras?",
        "¿Cuál es el correo de mantenimiento?",
        "¿Quién es Mantenimiento?",
        "¿Cuál es la extensión de mantenimiento los festivos de agosto?",
        "mantenimiento",
    ],
)
def test_what_no_row_or_no_column_names_is_not_looked_up(question: str):
    assert not looked_up(question, EXTENSIONS)[1]


def test_a_figure_is_what_its_column_says():
    assert signals("¿Cuál es la extensión de mantenimiento?", EXTENSIONS)["no_type_around"] == 0
    assert (
        signals("¿Cuánto cuesta el envío?", "Envío | Precio (€)\nCorreos | 25\nMensajero | 30")["no_type_around"] == 0
    )
    assert signals("¿Cuánto cuesta el envío?", "Envío | Cajas\nCorreos | 25\nMensajero | 30")["no_type_around"] == 1


def test_the_other_rows_of_a_table_do_not_take_the_lead_of_one():
    question = "¿Cuál es la extensión de mantenimiento?"
    one_row = "\n".join(EXTENSIONS.splitlines()[:3:2])
    assert signals(question, EXTENSIONS)["lead"] == signals(question, one_row)["lead"] > 0


SHIRTS = "Producto | Precio | Plazo de devolución\nCamiseta | 12 € | 30 días\nGorra | 9 € | 15 días"
STAFF = "Empleado | Jefe | Extensión\nAna | Luis | 260\nEva | Rosa | 270"
COURSES = "Curso | Día | Hora | Alumnos\nExcel | 12 | 10:00 | 25\nInglés | 14 | 9:00 | 12"
MACHINES = "Aparato | Precio con IVA | Garantía | Año de compra\nCafetera | 40 € | sí | 2021\nMolino | 30 € | no | 2022"


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("¿Qué precio tiene la devolución de la camiseta?", SHIRTS),
        ("¿Cuál es la extensión del jefe de Ana?", STAFF),
        ("¿Cuántos días tiene el curso de Excel?", COURSES),
        ("¿Cuántas horas tiene el curso de Excel?", COURSES),
        ("¿Quiénes son los alumnos de Excel?", COURSES),
        ("¿Cuántos años de garantía tiene la cafetera?", MACHINES),
        ("¿Cuántas garantías tiene la cafetera?", MACHINES),
        ("¿Cuál es el precio sin IVA de la cafetera?", MACHINES),
        ("¿Quién autoriza los gastos de Ventas?", "Área | Quién autoriza vacaciones\nVentas | Rosa\nCaja | Luis"),
    ],
)
def test_what_a_row_says_of_something_else_is_not_looked_up(question: str, table: str):
    assert not looked_up(question, table)[1]


@pytest.mark.parametrize(
    ("question", "table", "row"),
    [
        ("¿Cuál es el precio de la gorra?", SHIRTS, "Gorra"),
        ("¿Cuál es el precio con IVA de la cafetera?", MACHINES, "Cafetera"),
        ("¿Quién es el responsable de Caja?", "Área | Responsable\nVentas | Rosa\nCaja | Luis", "Caja"),
    ],
)
def test_what_a_row_says_under_the_name_asked_for_is_looked_up(question: str, table: str, row: str):
    found, is_found = looked_up(question, table)
    assert found.startswith(row)
    assert is_found


@pytest.mark.parametrize(
    ("question", "is_said"),
    [
        ("¿Cuándo se publica el cuadrante?", True),
        ("¿Cuándo se publica el cuadrante de agosto?", False),
        ("¿Cuánto cuesta el cuadrante que se publica?", False),
        ("¿Quién publica el cuadrante?", False),
        ("¿Se publica el cuadrante?", False),
        ("¿Se publica el cuadrante con los nombres?", True),
        ("cuadrante", False),
    ],
)
def test_a_sentence_with_all_words_of_a_question_and_what_it_asks_for_says_it(question: str, is_said: bool):
    texts = ("El cuadrante con los nombres se publica cada jueves.", "La llave se guarda.", "La alarma suena.")
    passages = [passage(text, chunk_id=number) for number, text in enumerate(texts, 1)]
    assert says_all(score_units(question, passages, [[Match()]] * len(passages))) is is_said


def test_what_two_sentences_say_alike_is_said_by_neither():
    texts = ("El cuadrante se publica cada jueves.", "El cuadrante se publica cada lunes.")
    passages = [passage(text, chunk_id=number) for number, text in enumerate(texts, 1)]
    assert not says_all(score_units("¿Cuándo se publica el cuadrante?", passages, [[Match()]] * 2))


def test_another_word_for_the_same_says_it_as_well():
    texts = ("Limpieza de baños a las 11:00, por el barista.", "La llave se guarda.", "La alarma suena.")
    passages = [passage(text, chunk_id=number) for number, text in enumerate(texts, 1)]
    assert says_all(score_units("¿Cuándo se limpian los baños?", passages, [[Match()]] * 3))
