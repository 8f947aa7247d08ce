"""How documents are cut into chunks."""

import hashlib
import re

import pytest

from documents.chunking import ChunkSettings, block_spans, chunk_blocks, normalized_text
from documents.parsing.types import Block, BlockKind


def count_words(text: str) -> int:
    """A tokenizer of words, with two tokens a model adds to every passage."""
    return 2 + len(text.split())


def words(count: int, name: str = "palabra") -> str:
    return " ".join(f"{name}{number}" for number in range(count))


def sentence(name: str, count: int = 10) -> str:
    return f"Frase {words(count - 1, name)}."


def heading(*path: str, **kwargs) -> Block:
    return Block(BlockKind.HEADING, path[-1], level=len(path), heading_path=path, **kwargs)


def paragraph(text: str, *path: str, kind: BlockKind = BlockKind.PARAGRAPH, **kwargs) -> Block:
    return Block(kind, text, heading_path=path, **kwargs)


def item(text: str, *path: str, **kwargs) -> Block:
    return paragraph(text, *path, kind=BlockKind.LIST_ITEM, **kwargs)


def table(*rows: tuple[str, ...], path: tuple[str, ...] = (), **kwargs) -> Block:
    return Block(BlockKind.TABLE, "tabla", heading_path=path, rows=rows, header_rows=1, **kwargs)


def chunk(blocks, *, title="Manual", **settings):
    return chunk_blocks(
        blocks, title=title, language="es", count_tokens=count_words, settings=ChunkSettings(**settings)
    )


def texts(chunks):
    return [found.text for found in chunks]


def test_a_section_that_fits_is_one_chunk_with_its_three_texts():
    blocks = [heading("Caja"), heading("Caja", "Cierre"), paragraph(words(60), "Caja", "Cierre", page=4)]
    (found,) = chunk(blocks)
    assert found.text == words(60)
    assert found.meaning_text == f"[Documento: Manual] [Sección: Caja > Cierre]\n{words(60)}"
    assert found.heading_path == ("Caja", "Cierre")
    assert (found.level, found.kind, found.language) == (2, "paragraph", "es")
    assert (found.page_start, found.page_end) == (4, 4)
    assert found.token_count == count_words(found.meaning_text)
    assert found.content_hash == hashlib.sha256(words(60).encode()).hexdigest()
    assert normalized_text(blocks)[found.char_start : found.char_end] == words(60)


def test_the_hash_ignores_case_and_white_space():
    first = chunk([paragraph("El  Plazo\nes corto")])
    second = chunk([paragraph("el plazo es CORTO")], title="Otro")
    assert first[0].content_hash == second[0].content_hash


def test_a_document_without_text_has_no_chunks():
    assert chunk([]) == []
    assert chunk([paragraph(" \n "), table(("", ""))]) == []


def test_text_before_the_first_heading_is_a_chunk_of_its_own():
    found = chunk([paragraph("Una nota."), heading("Caja"), paragraph(words(60), "Caja")])
    assert [(one.heading_path, one.text) for one in found] == [((), "Una nota."), (("Caja",), words(60))]


def test_paragraphs_are_merged_while_they_fit():
    blocks = [paragraph(words(40, name)) for name in "abcd"]
    found = chunk(blocks, max_tokens=100, min_tokens=10, overlap_sentences=0)
    assert texts(found) == [
        f"{words(40, 'a')}\n\n{words(40, 'b')}",
        f"{words(40, 'c')}\n\n{words(40, 'd')}",
    ]


def test_a_long_paragraph_is_cut_at_sentences_and_repeats_the_last_two():
    sentences = [sentence(name) for name in "abcdefgh"]
    found = chunk([paragraph(" ".join(sentences))], max_tokens=65, min_tokens=5)
    assert texts(found)[0] == " ".join(sentences[:6])
    assert texts(found)[1] == " ".join(sentences[4:8])
    assert found[1].text[found[1].own_start :] == " ".join(sentences[6:8])
    text = normalized_text([paragraph(" ".join(sentences))])
    assert text[found[1].char_start : found[1].char_end] == " ".join(sentences[6:8])


def test_overlap_never_crosses_into_another_section():
    blocks = [
        heading("A"),
        paragraph(" ".join(sentence(name) for name in "abcdef"), "A"),
        heading("B"),
        paragraph(" ".join(sentence(name) for name in "uvwxyz"), "B"),
    ]
    found = chunk(blocks, max_tokens=50, min_tokens=5)
    firsts = [next(one for one in found if one.heading_path == (path,)) for path in "AB"]
    assert [one.own_start for one in firsts] == [0, 0]
    assert any(one.own_start for one in found)


def test_overlap_is_left_out_when_it_does_not_fit():
    found = chunk([paragraph(words(90, "a")), paragraph(words(90, "b"))], max_tokens=100)
    assert texts(found) == [words(90, "a"), words(90, "b")]


def test_a_short_last_piece_takes_sentences_from_the_one_before():
    sentences = [sentence(name) for name in "abcdefg"]
    found = chunk([paragraph(" ".join(sentences))], max_tokens=65, min_tokens=20, overlap_sentences=0)
    assert texts(found) == [" ".join(sentences[:5]), " ".join(sentences[5:])]


def test_a_long_title_is_shortened_in_the_meaning_text_only():
    path = (words(80, "capitulo"), words(80, "apartado"))
    (found,) = chunk([heading(*path[:1]), heading(*path), paragraph("Breve.", *path)], title=words(200), max_tokens=64)
    assert found.heading_path == path
    assert found.token_count <= 64
    assert found.meaning_text.startswith("[Documento: palabra0 ")
    assert found.text == "Breve."


def test_small_sibling_sections_merge_and_each_can_be_cited():
    blocks = [
        heading("Caja"),
        heading("Caja", "Abrir"),
        paragraph(words(20, "a"), "Caja", "Abrir", page=1),
        heading("Caja", "Cerrar"),
        paragraph(words(20, "b"), "Caja", "Cerrar", page=2),
    ]
    (found,) = chunk(blocks)
    assert found.heading_path == ("Caja",)
    assert found.text == f"Abrir\n{words(20, 'a')}\n\nCerrar\n{words(20, 'b')}"
    sections = [(one["start"], one["heading_path"]) for one in found.locator["sections"]]
    assert sections == [(0, ["Caja", "Abrir"]), (found.text.index("Cerrar"), ["Caja", "Cerrar"])]
    pages = [(one["start"], one["page"]) for one in found.locator["pages"]]
    assert pages[0][1] == 1
    assert pages[1] == (found.text.index("b0"), 2)


def test_a_small_section_joins_a_long_sibling_that_keeps_its_path():
    blocks = [
        heading("Caja", "Abrir"),
        paragraph(words(100, "a"), "Caja", "Abrir"),
        heading("Caja", "Cerrar"),
        paragraph(words(10, "b"), "Caja", "Cerrar"),
    ]
    (found,) = chunk(blocks)
    assert found.heading_path == ("Caja", "Abrir")
    assert "\n\nCerrar\n" in found.text


def test_nothing_merges_across_a_top_level_heading():
    blocks = [heading("Abrir"), paragraph("Uno.", "Abrir"), heading("Cerrar"), paragraph("Dos.", "Cerrar")]
    assert [one.heading_path for one in chunk(blocks)] == [("Abrir",), ("Cerrar",)]


def test_top_level_headings_of_one_name_stay_apart():
    blocks = [heading("Aviso"), paragraph("Uno.", "Aviso"), heading("Aviso"), paragraph("Dos.", "Aviso")]
    assert texts(chunk(blocks)) == ["Uno.", "Dos."]


def test_a_merge_that_does_not_fit_is_left():
    blocks = [
        heading("Caja", "Abrir"),
        paragraph(words(85, "a"), "Caja", "Abrir"),
        heading("Caja", "Cerrar"),
        paragraph(words(20, "b"), "Caja", "Cerrar"),
    ]
    assert len(chunk(blocks, max_tokens=100)) == 2


def test_short_articles_stay_alone():
    blocks = []
    for number in (1, 2):
        blocks += [
            heading("Ley", f"Artículo {number}. Objeto"),
            paragraph("Breve.", "Ley", f"Artículo {number}. Objeto"),
        ]
    assert [one.heading_path[-1] for one in chunk(blocks)] == ["Artículo 1. Objeto", "Artículo 2. Objeto"]


def test_an_empty_section_is_a_line_of_the_next_one():
    blocks = [
        heading("Caja", "Turnos"),
        paragraph(words(60), "Caja", "Turnos"),
        heading("Caja", "Vacía"),
        heading("Caja", "Abrir"),
        paragraph(words(60), "Caja", "Abrir"),
    ]
    before, found = chunk(blocks)
    assert before.text == words(60)
    assert found.heading_path == ("Caja", "Abrir")
    assert found.text.split("\n\n") == ["Vacía", "Abrir", words(60)]


def test_an_empty_last_section_is_a_line_of_the_one_before():
    blocks = [
        heading("Caja", "Abrir"),
        paragraph(words(60), "Caja", "Abrir"),
        heading("Caja", "Vacía"),
        heading("Ventas"),
        paragraph(words(60), "Ventas"),
    ]
    assert texts(chunk(blocks)) == [f"{words(60)}\n\nVacía", words(60)]


def test_a_document_of_headings_only_is_findable():
    found = chunk([heading("Uno"), heading("Dos"), heading("Dos", "Tres")])
    assert texts(found) == ["Uno", "Dos\n\nTres"]
    assert [one.heading_path for one in found] == [("Uno",), ("Dos",)]
    assert {one.kind for one in found} == {"heading"}


def test_an_empty_parent_of_empty_sections_is_not_lost():
    found = chunk([heading("Uno"), heading("Uno", "Dos"), heading("Tres"), paragraph(words(60), "Tres")])
    shown = [*texts(found), *(name for one in found for name in one.heading_path)]
    assert all(any(name in text for text in shown) for name in ("Uno", "Dos", "Tres"))


def test_a_small_tail_of_a_cut_section_shows_its_heading_before_its_own_text():
    blocks = [
        heading("Caja"),
        heading("Caja", "Abrir"),
        paragraph("x" * 300, "Caja", "Abrir"),
        heading("Caja", "Cerrar"),
        paragraph("Fin.", "Caja", "Cerrar"),
    ]
    found = chunk_blocks(
        blocks,
        title="",
        language="es",
        count_tokens=len,
        settings=ChunkSettings(max_tokens=250, min_tokens=90),
    )
    assert found[-1].text.startswith("Abrir\nx")
    assert found[-1].text.endswith("x\n\nCerrar\nFin.")
    own = found[-1].text[found[-1].own_start :]
    assert own.split() == normalized_text(blocks)[found[-1].char_start :].replace("#", "").split()


def test_heading_paths_are_worked_out_from_levels_when_the_blocks_have_none():
    blocks = [
        Block(BlockKind.HEADING, "Caja", level=1),
        Block(BlockKind.HEADING, "Abrir", level=2),
        Block(BlockKind.PARAGRAPH, words(60)),
    ]
    assert chunk(blocks)[0].heading_path == ("Caja", "Abrir")


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


def test_rectangles_are_kept_by_page():
    blocks = [
        paragraph("Uno.", page=3, locator={"rects": [[0, 0, 10, 10]]}),
        paragraph("Dos.", page=4, locator={"rects_by_page": {"4": [[1, 1, 9, 9]], "5": [[2, 2, 8, 8]]}}),
    ]
    (found,) = chunk(blocks)
    assert found.locator["rects"] == {"3": [[0, 0, 10, 10]], "4": [[1, 1, 9, 9]], "5": [[2, 2, 8, 8]]}
    assert (found.page_start, found.page_end) == (3, 5)
    assert found.locator["pages"] == [{"start": 0, "page": 3}, {"start": 6, "page": 4}]


@pytest.mark.parametrize("locator", [{"slide": 3}, {"time": "00:01:05"}])
def test_places_in_files_without_pages_are_kept(locator):
    assert chunk([paragraph("Uno.", locator=locator)])[0].locator == locator


def test_the_normalized_text_is_markdown():
    blocks = [
        heading("Caja"),
        heading("Caja", "Abrir"),
        paragraph("Texto."),
        item("uno"),
        item("2. dos"),
        item("• tres"),
        paragraph(""),
        table(("A", "B|C"), ("1", "")),
        paragraph("x = 1", kind=BlockKind.CODE),
    ]
    text = normalized_text(blocks)
    assert text == (
        "# Caja\n\n## Abrir\n\nTexto.\n\n- uno\n2. dos\n- tres\n\n"
        "| A | B\\|C |\n| --- | --- |\n| 1 |  |\n\n```\nx = 1\n```"
    )
    spans = block_spans(blocks)
    assert [text[start:end] for start, end in spans[:4]] == ["# Caja", "## Abrir", "Texto.", "- uno"]
    assert spans[6][0] == spans[6][1]
    assert text[slice(*spans[7])].startswith("| A |")


def test_blank_blocks_do_not_move_the_spans():
    blocks = [paragraph(""), paragraph("Uno."), table(("", " ")), paragraph(words(300))]
    found = chunk(blocks, max_tokens=200, overlap_sentences=0)
    text = normalized_text(blocks)
    assert [text[one.char_start : one.char_end] for one in found] == texts(found)


LONG = [
    heading("Uno"),
    paragraph(" ".join(sentence(f"a{number}x") for number in range(150)), "Uno"),
    heading("Dos"),
    paragraph(" ".join(sentence(f"b{number}x") for number in range(60)), "Dos"),
]


def test_fixed_windows_have_the_size_and_the_overlap_asked_for():
    found = chunk(LONG, strategy="fixed", max_tokens=600)
    assert all(440 <= one.token_count <= 520 for one in found[:-1])
    repeated = [len(one.text[: one.own_start].split()) for one in found[1:]]
    assert all(40 <= count <= 50 for count in repeated)


def test_recursive_windows_have_the_size_and_the_overlap_asked_for():
    found = chunk(LONG, strategy="recursive")
    assert all(800 <= len(one.text) <= 1000 for one in found[:-1])
    assert all(0 < one.own_start <= 201 for one in found[1:-1])


def test_markdown_chunks_are_whole_sections_up_to_the_maximum_and_else_of_the_target_size():
    found = chunk(LONG, strategy="markdown", max_tokens=1000)
    assert [one.heading_path for one in found] == [("Uno",)] * 4 + [("Dos",)]
    assert all(400 <= one.token_count <= 510 for one in found[:3])
    assert found[4].token_count > 600
    assert all(one.own_start for one in found[1:4])


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"strategy": "fixed", "size": 50, "overlap": 50}, "El solape (50) debe ser menor"),
        ({"strategy": "recursive", "size": 100}, "El solape (200) debe ser menor"),
        ({"strategy": "markdown", "size": 0, "overlap": 0}, "debe ser positivo"),
        ({"strategy": "fixed", "overlap": -1}, "no puede ser negativo"),
        ({"max_tokens": 8, "min_tokens": 0}, "al menos 16"),
        ({"max_tokens": 40, "min_tokens": 50}, "debe ser menor que el máximo"),
        ({"overlap_sentences": -1}, "no puede ser negativo"),
        ({"strategy": "magic"}, "No existe la forma"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(settings, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        ChunkSettings(**settings)


def test_tokens_are_counted_a_few_times_for_each_block():
    calls = 0

    def counting(text: str) -> int:
        nonlocal calls
        calls += 1
        return count_words(text)

    blocks = [paragraph(words(30, f"p{number}x")) for number in range(400)]
    chunk_blocks(blocks, title="Manual", language="es", count_tokens=counting, settings=ChunkSettings())
    assert calls < 3 * len(blocks)
