"""Where an answer comes from: its source's section or page, and how well it fits."""

import re
import uuid
from html import unescape

import pymupdf
import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from documents.models import Document, DocumentVersion, Status
from skillnet.models import Classification, Membership, Organization
from skillnet.tenancy import organization_scope
from tests import factories
from tests.db.asking import MANUAL, LogIn, answered_turn, shown
from tutor import services
from tutor.models import Citation

pytestmark = pytest.mark.django_db


def test_an_answer_is_read_with_its_source_and_page(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    client = client_for(employee_membership)
    turn = answered_turn(client, organization)
    with organization_scope(organization.pk):
        cited = Citation.objects.get(turn=turn)
    page = client.get(reverse("tutor:conversation", args=["acme", turn.conversation_id])).content.decode()
    assert "30 días naturales" in page
    assert reverse("tutor:source", args=["acme", cited.pk]) in page
    assert (cited.page, cited.heading_path, cited.number) == (1, ["Plazos"], 1)


def test_the_second_page_is_cited_for_what_stands_there(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    question = "¿Cuántas veces al día se hace el arqueo de la caja?"
    turn = answered_turn(client_for(employee_membership), organization, question)
    with organization_scope(organization.pk):
        assert [cited.page for cited in Citation.objects.filter(turn=turn)] == [2]


def test_the_source_shows_its_section_with_the_words_marked(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    client = client_for(employee_membership)
    turn = answered_turn(client, organization)
    with organization_scope(organization.pk):
        cited = Citation.objects.get(turn=turn)
    page = client.get(reverse("tutor:source", args=["acme", cited.pk])).content.decode()
    marked = re.findall(r"<mark>(.*?)</mark>", page, re.DOTALL)
    assert marked == ["El cliente dispone de 30 días naturales para devolver un producto no alimentario con su tique."]
    assert "Manual de devoluciones" in page
    assert "La vigente es" not in page


def test_the_source_of_an_old_version_says_that_there_is_a_newer_one(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    client = client_for(employee_membership)
    turn = answered_turn(client, organization)
    factories.make_document(organization, text=MANUAL.replace("30 días", "15 días"), version_of=manual)
    with organization_scope(organization.pk):
        cited = Citation.objects.get(turn=turn)
    page = client.get(reverse("tutor:source", args=["acme", cited.pk])).content.decode()
    assert "cita la versión 1. La vigente es la 2" in page
    assert "30 días naturales" in page


@pytest.mark.parametrize(("relevance", "words"), [(0.95, "alta"), (0.5, "media"), (0.1, "baja")])
def test_a_source_says_how_well_it_fits(
    client_for: LogIn,
    employee_membership: Membership,
    organization: Organization,
    manual: Document,
    relevance: float,
    words: str,
):
    client = client_for(employee_membership)
    turn = answered_turn(client, organization)
    with organization_scope(organization.pk):
        Citation.objects.update(relevance=relevance)
    assert f"Relevancia {words}" in shown(client, turn)[0]


def test_a_quote_shows_boxes_and_is_stored_word_for_word(
    client_for: LogIn, employee_membership: Membership, organization: Organization
):
    sentence = "El cliente dispone de 30 días naturales para devolver un producto no alimentario."
    factories.make_document(organization, "Plazos", f"# Plazos\n[ ] {sentence}")
    client = client_for(employee_membership)
    turn = answered_turn(client, organization)
    with organization_scope(organization.pk):
        assert Citation.objects.get(turn=turn).quote.startswith("[ ] El cliente")
    page = shown(client, turn)[0]
    assert page.count("☐ El cliente") == 2  # in the answer and in its source
    assert "[ ]" not in page


def test_a_row_is_quoted_by_its_columns_where_its_answer_and_its_source_are_read(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    client = client_for(employee_membership)
    turn = answered_turn(client, organization)
    quote = "Menaje | 30 días | Con caja"
    with organization_scope(organization.pk):
        Citation.objects.update(quote=quote, passage=f"Artículo | Plazo | Nota\n{quote}\nPan | Ninguno |")
        cited = Citation.objects.get(turn=turn)
    for page in (shown(client, turn)[0], client.get(reverse("tutor:source", args=["acme", cited.pk])).content.decode()):
        quoted = re.search(r"<blockquote.*?</blockquote>", page, re.DOTALL)
        assert quoted is not None
        assert " ".join(unescape(strip_tags(quoted[0])).split()) == "Artículo: Menaje · Plazo: 30 días · Nota: Con caja"


@pytest.fixture
def printed(organization: Organization, employee_membership: Membership) -> Citation:
    """A citation of page 2 of a drawn PDF of two pages."""
    with pymupdf.open() as file:
        for text in ("Portada", "Arqueo de caja"):
            file.new_page(width=300, height=400).insert_text((40, 80), text)
        content = file.tobytes()
    with organization_scope(organization.pk):
        document = Document.objects.create(organization=organization, title="Impreso")
        version = factories.make_version(document, content, status=Status.READY)
        DocumentVersion.objects.filter(pk=version.pk).update(media_type="application/pdf", page_count=2)
        conversation = services.start_conversation(organization=organization, user=employee_membership.user)
        turn = services.open_turn(conversation=conversation, question="¿Arqueo?", submission=uuid.uuid4())
        return Citation.objects.create(
            organization=organization, turn=turn, number=1, document=document, version=version, page=2,
            locator={"rects": [[40, 70, 120, 84]]}, quote="Arqueo de caja", passage="Arqueo de caja", relevance=0.9,
        )  # fmt: skip


def test_the_cited_page_of_a_pdf_is_shown_with_its_mark_and_others_without(
    client_for: LogIn, employee_membership: Membership, printed: Citation
):
    client = client_for(employee_membership)
    image = reverse("tutor:source_image", args=["acme", printed.pk])
    page = client.get(reverse("tutor:source", args=["acme", printed.pk])).content.decode()
    assert f"{image}?pagina=2" in page
    assert 'rel="prev" href="?pagina=1"' in page
    assert 'rel="next"' not in page

    def has_mark(number: int) -> bool:
        pixels = pymupdf.Pixmap(client.get(image, {"pagina": number}).content)
        x, y = round(100 * pixels.width / 300), round(72 * pixels.height / 400)
        red, _green, blue = pixels.pixel(x, y)
        return bool(blue < red)

    assert (has_mark(2), has_mark(1)) == (True, False)


def test_an_image_kept_by_the_browser_is_shown_only_while_its_document_may_be_read(
    client_for: LogIn, employee_membership: Membership, organization: Organization, printed: Citation
):
    client = client_for(employee_membership)
    url = reverse("tutor:source_image", args=["acme", printed.pk])
    first = client.get(url)
    assert "private" in first["Cache-Control"]
    assert "no-cache" in first["Cache-Control"]
    assert client.get(url, {"pagina": 1})["ETag"] != first["ETag"]
    kept = {"If-None-Match": first["ETag"]}
    assert client.get(url, headers=kept).status_code == 304
    with organization_scope(organization.pk):
        Document.objects.filter(pk=printed.document_id).update(classification=Classification.CONFIDENTIAL)
    assert client.get(url, headers=kept).status_code == 404


@pytest.mark.parametrize("page", ["0", "3", "99999999999999999999"])
def test_a_page_that_the_document_does_not_have_is_not_there(
    client_for: LogIn, employee_membership: Membership, printed: Citation, page: str
):
    response = client_for(employee_membership).get(
        reverse("tutor:source_image", args=["acme", printed.pk]), {"pagina": page}
    )
    assert response.status_code == 404
