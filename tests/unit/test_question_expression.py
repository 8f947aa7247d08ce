import pytest

from retrieval.keywords import Term, all_terms, distinct, expression_query, inverse_frequency
from retrieval.question import Piece, parse_expression


def test_words_phrases_and_exclusions_are_told_apart():
    assert parse_expression('pedido "fuera de plazo" -tienda -"caja fuerte"') == (
        (
            Piece("pedido"),
            Piece("fuera de plazo", is_phrase=True),
            Piece("tienda", is_excluded=True),
            Piece("caja fuerte", is_phrase=True, is_excluded=True),
        ),
    )


def test_or_separates_alternatives():
    assert parse_expression("turno noche OR festivo") == (
        (Piece("turno"), Piece("noche")),
        (Piece("festivo"),),
    )


@pytest.mark.parametrize("text", ["", "   ", "or", "OR or", "-", '"', '""', '-""', "& | ! <-> :* ( ) \\ '", "-or"])
def test_anything_is_a_valid_expression(text):
    expression = parse_expression(text)
    assert isinstance(expression_query(expression, []), str)
    assert expression_query(expression, []) == ""


def term(*lexemes, word=1, piece=0, count=1, is_code=False):
    return Term(lexemes, count, is_code, word, piece)


def test_a_phrase_keeps_the_distance_over_its_stop_words():
    expression = parse_expression('"fuera de plazo"')
    terms = [term("fuer", "fuera", word=1), term("plaz", word=3)]
    assert expression_query(expression, terms) == "(((('fuer' | 'fuera') <2> ('plaz'))))"


def test_excluded_pieces_are_negated_and_alone_ask_for_nothing():
    terms = [term("turn"), term("noch", piece=1)]
    assert expression_query(parse_expression("turno -noche"), terms) == "((('turn')) & !(('noch')))"
    assert expression_query(parse_expression("-noche"), [term("noch")]) == ""


def test_a_code_inside_a_phrase_has_to_be_there_wherever_it_stands():
    terms = [term("error", word=1), term("e4711", word=2, is_code=True), term("caj", word=3)]
    query = expression_query(parse_expression('"error E-4711 caja"'), terms)
    assert query == "((('error') & ('e4711') & ('caj')))"


def test_quotes_and_backslashes_in_lexemes_are_escaped():
    assert all_terms([term("o'hara", "a\\b")]) == "('o''hara' | 'a\\\\b')"


def test_repeated_words_count_once():
    assert distinct([term("caj"), term("turn"), term("caj", word=5)]) == [term("caj"), term("turn")]


def test_rare_words_say_more_and_none_says_less_than_nothing():
    rare, common, everywhere = (inverse_frequency(term("x", count=count), 100) for count in (1, 60, 100))
    assert rare > common > everywhere > 0
    assert inverse_frequency(term("x", count=500), 100) > 0
