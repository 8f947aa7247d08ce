"""Where sentences end."""

import pytest

from documents.sentences import sentence_spans, split_sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["El Sr. López y la Dra. Ruiz llegaron.", "Luego salieron."],
        ["Pregunte a D. Juan o a Dña. Marta.", "Ellos saben."],
        ["Lo firma el Excmo. Ayto. de Lugo.", "Es definitivo."],
        ["Véase la pág. 12, vol. 3 y el art. 5 de la ley.", "Nada más."],
        ["Véanse los arts. 5 y 6, cap. II, fig. 3.", "Están al final."],
        ["Llame al tel. 912 345 678 o al núm. 5.", "Cierra a las 20:00."],
        ["Traiga DNI, tarjeta, etc.", "El resto no hace falta."],
        ["Traiga DNI, tarjeta, etc. y no olvide el recibo."],
        ["¿Qué debe traer Ud. mañana?", "Uds. deciden."],
        ["Se vende en EE. UU. y Canadá."],
        ["Se vende en EE. UU.", "Los demás países no."],
        ["Lo firma Acme, S. A. y lo paga Bolt, S. L. en efectivo."],
        ["Abre a las 9 a. m.", "Cierra a las 8 p. m.", "Los lunes no."],
        ["Use productos suaves, p. ej. Jabón Azul.", "Aclare."],
        ["Son aprox. 30 días.", "Como máx. 40 uds. por caja."],
        ["Cuesta 3.5 euros y pesa 35.000 g.", "Es caro."],
        ["La 1.ª planta y el 2.º piso.", "El n.º 7 no."],
        ["1. Abrir la caja.", "2. Contar el dinero."],
        ["3.2. Limpieza de la cámara.", "Se hace a diario."],
        ["A. Abrir.", "B. Cerrar."],
        ["Pues… no sé.", "Bueno...", "Quizá… mañana."],
        ["¿Sí?", "Entonces vale."],
        ["¡Atención!", "No toque la placa."],
        ["Preguntó ¿cuándo? y se fue."],
        ["Dijo «Ya está.»", "Y se fue."],
        ["Avise (es urgente).", "Espere."],
        ["(Nota: no aplica.)", "Siga."],
        ["Visite www.example.org/a.html o escriba a caja@example.org.", "Gracias."],
        ["La medida op.exp.8 está en manual.v2.pdf.", "Léala."],
        ["Vence el 12.05.2024.", "Después se cobra."],
        ["Empezó en 2020.", "Acabó en 2021."],
        ["Lo escribió J. R. R. Tolkien.", "Lo tradujo Juan A. Pérez."],
        ["Tiene vitamina C.", "También hierro."],
        ["No.", "El cliente no puede."],
        ["Lleva pacanas [Carya illinoensis (Wangenh.) K. Koch] y nueces.", "Otra."],
        ["Rige el decreto 1.759 (t.o. 1991).", "Se recurre."],
        ["(Es una nota.", "Son dos frases.)", "Sigue."],
        ["Se avisa (a Calidad.", "Después se anota a) la hora."],
        ["See Mr. Smith, e.g. at noon.", "He is in."],
        ["Es gilt z. B. hier.", "Der 12. Januar ist frei."],
        ["Consultez M. Dupont, p. ex. demain.", "Merci."],
    ],
)
def test_text_is_split_where_sentences_end(sentences):
    assert split_sentences(" ".join(sentences)) == sentences


def test_blank_lines_list_marks_and_capitals_end_a_line_but_soft_breaks_do_not():
    text = "Devoluciones\nEl cliente trae la\ncaja entera:\n- con recibo\n- sin abrir\n\nsin más"
    assert split_sentences(text) == [
        "Devoluciones",
        "El cliente trae la\ncaja entera:",
        "- con recibo",
        "- sin abrir",
        "sin más",
    ]


def test_an_abbreviation_at_the_end_of_a_line_goes_on_in_the_next():
    assert split_sentences("Llame al Sr.\nLópez.") == ["Llame al Sr.\nLópez."]


@pytest.mark.parametrize("text", ["", "  \n ", "\t"])
def test_a_blank_text_has_no_sentences(text):
    assert sentence_spans(text) == []


def test_spans_point_into_the_text():
    text = "  Uno.  Dos.\n"
    assert sentence_spans(text) == [(2, 6), (8, 12)]
