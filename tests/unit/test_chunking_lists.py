"""How tables, lists and clauses are cut into chunks, and what each piece repeats of them."""

import pytest

from documents.chunking import normalized_text
from documents.parsing.types import BlockKind
from tests.unit.chunks import chunk, item, paragraph, sentence, table, texts, words


def test_every_piece_of_a_table_repeats_title_and_header_and_whole_rows():
    rows = [("Puesto", "Plus", "Importe")] + [(f"puesto{n}", f"nocturnidad {n}", f"{n} €") for n in range(60)]
    blocks = [paragraph("Tabla 1. Pluses"), table(*rows, locator={"sheet": "Hoja", "rows": [2, 62]})]
    found = chunk(blocks, max_tokens=60, min_tokens=10)
    assert len(found) > 2
    assert all(one.text.startswith("Tabla 1. Pluses\nPuesto | Plus | Importe\n") for one in found)
    assert all((one.kind, one.header_rows, one.rows[0]) == ("table", 1, rows[0]) for one in found)
    assert [row for one in found for row in one.rows[1:]] == rows[1:]
    assert [line for one in found for line in one.text.splitlines()[2:]] == [" | ".join(row) for row in rows[1:]]
    assert found[0].locator["rows"][0] == 2
    assert [one.locator["rows"][0] for one in found[1:]] == [one.locator["rows"][1] + 1 for one in found[:-1]]
    assert found[-1].locator == {"sheet": "Hoja", "rows": [found[-2].locator["rows"][1] + 1, 62]}


def test_a_row_that_is_too_long_is_cut_at_its_cells_under_their_names():
    rows = (("Modelo", "Uso", "Notas"), ("TPV-2", words(40, "u"), words(120, "n")))
    found = chunk([table(*rows)], max_tokens=60, min_tokens=0)
    assert all(one.token_count <= 60 for one in found)
    assert any(one.text.endswith(f"Uso:\n{words(40, 'u')}") for one in found)
    notes = [one for one in found if "Notas:\n" in one.text]
    assert len(notes) > 1
    assert all(one.text.startswith("TPV-2\n") for one in notes)
    assert " ".join(one.text.split("Notas:\n")[1] for one in notes) == words(120, "n")


def test_a_table_among_other_text_stays_in_its_section():
    (found,) = chunk([paragraph(words(60)), table(("A", "B"), ("1", "2")), paragraph("Fin.")])
    assert found.text == f"{words(60)}\n\nA | B\n1 | 2\n\nFin."
    assert found.kind == "paragraph"
    assert found.rows is None


def test_every_piece_of_a_list_repeats_its_lead_in_sentence():
    blocks = [paragraph("Antes de abrir. Haga lo siguiente:")] + [item(words(15, name)) for name in "abcdef"]
    found = chunk(blocks, max_tokens=50, min_tokens=5)
    assert found[0].text.startswith("Antes de abrir. Haga lo siguiente:\n- a0")
    assert len(found) == 3
    assert all(one.text.startswith("Haga lo siguiente:\n- ") for one in found[1:])
    assert all(one.own_start == len("Haga lo siguiente:\n") for one in found[1:])


def test_a_lead_in_is_not_left_at_the_end_of_a_piece():
    blocks = [
        paragraph(words(70)),
        paragraph("Haga lo siguiente:"),
        item(words(30, "a")),
        item(words(60, "b")),
    ]
    found = chunk(blocks, max_tokens=100, min_tokens=5)
    assert texts(found)[0] == words(70)
    assert texts(found)[1].startswith("Haga lo siguiente:\n- a0")
    found = chunk([*blocks, item(words(60, "c"))], max_tokens=100, min_tokens=5)  # a list longer than a piece
    assert texts(found)[0] == words(70)
    assert texts(found)[1].startswith("Haga lo siguiente:\n- a0")


def test_nested_items_stand_two_blanks_deeper_for_each_level():
    blocks = [
        paragraph("Normas del aula:", page=1),
        item("• Está permitido:", level=1, page=1),
        item("• Preguntar.", level=2, page=1),
        item("• No está permitido:", level=1, page=2),
        item("1. Comer:", level=2, page=2),
        item("• Ni pan.", level=3, page=3),
        item("• Llegar a la hora.", page=3),
    ]
    (found,) = chunk(blocks)
    assert found.text == (
        "Normas del aula:\n- Está permitido:\n  - Preguntar.\n- No está permitido:\n  1. Comer:\n    - Ni pan.\n"
        "- Llegar a la hora."
    )
    assert found.text in normalized_text(blocks).replace("\n\n", "\n")
    assert [(found.text[one["start"] :].split("\n")[0], one["page"]) for one in found.locator["pages"]] == [
        ("Normas del aula:", 1),
        ("- No está permitido:", 2),
        ("- Ni pan.", 3),
    ]


def test_the_depth_of_an_item_counts_from_the_first_level_of_its_own_list():
    blocks = [item("a", level=2), item("b", level=3), item("c", level=2), paragraph("Fin."), item("d", level=1)]
    (found,) = chunk(blocks)
    assert found.text == "- a\n  - b\n- c\n\nFin.\n\n- d"


def test_a_chunk_that_goes_on_inside_a_nested_list_repeats_what_rules_it_on_lines_of_their_own():
    blocks = [
        paragraph("Normas del aula:"),
        item("No está permitido:", level=1),
        item("Entrar con:", level=2),
        *(item(words(15, name), level=3) for name in "abcd"),
        item("Llegar a la hora.", level=1),
        *(item(words(15, name), level=1) for name in "ef"),
    ]
    found = chunk(blocks, max_tokens=50, min_tokens=5)
    text = normalized_text(blocks)
    lead = "Normas del aula:\n- No está permitido:\n  - Entrar con:\n    "
    assert found[0].text.startswith(f"{lead}- a0 ")
    assert found[1].text.startswith(f"{lead}- c0 ")
    assert found[1].own_start == len(lead)
    assert text[found[1].char_start :].startswith("- c0 ")
    assert found[2].text.startswith("Normas del aula:\n- Llegar a la hora.\n- e0 ")


def test_an_item_that_only_names_what_follows_is_not_repeated():
    blocks = [item("Cocina.", level=1), *(item(words(20, name), level=2) for name in "abc")]
    found = chunk(blocks, max_tokens=50, min_tokens=5, overlap_sentences=0)
    assert texts(found)[-1] == f"  - {words(20, 'c')}"


def test_of_a_long_item_that_rules_others_its_last_sentence_is_repeated():
    blocks = [
        item(f"{words(25)}. {sentence('x', 20)} Queda prohibido:", level=1),
        *(item(words(30, name), level=2) for name in "abc"),
    ]
    found = chunk(blocks, max_tokens=100, min_tokens=5)
    assert found[1].text.startswith("Queda prohibido:\n  - b0 ")


def test_an_item_that_rules_others_is_not_left_at_the_end_of_a_piece():
    blocks = [
        item(words(60), level=1),
        item("No está permitido:", level=1),
        item("Entrar con:", level=2),
        *(item(words(40, name), level=3) for name in "abc"),
    ]
    found = chunk(blocks, max_tokens=80, min_tokens=5, overlap_sentences=0)
    assert texts(found)[0] == f"- {words(60)}"
    assert texts(found)[1].startswith("- No está permitido:\n  - Entrar con:\n    - a0 ")
    found = chunk([paragraph("Normas:"), *blocks[1:]], max_tokens=80, min_tokens=5, overlap_sentences=0)
    assert texts(found)[0].startswith("Normas:\n- No está permitido:\n  - Entrar con:\n    - a0 ")


def test_repeated_items_and_paragraphs_keep_their_line_breaks():
    blocks = [item(f"{words(30)}.", level=1), item("Uno. Dos.", level=2), item(words(30, "a"), level=1)]
    found = chunk(blocks, max_tokens=50, min_tokens=5, overlap_sentences=3)
    assert found[1].text.startswith("  - Uno. Dos.\n- a0 ")
    blocks = [paragraph(f"{words(30)}."), paragraph("Uno."), paragraph("Dos."), paragraph(words(40, "a"))]
    found = chunk(blocks, max_tokens=50, min_tokens=5)
    assert found[1].text.startswith("Uno.\n\nDos.\n\na0 ")


def test_items_are_not_repeated_without_what_introduces_them():
    blocks = [
        paragraph("Está prohibido:"),
        item(f"{words(30)}."),
        item("Comer."),
        item("Fumar."),
        paragraph(words(40, "a")),
    ]
    found = chunk(blocks, max_tokens=60, min_tokens=5)
    assert found[-1].text == words(40, "a")


@pytest.mark.parametrize("kind", [BlockKind.QA, BlockKind.CLAUSE, BlockKind.CODE])
def test_what_fits_stays_whole(kind):
    whole = "\n".join(sentence(name, 12) for name in "abcde")
    found = chunk([paragraph(words(60)), paragraph(whole, kind=kind)], max_tokens=100, overlap_sentences=0)
    assert texts(found) == [words(60), whole]
    assert found[1].kind == kind


def test_a_clause_keeps_the_paragraphs_that_follow_it():
    blocks = [
        paragraph(words(50, "x"), kind=BlockKind.CLAUSE),
        paragraph(words(30, "a"), kind=BlockKind.CLAUSE),
        paragraph(words(30, "b")),
    ]
    found = chunk(blocks, max_tokens=100, overlap_sentences=0)
    assert texts(found) == [words(50, "x"), f"{words(30, 'a')}\n\n{words(30, 'b')}"]
