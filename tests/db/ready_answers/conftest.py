"""A manual, and a cache that keeps whatever it is given."""

from typing import Any

import pytest

from documents.models import Document
from skillnet.models import Organization
from tests import factories
from tests.db.ready_answers.preparing import MANUAL


@pytest.fixture(autouse=True)
def everything_is_kept(settings: Any) -> None:
    settings.SKILLNET_CACHE_MIN_CONFIDENCE = 0.0


@pytest.fixture
def manual(organization: Organization) -> Document:
    return factories.make_document(organization, "Manual de devoluciones", MANUAL)
