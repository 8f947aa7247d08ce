"""What the best sentence says about whether it answers."""

from collections.abc import Mapping

import pytest

from tests.unit.passages import passage
from tutor.evidence import answer_signals, points_elsewhere
from tutor.scoring import Match, passage_units, score_units


def signals(question: str, text: str) -> Mapping[str, float]:
    passages = [passage(text), passage("La tienda abre todos los días.", chunk_id=2)]
    matches = [[Match()] * len(passage_units(one)) for one in passages]
    return answer_signals(score_units(question, passages, matches))


def test_a_thing_that_no_passage_holds_is_missing():
    text = "El vino se guarda en la bodega."
    assert signals("¿Dónde se guarda el vino?", text)["thing_missing"] == 0
    assert signals("¿Dónde se guarda el extintor?", text)["thing_missing"] > 0


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
