"""Words looked for inside one document."""

from typing import Any

import pytest

from documents.finding import find, folded, marked, with_marks
from documents.reading import BLOCKS_A_PART, pieces


def block(text: str, kind: str = "paragraph", **fields: Any) -> dict[str, Any]:
    return {"kind": kind, "text": text, "page": 1, "heading_path": ["Alquiler", "Fianza"], **fields}


def test_accents_case_and_word_ends_make_no_difference():
    found = find([block("La DEVOLUCIÓN se hace en caja.")], "devoluc")
    assert [run.text for run in found[0].runs] == ["La ", "DEVOLUC", "IÓN se hace en caja."]
    assert [run.is_marked for run in found[0].runs] == [False, True, False]


def test_all_the_words_have_to_be_said_by_the_block_or_its_headings():
    blocks = [block("Son 35 euros."), block("Se paga en caja.")]
    assert [one.anchor for one in find(blocks, "fianza euros")] == ["b0"]
    assert find(blocks, "fianza dólares") == []


def test_a_word_of_the_headings_alone_does_not_find_every_block_below():
    assert find([block("Son 35 euros.")], "fianza") == []


def test_a_block_of_a_later_part_is_found_in_its_part():
    blocks = [block(f"Línea {number}.") for number in range(BLOCKS_A_PART)] + [block("La bomba roja.", page=9)]
    found = find(blocks, "bomba")[0]
    assert (found.part, found.page, found.anchor, found.section) == (2, 9, f"b{BLOCKS_A_PART}", "Fianza")


def test_an_item_of_a_list_leads_to_where_the_list_begins():
    blocks = [block("Antes."), block("Casco", "list_item"), block("Guantes", "list_item"), block("Luces", "list_item")]
    assert find(blocks, "luces")[0].anchor == "b1"


def test_a_long_text_is_shown_around_the_words():
    text = f"{'Nada que ver. ' * 40}Aquí está la bomba. {'Más texto. ' * 60}"
    line = "".join(run.text for run in find([block(text)], "bomba")[0].runs)
    assert "la bomba" in line
    assert line.startswith("… ")
    assert line.endswith(" …")
    assert len(line) < 300


def test_nothing_is_found_without_words():
    assert find([block("Texto.")], "   ") == []


def test_words_are_marked_where_they_were_found_and_nowhere_else():
    blocks = [block("Casco, y otro CASCO."), block("Nada."), block("Luces", "list_item"), block("Cascos", "list_item")]
    shown = with_marks(pieces(blocks, 1), find(blocks, "casco"))
    assert [piece.marks for piece in shown] == [(), ("casco",), (), ("casco",)]  # the first is the page's mark
    assert [run.text for run in marked("Casco, y otro CASCO.", ["casco"]) if run.is_marked] == ["Casco", "CASCO"]
    assert "".join(run.text for run in marked("Casco, y otro CASCO.", ["casco"])) == "Casco, y otro CASCO."


@pytest.mark.parametrize(
    "text", ["İstanbul ŞİŞLİ", "Straße", "ÁÉÑ ü ﬁn", "Ωμέγα ΰ", "日本語 한국어", "e\u0301", "𐐀 😀"]
)
def test_folding_keeps_every_place(text: str):
    assert len(folded(text)) == len(text)


def test_folding_takes_case_and_accents_away():
    assert folded("ÁÉÑ ü İzmir Ωμέγα") == "aen u izmir ωμεγα"


def test_a_word_said_twice_in_the_search_is_marked_once():
    assert [run.text for run in find([block("La caja.")], "caja CAJA")[0].runs] == ["La ", "caja", "."]
