"""Answers made of the documents' own sentences, and how much one may say."""

from dataclasses import replace

import pytest

from retrieval.types import Passage
from skillnet.backends.fakes import FakeEmbedder
from tests.unit.answers import answer
from tests.unit.passages import LIST, MENU, STEPS, TABLE, passage
from tutor.drafting import Draft
from tutor.extractive import compose
from tutor.grounding import ground, verify_quote, without_markers
from tutor.relevance import unit_matches
from tutor.scoring import Match, score_units
from tutor.wording import word_count

ABONO = (
    "El abono de temporada se compra en la taquilla.",
    "Este carné vale para dos personas.",
    "También incluye una visita guiada.",
    "Además permite entrar gratis al museo.",
    "Este papel lleva una fotografía reciente.",
    "También se renueva por internet.",
    "Este trámite dura un día.",
    "Además admite mascotas pequeñas.",
    "También descuenta parte del aparcamiento.",
)


def best_of_season_ticket(*best: int) -> str:
    """The answer made of these sentences, best first."""
    whole = passage(" ".join(ABONO))
    choices = score_units("¿Y?", [whole], unit_matches("¿Y?", [whole], FakeEmbedder()))
    scores = {index: 9.0 - 0.1 * rank for rank, index in enumerate(best)}
    draft = compose("¿Y?", [whole], [replace(one, score=scores.get(one.index, 0.0)) for one in choices], [0.9])
    return without_markers(draft.text)


def test_an_answer_has_at_most_two_sentences_more_that_the_others_lean_on():
    assert best_of_season_ticket(2, 5, 8, 0) == " ".join(ABONO[:3])


def test_a_sentence_that_leans_on_one_shown_already_needs_no_room():
    assert best_of_season_ticket(3, 4) == "Sección: " + " ".join(ABONO[1:5])


def test_a_sentence_cut_short_gives_way_to_a_whole_one():
    text = (
        "El plazo de devolución depende de la\n\nEl plazo de devolución de vinos dura quince días. "
        "El plazo de devolución de quesos abarca dos jornadas. El plazo de devolución de menaje llega a un mes."
    )
    shown = answer("¿Qué plazo de devolución hay?", passage(text)).text
    assert "quince días" in shown
    assert "depende" not in shown


def test_the_sentence_that_answers_is_chosen_over_the_first_one():
    text = "La tienda abre todos los días. El informe Z se conserva cinco años. Los guantes se cambian a menudo."
    draft = answer("¿Cuántos años se conserva el informe Z?", passage(text))
    assert draft.text.startswith("El informe Z se conserva cinco años. [Fuente 1]")


def test_a_sentence_that_points_back_brings_the_one_before():
    text = "El encargado firma la hoja DV-1. Esta firma autoriza la devolución de importes altos."
    draft = answer("¿Qué autoriza la devolución de importes altos?", passage(text))
    assert draft.text.startswith("El encargado firma la hoja DV-1. [Fuente 1] Esta firma")


RULES = (
    "El menaje se devuelve sin usar.",
    "Cada queso lleva etiqueta.",
    "Las tarjetas regalo caducan pronto.",
    "Un encargado firma los abonos grandes.",
    "Ningún libro vuelve abierto.",
)


def of_equals(*passages: Passage) -> Draft:
    """The answer where every sentence answers as well as the others."""
    choices = score_units("¿Y?", passages, unit_matches("¿Y?", passages, FakeEmbedder()))
    return compose("¿Y?", passages, [replace(one, score=9.0) for one in choices], [0.9] * len(passages))


def test_an_answer_has_at_most_three_sentences():
    assert without_markers(of_equals(passage(" ".join(RULES))).text) == " ".join(RULES[:3])


def test_an_answer_cites_a_document_at_most_twice():
    one, *others = [passage(rule, document_id=1, chunk_id=number) for number, rule in enumerate(RULES)]
    assert [source.passage for source in of_equals(one, *others).sources] == [one, others[0]]
    elsewhere = replace(others[-1], document_id=2)
    assert [source.passage for source in of_equals(one, *others, elsewhere).sources] == [one, others[0], elsewhere]


@pytest.mark.parametrize("question", ["¿Cómo se hace el trabajo?", "¿Qué dice el trabajo largo?"])
def test_no_answer_is_longer_than_a_hundred_and_sixty_words(question: str):
    steps = "\n".join(f"{n}. El trabajo {n} " + "se hace con mucho cuidado siempre " * 6 for n in range(1, 15))
    long = "El trabajo largo " + "y muy pesado de explicar " * 60 + "se dice."
    draft = answer(question, passage(f"El trabajo se hace así:\n\n{steps}"), passage(long, document_id=2))
    assert 0 < word_count(draft.text) <= 160


def test_what_makes_an_answer_too_long_is_left_out_from_the_end(monkeypatch: pytest.MonkeyPatch):
    others = [passage(rule, document_id=number, chunk_id=number) for number, rule in enumerate(RULES[:3], start=1)]
    assert len(of_equals(*others).sources) == 3
    monkeypatch.setattr("tutor.extractive.LONGEST_ANSWER", 16)
    assert without_markers(of_equals(*others).text).split("\n\n") == list(RULES[:2])
    monkeypatch.setattr("tutor.extractive.LONGEST_ANSWER", 1)
    assert without_markers(of_equals(*others).text) == RULES[0]


def test_every_quote_is_exact_and_grounding_keeps_the_whole_draft():
    passages = [passage(STEPS), passage(TABLE, document_id=2), passage(LIST, document_id=3)]
    for question in ("¿Cómo se cierra la caja?", "plazo del queso al corte", "¿Se devuelven tarjetas regalo?"):
        draft = answer(question, *passages)
        grounded = ground(draft.text, draft.sources)
        assert grounded.citations
        assert without_markers(grounded.text) == without_markers(draft.text)
        assert all(verify_quote(cited.quote, cited.passage.text) for cited in grounded.citations)


def test_nothing_to_choose_from_gives_an_empty_draft():
    assert answer("¿Qué plazo hay?") == Draft("", ())
    assert answer("¿Qué plazo hay?", passage("Sección")).text == ""


def test_steps_for_the_opposite_do_not_answer():
    right = passage("Pulsa el botón verde y elige la carpeta.")
    right = replace(right, heading_path=("Respaldo de la base de datos",))
    wrong = passage("Pulsa el botón verde y elige el archivo.", chunk_id=2, document_id=2)
    wrong = replace(wrong, heading_path=("Restauración de la base de datos",))
    assert "carpeta" in answer("quiero un respaldo de la base de datos", wrong, right).text.split("[Fuente 1]")[0]


def test_the_dish_asked_for_is_shown_without_the_others():
    text = without_markers(answer("¿Qué lleva el tartar de atún?", passage(MENU)).text)
    assert "Tartar de atún 12 €: Atún rojo, aguacate y sésamo." in text
    assert "nueces" not in text
    assert "Macarrones" not in text


def test_when_something_has_happened_the_steps_of_another_section_answer():
    signs = passage("Las señales son picor en la boca y tos. Si alguien se ahoga, es urgente.")
    steps = passage("1. Llama al 112 si alguien se ahoga.\n2. No lo dejes solo.", chunk_id=2)
    text = answer("q hago si un cliente se ahoga", signs, steps).text
    assert text.index("Llama al 112") < text.index("No lo dejes solo")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Pie de parchita. 4$ Torta de chocolate. 5$", ["Pie de parchita. 4$", "Torta de chocolate. 5$"]),
        ("Tartar de atún\n\n14,50 €\n\nTortilla\n\n9,00 €", ["Tartar de atún 14,50 €", "Tortilla 9,00 €"]),
        ("Tartar de atún\n14,50\nTortilla\n9,00", ["Tartar de atún 14,50", "Tortilla 9,00"]),
    ],
)
def test_a_price_stands_with_its_name_before_the_mark(text, lines):
    one = replace(passage(text), heading_path=("Carta", "POSTRES"))
    assert answer("¿Qué postres hay?", one).text.splitlines() == [f"- {line} [Fuente 1]" for line in lines]


def test_what_follows_from_a_sentence_is_shown_with_it():
    cake = "La tarta se hace sin harina, pero en el mismo obrador. Por eso no es apta para celíacos."
    text = answer("¿La tarta se hace sin harina?", passage(f"{cake} La tienda abre a las nueve de la mañana.")).text
    assert "Por eso no es apta para celíacos" in text
    assert "abre a las nueve" not in text


def test_a_sentence_and_its_denial_are_both_shown():
    safe = "La encargada puede abrir la caja fuerte. El personal en prácticas no puede abrir la caja fuerte."
    question = "¿Quién no puede abrir la caja fuerte?"
    choices = score_units(question, [passage(safe)], [[Match(0.7, 0.6, 0.7)] * 2])
    text = compose(question, [passage(safe)], choices, [0.9]).text
    assert all(who in text for who in ("La encargada puede", "El personal en prácticas no puede"))


def test_a_line_that_only_repeats_the_question_is_no_answer():
    text = "Qué productos pueden presentarse\n\nLos informes de los dos últimos años."
    assert answer("¿Qué productos pueden presentarse?", passage(text)).text == (
        "Los informes de los dos últimos años. [Fuente 1]"
    )


def test_a_sentence_of_the_questions_words_says_that_it_is_so():
    assert answer("¿Los clientes pagan el envío?", passage("Los clientes pagan el envío.")).text == (
        "Los clientes pagan el envío. [Fuente 1]"
    )
