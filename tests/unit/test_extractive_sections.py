"""Answers made of a whole section, or of what follows a question that the document puts itself."""

from dataclasses import replace

import pytest

from retrieval.types import Passage
from tests.unit.answers import answer
from tests.unit.passages import passage
from tutor.choices import MAX_SENTENCES

KEYS = "Avisa a Seguridad en cuanto te des cuenta. El bombín se cambia en 24 horas. Avisar tarde es una falta."


def in_section(text: str, heading: str) -> Passage:
    return replace(passage(text), heading_path=("Manual", heading))


def test_a_short_section_that_the_question_names_answers_as_a_whole():
    text = answer("se me han perdido las llaves", in_section(KEYS, "5.4 Llaves perdidas")).text
    assert [text.find(sentence) >= 0 for sentence in KEYS.split(". ")] == [True] * 3
    assert text.index("Avisa a Seguridad") < text.index("El bombín") < text.index("Avisar tarde")


def test_a_short_section_is_told_whole_to_who_says_what_has_happened():
    power = (
        "Espera cinco minutos. Mantén cerradas las cámaras. Atiende solo con efectivo. Con más de una hora sin luz se "
        "cierra la tienda."
    )
    text = answer("no hay luz en la tienda", in_section(power, "Corte de luz")).text
    assert all(sentence.rstrip(".") in text for sentence in power.split(". "))


def test_who_asks_what_to_do_is_told_a_paragraph_to_its_end():
    text = (
        "La clínica abre a las ocho.\n\nSi un paciente se marea, túmbalo con las piernas en alto. Si no mejora en diez "
        "minutos, llama al 112. Después rellena el parte.\n\n- Los viernes se repasa el botiquín."
    )
    found = answer("¿Qué hago si un paciente se marea?", in_section(text, "Clínica")).text
    assert "llama al 112" in found
    assert "rellena el parte" in found
    asked = answer("¿Cuándo se tumba a un paciente?", in_section(text, "Clínica")).text
    assert "rellena el parte" not in asked


def test_of_a_long_paragraph_who_asks_what_to_do_is_told_whom_to_call_and_as_much_as_there_is_room_for():
    about = "El encargado anota en el cuaderno azul la hora, el lugar y el nombre de quien estaba en la cocina ese día."
    text = (
        "Si arde una sartén, tápala con la manta. Apártate de los fogones. "
        + " ".join(about.replace("azul", color) for color in ("azul", "rojo", "verde", "negro", "blanco"))
        + " Llama al 112. Evacúa el comedor."
    )
    found = answer("¿Qué hago si arde una sartén?", in_section(text, "Cocina")).text
    assert "Apártate" in found
    assert "Llama al 112" in found
    assert "Evacúa" in found
    assert "blanco" not in found


def test_a_long_section_is_not_told_whole():
    long = " ".join(f"La llave número {number} se guarda en el armario del pasillo {number}." for number in range(12))
    text = answer("llaves perdidas", in_section(long, "Llaves perdidas")).text
    assert 1 <= text.count("se guarda") <= MAX_SENTENCES


def test_the_table_of_a_section_that_is_asked_for_is_shown_with_all_its_rows():
    table = "Importe | Quién\nHasta 30 € | Dependiente\nHasta 150 € | Encargada\nMás de 150 € | Jefa de zona"
    own = f"{table}\n\nNadie autoriza sus propias compras, sea cual sea el importe."
    text = answer("¿Quién decide según el importe?", in_section(own, "1.3 Quién decide según el importe")).text
    assert all(row.split(" | ")[1] in text for row in table.splitlines()[1:])


def test_the_steps_of_a_chapter_answer_who_asks_by_its_name():
    heading = "6. Cómo atender a una persona alérgica"
    texts = {
        "6.1 Paso a paso": "1. Escucha qué alergia tiene.\n2. Comprueba la ficha.\n3. Anota el pedido.",
        "6.3 Encargos": "Los encargos de una persona alérgica los atiende quien tiene la formación al día.",
    }
    parts = [
        replace(passage(text, chunk_id=number), heading_path=("Guía", heading, title))
        for number, (title, text) in enumerate(texts.items())
    ]
    shown = answer("¿Cómo atender a una persona alérgica?", *reversed(parts)).text
    assert shown.startswith("1. Escucha") and "3. Anota" in shown


def test_a_section_about_something_else_is_not_told_whole():
    power = "Espera cinco minutos. Mantén cerradas las cámaras. Con más de una hora sin luz se cierra la cafetería."
    text = answer("se ha roto la cafetera", in_section(power, "Corte de luz")).text
    assert "Espera cinco minutos" not in text


def test_a_ruling_is_not_pushed_aside_by_a_list_of_its_section():
    text = "Está prohibido fumar en la terraza.\n\nSe puede:\n- Comer\n- Beber"
    shown = answer("¿Puedo fumar en la terraza?", in_section(text, "Fumar en la terraza")).text
    assert shown.startswith("Está prohibido fumar")


def test_a_number_is_not_pushed_aside_by_a_list_of_its_section():
    text = "Tienes 22 días de vacaciones.\n\nPara pedirlas:\n- El impreso V-1\n- La firma de tu responsable"
    shown = answer("¿Cuántas vacaciones tengo?", in_section(text, "Vacaciones")).text
    assert shown.startswith("Tienes 22 días")


FAQ = (
    "¿Puedo traer a mi perro a la oficina?\nSí, los viernes, si no hay visitas.\n\n"
    "¿Puedo teletrabajar desde otro país?\nNo. El convenio lo limita a España.\n\n"
    "¿Qué documentos hay que llevar al médico?\n\n- El DNI\n- La tarjeta sanitaria"
)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("¿Puedo traer a mi perro a la oficina?", "Sí, los viernes, si no hay visitas. [Fuente 1]"),
        (
            "¿Puedo traer mi perro el lunes?",
            "¿Puedo traer a mi perro a la oficina? Sí, los viernes, si no hay visitas. [Fuente 1]",
        ),
        ("¿Puedo teletrabajar desde otro país?", "No. [Fuente 1] El convenio lo limita a España. [Fuente 1]"),
    ],
)
def test_a_question_of_the_document_is_answered_by_what_follows_it(question: str, text: str):
    assert answer(question, passage(FAQ)).text == text


def test_a_quote_ends_before_the_next_question_of_the_document():
    (source,) = answer("¿Puedo traer a mi perro a la oficina?", passage(FAQ)).sources
    assert source.quote == "¿Puedo traer a mi perro a la oficina?\nSí, los viernes, si no hay visitas."


def test_the_list_below_a_question_of_the_document_is_shown_whole():
    draft = answer("¿Qué documentos llevo al médico?", passage(FAQ))
    assert draft.text.splitlines() == [
        "¿Qué documentos hay que llevar al médico? [Fuente 1]",
        "",
        "- El DNI",
        "- La tarjeta sanitaria",
    ]
