"""Certificates: one page that says all, whatever the titles."""

from dataclasses import replace

import pymupdf
import pytest

from courses.certificates import Certificate, as_pdf
from skillnet.spreadsheets import inert

CERTIFICATE = Certificate(
    organization="Panadería Núñez e Hijos, S. L.",
    person="María Ángeles Ibáñez Güell",
    course="Prevención de riesgos en el obrador",
    number="3F2A-9C41-77DE",
    completed="30 de noviembre de 2026",
    expires="30 de noviembre de 2027",
    percent=92,
    documents=["Manual del obrador (versión 3, del 1 de octubre de 2026)"],
)


def read(certificate: Certificate) -> tuple[int, str]:
    with pymupdf.open("pdf", as_pdf(certificate)) as document:
        return document.page_count, " ".join(document[0].get_text().split())


def test_a_certificate_says_who_what_when_and_from_which_documents():
    pages, text = read(CERTIFICATE)
    assert pages == 1
    for said in (
        CERTIFICATE.organization, CERTIFICATE.person, CERTIFICATE.course, CERTIFICATE.number, CERTIFICATE.documents[0],
        "Terminado el 30 de noviembre de 2026.", "Válido hasta el 30 de noviembre de 2027.", "92 %",
    ):  # fmt: skip
        assert said in text


def test_one_without_an_end_says_so():
    assert "No caduca." in read(replace(CERTIFICATE, expires=""))[1]


def test_long_titles_and_many_documents_stay_on_one_page_and_the_number_is_there():
    crowded = replace(
        CERTIFICATE,
        course="Prevención de riesgos laborales, higiene y manipulación de alimentos " * 3,
        documents=[f"Manual {number} " + "de procedimientos internos " * 7 for number in range(30)],
    )
    pages, text = read(crowded)
    assert pages == 1
    assert CERTIFICATE.number in text
    assert "y 22 documentos más" in text


def test_names_are_text_and_no_markup():
    assert "<b>Eva</b> & Cía." in read(replace(CERTIFICATE, person="<b>Eva</b> & Cía."))[1]


@pytest.mark.parametrize("cell", ["=1+1", "+34 600", "-5", "@x", "\t=1", "  =1"])
def test_cells_that_spreadsheets_would_run_are_marked_as_text(cell: str):
    assert inert(cell) == "'" + cell


def test_other_cells_stay_as_they_are():
    assert inert("Caja = 3") == "Caja = 3"
