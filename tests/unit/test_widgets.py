"""Checkboxes drawn in one go."""

import re

import pytest
from django import forms

from skillnet.widgets import ManyCheckboxes

CHOICES = [("1", "Caja & <b>turno</b>"), ("2", "Pedidos"), ("3", "Cierre")]


def flat(html: str) -> str:
    return re.sub(r"\s+", " ", html).replace("> <", "><").replace(" </label>", "</label>")


@pytest.mark.parametrize(
    "attrs", [{"id": "id_cosas"}, {"id": "id_cosas", "aria-invalid": "true", "disabled": True}, {}]
)
def test_they_are_the_same_as_djangos_own(attrs: dict[str, object]):
    own = forms.CheckboxSelectMultiple(choices=CHOICES).render("cosas", ["2"], attrs)
    quick = ManyCheckboxes(choices=CHOICES).render("cosas", ["2"], attrs)
    assert sorted(re.findall(r"<input[^>]*>", flat(quick))) != []
    assert _parts(quick) == _parts(own)
    assert "<b>" not in quick


def _parts(html: str) -> list[tuple[str, ...]]:
    """Tags with their attributes in no order, and texts."""
    found = re.findall(r"<(/?\w+)([^>]*)>([^<]*)", html)
    return [
        (tag, *sorted(re.findall(r'[\w-]+(?:="[^"]*")?', attributes)), text.strip()) for tag, attributes, text in found
    ]
