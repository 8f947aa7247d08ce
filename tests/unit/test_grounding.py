"""Markers, sources and quotes: what an answer may point at."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from tests.unit.passages import HYGIENE, RETURNS, passage
from tutor.grounding import Source, clip_quote, ground, verify_quote, with_usual_markers, without_markers
from tutor.locating import find_place, place_of_chunk
from tutor.marking import mark_section


def source(number: int, text: str, *, document_id: int = 1, relevance: float = 0.8) -> Source:
    return Source(number, passage(text, document_id=document_id, chunk_id=number), relevance)


def test_markers_that_name_no_source_are_removed():
    grounded = ground("Hay 30 días naturales [Fuente 7] para devolver [Fuente 1].", [source(1, RETURNS)])
    assert grounded.text == "Hay 30 días naturales para devolver [Fuente 1]."
    assert [cited.number for cited in grounded.citations] == [1]


def test_numbers_are_dense_and_follow_the_text():
    sources = [source(1, RETURNS), source(5, HYGIENE, document_id=2), source(9, RETURNS, document_id=3)]
    grounded = ground("Lávate las manos [Fuente 5]. El plazo es de 30 días naturales [Fuente 1].", sources)
    assert grounded.text == "Lávate las manos [Fuente 1]. El plazo es de 30 días naturales [Fuente 2]."
    assert [cited.passage.document_id for cited in grounded.citations] == [2, 1]


def test_one_marker_may_name_several_sources():
    sources = [source(1, RETURNS), source(2, HYGIENE, document_id=2)]
    grounded = ground("Producto y manos [Fuentes 1 y 2: Manual, pág. 3] se cuidan siempre mucho.", sources)
    assert grounded.text.startswith("Producto y manos [Fuente 1] [Fuente 2] se cuidan")


@pytest.mark.parametrize(
    ("written", "usual"),
    [
        ("Son 30 días [1].", "Son 30 días [Fuente 1]."),
        ("Son 30 días [1, 3].", "Son 30 días [Fuente 1] [Fuente 3]."),
        ("Son 30 días[1][2].", "Son 30 días [Fuente 1] [Fuente 2]."),
        ("Son 30 días [^2].", "Son 30 días [Fuente 2]."),
        ("Son 30 días【2】.", "Son 30 días [Fuente 2]."),
        ("Son 30 días (Fuente 2).", "Son 30 días [Fuente 2]."),
        ("Son 30 días (Fuentes 1 y 2: Manual, pág. 4).", "Son 30 días [Fuente 1] [Fuente 2]."),
        ("It is 30 days [Source 2].", "It is 30 days [Fuente 2]."),
        ("São 30 dias [Fonte 2].", "São 30 dias [Fuente 2]."),
        ("Son 30 días [fuente 1; fuente 2].", "Son 30 días [Fuente 1] [Fuente 2]."),
        ("**Son 30 días** [Fuente 1: Manual > Plazos, pág. 3].", "**Son 30 días** [Fuente 1]."),
        ("Son 30 días (Fuente 2, pág. 4).", "Son 30 días [Fuente 2]."),
        ("Son 30 días (Fuentes 1, 2 y 3, págs. 4 y 5).", "Son 30 días [Fuente 1] [Fuente 2] [Fuente 3]."),
        ("Son 30 días [Fuente 2, pág. 4].", "Son 30 días [Fuente 2]."),
        ("Son 30 días [Fuente 2 – Manual, pág. 4].", "Son 30 días [Fuente 2]."),
        ("Son 30 días [Fuente 2 (pág. 4)].", "Son 30 días [Fuente 2]."),
        ("Son 30 días [Fuente 2 pág. 4].", "Son 30 días [Fuente 2]."),
        ("Son **30 días**[1] [2]", "Son **30 días** [Fuente 1] [Fuente 2]"),
        ("Son 30 días [1] o más.", "Son 30 días [Fuente 1] o más."),
        ("Son 30 días[1]\nY nada más.", "Son 30 días [Fuente 1]\nY nada más."),
    ],
)
def test_markers_of_other_spellings_are_understood(written: str, usual: str):
    assert with_usual_markers(written) == usual


@pytest.mark.parametrize(
    "text",
    [
        "Marca la casilla [x] y la [ ] vacía.",
        "Llama al (91) 555 44 33.",
        "Véase el apartado (2) y la lista[0] del programa.",
        "Lee [la guía](https://example.org/1) y [2](https://example.org).",
        "En [2024] cambió; el lote [12345] no.",
        "Pulsa [F1].",
        "Usa el adaptador (fuente 12 V) o el otro [fuente 24 V].",
        "El programa lee lista[1] y tabla[1][2] en ese orden.",
        "El programa lee `lista[1]`.",
        "Apaga la [fuente de alimentación].",
    ],
)
def test_other_numbers_in_brackets_are_no_markers(text: str):
    assert with_usual_markers(text) == text
    assert without_markers(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "<fuentes>\nSon 30 días [Fuente 1].\n</fuentes>",
        "Son 30 días [Fuente 1].<|im_end|>",
        "<pregunta>Son 30 días [1].</pregunta></s>",
        "<|im_start|>Son 30 días [Fuente 1].",
    ],
)
def test_marks_of_the_prompt_and_of_chat_templates_are_not_shown(text: str):
    assert with_usual_markers(text).strip() == "Son 30 días [Fuente 1]."


def test_a_bare_number_past_the_last_source_vanishes():
    eight = [source(number, RETURNS, document_id=number) for number in range(1, 9)]
    grounded = ground(with_usual_markers("Hay 30 días naturales [9] para devolver [8]."), eight)
    assert grounded.text == "Hay 30 días naturales para devolver [Fuente 1]."
    assert [cited.passage.document_id for cited in grounded.citations] == [8]


KEYPAD = (
    "Elija la opción [2] del menú y pulse [1]. Marque la tecla [5] y confirme. La temperatura debe estar en [5,10]. "
    "Para anular pulse la tecla 7."
)


@pytest.mark.parametrize(
    "text",
    [
        "Pulsa la tecla [5] y confirma. [Fuente 1]",
        "Elige la opción [2] del menú y pulsa [1]. [Fuente 1]",
        "La temperatura debe estar en [5, 10]. [Fuente 1]",
        "Para anular, pulsa la tecla [7] y confirma. [Fuente 1]",  # which the document writes without brackets
    ],
)
def test_numbers_in_brackets_that_a_document_has_stay_in_the_answer(text: str):
    sources = [source(number, KEYPAD if number == 1 else HYGIENE, document_id=number) for number in range(1, 9)]
    assert ground(with_usual_markers(text, [one.passage for one in sources]), sources).text == text
    assert with_usual_markers(text) == text


@pytest.mark.parametrize(
    ("written", "usual"),
    [
        ("Pulsa la tecla [5] y confirma [2].", "Pulsa la tecla [5] y confirma [Fuente 2]."),
        ("Elige la opción [2] y pulsa [1].", "Elige la opción [2] y pulsa [1]."),
        ("Pulsa la tecla [5] y confirma [3].", "Pulsa la tecla [5] y confirma [Fuente 3]."),
        ("Pulsa la tecla[5][3].", "Pulsa la tecla[5] [Fuente 3]."),
        ("Pulsa la tecla [3] [5].", "Pulsa la tecla [Fuente 3] [5]."),
        ("Pulsa la tecla [5]【3】.", "Pulsa la tecla [5] [Fuente 3]."),
        ("Pulsa la tecla [5] [Fuente 3]. Confirma [4].", "Pulsa la tecla [5] [Fuente 3]. Confirma [Fuente 4]."),
        ("Pulsa la tecla 5 [1, 3].", "Pulsa la tecla 5 [Fuente 1] [Fuente 3]."),
    ],
)
def test_numbers_in_brackets_that_no_document_has_are_markers(written: str, usual: str):
    assert with_usual_markers(written, [passage(KEYPAD), passage(HYGIENE)]) == usual


def test_a_note_of_a_document_is_no_key_to_press():
    noted = passage("Los partes se guardan dos años.[1] La copia la firma el encargado.[2][3] Pulsa tecla[4].")
    written = "Los partes se guardan dos años [1]. Firma el encargado [3]. Pulsa la tecla [4]."
    usual = "Los partes se guardan dos años [Fuente 1]. Firma el encargado [Fuente 3]. Pulsa la tecla [4]."
    assert with_usual_markers(written, [noted]) == usual


@pytest.mark.parametrize(
    "text",
    [
        "La garantía dura dos años.\n\n[1] Real Decreto 1/2007.",
        "La garantía dura dos años [1].\n\n[1] Real Decreto 1/2007.",
        "La garantía dura\ndos años\n\n[1] Real Decreto 1/2007.",
        "La garantía dura dos años. Ver nota [1].",
        "La garantía dura dos años. Para ampliarla, elija la opción [1] o la [2].",
    ],
)
def test_a_bracket_of_a_document_elsewhere_leaves_the_markers_of_an_answer(text: str):
    sources = [source(1, text), source(2, "El tique se guarda.", document_id=2)]
    written = with_usual_markers(
        "La garantía dura dos años [1]. Guarda el tique [2].", [one.passage for one in sources]
    )
    assert written == "La garantía dura dos años [Fuente 1]. Guarda el tique [Fuente 2]."
    assert [cited.passage.document_id for cited in ground(written, sources).citations] == [1, 2]


def test_a_note_of_one_document_leaves_the_key_of_another():
    passages = [passage("Cierre a las 22 h [2].\n\n[2] Según convenio."), passage(KEYPAD)]
    text = "Se cierra a las 22 h [2]. Elige la opción [2] del menú."
    assert with_usual_markers(text, passages) == "Se cierra a las 22 h [Fuente 2]. Elige la opción [2] del menú."


def test_the_connection_of_a_device_is_no_marker_where_a_document_names_it():
    text = "Conecta el equipo (fuente 2) a la red [Fuente 1]."
    assert with_usual_markers(text, [passage("Conecte el equipo (Fuente 2) a la red.")]) == text


@pytest.mark.parametrize("written", ["Hay 30 días [9] para devolver [Fuente 8].", "Hay 30 días [9] para devolver [8]."])
def test_a_bare_number_that_neither_a_source_nor_a_document_has_vanishes(written: str):
    eight = [source(number, RETURNS, document_id=number) for number in range(1, 9)]
    grounded = ground(with_usual_markers(written, [one.passage for one in eight]), eight)
    assert grounded.text == "Hay 30 días para devolver [Fuente 1]."


def test_grounding_its_own_result_changes_nothing():
    sources = [source(1, RETURNS), source(2, HYGIENE, document_id=2)]
    once = ground("Manos limpias y jabón [Fuente 2]. Son 30 días naturales [Fuente 1].", sources)
    again = ground(once.text, [Source(c.number, c.passage, c.relevance) for c in once.citations])
    assert again.text == once.text


def test_a_document_keeps_its_two_most_relevant_sources():
    sources = [source(1, RETURNS, relevance=0.4), source(2, RETURNS, relevance=0.9), source(3, RETURNS, relevance=0.7)]
    grounded = ground("Son 30 días naturales [Fuente 1] [Fuente 2] [Fuente 3] para devolver algo.", sources)
    assert [cited.relevance for cited in grounded.citations] == [0.9, 0.7]
    assert grounded.text == "Son 30 días naturales [Fuente 1] [Fuente 2] para devolver algo."


def test_a_source_that_shares_no_word_with_the_answer_is_dropped():
    grounded = ground("El cliente dispone de 30 días naturales enteros [Fuente 1].", [source(1, HYGIENE)])
    assert grounded.text == ""
    assert grounded.citations == ()


def test_a_very_short_answer_keeps_its_source():
    assert ground("Sí, siempre [Fuente 1].", [source(1, HYGIENE)]).citations


def test_a_draft_without_markers_gives_nothing_to_show():
    assert ground("El plazo es de 30 días naturales.", [source(1, RETURNS)]).text == ""


def test_the_quote_is_what_the_claim_rests_on():
    text = f"{HYGIENE}\n\n{RETURNS}"
    grounded = ground("El día de la compra no cuenta [Fuente 1] para el plazo.", [source(1, text)])
    assert grounded.citations[0].quote == RETURNS
    assert grounded.citations[0].focus == "El día de la compra no cuenta."


def test_a_quote_has_at_most_eighty_words():
    text = " ".join(f"palabra{number}" for number in range(200)) + "."
    grounded = ground("Según palabra3 y palabra4 se hace siempre así [Fuente 1].", [source(1, text)])
    assert len(grounded.citations[0].quote.split()) == 80
    assert verify_quote(grounded.citations[0].quote, text)


def test_a_quote_that_is_not_in_its_passage_is_no_citation():
    made_up = Source(1, passage(RETURNS), 0.9, quote="El cliente dispone de 60 días naturales")
    assert ground("El cliente dispone de 60 días naturales [Fuente 1] para devolver.", [made_up]).citations == ()


@pytest.mark.parametrize(
    ("quote", "holds"),
    [
        ("dispone de  30 DIAS\nnaturales", True),
        ("dispone de 31 días naturales", False),
        ("", False),
    ],
)
def test_quotes_are_compared_without_white_space_case_and_accents(quote: str, holds: bool):
    assert verify_quote(quote, RETURNS) is holds


def test_a_clipped_quote_ends_at_a_word():
    assert clip_quote("uno  dos\ntres cuatro", 3) == "uno  dos\ntres"


def block(text: str, page: int | None, rect: list[float], **fields: Any) -> Mapping[str, Any]:
    return {
        "kind": "paragraph",
        "text": text,
        "page": page,
        "heading_path": ["2. Plazos"],
        "locator": {"rects": [rect]},
        **fields,
    }


def test_a_quote_is_on_the_page_of_its_own_block_not_of_its_chunk():
    blocks = [block(HYGIENE, 4, [1, 1, 2, 2]), block(RETURNS, 5, [3, 3, 4, 4])]
    place = find_place(RETURNS, "El día de la compra no cuenta.", blocks, pages=(4, 5), heading_path=("2. Plazos",))
    assert place is not None
    assert (place.page, place.locator) == (5, {"rects": [[3, 3, 4, 4]]})


def test_words_that_stand_twice_are_found_under_their_own_heading():
    elsewhere = block(RETURNS, 2, [0, 0, 1, 1], heading_path=["1. Otra cosa"])
    here = block(RETURNS, 3, [5, 5, 6, 6], heading_path=["2. Plazos", "2.1 General"])
    place = find_place(RETURNS, RETURNS, [elsewhere, here], pages=(2, 3), heading_path=("2. Plazos",))
    assert place is not None
    assert (place.page, place.heading_path) == (3, ("2. Plazos", "2.1 General"))


def test_a_quote_over_several_blocks_marks_those_of_its_page():
    items = [block(f"{number}. Paso {number} del cierre", 7, [number, 0, 9, 9]) for number in (1, 2, 3)]
    items.append(block("4. Paso 4 del cierre", 8, [4, 0, 9, 9]))
    quote = "\n".join(item["text"] for item in items)
    place = find_place(quote, items[1]["text"], items, pages=(7, 8), heading_path=())
    assert place is not None
    assert place.page == 7
    assert place.locator["rects"] == [[1, 0, 9, 9], [2, 0, 9, 9], [3, 0, 9, 9]]


def test_pages_outside_the_passage_are_not_looked_at():
    assert find_place(RETURNS, RETURNS, [block(RETURNS, 9, [0, 0, 1, 1])], pages=(2, 3), heading_path=()) is None


def test_the_place_of_a_whole_chunk_has_the_rectangles_of_its_page():
    place = place_of_chunk(3, {"rects": {"3": [[1, 2, 3, 4]], "4": [[5, 6, 7, 8]]}}, ("Plazos",))
    assert place.locator == {"rects": [[1, 2, 3, 4]]}


def test_marking_finds_words_inside_a_paragraph_and_rows_of_a_table():
    table = {
        "kind": "table",
        "text": "Producto | Plazo\nVino | 15 días",
        "rows": [["Producto", "Plazo"], ["Vino", "15 días"]],
        "header_rows": 1,
        "heading_path": ["2. Plazos"],
    }
    sentence = "El día de la compra no cuenta."
    marked = mark_section([block(RETURNS, 1, [])], heading_path=["2. Plazos"], quote=sentence)
    assert [run.text for run in marked[0].runs if run.is_marked] == [sentence]
    marked = mark_section([table], heading_path=["2. Plazos"], quote="Vino | 15 días")
    assert [row.is_marked for row in marked[0].rows] == [True]


def test_a_quote_is_at_most_eighty_words_however_they_are_counted():
    law = "según la Ley 3/2018 y el Reglamento 2016/679 de la Unión, "
    quote = clip_quote(law * 12)
    assert len(re.findall(r"\w+", quote)) <= 80
    assert quote in law * 12
    assert not quote.endswith("/")
    assert clip_quote("Una frase corta.") == "Una frase corta."
