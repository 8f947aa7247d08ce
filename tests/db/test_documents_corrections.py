"""Correcting what was read: in place, kept, searched, offered again."""

import json

import pytest
from django.core.files.base import ContentFile
from django.urls import reverse

from documents import corrections, ingestion, services
from documents.correcting import Correction, Place
from documents.errors import CorrectionRefused, VersionBusy
from documents.models import BlockCorrection, Chunk, Document, DocumentVersion, ParsedContent, Status
from documents.parsing.types import Block, BlockKind, ParsedDocument
from skillnet.models import Role
from skillnet.tenancy import organization_scope
from tests import factories

TEXT = "# Cala\n## Fondo\nEl fondo es de 15O euros.\n## Cierre\nFirma el arqueo.\n"
WRONG, RIGHT = "El fondo es de 15O euros.", "El fondo es de 150 euros."


@pytest.fixture
def document(organization) -> Document:
    return factories.make_document(organization, title="Caja", text=TEXT)


@pytest.fixture
def admin(client_for, admin_membership):
    return client_for(admin_membership)


def address(name, *args):
    return reverse(f"documents:{name}", args=["acme", *args])


def version(document: Document, number: int = 1) -> DocumentVersion:
    with organization_scope(document.organization_id):
        return document.versions.get(number=number)


def correct(document: Document, place: Place, before: str, after: str, number: int = 1) -> DocumentVersion:
    target = version(document, number)
    with organization_scope(document.organization_id):
        corrections.correct(version=target, corrected_by=None, corrections=[Correction(place, before, after)])
        target.refresh_from_db()
    return target


def ingest(target: DocumentVersion) -> None:
    ingestion.run(target.organization_id, target.pk)


def served_text(document: Document) -> str:
    with organization_scope(document.organization_id):
        chunks = Chunk.objects.filter(version__document=document).order_by("position")
        return "\n".join(chunk.meaning_text for chunk in chunks)


def blocks(target: DocumentVersion) -> list[dict]:
    with organization_scope(target.organization_id):
        return ParsedContent.objects.get(version=target).blocks


def with_table(organization, *rows: tuple[str, ...]) -> Document:
    with organization_scope(organization.pk):
        document = Document.objects.create(organization=organization, title="Precios", title_is_given=True)
        target = factories.make_version(document, status=Status.CHUNKING)
        table = Block(BlockKind.TABLE, "", rows=rows, header_rows=1)
        ingestion.store_parsed(target, ParsedDocument("text/csv", (table,), page_count=1))
        target.save()
    ingest(target)
    return document


def test_a_correction_is_searched_once_the_version_is_cut_anew(document):
    target = correct(document, Place(2), WRONG, RIGHT)
    assert target.status == Status.CHUNKING
    assert WRONG in served_text(document)
    ingest(target)
    assert RIGHT in served_text(document)
    assert WRONG not in served_text(document)
    with organization_scope(document.organization_id):
        kept = BlockCorrection.objects.get()
        assert (kept.before, kept.after, kept.heading_path) == (WRONG, RIGHT, ["Cala", "Fondo"])
        assert RIGHT in ParsedContent.objects.get(version=target).markdown


def test_a_corrected_heading_names_everything_under_it(document):
    ingest(correct(document, Place(0), "Cala", "Caja"))
    assert "Cala" not in served_text(document)
    assert [block["heading_path"][0] for block in blocks(version(document))] == ["Caja"] * 5


def test_a_cell_is_corrected_alone(organization):
    document = with_table(organization, ("Producto", "Precio"), ("Pan", "l,20"), ("Leche", "0,95"))
    ingest(correct(document, Place(0, 1, 1), "l,20", "1,20"))
    [table] = blocks(version(document))
    assert table["rows"] == [["Producto", "Precio"], ["Pan", "1,20"], ["Leche", "0,95"]]
    assert table["text"].splitlines()[1] == "Pan | 1,20"
    assert "1,20" in served_text(document)


def test_a_correction_of_a_text_that_has_changed_meanwhile_is_refused(document):
    correct(document, Place(2), WRONG, RIGHT)
    with pytest.raises(CorrectionRefused):
        correct(document, Place(2), WRONG, "Otra cosa.")
    with pytest.raises(CorrectionRefused):
        correct(document, Place(99), WRONG, "Otra cosa.")


def test_a_heading_without_words_is_refused(document):
    with pytest.raises(CorrectionRefused):
        correct(document, Place(0), "Cala", "  ")


def test_a_version_that_is_being_read_cannot_be_corrected(document):
    with organization_scope(document.organization_id):
        document.versions.update(status=Status.PARSING)
    with pytest.raises(VersionBusy):
        correct(document, Place(2), WRONG, RIGHT)


def test_reading_the_file_again_keeps_corrections(organization):
    with organization_scope(organization.pk):
        file = ContentFile(f"# Cala\n\n{WRONG}\n".encode())
        target = services.upload_document(
            organization=organization, uploaded_by=None, file=file, name="caja.md"
        ).version
    ingest(target)
    ingest(correct(target.document, Place(1), WRONG, RIGHT))
    with organization_scope(organization.pk):
        services.reingest_version(target)
    ingest(target)
    assert blocks(target)[1]["text"] == RIGHT


def test_a_version_not_served_is_corrected_without_being_served(organization, document):
    factories.make_document(organization, text=TEXT + "Nuevo.", version_of=document)
    target = correct(document, Place(2), WRONG, RIGHT)
    assert target.status == Status.READY
    assert blocks(target)[2]["text"] == RIGHT


# --- offered again


def offered(document: Document, number: int) -> list[tuple[str, str, str]]:
    with organization_scope(document.organization_id):
        found = corrections.offers(document.versions.get(number=number))
        return [(str(offer.place), offer.before, offer.after) for offer in found]


def test_corrections_are_offered_again_where_the_next_version_has_the_same_text(organization, document):
    correct(document, Place(2), WRONG, "El fondo es de 150.")
    ingest(correct(document, Place(2), "El fondo es de 150.", RIGHT))
    factories.make_document(organization, text="Aviso nuevo.\n" + TEXT, version_of=document)
    assert offered(document, 2) == [("3", WRONG, RIGHT)]
    assert offered(document, 1) == []


def test_nothing_is_offered_where_the_text_or_its_section_is_another(organization, document):
    ingest(correct(document, Place(2), WRONG, RIGHT))
    factories.make_document(organization, text=TEXT.replace("15O", "200"), version_of=document)
    factories.make_document(organization, text=TEXT.replace("Fondo", "Vuelta"), version_of=document)
    assert offered(document, 2) == []
    assert offered(document, 3) == []


def test_a_corrected_heading_does_not_hide_the_corrections_under_it(organization, document):
    correct(document, Place(0), "Cala", "Caja")
    ingest(correct(document, Place(2), WRONG, RIGHT))
    factories.make_document(organization, text=TEXT + "Nuevo.", version_of=document)
    assert [place for place, *_rest in offered(document, 2)] == ["0", "2"]


def test_offered_corrections_are_applied_from_the_page(admin, organization, document):
    ingest(correct(document, Place(2), WRONG, RIGHT))
    factories.make_document(organization, text=TEXT + "Nuevo.", version_of=document)
    assert "Una corrección que hiciste" in admin.get(address("detail", document.pk)).content.decode()
    html = admin.get(address("corrections", document.pk)).content.decode()
    assert "Correcciones de la versión anterior" in html
    page = admin.post(address("apply_corrections", document.pk, 2), {"lugar": ["2"]}, follow=True).content.decode()
    assert "1 corrección guardada" in page
    assert "Correcciones de la versión anterior" not in page
    assert blocks(version(document, 2))[2]["text"] == RIGHT


# --- pages


def test_the_form_corrects_a_block_and_leads_back_to_it(admin, document, django_assert_max_num_queries):
    admin.get(address("list"))  # notes the visit
    with django_assert_max_num_queries(15):
        html = admin.get(address("detail", document.pk), {"corregir": 1}).content.decode()
    url = address("correct", document.pk, 1, 2)
    assert url in html
    form = admin.get(url).content.decode()
    assert WRONG in form
    assert "Cala › Fondo" in form
    response = admin.post(url, {"text-2": RIGHT, "before-2": WRONG})
    assert response.status_code == 302
    assert response.url.endswith("#b2")
    assert blocks(version(document))[2]["text"] == RIGHT
    assert "Preparando otra vez la versión 1" in admin.get(address("detail", document.pk)).content.decode()
    refused = admin.post(url, {"text-2": "Otra.", "before-2": WRONG})
    assert refused.status_code == 422
    assert "ya no es el que estabas corrigiendo" in refused.content.decode()


def test_a_long_table_is_corrected_some_rows_at_a_time(admin, organization):
    document = with_table(organization, ("Producto", "Precio"), *((f"Vino {n}", f"{n},50") for n in range(50)))
    url = address("correct", document.pk, 1, 0)
    html = admin.get(url, {"fila": 20}).content.decode()
    assert "Vino 19" in html
    assert "Vino 5<" not in html
    sent = {}
    for row in range(20, 40):
        for column, text in enumerate((f"Vino {row - 1}", f"{row - 1},50")):
            sent |= {f"text-0:{row}:{column}": text, f"before-0:{row}:{column}": text}
    sent["text-0:20:1"] = "99,99"
    assert admin.post(url + "?fila=20", sent).status_code == 302
    assert blocks(version(document))[0]["rows"][20] == ["Vino 19", "99,99"]
    with organization_scope(organization.pk):
        assert BlockCorrection.objects.count() == 1
    assert admin.get(url, {"fila": 900}).status_code == 404


def test_a_wide_table_is_corrected_in_forms_that_can_be_sent(admin, organization):
    document = with_table(organization, *(tuple(f"c{row}-{column}" for column in range(90)) for row in range(30)))
    form = admin.get(address("correct", document.pk, 1, 0)).context["form"]
    assert len(form.fields) < 1_000
    assert admin.get(address("correct", document.pk, 1, 0), {"fila": 4}).context["next_row"] == 8


def test_what_was_read_can_be_taken_away(admin, document):
    markdown = admin.get(address("export_markdown", document.pk, 1))
    assert "## Fondo" in markdown.content.decode()
    assert markdown["Content-Disposition"].startswith("attachment")
    data = json.loads(admin.get(address("export_json", document.pk, 1)).content)
    assert data["blocks"][2]["text"] == WRONG


def test_employees_neither_correct_nor_export(client_for, organization, document):
    employee = client_for(factories.make_member(organization, "ana@acme.example", Role.EMPLOYEE))
    for name, *args in (("correct", 1, 2), ("export_markdown", 1), ("export_json", 1), ("corrections",)):
        assert employee.get(address(name, document.pk, *args)).status_code == 404
    assert "Corregir" not in employee.get(address("detail", document.pk), {"corregir": 1}).content.decode()
