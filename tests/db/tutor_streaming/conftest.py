"""A turn to be answered, and a clock."""

import uuid

import pytest
from django.utils import timezone

from documents.models import Document
from skillnet.models import Membership, Organization
from skillnet.tenancy import organization_scope
from tests import factories
from tests.db.asking import QUESTION
from tests.db.tutor_streaming.watching import MANUAL, Clock
from tutor import services, streaming
from tutor.models import Turn


@pytest.fixture
def manual(organization: Organization) -> Document:
    return factories.make_document(organization, "Manual de devoluciones", MANUAL)


@pytest.fixture
def turn(organization: Organization, employee_membership: Membership, manual: Document) -> Turn:
    with organization_scope(organization.pk):
        conversation = services.start_conversation(organization=organization, user=employee_membership.user)
        return services.open_turn(conversation=conversation, question=QUESTION, submission=uuid.uuid4())


@pytest.fixture(autouse=True)
def every_piece_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "REDRAW_SECONDS", 0.0)
    monkeypatch.setattr(streaming, "POLL_SECONDS", 0.0)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(timezone, "now", lambda: clock.now)
    return clock
