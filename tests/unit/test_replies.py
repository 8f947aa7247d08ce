"""What of a language model's reply is told, and what is left of one that was cut off."""

from itertools import pairwise

import pytest

from tutor.replies import without_thoughts, without_unfinished_end

THOUGHT = "<think>\nMe preguntan por el plazo. Serán 60 días.\n</think>\n\n"


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("Son 30 días [Fuente 1].", "Son 30 días [Fuente 1]."),
        (f"{THOUGHT}Son 30 días.", "Son 30 días."),
        (f"Son 30 días. {THOUGHT}Con tique.", "Son 30 días. Con tique."),
        ("<Think>a</think><thinking>b</THINKING>Son 30 días.", "Son 30 días."),
        ("Serán 60 días.\n</think>\n\nSon 30 días.", "Son 30 días."),  # the opening mark stood in the template
        ("<think>Serán 60 días, o quizá", ""),
        (f"{THOUGHT}<think>o quizá", ""),
        (f"{THOUGHT}La etiqueta <think> no va.", "La etiqueta <think> no va."),
        (
            "La etiqueta <think> no va. Pulsa Guardar. [Fuente 1]",
            "La etiqueta <think> no va. Pulsa Guardar. [Fuente 1]",
        ),
        ("Pulsa <Intro> si x < 5 y <think", "Pulsa <Intro> si x < 5 y <think"),
    ],
)
def test_what_a_model_thinks_aloud_is_no_part_of_its_reply(reply: str, told: str):
    assert without_thoughts(reply) == told


def test_no_beginning_of_a_reply_shows_a_thought_or_its_marks():
    reply = f"{THOUGHT}Son 30 días si el importe es <50 €."
    shown = [without_thoughts(reply[:length], is_whole=False) for length in range(len(reply) + 1)]
    assert all("Son 30 días si el importe es <50 €.".startswith(text) for text in shown)
    assert shown[-1] == "Son 30 días si el importe es <50 €."
    assert all(later.startswith(earlier) for earlier, later in pairwise(shown))


def test_what_may_yet_turn_out_a_thought_is_not_shown_while_it_comes():
    assert without_thoughts("Son 30 días. <think>o quizá", is_whole=False) == "Son 30 días. "


@pytest.mark.parametrize(
    ("reply", "whole"),
    [
        ("Son 30 días [Fuente 1]. Además el clien", "Son 30 días [Fuente 1]."),
        ("Son 30 días. [Fuente 1] Además el clien", "Son 30 días. [Fuente 1]"),
        ("Son 30 días.【1】 Además el clien", "Son 30 días. 【1】"),
        ("Son 30 días.[1][2] Además el clien", "Son 30 días. [1][2]"),
        ("Son 30 días [Fuente 1]. Pide el tique al Sr. Lóp", "Son 30 días [Fuente 1]."),
        ("Los pasos:\n1. Abre la caja [Fuente 1]\n2. Cuenta el din", "Los pasos:\n1. Abre la caja [Fuente 1]"),
        ("Son 30 días [Fuente 1].", "Son 30 días [Fuente 1]."),
        ("Son 30 días. [Fuente 1] [Fuente 2]", "Son 30 días. [Fuente 1] [Fuente 2]"),
        ("«Son 30 días.»\n", "«Son 30 días.»\n"),
        ("El cliente dispone de 30 dí", ""),
        ("", ""),
    ],
)
def test_a_reply_cut_off_keeps_its_whole_sentences(reply: str, whole: str):
    assert without_unfinished_end(reply) == whole
