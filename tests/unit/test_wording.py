"""Words as they are compared, and questions that want to know what to do."""

import pytest

from tutor.wording import asks_how, stems


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


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("se revisa cada semana", "revisión semanal"),
        ("se limpia una vez al año", "limpieza anual"),
        ("se cuenta todos los meses", "se cuenta mensualmente"),
        ("se anota una vez por trimestre", "nota trimestral"),
    ],
)
def test_how_often_is_the_same_in_many_words_and_in_one(text: str, other: str):
    assert stems(text) & stems(other) & stems("diario semanal mensual trimestral anual")


def test_a_span_of_time_stays_beside_how_often_it_comes():
    assert stems("¿cuántos días al año?") <= stems("30 días de vacaciones cada año")
    assert stems("todos los días festivos") == stems("los días festivos")
    assert stems("de todos los días laborables") == stems("días laborables")


def test_every_second_week_is_not_every_week():
    assert "semanal" not in stems("cada dos semanas")
