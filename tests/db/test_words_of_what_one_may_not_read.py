"""Every page of an organization, looked at by members who may not read one of its documents: not a word of it shows."""

from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponseBase
from django.test import Client

from courses.models import CourseDocument, Lesson, LessonSource
from documents.models import Audience, Document, DocumentVersion
from retrieval.models import EvaluationQuestion
from skillnet.models import Classification, Membership, Organization, Role
from skillnet.tenancy import organization_scope
from tests.db.isolation.addresses import all_routes
from tests.db.isolation.database import undone
from tests.db.isolation.worlds import World, make_world
from tests.factories import make_document, make_member
from tutor.models import (
    Citation,
    Conversation,
    FaqEntry,
    FaqSource,
    FaqVariant,
    OpenQuestion,
    Turn,
    TurnStatus,
)

pytestmark = pytest.mark.django_db

SECRET = "amatista"
SHUT = {
    "classification": {"classification": Classification.CONFIDENTIAL},
    "audience": {"audience": Audience.GROUPS},  # of groups that have nobody
}
# What people search for, without the word that must not come back.
SEARCHES = ("buscar/?q=nóminas+directivos", "documentos/?q=nóminas", "tutor/frecuentes/?q=nóminas", "tutor/?q=nóminas")


@pytest.fixture
def own(organization: Organization) -> World:
    return make_world(organization, "granate")


def hide(own: World, how: str) -> dict[str, Any]:
    """A document that few may read, and traces of it wherever the product leaves them. Returns its ids."""
    organization = own.organization
    document = make_document(
        organization, f"Nóminas {SECRET}", f"# Nóminas {SECRET}\nLos directivos {SECRET} cobran 9 pagas.", tags=[SECRET]
    )
    with organization_scope(organization.pk):
        owned = {"organization": organization}
        lesson = Lesson.objects.get(pk=own.ids["lesson_id"])
        CourseDocument.objects.create(course_id=own.ids["course_id"], document=document, **owned)
        LessonSource.objects.create(lesson=lesson, document=document, heading_path=[f"Nóminas {SECRET}"], **owned)
        version = DocumentVersion.objects.get(document=document)
        ids = {"document_id": document.pk, "version_id": version.pk, **_traces(own, document, version)}
    make_document(
        organization, text=f"# Nóminas {SECRET}\nLos directivos {SECRET} cobran 12 pagas.", version_of=document
    )
    with organization_scope(organization.pk):
        Document.objects.filter(pk=document.pk).update(**SHUT[how])
    return ids


def _traces(own: World, document: Document, version: DocumentVersion) -> dict[str, Any]:
    owned = {"organization": own.organization}
    text = f"Los directivos {SECRET} cobran 9 pagas."
    turn = Turn.objects.create(
        conversation=Conversation.objects.create(user=own.admin.user, title=f"Directivos {SECRET}", **owned),
        question=f"¿Cuánto cobran los directivos {SECRET}?",
        answer=f"{text} [Fuente 1]",
        status=TurnStatus.DONE,
        submission=uuid4(),
        **owned,
    )
    place = {"number": 1, "document": document, "version": version, "quote": text}
    citation = Citation.objects.create(turn=turn, passage=text, relevance=1.0, **place, **owned)
    OpenQuestion.objects.create(turn=turn, **owned)
    entry = FaqEntry.objects.create(answer=text, owner=own.admin.user, classification=Classification.PUBLIC, **owned)
    FaqVariant.objects.create(
        entry=entry, text=f"¿Cuánto cobran los directivos {SECRET}?", key=f"directivo {SECRET}", **owned
    )
    FaqSource.objects.create(entry=entry, **place, **owned)
    EvaluationQuestion.objects.create(question=f"¿Cuánto cobran los {SECRET}?", document=document, **owned)
    return {
        "conversation_id": turn.conversation_id,
        "turn_id": turn.pk,
        "citation_id": citation.pk,
        "entry_id": entry.pk,
    }


def body_of(response: HttpResponseBase) -> str:
    content = b"".join(response) if response.streaming else response.content
    return content.decode("utf-8", "replace")


def addresses(own: World, hidden: dict[str, Any]) -> dict[str, str]:
    """Every address with ids of what all may read, again with those of the hidden document, and searches."""
    known = {"slug": own.organization.slug, **own.ids}
    found = {f"/o/{own.organization.slug}/{rest}": rest for rest in SEARCHES}
    for route in all_routes():
        if route.is_of_organizations and "logout" not in route.pattern:
            found[route.address(known)] = route.pattern
            found[route.address({**known, **hidden})] = route.pattern
    return found


def shown(member: Membership, places: dict[str, str]) -> list[str]:
    """Where a member who looks at every page comes upon the word."""
    client = Client(raise_request_exception=False)
    client.force_login(member.user, backend="django.contrib.auth.backends.ModelBackend")
    leaks = []
    for address, pattern in places.items():
        with undone():
            response = client.get(address)
            assert response.status_code < 500, address
            if SECRET in body_of(response):
                leaks.append(pattern)
    return leaks


@pytest.mark.parametrize("how", SHUT)
@pytest.mark.parametrize("role", [Role.EMPLOYEE, Role.EDITOR])
def test_no_page_shows_a_word_of_it(own: World, role: Role, how: str):
    places = addresses(own, hide(own, how))
    member = make_member(own.organization, "quien@acme.example", role, clearance=Classification.INTERNAL)
    assert shown(member, places) == []


def test_administrators_come_upon_it_all_over(own: World):
    """The walk does look where the word stands."""
    assert len(shown(own.admin, addresses(own, hide(own, "classification")))) > 25
