"""Fields that speak the page's language, and checkboxes drawn in one go."""

import re

import pytest
from django import forms
from django.utils import translation

from skillnet.widgets import FileChooser, ManyCheckboxes, SeveralFilesChooser

CHOICES = [("1", "Caja & <b>turno</b>"), ("2", "Pedidos"), ("3", "Cierre")]


def test_a_file_field_says_in_the_pages_language_what_is_chosen_and_stays_a_field_without_scripts():
    with translation.override("es"):
        drawn = FileChooser().render("file", None, {"id": "id_file", "accept": ".csv"})
    assert '<input type="file" name="file" id="id_file" accept=".csv">' in drawn
    assert "Elegir archivo</span>" in drawn
    assert 'data-none="Ningún archivo elegido"' in drawn
    assert "needs-script" in drawn.split("<input")[1]  # the field itself is always there, what lies under it is not


def test_a_field_for_several_files_takes_several():
    with translation.override("es"):
        drawn = SeveralFilesChooser().render("uploads", None, {"id": "id_uploads"})
    assert " multiple" in drawn.split(">")[1]
    assert "Elegir archivos</span>" in drawn


def test_a_name_is_written_as_text():
    drawn = FileChooser(attrs={"title": '"><script>'}).render("file", None)
    assert "<script>" not in drawn


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
