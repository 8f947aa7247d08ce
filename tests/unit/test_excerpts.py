from retrieval.excerpts import LENGTH, excerpt

LONG = (
    "Lee esto antes de empezar. " * 30 + "La devolución se hace con el tique E-4711 en la caja. " + "Y nada más. " * 60
)


def shown(text, question):
    return "".join(piece.text for piece in excerpt(text, question))


def marked(text, question):
    return [piece.text for piece in excerpt(text, question) if piece.is_marked]


def test_a_short_text_is_shown_whole():
    assert shown("El horno se\nlimpia  cada noche.", "horno") == "El horno se limpia cada noche."


def test_the_words_are_marked_whatever_their_accents_and_endings():
    assert marked(LONG, "¿cómo hago DEVOLUCIONES en cajas?") == ["devolución", "caja"]
    assert marked(LONG, "e-4711") == ["4711"]


def test_a_long_text_is_shown_around_the_first_word():
    text = shown(LONG, "devolucion")
    assert text.startswith("…") and text.endswith("…") and "devolución" in text
    assert len(text) <= LENGTH + 2


def test_a_text_without_the_words_is_shown_from_its_beginning():
    assert shown(LONG, "xyz").startswith("Lee esto antes")
    assert shown("", "xyz") == ""
    assert excerpt("x" * 1_000, "") != []
