"""Other ways to cut a document, and the settings that are refused."""

import re

import pytest

from documents.chunking import ChunkSettings
from tests.unit.chunks import chunk, heading, paragraph, sentence

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
