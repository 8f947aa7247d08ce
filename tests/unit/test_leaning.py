"""Sentences that make no sense alone take along what they are about."""

from dataclasses import replace

import pytest

from tests.unit.answers import answer
from tests.unit.passages import passage
from tutor.grounding import without_markers
from tutor.leaning import follows_from, leans_back


@pytest.mark.parametrize(
    "text",
    [
        "Este plato lleva leche.",
        "También lleva trazas.",
        "Contiene gluten y huevo.",
        "No contiene frutos de cáscara.",
        "Se guarda dos años.",
        "Está cerrado los lunes.",
        "Debe estar limpio.",
        "Si dura más, atiende solo con efectivo.",
        "Sus fichas están en el archivador.",
        "Por eso no se ofrece a celíacos.",
        "En caso contrario, llama a Calidad.",
    ],
)
def test_it_leans_back(text):
    assert leans_back(text)


@pytest.mark.parametrize(
    "text",
    [
        "La tarta lleva nueces.",
        "Es obligatorio llevar guantes.",
        "Puede haber trazas.",
        "Se retira el producto.",
        "Si el cliente insiste, llama.",
        "Si no hay llamada en dos minutos, llama tú.",
        "Si es la primera vez, la clave es la de fábrica.",
        "Esta guía explica los alérgenos.",
        "Los dos firman la hoja.",
        "Está prohibido fumar.",
        "Están permitidas las visitas.",
        "Debe llevarse casco.",
        "Deben usarse guantes.",
        "Puede pedirse por correo.",
        "No puede fumarse en el almacén.",
        "Son obligatorios los guantes.",
        "",
    ],
)
def test_it_stands_by_itself(text):
    assert not leans_back(text)


def shown(question: str, text: str, heading: str) -> str:
    one = replace(passage(text), heading_path=("Carta", heading))
    return " ".join(without_markers(answer(question, one).text).split())


def test_the_sentence_before_is_shown_as_well():
    text = "La nata se monta cada mañana. Dura tres días abierta en la cámara fría."
    assert shown("¿Cuántos días dura abierta?", text, "Obrador") == text


def test_the_heading_says_what_the_first_sentence_is_about():
    text = "Contiene gluten, huevo y leche."
    assert shown("¿Qué contiene de gluten?", text, "3.1 Tarta de queso") == f"Tarta de queso: {text}"


def test_a_heading_that_the_sentence_repeats_is_left_out():
    text = "Contiene la tarta de queso gluten y leche."
    assert shown("¿Qué contiene de gluten?", text, "3.1 Tarta de queso") == text


def test_an_item_without_a_lead_gets_its_heading():
    text = "- Contiene gluten y leche.\n- No lleva nueces."
    assert shown("¿Tiene gluten?", text, "Tarta de queso").startswith("Tarta de queso: - Contiene gluten")


def test_the_source_is_cited_for_the_sentence_that_answers():
    one = passage("La nata se monta cada mañana. Dura tres días abierta en la cámara fría.")
    assert answer("¿Cuántos días dura abierta?", one).sources[0].focus.startswith("Dura tres días")


def test_a_ban_is_shown_without_the_sentence_before():
    text = "El almacén abre a las siete de la mañana. Está prohibido fumar en el almacén."
    assert shown("¿Se puede fumar en el almacén?", text, "Almacén") == "Está prohibido fumar en el almacén."


@pytest.mark.parametrize(
    ("text", "follows"),
    [
        ("En ese caso se paga por transferencia.", True),
        ("Pasado ese plazo se repara.", True),
        ("Después se aplica la garantía legal.", True),
        ("Después de cerrar se apaga la luz.", False),
        ("En caso de duda, pregunta.", False),
    ],
)
def test_a_consequence_is_shown_with_what_it_follows_from(text: str, follows: bool):
    assert follows_from(text) is follows
