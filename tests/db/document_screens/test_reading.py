"""A document to read: outline, text, coverage and fragments."""

from documents.models import ParsedContent
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
