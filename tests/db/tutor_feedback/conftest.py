"""A question that was answered, and a queue that sends nothing."""

import uuid
from typing import Any

import pytest

from skillnet.models import Membership, Organization
from skillnet.tenancy import organization_scope
from tests.db.tutor_feedback.reacting import Queue
from tutor import jobs, services
from tutor.models import Turn


@pytest.fixture
def answered(organization: Organization, employee_membership: Membership) -> Turn:
    with organization_scope(organization.pk):
        conversation = services.start_conversation(organization=organization, user=employee_membership.user)
        turn = services.open_turn(conversation=conversation, question="¿Y el <b>plus</b>?", submission=uuid.uuid4())
        Turn.objects.filter(pk=turn.pk).update(status="done", evidence=False, answer="Nada.", origin="none")
        turn.refresh_from_db()
        return turn


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    kept: list[tuple[Any, ...]] = []
    monkeypatch.setattr(jobs.django_rq, "get_queue", lambda _name: Queue(kept))
    return kept


@pytest.fixture(autouse=True)
def _job_shares_the_tests_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "close_old_connections", lambda: None)
