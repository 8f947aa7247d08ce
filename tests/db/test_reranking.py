import pytest

from documents import ingestion
from documents.access import ADMINISTRATION
from documents.models import ChunkEmbedding, Collection
from retrieval import pipeline, ranking
from retrieval.types import SearchConfig, SearchScope
from skillnet.backends.rerankers import PassageScorer
from skillnet.errors import BackendUnavailable
from skillnet.tenancy import organization_scope
from tests.factories import make_document

pytestmark = pytest.mark.django_db

HYGIENE = """
# Higiene
Las manos se lavan con jabón antes de tocar un alimento.
"""
TILL = """
# Caja
La caja se cierra entre dos personas y las monedas se cuentan aparte.
"""


@pytest.fixture
def documents(organization):
    return [make_document(organization, "Higiene", HYGIENE), make_document(organization, "Caja", TILL)]


def ask(organization, question, **config):
    with organization_scope(organization.pk):
        return pipeline.search(question, SearchScope(organization.pk, ADMINISTRATION), SearchConfig(**config))


def titles(result):
    return [passage.document_title for passage in result.passages]


class Scores(PassageScorer):
    """A model that prefers passages with a word."""

    def __init__(self, word):
        self.word = word

    def scores(self, question, passages):
        return [float(self.word in passage) for passage in passages]


def test_token_vectors_are_stored_with_the_chunks_and_read_by_search(organization, documents):
    with organization_scope(organization.pk):
        assert all(row.tokens for row in ChunkEmbedding.objects.all())
    result = ask(organization, "lavar las manos con jabón")
    assert titles(result)[0] == "Higiene"
    assert result.trace["signals"]["late_interaction"] > result.trace["signals"]["weakest_tokens"]
    best = result.passages[0]
    start, end = best.tokens.spans[0]
    assert best.text[start:end] == "Las manos"


def test_without_reranking_no_tokens_are_read(organization, documents):
    result = ask(organization, "lavar las manos", rerank="none")
    assert "late_interaction" not in result.trace["signals"]
    assert result.passages[0].tokens is None


def test_a_collection_can_do_without_token_vectors(organization):
    with organization_scope(organization.pk):
        plain = Collection.objects.create(organization=organization, name="Sin tokens", late_interaction=False)
    document = make_document(organization, "Higiene", HYGIENE, collection=plain)
    with organization_scope(organization.pk):
        assert ChunkEmbedding.objects.get(version=document.active_version).tokens is None
    assert titles(ask(organization, "lavar las manos")) == ["Higiene"]


def test_switching_a_collection_off_takes_effect_at_once(organization):
    with organization_scope(organization.pk):
        collection = Collection.objects.create(organization=organization, name="Personal")
    make_document(organization, "Higiene", HYGIENE, collection=collection)
    assert "late_interaction" in ask(organization, "lavar las manos").trace["signals"]
    with organization_scope(organization.pk):
        collection.late_interaction = False
        collection.save(update_fields=["late_interaction"])
    assert "late_interaction" not in ask(organization, "lavar las manos").trace["signals"]


def test_chunks_embedded_without_tokens_are_still_found(organization, documents):
    with organization_scope(organization.pk):
        ChunkEmbedding.objects.update(tokens=None)
    result = ask(organization, "lavar las manos con jabón")
    assert titles(result)[0] == "Higiene"
    assert "late_interaction" not in result.trace["signals"]


@pytest.mark.parametrize("kind", ["cross_encoder", "api"])
def test_a_model_that_reads_both_decides_the_order(organization, documents, monkeypatch, kind):
    monkeypatch.setattr(ranking, "get_passage_scorer", lambda _kind: Scores("monedas"))
    assert titles(ask(organization, "lavar las manos con jabón", rerank=kind)) == ["Caja", "Higiene"]


def test_a_reranker_that_fails_leaves_the_fused_order_and_a_note(organization, documents, monkeypatch):
    class Down(PassageScorer):
        def scores(self, question, passages):
            raise BackendUnavailable("no answer")

    monkeypatch.setattr(ranking, "get_passage_scorer", lambda _kind: Down())
    result = ask(organization, "lavar las manos con jabón", rerank="api")
    assert titles(result) == titles(ask(organization, "lavar las manos con jabón", rerank="none"))
    assert result.trace["reranker"] == "backend_unavailable"


def test_a_reranker_without_settings_leaves_the_fused_order_and_a_note(organization, documents):
    result = ask(organization, "lavar las manos con jabón", rerank="cross_encoder")
    assert titles(result)[0] == "Higiene"
    assert result.trace["reranker"] == "not_configured"


@pytest.mark.parametrize("diversity", [False, True])
def test_copies_are_shown_once(organization, documents, diversity):
    make_document(organization, "Higiene, otra vez", HYGIENE)
    assert len(titles(ask(organization, "lavar las manos con jabón", drops_duplicates=False))) == 3
    result = ask(organization, "lavar las manos con jabón", diversity=diversity)
    assert titles(result)[0] == "Higiene"
    assert "Higiene, otra vez" not in titles(result)
    assert result.trace["near_duplicates"] == 1


def test_the_order_reaches_past_what_was_reranked(organization, documents):
    result = ask(organization, "lavar las manos con jabón", reranked=1)
    assert titles(result) == ["Higiene", "Caja"]
    assert result.passages[0].score > result.passages[1].score > 0


def test_an_embedder_without_tokens_stores_none(organization, monkeypatch):
    embedder = ingestion.get_embedder()
    monkeypatch.setattr(embedder, "supports_tokens", False)
    document = make_document(organization, "Higiene", HYGIENE)
    with organization_scope(organization.pk):
        assert ChunkEmbedding.objects.get(version=document.active_version).tokens is None
    assert titles(ask(organization, "lavar las manos")) == ["Higiene"]


def test_a_text_repeated_in_one_document_stays(organization):
    again = "# Higiene\n{0}\n# Cocina\n{0}\n# Barra\n{0}"
    body = "Las manos se lavan con jabón antes de tocar un alimento. " * 12
    make_document(organization, "Higiene", again.format(body))
    assert len(titles(ask(organization, "lavar las manos con jabón"))) == 3
