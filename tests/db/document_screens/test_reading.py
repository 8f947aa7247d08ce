"""A document to read: outline, text, coverage and fragments."""

import pytest

from documents.models import DocumentVersion, ParsedContent
from documents.parsing import media_types
from documents.templatetags.documents import extent, warning_text
from skillnet.tenancy import organization_scope
from tests.db.document_screens.browsing import address


def test_text_is_shown_with_outline_and_page_marks(admin, manual, django_assert_max_num_queries):
    with django_assert_max_num_queries(17):
        html = admin.get(address("detail", manual.pk)).content.decode()
    assert 'id="pagina-2"' in html
    assert "<h3" in html
    assert "Firma el arqueo al cerrar." in html
    assert 'href="#b' in html


def test_a_long_text_comes_in_parts_and_a_page_opens_its_part(admin, organization, manual):
    paragraphs = [
        {"kind": "paragraph", "text": f"Párrafo {n}.", "page": n // 10 + 1, "heading_path": []} for n in range(450)
    ]
    with organization_scope(organization.pk):
        ParsedContent.objects.filter(version__document=manual).update(blocks=paragraphs)
    first = admin.get(address("detail", manual.pk)).content.decode()
    assert "Párrafo 199." in first
    assert "Párrafo 200." not in first
    assert "Parte 1 de 3" in first
    assert "Párrafo 400." in admin.get(address("detail", manual.pk), {"pagina": 41}).content.decode()
    assert admin.get(address("detail", manual.pk), {"parte": "99"}).status_code == 200
    assert admin.get(address("detail", manual.pk), {"parte": "x"}).status_code == 200


def test_coverage_names_the_pages_without_text(admin, organization, pdf_version):
    with organization_scope(organization.pk):
        pdf_version.warnings = [{"code": "x", "message": "Hay texto oculto.", "page": 1}]
        pdf_version.save()
    html = admin.get(address("coverage", pdf_version.document_id)).content.decode()
    assert "1 de 2 páginas con texto" in html
    assert "Hay texto oculto." in html
    assert address("page", pdf_version.document_id, 1, 2) in html


def test_fragments_can_be_searched(admin, manual):
    every = admin.get(address("fragments", manual.pk)).content.decode()
    assert "efectivo" in every
    nothing = admin.get(address("fragments", manual.pk), {"q": "aspirador"}).content.decode()
    assert "Nada con «aspirador»" in nothing
    scattered = admin.get(address("fragments", manual.pk), {"q": "CERRAR arqueo firma"}).content.decode()
    assert "Firma el arqueo al cerrar." in scattered


def test_coverage_leads_to_the_pages_that_a_warning_counts(admin, organization, pdf_version):
    warning = {"code": "ocr_used", "message": "Guardado.", "page": None, "values": {"count": 1, "pages": [2]}}
    with organization_scope(organization.pk):
        pdf_version.warnings, pdf_version.pages_without_text = [warning], []
        pdf_version.status = "ready_with_warnings"
        pdf_version.save()
    html = admin.get(address("coverage", pdf_version.document_id)).content.decode()
    assert "(OCR) en la página 2, que puede" in html
    assert address("page", pdf_version.document_id, 1, 2) in html
    state = admin.get(address("detail", pdf_version.document_id)).content.decode()
    assert "Ver el aviso" in state
    assert "Ver qué falta" not in state


def test_warnings_that_only_counted_their_pages_say_so_in_words():
    told = {"code": "ocr_used", "message": "Páginas: 8.", "values": {"count": 8}}
    assert "(OCR) en 8 páginas, que" in warning_text(told)
    assert warning_text({"code": "x", "message": "Guardado."}) == "Guardado."


@pytest.mark.parametrize(
    ("media_type", "said"),
    [
        (media_types.PDF, "5 páginas"),
        (media_types.PPTX, "7 diapositivas"),
        (media_types.XLSX, "7 hojas"),
        (media_types.DOCX, ""),
        ("text/markdown", ""),
    ],
)
def test_a_document_is_as_long_as_its_format_counts(media_type, said):
    assert extent(DocumentVersion(media_type=media_type, page_count=5, part_count=7)) == said


def test_a_text_without_pages_claims_none(admin, manual):
    assert "páginas con texto" not in admin.get(address("coverage", manual.pk)).content.decode()
