"""How documents are cut into chunks."""

import hashlib

from documents.chunking import ChunkSettings, chunk_blocks, normalized_text
from documents.parsing.types import Block, BlockKind
from tests.unit.chunks import chunk, count_words, heading, paragraph, sentence, table, texts, words


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


def test_tokens_are_counted_a_few_times_for_each_block():
    calls = 0

    def counting(text: str) -> int:
        nonlocal calls
        calls += 1
        return count_words(text)

    blocks = [paragraph(words(30, f"p{number}x")) for number in range(400)]
    chunk_blocks(blocks, title="Manual", language="es", count_tokens=counting, settings=ChunkSettings())
    assert calls < 3 * len(blocks)
