"""Token vectors follow what a collection wants, in both directions and without anybody waiting."""

import pytest
from django.urls import reverse

from documents import jobs, token_upkeep
from documents.embedding_models import model_of
from documents.models import ChunkEmbedding, Collection, DocumentVersion, ServingModel
from documents.sweeper import sweep
from skillnet import backends
from skillnet.errors import BackendUnavailable
from skillnet.models import Role
from skillnet.tenancy import organization_scope
from tests import factories
from tests.factories import make_document

pytestmark = pytest.mark.django_db

TEXT = "# Higiene\nLas manos se lavan con jabón antes de tocar un alimento."


@pytest.fixture(autouse=True)
def one_connection(monkeypatch):
    monkeypatch.setattr(jobs, "close_old_connections", lambda: None)  # it is the test's, with its transaction


@pytest.fixture
def collection(organization):
    with organization_scope(organization.pk):
        return Collection.objects.create(organization=organization, name="Cocina")


@pytest.fixture
def document(organization, collection):
    return make_document(organization, "Higiene", TEXT, collection=collection)


def switch(collection, late_interaction):
    with organization_scope(collection.organization_id):
        Collection.objects.filter(pk=collection.pk).update(late_interaction=late_interaction)


def has_tokens(document):
    with organization_scope(document.organization_id):
        rows = ChunkEmbedding.objects.filter(version=document.active_version)
        version = DocumentVersion.objects.get(pk=document.active_version_id)
        stored = {row.tokens is not None for row in rows}
        assert stored == {version.has_token_vectors}
        return version.has_token_vectors


def test_what_is_in_order_is_left_alone(document):
    assert has_tokens(document)
    assert token_upkeep.next_due() is None
    assert not token_upkeep.advance()


def test_switching_off_removes_what_is_stored_and_switching_on_makes_it_again(document, collection):
    with organization_scope(document.organization_id):
        before = bytes(ChunkEmbedding.objects.get().tokens)
    switch(collection, False)
    jobs.work()
    assert not has_tokens(document)
    switch(collection, True)
    jobs.work()
    assert has_tokens(document)
    with organization_scope(document.organization_id):
        assert bytes(ChunkEmbedding.objects.get().tokens) == before


def test_an_organization_with_a_model_of_its_own_is_kept_up_too(document, collection, organization):
    with organization_scope(organization.pk):
        own = model_of("grande", 128)
        ServingModel.objects.create(organization=organization, model=own, source="grande")
        DocumentVersion.objects.update(embedding_model=own)
        ChunkEmbedding.objects.update(model=own, vector=[0.0] * 127 + [1.0])
    switch(collection, False)
    jobs.work()
    assert not has_tokens(document)
    switch(collection, True)
    jobs.work()
    assert has_tokens(document)


def test_what_one_organization_cannot_have_keeps_no_other_waiting(
    document, collection, organization, other_organization, monkeypatch
):
    switch(collection, False)
    jobs.work()
    switch(collection, True)
    with organization_scope(other_organization.pk):
        theirs = Collection.objects.create(organization=other_organization, name="Sala")
    second = make_document(other_organization, "Sala", TEXT, collection=theirs)
    switch(theirs, False)
    monkeypatch.setattr(backends.get_embedder(), "supports_tokens", False)
    jobs.work()
    assert not has_tokens(second)
    assert not has_tokens(document)


def test_it_is_filled_in_batches(document, collection, settings, organization):
    settings.SKILLNET_EMBEDDING_BATCH = 1
    text = "\n".join(f"# Parte {part}\n{' '.join([f'palabra{part}'] * 300)}" for part in range(3))
    long = make_document(organization, "Largo", text, collection=collection)
    switch(collection, False)
    jobs.work()
    switch(collection, True)
    assert token_upkeep.advance()
    with organization_scope(organization.pk):
        assert not DocumentVersion.objects.get(pk=long.active_version_id).has_token_vectors
    jobs.work()
    assert has_tokens(long)
    assert has_tokens(document)


def test_a_document_moved_to_another_collection_follows_it(document, organization):
    with organization_scope(organization.pk):
        plain = Collection.objects.create(organization=organization, name="Sin", late_interaction=False)
        type(document).objects.filter(pk=document.pk).update(collection=plain)
    assert token_upkeep.next_due() == (organization.pk, document.active_version_id)
    jobs.work()
    assert not has_tokens(document)


def test_the_sweeper_wakes_a_worker_up_for_it(document, collection, monkeypatch):
    woken = []
    monkeypatch.setattr(jobs, "enqueue", lambda: woken.append(True))
    sweep()
    assert woken == []
    switch(collection, False)
    sweep()
    assert woken == [True]


def test_an_embedder_that_is_down_or_gives_no_tokens_is_no_reason_to_go_on(document, collection, monkeypatch):
    switch(collection, False)
    jobs.work()
    switch(collection, True)
    embedder = backends.get_embedder()

    def down(texts):
        raise BackendUnavailable("no answer")

    with monkeypatch.context() as patch:
        patch.setattr(embedder, "embed_passages_with_tokens", down)
        assert not token_upkeep.advance()
    with monkeypatch.context() as patch:
        patch.setattr(embedder, "supports_tokens", False)
        assert token_upkeep.next_due() is None
    assert not has_tokens(document)
    jobs.work()
    assert has_tokens(document)


def test_a_version_that_another_worker_holds_is_left_to_it(document, collection, monkeypatch):
    switch(collection, False)
    monkeypatch.setattr(token_upkeep.ingestion, "hold", lambda version_id: False)
    assert not token_upkeep.advance()
    assert has_tokens(document)


def test_people_switch_it_on_the_collections_page(client_for, organization, collection, document):
    admin = client_for(factories.make_member(organization, "jefa@acme.example", Role.ADMIN))
    address = reverse("documents:rename_collection", args=["acme", collection.pk])
    html = admin.get(address).content.decode()
    assert "Comparar palabra por palabra" in html
    assert "Ocupa más espacio" in html
    assert admin.post(address, {"name": "Cocina"}).status_code == 302  # an unticked box sends nothing
    with organization_scope(organization.pk):
        assert not Collection.objects.get().late_interaction


def test_a_new_collection_compares_word_by_word(client_for, organization):
    admin = client_for(factories.make_member(organization, "jefa@acme.example", Role.ADMIN))
    admin.post(reverse("documents:collections", args=["acme"]), {"name": "Sala"})
    with organization_scope(organization.pk):
        assert Collection.objects.get().late_interaction
