"""Patterns that meet what strangers wrote: a text made to fit in every possible way is looked at once.

Where one of them tries every way, its test does not end.
"""

import pytest

from courses.drafting.titles import Casing, clean_title
from courses.proposal_views import rows, text_lines
from documents.sentences import split_sentences
from tutor.amounts import Amount, is_for
from tutor.asking import Wanted, holds
from tutor.courtesy import is_courtesy
from tutor.nothing_found import says_nothing_found

LONG = 2_000


@pytest.mark.parametrize("beginning", ["-" * LONG, "|" + "---|" * LONG, "- " * LONG, ":--:" * LONG])
def test_a_line_that_only_begins_as_a_rule_stays_a_line(beginning: str):
    assert text_lines(f"{beginning} Fin") == [f"{beginning} Fin"]


@pytest.mark.parametrize("rule", ["---", "-----  ", "| --- | :---: |", "|---|---|", " :--- | ---: "])
def test_rules_are_left_out(rule: str):
    assert text_lines(f"Uno\n{rule}\nDos") == ["Uno", "Dos"]


@pytest.mark.parametrize("line", ["--", "| |", "a --- b"])
def test_what_is_no_rule_stays(line: str):
    assert text_lines(line) == [line]


def test_a_bar_within_a_cell_does_not_end_it():
    assert text_lines(r"| Mesas 1\|2 | Sala \*alta\* |") == ["| Mesas 1|2 | Sala *alta* |"]
    assert rows("| Mesas 1\\|2 | Sala \\*alta\\* |\n| --- | --- |\n# Mesas 1\\|2") == [
        ("Mesas 1|2", "Sala *alta*"),
        ("Mesas 1|2",),
    ]


def test_a_heading_loses_the_marks_before_it():
    assert clean_title("- " * LONG + "Caja", Casing([])) == "Caja"


def test_marks_that_lead_to_no_word_are_read_once():
    assert clean_title("- " * LONG + "-Caja", Casing([])).endswith("…")


def test_thanks_said_over_and_over_before_a_question_are_read_once():
    assert not is_courtesy("ok gracias " * LONG + "dónde está la caja")
    assert is_courtesy("vale gracias " * LONG)


@pytest.mark.parametrize(
    "beginning", ["no tengo ", "en los documentos ", "je n'", "habe ich ", "consulta ", "no aparece "]
)
def test_a_long_reply_that_only_begins_as_one_that_found_nothing_is_read_once(beginning: str):
    assert not says_nothing_found(beginning * LONG + "30 días")


@pytest.mark.parametrize("digits", ["11111", "1.234", ".123", "1 000 ", "1,"])
def test_a_long_row_of_digits_holds_no_amount_and_is_read_once(digits: str):
    text = digits * 5 * LONG
    assert is_for(Amount(95, "€"), text) is None
    assert not holds(Wanted.MONEY, text)


def test_the_amount_behind_a_row_of_digits_is_read():
    assert is_for(Amount(95, "€"), "1" * 40 + " hasta 1.200.000,50 €") is True
    assert is_for(Amount(5, "day"), "Pedido 30000000000000001: 12 días o menos") is True


@pytest.mark.parametrize("line", ["(\n", "«\n", "- \n", "(.\n", "¿! "])
def test_lines_of_signs_are_parted_once(line: str):
    assert "".join(split_sentences(line * 5 * LONG)).startswith(line.strip())
