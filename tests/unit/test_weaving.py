"""An edited line as one text."""

import pytest

from documents.diffing import LineChange, Span, word_spans
from documents.weaving import woven


def line(before: str, after: str) -> LineChange:
    old, new = word_spans(before, after)
    return LineChange((old,), (new,))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Se pagan a 18,50 euros la hora", "Se pagan a 19,80 euros la hora"),
        (
            "Cierra la puerta, la caja y las ventanas al salir",
            "Cierra la puerta, la alarma, la caja y las ventanas al salir",
        ),
        (
            "Al salir por la noche, cierra la puerta y la caja. Ya está.",
            "Al salir por la noche, cierra la puerta y la caja.",
        ),
        ("Si hay fuego, llama al 112 y avisa", "Si hay fuego, llama al 112 y avisa pronto"),
    ],
)
def test_both_texts_can_be_read_out_of_it(before, after):
    (cell,) = woven(line(before, after))
    assert "".join(text for became, text in cell if became != "ins") == before
    assert "".join(text for became, text in cell if became != "del") == after


def test_what_changed_stands_side_by_side():
    (cell,) = woven(line("Se pagan a 18,50 euros la hora", "Se pagan a 19,80 euros la hora"))
    assert [(became, text.strip()) for became, text in cell] == [
        ("", "Se pagan a"), ("del", "18,50"), ("ins", "19,80"), ("", "euros la hora"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        LineChange(None, ((Span("Nuevo"),),)),
        LineChange(((Span("Quitado"),),), None),
        LineChange(((Span("Igual"),),), ((Span("Igual"),),)),
        LineChange(None, None, hidden_count=3),
        LineChange(((Span("a"), Span("b")),), ((Span("a"),), (Span("b"),))),
        line("Mira la fachada desde la acera antes de entrar", "Mira la fachada, y antes de entrar llama a la central"),
        line("Cierra la puerta", "Llama a seguridad y espera en la calle a que vengan"),
    ],
)
def test_what_has_no_two_texts_or_two_others_stays_apart(change):
    assert woven(change) == ()
