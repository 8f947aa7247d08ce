"""What an organization, a collection or a course says about answers holds for those of the tutor."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from courses.models import Course, CourseDocument
from documents.access import ADMINISTRATION
from documents.models import Collection, Document
from retrieval.configuration import config_for, limits_of
from retrieval.models import SettingsOverride
from retrieval.types import SearchConfig, SearchScope
from skillnet.backends.fakes import FakeLanguageModel
from skillnet.models import Organization
from skillnet.tenancy import organization_scope
from tests import factories
from tutor import answering, writing
from tutor.events import Answer, Done
from tutor.models import CachedAnswer

pytestmark = pytest.mark.django_db

MANUAL = "# Plazos\nEl cliente dispone de 30 días naturales para devolver un producto no alimentario con su tique."
OVENS = "# Horno\nEl horno de leña se apaga a las once de la noche y se limpia con agua templada."
QUESTION = "¿Cuántos días naturales hay para devolver un producto no alimentario con tique?"
OF_OVENS = "¿A qué hora se apaga el horno de leña?"


@pytest.fixture(autouse=True)
def everything_is_kept(settings: Any) -> None:
    settings.SKILLNET_CACHE_MIN_CONFIDENCE = 0.0


@pytest.fixture
def manual(organization: Organization) -> Document:
    factories.make_document(organization, "Hornos", OVENS)
    return factories.make_document(organization, "Manual", MANUAL)


@pytest.fixture
def collection(organization: Organization, manual: Document) -> Collection:
    with organization_scope(organization.pk):
        collection: Collection = Collection.objects.create(organization=organization, name="Tienda")
        Document.objects.filter(pk=manual.pk).update(collection=collection)
    return collection


@pytest.fixture
def course(organization: Organization, manual: Document) -> Course:
    with organization_scope(organization.pk):
        course: Course = Course.objects.create(organization=organization, title="Curso", slug="curso")
        CourseDocument.objects.create(organization=organization, course=course, document=manual)
    return course


def store(organization: Organization, values: dict[str, Any], **level: Any) -> None:
    with organization_scope(organization.pk):
        SettingsOverride.objects.update_or_create(organization=organization, defaults={"values": values}, **level)


def ask(organization: Organization, question: str = QUESTION, **filters: Any) -> Answer:
    *_steps, done = answering.answer(question, scope=SearchScope(organization.pk, ADMINISTRATION, **filters))
    assert isinstance(done, Done)
    return done.answer


def days_kept(organization: Organization) -> list[int]:
    with organization_scope(organization.pk):
        return [(kept.expires_at - kept.answered_at).days for kept in CachedAnswer.objects.order_by("answered_at")]


# --- how long an answer is kept


def test_a_course_that_keeps_no_answers_gives_none_again(organization, course):
    store(organization, {"cache_days": 0}, course_id=course.pk)
    assert [ask(organization, course_id=course.pk).origin for _ in range(2)] == ["extractive", "extractive"]
    assert [ask(organization).origin for _ in range(2)] == ["extractive", "cache"]


def test_an_answer_is_kept_as_long_as_its_course_its_collection_or_its_organization_says(
    organization, course, collection, settings
):
    settings.SKILLNET_CACHE_DAYS = 9
    ask(organization, OF_OVENS)
    store(organization, {"cache_days": 5})
    ask(organization, OF_OVENS)
    store(organization, {"cache_days": 3}, collection=collection)
    ask(organization, collection_id=collection.pk)
    ask(organization)
    store(organization, {"cache_days": 2}, course_id=course.pk)
    ask(organization, course_id=course.pk)
    assert days_kept(organization) == [9, 5, 3, 3, 2]


def test_an_answer_from_a_document_that_was_looked_through_is_kept_as_long_as_that_ones_collection_says(
    organization, course, collection, monkeypatch
):
    store(organization, {"cache_days": 3}, collection=collection)
    real = answering.search
    monkeypatch.setattr(
        answering, "search", lambda *args, **options: replace(real(*args, **options), passages=(), evidence=False)
    )
    model = FakeLanguageModel(["El cliente dispone de 30 días naturales para devolver un producto [Fuente 1]."])
    for module in (answering, writing):
        monkeypatch.setattr(module, "get_language_model", lambda: model)
    assert ask(organization, course_id=course.pk).rung == "full_text"
    assert days_kept(organization) == [3]


def test_the_installations_days_are_the_default_that_is_shown(
    organization, client_for: Callable[..., Any], admin_membership, settings
):
    settings.SKILLNET_CACHE_DAYS = 23
    with organization_scope(organization.pk):
        assert config_for(SearchScope(organization.pk, ADMINISTRATION)).cache_days == 23
    page = client_for(admin_membership).get(reverse("search_settings:organization", args=["acme"]))
    assert page.context["form"].fields["cache_days"].widget.attrs["placeholder"] == "Sin cambiar: 23"


# --- what a collection asks of an answer


@pytest.mark.parametrize("values", [{"minimum_sources": 3}, {"confidence_offset": 1.0}])
def test_what_a_collection_asks_for_holds_for_answers_from_its_documents_alone(organization, collection, values):
    assert ask(organization).evidence is True
    store(organization, values, collection=collection)
    assert ask(organization).evidence is False  # and the answer kept before is not given either
    assert ask(organization, OF_OVENS).evidence is True


@pytest.mark.parametrize("values", [{"minimum_sources": 3}, {"confidence_offset": 1.0}])
def test_a_collection_may_ask_for_less_than_the_organization(organization, collection, values):
    store(organization, values)
    store(organization, {"minimum_sources": 1, "confidence_offset": 0.0}, collection=collection)
    assert ask(organization).evidence is True
    assert ask(organization, OF_OVENS).evidence is False


def test_what_a_course_says_goes_before_what_a_collection_says(organization, collection, course):
    store(organization, {"minimum_sources": 3}, collection=collection)
    assert ask(organization, course_id=course.pk).evidence is False
    store(organization, {"minimum_sources": 1}, course_id=course.pk)
    assert ask(organization, course_id=course.pk).evidence is True


def test_the_strictest_of_the_collections_that_carry_an_answer_decides(organization, collection):
    twin = factories.make_document(organization, "Norma", MANUAL.replace("30", "14").replace("con", "sin"))
    assert ask(organization).evidence is True
    with organization_scope(organization.pk):
        strict = Collection.objects.create(organization=organization, name="Norma")
        Document.objects.filter(pk=twin.pk).update(collection=strict)
    store(organization, {"confidence_offset": 1.0}, collection=strict)
    store(organization, {"confidence_offset": 0.0}, collection=collection)
    assert ask(organization).evidence is False


def test_the_limits_of_many_documents_are_read_at_once(organization, collection):
    documents = [factories.make_document(organization, f"Otro {n}", OVENS) for n in range(3)]
    with organization_scope(organization.pk):
        ids = [document.pk for document in documents]
        Document.objects.filter(pk__in=ids).update(collection=collection)
        SettingsOverride.objects.create(
            organization=organization, collection=collection, values={"minimum_sources": 2, "alpha": 0.1}
        )
        with CaptureQueriesContext(
            connection,
        ) as queries:
            found = limits_of(SearchConfig(), SearchScope(organization.pk, ADMINISTRATION), ids)
        assert len(queries) == 1
        assert found == dict.fromkeys(ids, SearchConfig(minimum_sources=2))
        whole = SearchScope(organization.pk, ADMINISTRATION, collection_id=collection.pk)
        assert limits_of(SearchConfig(), whole, ids) == {}
