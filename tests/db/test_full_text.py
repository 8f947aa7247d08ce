"""Text as the keyword search sees it. Documents and queries here are in Spanish unless a language is named."""

import pytest
from django.db import connection

from retrieval.vocabulary import words_match

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("document", "query"),
    [
        # accents, case, decomposed forms
        ("La gestión de incidencias", "gestion"),
        ("Gestion de incidencias", "gestión"),
        ("Revisar la HABITACIÓN antes de salir", "habitacion"),
        ("el ascensor no está", "ASCENSOR"),
        ("la reclamacio\u0301n del cliente", "reclamación"),
        ("la reclamación del cliente", "reclamacio\u0301n"),
        ("el desagüe del fregadero", "desague"),
        # singular and plural, gender
        ("las excepciones del turno", "excepción"),
        ("una excepción", "excepciones"),
        ("los portugueses", "portugués"),
        ("el festivo", "festivos"),
        ("las cajeras", "cajera"),
        # ñ
        ("el tamaño de la caja", "tamano"),
        ("los dueños", "dueño"),
        ("montaña", "montanas"),
        # codes and numbers survive whole, however they are written
        ("avisa si sale el código K-208", "K-208"),
        ("avisa si sale el código K-208", "k208"),
        ("avisa si sale el código K-208", "k 208"),
        ("avisa si sale el código K208", "K-208"),
        ("la norma UNE 166002 de gestión", "une166002"),
        ("la norma UNE-166002 de gestión", "UNE 166002"),
        ("la norma UNE 166002:2021", "UNE 166002"),
        ("conforme al art. 7.2 del reglamento", "art 7.2"),
        ("conforme al artículo 7.2", "7.2"),
        ("los modelos 111 y 115", "modelo 115"),
        ("pedido PED-2031/0098 servido", "2031/0098"),
        ("pedido PED-2031/0098 servido", "PED-2031"),
        ("apaga el datáfono DF-3 al cerrar", "DF-3"),
        ("escribe a nominas@tienda.example", "nominas@tienda.example"),
        ("escribe a nominas@tienda.example", "tienda.example"),
        ("hasta 1.500 euros", "1500"),
        ("hasta 1500 euros", "1.500"),
        ("un 3,5 por ciento", "3.5"),
        ("versión 10.2.0.7.1-b de la caja", "10.2.0.7.1-b"),
        ("versión 10.2.0.7.1-b de la caja", "10.2.0"),
        ("quedan 20 unidades", "de 20 unidades"),
    ],
)
def test_a_document_is_found_by(document, query):
    assert words_match(document, query)


@pytest.mark.parametrize(
    ("document", "query"),
    [
        ("la pena impuesta", "peña"),
        ("el código K-208", "K-209"),
        ("el código K-208", "K-20"),
        ("el código K-208", "J-208"),
        ("el código J-208", "k 208"),
        ("la norma UNE 166002", "UNE 166001"),
        ("conforme al art. 17.2", "art. 7.2"),
        ("conforme al art. 7.21", "7.2"),
        ("datáfono DF-3", "DF-33"),
        ("escribe a nominas@tienda.example", "compras@tienda.example"),
        ("el general", "generoso"),
        ("producir más", "producto"),
        ("una copa", "copia"),
        ("la devolución", "devolución garantía"),
    ],
)
def test_a_document_is_not_found_by(document, query):
    assert not words_match(document, query)


@pytest.mark.parametrize(
    ("language", "document", "query"),
    [
        ("en", "returned items are refunded", "return item refund"),
        ("pt", "as devoluções não têm prazo", "devolucoes"),
        ("fr", "les congés payés de l'entreprise", "conges entreprise"),
        ("it", "le ferie dei lavoratori", "lavoratore"),
        ("de", "die Rückgaben der Kunden", "rückgabe"),
        ("de", "Straße sperren", "strasse"),
        ("ca", "les vacances dels treballadors", "vacances treballador"),
    ],
)
def test_each_language_has_its_own_forms(language, document, query):
    assert words_match(document, query, language=language)


@pytest.mark.parametrize("query", ["", "   ", "de la que", "¿Qué? ¿Cómo?", "¿?!", "''", "\\", "&|!<->:*()"])
def test_a_query_without_words_matches_nothing_and_is_no_error(query):
    assert not words_match("el reglamento de la tienda", query)


@pytest.mark.parametrize(
    "text",
    [
        "it's \\ 'quoted' & | ! <-> :* ( )",
        "x" * 5_000,
        "9" * 5_000,
        "a-1." * 2_000,
        "\u200b\ufeff emoji 🙂 汉字 العربية",
        "@@@ a@b @x.es",
        "-" * 3_000,
    ],
)
def test_no_text_breaks_either_side(text):
    words_match(text, "reglamento")
    words_match("reglamento", text)


def test_stop_words_take_part_in_distances_and_are_not_kept():
    terms = _terms(["es"], "entrega de material")
    assert [word for word, _lexemes, _is_code in terms] == [1, 3]


def test_question_words_carry_no_meaning():
    assert _terms(["es"], "¿Cuántas cuáles dónde cómo quién?") == []


def test_codes_are_told_from_words():
    kinds = {lexemes[0]: is_code for _word, lexemes, is_code in _terms(["es"], "K-208 caja a 20 ventas@x.example")}
    assert kinds["k208"] is True
    assert kinds["ventas@x.example"] is True
    assert kinds["20"] is False
    assert kinds["caj"] is False


def test_a_word_gets_its_forms_in_every_language_asked_for():
    [(_word, lexemes, _is_code)] = _terms(["es", "en"], "casas")
    assert set(lexemes) == {"cas", "casa"}
    assert _terms(["es"], "casas")[0][1] == ["cas"]


def test_a_heading_weighs_as_part_of_the_text_and_on_its_own():
    with connection.cursor() as cursor:
        cursor.execute("SELECT skillnet_search_vector('es', 'Vacaciones', 'Pídelas con tiempo') @@ 'vacacion'")
        assert cursor.fetchone() == (True,)
        cursor.execute("SELECT skillnet_search_vector('es', 'Vacaciones', '')::text")
        assert "vacacion" in cursor.fetchone()[0]


def test_codes_weigh_most_stems_next_then_keys_and_folded_words():
    with connection.cursor() as cursor:
        cursor.execute("SELECT skillnet_search_vector('es', '', 'Las contraseñas del K-208')::text")
        vector = cursor.fetchone()[0]
    assert "'k208':16383A" in vector
    assert "'contraseñ':2B" in vector
    assert "'contrasen':2 " in vector  # D is the default and is not written


def _terms(languages, question):
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM skillnet_query_terms(%s::text[], %s)", [languages, question])
        return cursor.fetchall()
