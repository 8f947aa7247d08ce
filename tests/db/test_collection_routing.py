import pytest

from documents import services
from documents.access import ADMINISTRATION
from documents.models import Collection, Document
from retrieval import collection_routing
from retrieval.models import CollectionCentroid
from retrieval.pipeline import search
from retrieval.types import SearchConfig, SearchScope
from skillnet.backends import get_embedder
from skillnet.tenancy import organization_scope
from tests.factories import make_document

pytestmark = pytest.mark.django_db

ROUTED = SearchConfig(route_collections=True)


@pytest.fixture(autouse=True)
def minimum(monkeypatch):
    """The test embedder's cosines lie far under those of a real one."""
    monkeypatch.setattr(collection_routing, "MINIMUM", 0.2)
    monkeypatch.setattr(collection_routing, "COLLECTIONS", 1)


@pytest.fixture(autouse=True)
def asked_for(monkeypatch):
    asked = []
    monkeypatch.setattr(collection_routing, "_enqueue", lambda *ids: asked.append(ids))
    return asked


def collection(organization, name, text):
    with organization_scope(organization.pk):
        made = Collection.objects.create(organization=organization, name=name)
    make_document(organization, name, text, collection=made)
    return made


@pytest.fixture
def kitchen(organization):
    return collection(organization, "Cocina", "# Horno\nEl horno se limpia con agua templada cada noche.")


@pytest.fixture
def till(organization):
    return collection(organization, "Caja", "# Caja\nLa caja se cuenta cada noche y se guarda el efectivo.")


def measure(organization):
    with organization_scope(organization.pk):
        return collection_routing.measure(organization.pk, get_embedder().model_id)


def titles(organization, question, config=ROUTED, **filters):
    with organization_scope(organization.pk):
        result = search(question, SearchScope(organization.pk, ADMINISTRATION, **filters), config)
    return {passage.document_title for passage in result.passages}


def test_only_the_nearest_collections_are_searched_once_they_are_measured(organization, kitchen, till):
    assert titles(organization, "horno cada noche") == {"Cocina", "Caja"}
    assert measure(organization) == 2
    assert titles(organization, "horno cada noche") == {"Cocina"}
    assert titles(organization, "horno cada noche", SearchConfig()) == {"Cocina", "Caja"}


def test_nothing_is_measured_twice(organization, kitchen, till):
    measure(organization)
    assert measure(organization) == 0


def test_documents_of_no_collection_are_always_searched(organization, kitchen, till):
    make_document(organization, "Suelto", "# Noche\nDe noche se apaga el letrero.")
    measure(organization)
    assert titles(organization, "horno cada noche") == {"Cocina", "Suelto"}


def test_a_question_near_no_collection_is_asked_of_all(organization, kitchen, till, monkeypatch):
    measure(organization)
    monkeypatch.setattr(collection_routing, "MINIMUM", 1.1)
    assert titles(organization, "horno cada noche") == {"Cocina", "Caja"}


@pytest.mark.parametrize("change", ["moved", "new"])
def test_a_collection_that_has_changed_is_searched_and_measured_anew(
    organization, kitchen, till, change, asked_for, django_capture_on_commit_callbacks
):
    measure(organization)
    if change == "moved":
        with organization_scope(organization.pk):
            other = make_document(organization, "Otro", "# Noche\nDe noche se cierra.")
            Document.objects.filter(pk=other.pk).update(collection=till)
    else:
        make_document(organization, "Otro", "# Noche\nDe noche se cierra.", collection=till)
    with django_capture_on_commit_callbacks(execute=True):
        assert "Otro" in titles(organization, "horno cada noche")
    assert asked_for == [(organization.pk, get_embedder().model_id)]
    assert measure(organization) == 1
    assert titles(organization, "horno cada noche") == {"Cocina"}


def test_a_deleted_collection_leaves_nothing_behind(organization, kitchen, till):
    measure(organization)
    with organization_scope(organization.pk):
        Document.objects.filter(collection=till).update(collection=None)
        services.delete_collection(till)
        assert list(CollectionCentroid.objects.values_list("collection", flat=True)) == [kitchen.pk]


def test_a_collection_asked_for_is_not_left(organization, kitchen, till):
    measure(organization)
    assert titles(organization, "horno cada noche", collection_id=till.pk) == {"Caja"}


def test_collections_of_others_are_never_looked_at(organization, other_organization, kitchen):
    collection(other_organization, "Horno", "# Horno\nEl horno de otra empresa se limpia cada noche.")
    measure(organization)
    measure(other_organization)
    with organization_scope(organization.pk):
        vector = get_embedder().embed_query("horno cada noche")
        near = collection_routing.nearest_collections(organization.pk, vector, get_embedder().model_id)
        assert near == (kitchen.pk,)
        assert CollectionCentroid.objects.count() == 1
