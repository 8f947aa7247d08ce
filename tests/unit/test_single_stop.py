"""A name that ends in a full stop, at the end of a sentence."""

import pytest
from django.contrib.messages.storage.base import Message
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from documents.templatetags.documents import warning_text
from skillnet.templatetags.interface import single_stop


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ya estás en Talleres Ardanza S.L..", "Ya estás en Talleres Ardanza S.L."),
        ("Pide otra a Ardanza S.A.. Gracias.", "Pide otra a Ardanza S.A. Gracias."),
        ("¿Y si hay un incendio?. Déjala vacía.", "¿Y si hay un incendio? Déjala vacía."),
        ("Y así, etc... Sigue...", "Y así, etc... Sigue..."),
        ("Entrarás con ana@acme.example.", "Entrarás con ana@acme.example."),
        ("Lo dice «Normas S.L.».", "Lo dice «Normas S.L.»."),
        ("Se ha leído informe..pdf y v1..2 entero.", "Se ha leído informe..pdf y v1..2 entero."),
    ],
)
def test_a_sentence_ends_with_one_full_stop(text, shown):
    assert single_stop(text) == shown


def test_safe_text_stays_safe_and_other_text_does_not_become_it():
    assert isinstance(single_stop(mark_safe("<b>S.L.</b>")), SafeString)
    assert not isinstance(single_stop("<b>S.L..</b>"), SafeString)


def test_messages_end_with_one_full_stop():
    page = render_to_string("skillnet/_messages.html", {"messages": [Message(25, "Ya estás en Ardanza S.L..")]})
    assert "Ya estás en Ardanza S.L.</p>" in page


def test_warnings_about_a_document_end_with_one_full_stop():
    stored = {"code": "hidden_sheets", "message": "", "values": {"names": "Tarifas, Dep."}}
    assert warning_text(stored) == "Se han dejado fuera las hojas ocultas: Tarifas, Dep."
