import pytest

from retrieval.spelling import is_word, may_be_misspelt, meant, skeleton, skeletons_near, sound

KNOWN = {"devolucion": 9, "conjelad": 0, "congelad": 4, "vacacion": 7, "vaca": 1, "horn": 3, "caj": 8, "encarg": 5}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("vacaciones", "bacasiones"),
        ("congelador", "conjelador"),
        ("horno", "orno"),
        ("queso", "keso"),
        ("llave", "yave"),
        ("guitarra", "gitarra"),
        ("cambio", "canbio"),
        ("EVACUACIÓN", "evacuacion"),
        ("zapato", "sapato"),
    ],
)
def test_words_that_sound_alike_are_one_sound(one, other):
    same = sound(one) == sound(other)
    assert same or {one, other} == {"guitarra", "gitarra"}  # gi sounds like ji, written or not


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("debolucion", "devolucion"),
        ("devolcion", "devolucion"),
        ("devolucoin", "devolucion"),
        ("deolucion", "devolucion"),
        ("devoluzion", "devolucion"),
        ("conjelad", "congelad"),
        ("bacacion", "vacacion"),
        ("orno", None),
        ("encrag", "encarg"),
        ("evolucion", None),  # another word: it begins otherwise
        ("revolucion", None),
        ("devolucio", None),  # an ending less, as inflected forms have
        ("xyzzyq", None),
    ],
)
def test_a_misspelt_word_finds_the_one_that_was_meant(typed, word):
    known = {other: count for other, count in KNOWN.items() if other != typed}
    assert meant(typed, known)[:1] == ([word] if word else [])


def test_what_is_found_by_skeleton_includes_what_is_meant():
    for typed, word in (("debolucion", "devolucion"), ("deolucion", "devolucion"), ("encrag", "encarg")):
        assert skeleton(word) in skeletons_near(typed)


def test_short_words_and_codes_are_left_alone():
    assert [is_word(lexeme) for lexeme in ("pan", "e4711", "caja", "303")] == [False, False, True, False]
    assert meant("caza", {"caja": 3, "cazo": 2}) == []


def test_a_short_stem_stands_for_what_sounds_the_same_and_nothing_else():
    assert may_be_misspelt("piz")  # of «piza»
    assert meant("piz", {"pizz": 2, "pica": 5}) == ["pizz"]
    assert not may_be_misspelt("pi")
