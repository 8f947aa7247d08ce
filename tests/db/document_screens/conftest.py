"""Who looks at documents, and which."""

import pymupdf
import pytest
from django.core.files.base import ContentFile

from documents.models import Document, DocumentVersion, Status
from skillnet.tenancy import organization_scope
from tests import factories
from tests.db.document_screens.browsing import MANUAL


@pytest.fixture
def admin(client_for, admin_membership):
    return client_for(admin_membership)


@pytest.fixture
def employee(client_for, employee_membership):
    return client_for(employee_membership)


@pytest.fixture
def manual(organization):
    return factories.make_document(organization, title="Manual de caja", text=MANUAL)


@pytest.fixture
def pdf_version(organization):
    """A document of two drawn pages, the second empty."""
    with pymupdf.open() as file:
        file.new_page(width=300, height=400).insert_text((40, 80), "Arqueo de caja")
        file.new_page(width=300, height=400)
        content = file.tobytes()
    with organization_scope(organization.pk):
        document = Document.objects.create(organization=organization, title="Impreso")
        version = DocumentVersion(
            organization=organization, document=document, number=1, file_name="arqueo «1».pdf",
            sha256="a" * 64, size=len(content), media_type="application/pdf", page_count=2,
            status=Status.READY, pages_without_text=[2],
        )  # fmt: skip
        version.file.save("arqueo.pdf", ContentFile(content), save=False)
        version.save()
        document.active_version = version
        document.save()
        return version
