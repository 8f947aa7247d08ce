import pytest

from retrieval.question import AlphaShifts, asks, has_quotes, shifted_alpha

DESIGNED = AlphaShifts(exact=-0.3, asks=0.2, short=-0.2)


@pytest.mark.parametrize(
    "question",
    [
        "¿Qué hago si falta género?",
        "que hago si falta genero",
        "¿CUÁNTOS días tengo?",
        "Cua\u0301ntos días tengo",
        "¿Por qué no abre la caja?",
        "  ¿ Dónde está el extintor?",
        "«¿Cómo se pide?»",
        "¿A qué hora cierro?",
        "¿Desde cuándo se aplica?",
    ],
)
def test_question_words_are_known_with_and_without_marks_and_accents(question):
    assert asks(question)


@pytest.mark.parametrize("question", ["Quedada de equipo", "Comodín", "devolver un pedido", "", "¿?"])
def test_words_that_only_begin_like_question_words_do_not_ask(question):
    assert not asks(question)


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ('qué dice "plazo de devolución"', True),
        ("qué dice «plazo de devolución»", True),
        ("qué dice “plazo”", True),
        ('una pantalla de 24"', False),
        ('""', False),
        ("sin comillas", False),
    ],
)
def test_quotes_are_found_in_pairs(question, quoted):
    assert has_quotes(question) is quoted


def test_codes_and_quotes_want_the_exact_words():
    assert shifted_alpha(0.5, "error E-4711", has_code=True) == pytest.approx(0.2)
    assert shifted_alpha(0.5, 'dónde sale "caja cerrada"') == pytest.approx(0.2)


def test_shifts_stop_at_their_limits():
    assert shifted_alpha(0.4, "x", has_code=True) == pytest.approx(0.2)
    assert shifted_alpha(0.75, "¿Cómo se pide material?", shifts=DESIGNED) == pytest.approx(0.8)
    assert shifted_alpha(0.4, "vacaciones", shifts=DESIGNED) == pytest.approx(0.3)


def test_a_limit_never_moves_a_weight_the_other_way():
    assert shifted_alpha(0.1, "error E-4711", has_code=True) == pytest.approx(0.1)
    assert shifted_alpha(0.9, "¿Cómo se pide material?", shifts=DESIGNED) == pytest.approx(0.9)


def test_other_questions_keep_the_weight():
    assert shifted_alpha(0.5, "pedir material para la tienda nueva") == 0.5
    assert shifted_alpha(0.5, "¿Cómo se pide el material nuevo?") == 0.5


def test_words_in_a_language_of_no_document_count_little_unless_they_are_codes():
    assert shifted_alpha(0.5, "how long is the warranty", is_foreign=True) == pytest.approx(0.9)
    assert shifted_alpha(0.9, "how long is the warranty", is_foreign=True) == 1.0
    assert shifted_alpha(0.5, "error E-4711", has_code=True, is_foreign=True) == pytest.approx(0.2)
