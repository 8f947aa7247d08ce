"""A quote as people read it: a table's row says of each cell which column it stands in."""

import pytest

from tutor.quoting import QuotedLine, lines_of_quote

TABLE = """La carta de postres:

Producto | Gluten | Huevo
Magdalena sin | No | Trazas
Tarta de queso | Sí |"""
MUFFIN = (("Producto", "Magdalena sin"), ("Gluten", "No"), ("Huevo", "Trazas"))
CAKE = (("Producto", "Tarta de queso"), ("Gluten", "Sí"), ("Huevo", "–"))


def rows(quote: str, passage: str = TABLE) -> list[tuple[tuple[str, str], ...]]:
    return [line.fields for line in lines_of_quote(quote, passage)]


def test_a_row_says_what_each_cell_is():
    assert rows("Magdalena sin | No | Trazas") == [MUFFIN]


def test_an_empty_cell_says_that_it_is_empty():
    assert rows("Tarta de queso | Sí |") == [CAKE]


def test_rows_stand_apart():
    assert rows("Magdalena sin | No | Trazas\nTarta de queso | Sí |") == [MUFFIN, CAKE]


def test_a_row_that_was_cut_keeps_the_names_of_its_columns():
    assert rows("Magdalena sin | No") == [MUFFIN[:2]]


def test_without_the_names_of_its_columns_a_row_is_shown_without_bars():
    assert rows("Magdalena sin | No | Trazas", passage="Magdalena sin | No | Trazas") == [
        (("", "Magdalena sin"), ("", "No"), ("", "Trazas"))
    ]


def test_the_first_row_quoted_names_no_columns():
    quote = "Magdalena sin | No\nTarta de queso | Sí"
    assert rows(quote, passage=quote) == [(("", "Magdalena sin"), ("", "No")), (("", "Tarta de queso"), ("", "Sí"))]


def test_a_cell_that_repeats_its_column_is_said_once():
    passage = "Trazas | Nota\nTrazas | Cruzada\nOtra | Nota"
    assert rows("Trazas | Cruzada", passage) == [(("", "Trazas"), ("Nota", "Cruzada"))]


def test_lines_of_rules_are_no_rows():
    assert rows("Magdalena sin | No | Trazas\n--- | --- | ---") == [MUFFIN]


@pytest.mark.parametrize("quote", ["Una frase.", "Una frase.\nY otra.", "Elija A|B en el menú."])
def test_other_words_are_shown_as_they_stand(quote: str):
    assert lines_of_quote(quote, quote) == (QuotedLine(text=quote),)


def test_words_and_rows_follow_each_other():
    assert lines_of_quote("La carta de postres:\n\nMagdalena sin | No | Trazas", TABLE) == (
        QuotedLine(text="La carta de postres:"),
        QuotedLine(fields=MUFFIN),
    )


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (2, [(("Producto", "Magdalena sin …"),)]),
        (3, [(("Producto", "Magdalena sin"), ("Gluten", "No …"))]),
        (5, [MUFFIN, (("Producto", "Tarta …"),)]),
        (9, [MUFFIN, CAKE]),
    ],
)
def test_a_long_quote_of_rows_is_cut_after_so_many_of_its_words(words, shown):
    quote = "Magdalena sin | No | Trazas\nTarta de queso | Sí |"
    assert [line.fields for line in lines_of_quote(quote, TABLE, words=words)] == shown


def test_a_long_quote_is_cut_after_so_many_words():
    assert lines_of_quote("Uno dos tres cuatro.\n\nCinco seis.", "", words=3) == (QuotedLine(text="Uno dos tres …"),)
    assert lines_of_quote("Uno dos.\n\nTres cuatro.", "", words=2) == (QuotedLine(text="Uno dos. …"),)
    assert lines_of_quote("Uno dos tres.", "", words=3) == (QuotedLine(text="Uno dos tres."),)
