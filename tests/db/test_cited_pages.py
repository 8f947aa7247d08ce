"""The page of a real PDF that an answer cites: the one where its words stand, and none that the file lacks."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pymupdf
import pytest

from documents import ingestion
from documents.access import Reader
from documents.models import Document, Status
from documents.parsing import parse
from retrieval.types import SearchScope
from skillnet.models import Membership, Organization
from skillnet.tenancy import organization_scope
from tests import factories
from tutor.answering import answer
from tutor.events import Done

pytestmark = pytest.mark.django_db

FILLING = (
    "La tienda abre a las nueve y cierra a las ocho.",
    "Los uniformes se lavan en casa y se planchan.",
    "Cada mesa lleva su número a la vista del cliente.",
)
ANSWER = "El cliente dispone de 30 días naturales para devolver un producto no alimentario con su tique."
QUESTION = "¿Cuántos días naturales hay para devolver un producto no alimentario?"
MakePdf = Callable[[Sequence[str]], Document]


@pytest.fixture
def make_pdf(organization: Organization, tmp_path: Path) -> MakePdf:
    def make(pages: Sequence[str]) -> Document:
        path = tmp_path / "manual.pdf"
        with pymupdf.open() as file:
            for text in pages:
                file.new_page().insert_textbox(pymupdf.Rect(72, 72, 520, 700), text, fontsize=11)
            file.save(path)
        with organization_scope(organization.pk):
            document = Document.objects.create(organization=organization, title="Manual", title_is_given=True)
            version = factories.make_version(document, path.read_bytes(), status=Status.CHUNKING)
            ingestion.store_parsed(version, parse(path))
            version.save()
            ingestion.run(organization.pk, version.pk)
        return document

    return make


@pytest.mark.parametrize(
    ("pages", "cited"),
    [
        ([f"{FILLING[0]} {ANSWER}"], 1),
        ([*FILLING[:2], ANSWER], 3),
        ([FILLING[0], ANSWER, FILLING[2]], 2),
        ([ANSWER, *FILLING], 1),
    ],
    ids=["only", "last-of-three", "middle", "first"],
)
def test_an_answer_cites_the_page_on_which_it_stands(
    organization: Organization, employee_membership: Membership, make_pdf: MakePdf, pages: Sequence[str], cited: int
):
    make_pdf(pages)
    *_steps, done = answer(QUESTION, scope=SearchScope(organization.pk, Reader.of(employee_membership)))
    assert isinstance(done, Done)
    assert "30 días naturales" in done.answer.text
    assert {passage.page for passage in done.answer.citations} == {cited}
