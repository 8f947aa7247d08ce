"""Questions put to a tutor with a language model, and what that replies."""

from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any

import pytest

from courses.models import Course, CourseDocument, Enrolment
from documents.access import Reader
from retrieval.types import SearchScope
from skillnet.backends.fakes import FakeLanguageModel
from skillnet.models import Membership, Organization
from skillnet.tenancy import organization_scope
from tutor import answering
from tutor.answering import answer
from tutor.events import Answer, Done
from tutor.policy import TutorPolicy, store_policy

QUESTION = "¿Cuántos días naturales hay para devolver un producto?"
MANUAL = "# Plazos\nEl cliente dispone de 30 días naturales para devolver un producto con su tique."
GOOD = "El cliente dispone de 30 días naturales [Fuente 1]."
UNKNOWN = "¿Qué sello azul lleva la carpeta de permisos del trimestre?"
CATALOGUE = "# Permisos\nLa carpeta de permisos del trimestre lleva un sello azul con la letra P."
UseModel = Callable[..., FakeLanguageModel]


def ask(organization: Organization, membership: Membership, question: str = QUESTION) -> Answer:
    *_steps, done = answer(question, scope=SearchScope(organization.pk, Reader.of(membership)), is_fresh=True)
    assert isinstance(done, Done)
    return done.answer


class Scripted(FakeLanguageModel):
    """Replies to each request with the next of the replies, to further ones with the last."""

    def __init__(self, *replies: str) -> None:
        super().__init__()
        self._replies = replies

    def _reply(self) -> Generator[str, None, bool]:
        yield self._replies[min(len(self.requests), len(self._replies)) - 1]
        return False


def set_policy(organization: Organization, policy: TutorPolicy) -> None:
    store_policy(organization, policy)


def enrol(organization: Organization, membership: Membership, *documents: object) -> None:
    with organization_scope(organization.pk):
        course = Course.objects.create(organization=organization, title="Curso", slug="curso", status="published")
        Enrolment.objects.create(organization=organization, course=course, user=membership.user)
        for document in documents:
            CourseDocument.objects.create(organization=organization, course=course, document=document)


def unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that finds nothing it is sure of."""
    real = answering.search

    def search(*args: Any, **kwargs: Any) -> Any:
        return replace(real(*args, **kwargs), evidence=False, confidence=0.1)

    monkeypatch.setattr(answering, "search", search)
    monkeypatch.setattr(answering, "assessed", lambda result, config, embedder: result)
