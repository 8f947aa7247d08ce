"""Who may read a document, asked of every way to its words: classification × clearance × audience."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from courses import enrolling
from courses.models import CourseDocument
from documents import services
from documents.access import ADMINISTRATION, Reader
from documents.models import Audience, Document
from retrieval import pipeline
from retrieval.types import SearchConfig, SearchScope
from skillnet.models import Classification, Group, GroupMember, Membership, Organization, Role
from skillnet.tenancy import organization_scope
from tests.factories import make_course, make_document, make_member
from tutor import answering
from tutor.events import Done
from tutor.models import Citation, Conversation, Turn, TurnStatus
from tutor.prepared import services as faq_services
from tutor.suggestions import suggested_questions

pytestmark = pytest.mark.django_db

TEXT = (
    "# Devolver un pedido grande\nEl cliente dispone de 30 días naturales para devolver un pedido grande con su tique."
)
ASKED = "¿Cuántos días naturales hay para devolver un pedido grande con tique?"
ASKED_BEFORE = "¿Cuántos días hay para devolver un pedido grande?"
WRITTEN = "¿Cada cuánto se revisa el extintor?"
# How a document may be offered, and whether the reader below belongs to those.
AUDIENCES = {
    "everyone": (Audience.EVERYONE, True),
    "their group": (Audience.GROUPS, True),
    "another group": (Audience.GROUPS, False),
    "their course": (Audience.COURSES, True),
    "another course": (Audience.COURSES, False),
}


class Library:
    """One document, a reader, and every way by which the reader may come to the document's words."""

    def __init__(self, organization: Organization) -> None:
        self.organization = organization
        self.document = make_document(organization, "Manual de devoluciones", TEXT)
        self.reader = make_member(organization, "lectora@acme.example")
        owned = {"organization": organization}
        with organization_scope(organization.pk):
            self.groups = [Group.objects.create(name=name, **owned) for name in ("Suyo", "Ajeno")]
            GroupMember.objects.create(group=self.groups[0], user=self.reader.user, **owned)
            self.courses = [make_course(organization, name, lessons=["Una"]) for name in ("Suyo", "Ajeno")]
            enrolling.enrol(course=self.courses[0], user_ids=[self.reader.user_id])
            faq_services.save_entry(
                organization=organization,
                owner=None,
                sources=[faq_services.bind_source(self.document, "30 días naturales para devolver un pedido grande")],
                questions=[WRITTEN],
                answer="Cada 30 días.",
                classification=Classification.PUBLIC,
            )
            conversation = Conversation.objects.create(user=self.reader.user, **owned)
            turn = Turn.objects.create(
                conversation=conversation, question=ASKED, answer="30 días", status=TurnStatus.DONE, **owned
            )
            self.citation = Citation.objects.create(
                turn=turn,
                number=1,
                document=self.document,
                version=self.document.active_version,
                quote="30 días naturales",
                passage=TEXT,
                relevance=1.0,
                **owned,
            )
        self._answer(ASKED_BEFORE, ADMINISTRATION)  # there is now an answer to be given again
        self.client = Client()

    def offer(self, classification: int, audience: str) -> None:
        """Classify the document, and offer it to those of `audience`."""
        kind, is_theirs = AUDIENCES[audience]
        with organization_scope(self.organization.pk):
            self.document.classification, self.document.audience = classification, kind
            self.document.save(update_fields=["classification", "audience"])
            groups = [self.groups[0 if is_theirs else 1]] if kind == Audience.GROUPS else []
            services.set_audience_groups(self.document, groups)
            CourseDocument.objects.all().delete()
            if kind == Audience.COURSES:
                course = self.courses[0 if is_theirs else 1]
                CourseDocument.objects.create(organization=self.organization, course=course, document=self.document)

    def ways_for(self, membership: Membership) -> Iterator[tuple[str, bool]]:
        """Each way, and whether it leads this member to the document's words."""
        reader = Reader.of(membership)
        with organization_scope(self.organization.pk):
            open_ = Document.objects.open_to(membership)
            yield "list", open_.filter(pk=self.document.pk).exists()
            yield "suggestions", bool(suggested_questions(open_.served()))
            for mode in ("keyword", "vector", "hybrid"):
                found = pipeline.search(ASKED, SearchScope(self.organization.pk, reader), SearchConfig(mode=mode))
                yield f"{mode} search", bool(found.passages)
        for question in (ASKED, ASKED_BEFORE, WRITTEN):
            answer = self._answer(question, reader)
            yield f"answer to {question}", bool(answer.citations) or "30" in answer.text
        self.client.force_login(membership.user, backend="django.contrib.auth.backends.ModelBackend")
        yield "file", self._opens(f"documentos/{self.document.pk}/v1/original/")
        yield "page", self._opens(f"documentos/{self.document.pk}/")
        if membership == self.reader:
            yield "citation", self._opens(f"tutor/fuentes/{self.citation.pk}/")

    def _answer(self, question: str, reader: Reader) -> Any:
        *_, last = answering.answer(question, scope=SearchScope(self.organization.pk, reader))
        assert isinstance(last, Done)
        return last.answer

    def _opens(self, rest: str) -> bool:
        response = self.client.get(f"/o/{self.organization.slug}/{rest}")
        assert response.status_code in (200, 404)
        if response.streaming:
            b"".join(response)
        return bool(response.status_code == 200)


@pytest.fixture
def library(organization: Organization, settings: Any) -> Library:
    settings.SKILLNET_CACHE_MIN_CONFIDENCE = 0.0
    return Library(organization)


@pytest.mark.parametrize("audience", AUDIENCES)
@pytest.mark.parametrize("classification", Classification)
def test_every_way_to_a_document_is_open_to_those_who_may_read_it_and_shut_to_others(library, classification, audience):
    library.offer(classification, audience)
    for clearance in Classification:
        library.reader.clearance = clearance
        library.reader.save(update_fields=["clearance"])
        may_read = clearance >= classification and AUDIENCES[audience][1]
        for way, is_open in library.ways_for(library.reader):
            assert is_open == may_read, f"{way}: {classification.name}, {clearance.name}, {audience}"


def test_administrators_read_everything(library, organization):
    admin = make_member(organization, "jefa@acme.example", Role.ADMIN, clearance=Classification.PUBLIC)
    library.offer(Classification.CONFIDENTIAL, "another group")
    assert all(is_open for _way, is_open in library.ways_for(admin))
