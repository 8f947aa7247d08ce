from dataclasses import replace

from retrieval.evaluation.judging import RIGHT, Expected, holds_words, judged_ranking, overlap
from tests.unit.passages import passage

WORDS = "El horno se limpia cada noche con agua templada y un paño suave."


def test_the_words_decide_however_the_document_was_cut():
    expected = Expected(1, ("Limpieza",), 3, WORDS)
    whole = f"Antes de salir. {WORDS} Después se apaga la luz del fondo."
    part = "se limpia cada noche con agua templada"
    for text in (WORDS, whole, part):
        assert expected.is_in(replace(passage(text), document_id=1, heading_path=()))
    assert not expected.is_in(replace(passage("La caja se cuenta al cerrar, cada noche."), document_id=1))


def test_another_document_is_never_right():
    assert not Expected(1, passage=WORDS).is_in(replace(passage(WORDS), document_id=2))
    assert Expected(1, passage=WORDS).is_in(replace(passage(WORDS), document_id=2), document_id=1)


def test_without_words_the_section_and_then_the_page_decide():
    hit = replace(passage(WORDS), document_id=1, heading_path=("Cocina", "Limpieza"), page_start=2, page_end=3)
    assert Expected(1, ("Cocina",), 9).is_in(hit)
    assert not Expected(1, ("Limpieza",)).is_in(hit)
    assert Expected(1, page=3).is_in(hit)
    assert not Expected(1, page=4).is_in(hit)
    assert Expected(1).is_in(hit)


def test_overlap_is_of_the_shorter_text():
    assert overlap(WORDS, WORDS + " Y mucho más texto después de eso.") == 1.0
    assert overlap("", WORDS) == 0.0
    assert overlap("horno", "Horno") == 1.0


def test_further_right_hits_are_left_out_of_a_ranking():
    assert judged_ranking([False, True, True, False], ["a", "b", "c", "d"]) == ["a", RIGHT, "d"]


def test_enough_words_are_there_but_every_number_and_every_denial():
    assert holds_words("El cliente tiene 30 días para devolverlo.", "el cliente tiene 30 dias para devolver")
    assert not holds_words("El cliente tiene 15 días para devolverlo.", "el cliente tiene 30 dias para devolver")
    denied = "el cliente no tiene derecho a la devolución del importe"
    assert not holds_words("El cliente tiene derecho a la devolución del importe.", denied)
    assert holds_words("El cliente no tiene derecho a la devolución del importe.", denied)
    assert not holds_words(
        "Se devuelve con tique en la tienda de compra.", "se devuelve sin tique en la tienda de compra"
    )


def test_signs_alone_are_no_words_that_could_be_there():
    assert not holds_words("El horno se limpia — cada noche.", "—")
