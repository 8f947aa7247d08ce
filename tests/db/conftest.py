"""What tests of the tutor's pages begin with. A file that needs another manual defines its own."""

import pytest

from documents.models import Document
from skillnet.models import Organization
from tests import factories
from tests.db.asking import MANUAL


@pytest.fixture
def manual(organization: Organization) -> Document:
    return factories.make_document(organization, "Manual de devoluciones", MANUAL)
