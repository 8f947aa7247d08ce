"""The list of documents: what it shows, and how it is narrowed."""

from urllib.parse import quote

import pytest
from bs4 import BeautifulSoup

from documents.models import Document, DocumentVersion, Status
from skillnet.tenancy import organization_scope
from tests import factories
from tests.db.document_screens.browsing import MANUAL, address, set_status


def test_the_list_shows_each_document_once_with_its_newest_version(admin, organization, manual):
    factories.make_document(organization, text=MANUAL + "Nuevo.", version_of=manual)
    html = admin.get(address("list")).content.decode()
    assert html.count('id="version-') == 1
    assert "Listo" in html


def test_the_list_needs_few_queries_however_long_it_is(admin, organization, django_assert_max_num_queries):
    with organization_scope(organization.pk):
        for number in range(30):
            document = Document.objects.create(organization=organization, title=f"Norma {number}")
            DocumentVersion.objects.create(
                organization=organization, document=document, number=1, sha256=f"{number:064}", size=1
            )
    admin.get(address("list"))  # the first visit is noted
    with django_assert_max_num_queries(17):
        html = admin.get(address("list")).content.decode()
    assert html.count('id="version-') == 25
    assert "Página 1 de 2" in html


def test_search_and_filter_narrow_the_list(admin, organization, manual):
    other = factories.make_document(organization, title="Guía de limpieza", text="# Limpieza\nLimpia cada noche.")
    set_status(organization, other, Status.FAILED, error_message="El archivo está dañado.")
    assert "Guía de limpieza" not in admin.get(address("list"), {"q": "caja"}).content.decode()
    problems = admin.get(address("list"), {"estado": "problemas"}).content.decode()
    assert "Guía de limpieza" in problems
    assert "El archivo está dañado." in problems
    assert "Manual de caja" not in problems
    assert "Ningún documento coincide" in admin.get(address("list"), {"q": "xyz"}).content.decode()


def test_an_empty_list_says_what_to_do_next(admin):
    assert "Sube tu primer manual" in admin.get(address("list")).content.decode()


def test_an_unfinished_row_asks_for_itself_again_and_a_final_one_stops(admin, organization, manual):
    version = set_status(organization, manual, Status.PARSING, progress_done=12, progress_total=80)
    row = admin.get(address("row", version.pk)).content.decode()
    assert 'hx-trigger="every 2s"' in row
    assert "Página 12 de 80" in row
    assert "Cancelar" in row
    set_status(organization, manual, Status.READY)
    row = admin.get(address("row", version.pk)).content.decode()
    assert "hx-trigger" not in row
    assert "Listo" in row


@pytest.mark.parametrize(
    ("status", "words"), [(Status.EMBEDDING, "Fragmento 64 de 210"), (Status.PENDING, "Esperando su turno")]
)
def test_progress_is_told_in_plain_words(admin, organization, manual, status, words):
    version = set_status(organization, manual, status, progress_done=64, progress_total=210)
    assert words in admin.get(address("row", version.pk)).content.decode()


@pytest.mark.parametrize(
    ("status", "said"), [(Status.PARSING, "—"), (Status.FAILED, "—"), (Status.READY, "—no se cuenta")]
)
def test_only_of_what_was_read_is_it_said_that_nothing_is_counted(admin, organization, manual, status, said):
    version = set_status(organization, manual, status)
    row = BeautifulSoup(admin.get(address("row", version.pk)).text, "html.parser")
    cell = row.select_one("td[data-label=Extensión]")
    assert cell is not None
    assert cell.get_text(strip=True) == said
    assert not cell.select("[aria-label]")


def test_cancelling_leads_back_to_where_the_list_stood(admin, organization, manual):
    version = set_status(organization, manual, Status.PARSING)
    here = f"{address('list')}?estado=en-curso&q=caja"
    cancel = f'href="{address("cancel", version.pk)}?volver={quote(here)}"'
    page = admin.get(here).text
    assert cancel in page
    again = BeautifulSoup(page, "lxml").select_one(f"#version-{version.pk}")["hx-get"]
    row = admin.get(again).text  # as it asks for itself
    assert cancel in row
    asked = admin.get(f"{address('cancel', version.pk)}?volver={quote(here)}").text
    assert f'href="{here.replace("&", "&amp;")}"' in asked
