"""Large organizations have a vector index of their own, small ones none, and both find what is nearest."""

from collections.abc import Callable

import numpy as np
import pytest
from django.core.management import call_command
from django.db import OperationalError, connection, connections
from django.test.utils import CaptureQueriesContext
from psycopg.errors import DiskFull

from documents import vector_indexes
from documents.access import ADMINISTRATION, Reader
from documents.models import Chunk, ChunkEmbedding, Document, DocumentVersion, EmbeddingModel, Status
from retrieval import pipeline
from retrieval.allowed import allowed_chunks
from retrieval.types import SearchConfig, SearchScope
from retrieval.vector_search import semantic_hits
from skillnet.backends import get_embedder
from skillnet.models import Classification, Organization
from skillnet.tenancy import organization_scope
from tests import factories
from tests.conftest import RUN, _connect

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])

LINE = 600  # chunks from which on an organization has an index here
DIMENSIONS = 64
EXACT, SHIPPED = 10**9, LINE - 1


@pytest.fixture(autouse=True)
def low_line(settings):
    settings.SKILLNET_VECTOR_INDEX = {"kind": "hnsw", "from": LINE}
    with connection.cursor() as cursor:  # so few rows are sorted at once: as if it took long, as with many
        cursor.execute("SET enable_sort = off")
    yield
    with connection.cursor() as cursor:
        cursor.execute("RESET enable_sort")
    settings.SKILLNET_VECTOR_INDEX = {"kind": "none", "from": LINE}
    vector_indexes.tend()


def around(seed: int, count: int) -> np.ndarray:
    """Unit vectors in neighbourhoods, as texts about some topics have them."""
    rng = np.random.default_rng(seed)
    topics = rng.standard_normal((12, DIMENSIONS))
    vectors = topics[rng.integers(12, size=count)] + 0.8 * rng.standard_normal((count, DIMENSIONS))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def fill(organization: Organization, count: int, *, seed: int, **fields: int) -> DocumentVersion:
    """A served document with so many chunks; what their texts say does not matter."""
    with organization_scope(organization.pk):
        embedder = get_embedder()
        model, _ = EmbeddingModel.objects.get_or_create(name=embedder.model_id, dimensions=embedder.dimensions)
        document = Document.objects.create(organization=organization, title=f"Manual {seed}", **fields)
        version = factories.make_version(document, str(seed).encode(), status=Status.READY)
        version.embedding_model, version.chunk_count = model, count
        version.save()
        document.active_version = version
        document.save()
        chunks = Chunk.objects.bulk_create(
            Chunk(
                organization=organization,
                version=version,
                position=position,
                kind="paragraph",
                text=f"Fragmento {seed} {position}",
                meaning_text=f"Fragmento {seed} {position}",
                content_hash=f"{seed} {position}",
                char_start=0,
                char_end=1,
                token_count=1,
            )
            for position in range(count)
        )
        ChunkEmbedding.objects.bulk_create(
            ChunkEmbedding(organization=organization, version=version, chunk=chunk, model=model, vector=vector)
            for chunk, vector in zip(chunks, around(seed, count), strict=True)
        )
    return version


@pytest.fixture
def large(organization):
    fill(organization, 700, seed=1)
    fill(organization, 300, seed=2)
    return organization


@pytest.fixture
def small(other_organization):
    fill(other_organization, 60, seed=3)
    return other_organization


def analyze() -> None:
    with _connect("owner", RUN) as owner:
        owner.execute("ANALYZE documents_chunkembedding")


def semantic(organization: Organization, question: np.ndarray, exact_chunks: int, **scope: object) -> list[int]:
    reader = scope.pop("reader", ADMINISTRATION)
    where = SearchScope(organization.pk, reader, **scope)
    with organization_scope(organization.pk):
        allowed = allowed_chunks(where)
        hits = semantic_hits(
            where, allowed, question, model_id=get_embedder().model_id, limit=10, exact_chunks=exact_chunks
        )
    return [hit.chunk_id for hit in hits]


def recall(organization: Organization, *, seed: int) -> float:
    found = 0
    for question in around(seed, 40):
        exact = set(semantic(organization, question, EXACT))
        found += len(exact & set(semantic(organization, question, SHIPPED)))
    return found / 400


def plans_of(search: Callable[[], object]) -> str:
    """How PostgreSQL runs the statements that read vectors."""
    with CaptureQueriesContext(connection) as captured:
        search()
    return "\n".join(one["sql"] for one in captured.captured_queries if "<=>" in one["sql"])


def explained(organization: Organization, sql: str) -> str:
    with organization_scope(organization.pk), connection.cursor() as cursor:
        cursor.execute("EXPLAIN " + sql.replace("%", "%%"))
        return "\n".join(row[0] for row in cursor.fetchall())


def test_only_organizations_above_the_line_get_an_index(large, small):
    done = vector_indexes.tend()
    assert [space.organization_id for space in done.build] == [large.pk]
    assert [(index.kind, index.is_valid, index.built_for) for index in vector_indexes.existing().values()] == [
        ("hnsw", True, 1_000)
    ]
    assert not vector_indexes.plan()


def test_what_ships_finds_what_is_nearest_in_a_large_and_in_a_small_organization(large, small):
    vector_indexes.tend()
    analyze()
    assert recall(large, seed=4) >= 0.99
    assert recall(small, seed=5) == 1.0


def test_the_planner_uses_the_index_of_the_organization(large, small):
    vector_indexes.tend()
    analyze()
    [index] = vector_indexes.existing()
    question = around(6, 1)[0]
    assert index in explained(large, plans_of(lambda: semantic(large, question, SHIPPED)))
    assert index not in explained(large, plans_of(lambda: semantic(large, question, EXACT)))
    assert index not in explained(small, plans_of(lambda: semantic(small, question, SHIPPED)))


@pytest.mark.parametrize("kind", ["hnsw", "ivfflat"])
def test_equal_distances_go_by_document_and_position(large, settings, kind):
    settings.SKILLNET_VECTOR_INDEX = {"kind": kind, "from": LINE}
    vector_indexes.tend()
    with organization_scope(large.pk):
        same = around(7, 1)[0]
        ids = list(ChunkEmbedding.objects.order_by("?").values_list("pk", flat=True)[:4])
        ChunkEmbedding.objects.filter(pk__in=ids).update(vector=same)
        expected = list(
            ChunkEmbedding.objects.filter(pk__in=ids)
            .order_by("version__document_id", "chunk__position")
            .values_list("chunk_id", flat=True)
        )
    assert semantic(large, same, SHIPPED)[:4] == expected


def test_a_reader_who_may_see_little_still_gets_as_many_as_there_are(large):
    secret = fill(large, 650, seed=8, classification=Classification.CONFIDENTIAL)
    vector_indexes.tend()
    analyze()
    question = around(8, 1)[0]  # near what this reader may not see
    reader = Reader(user_id=None, clearance=Classification.INTERNAL)
    found = semantic(large, question, SHIPPED, reader=reader)
    assert found == semantic(large, question, EXACT, reader=reader)
    assert len(found) == 10
    with organization_scope(large.pk):
        assert not Chunk.objects.filter(pk__in=found, version=secret).exists()


def test_where_the_index_finds_too_few_everything_is_compared(large):
    vector_indexes.tend()
    with organization_scope(large.pk):
        few = Document.objects.create(organization=large, title="Corto")
    version = fill(large, 12, seed=9)
    with organization_scope(large.pk):
        DocumentVersion.objects.filter(pk=version.pk).update(chunk_count=LINE * 2)  # as if it were large
        assert few.active_version is None
    question = around(1, 1)[0]
    assert len(semantic(large, question, SHIPPED, document_ids=(version.document_id,))) == 10


def test_an_organization_that_shrinks_loses_its_index(large):
    vector_indexes.tend()
    with organization_scope(large.pk):
        DocumentVersion.objects.update(chunk_count=LINE // 5)
    assert len(vector_indexes.tend().drop) == 1
    assert vector_indexes.existing() == {}


def test_one_that_comes_and_goes_across_the_line_keeps_its_index(large):
    vector_indexes.tend()
    with organization_scope(large.pk):
        DocumentVersion.objects.update(chunk_count=LINE * 2 // 5)
    assert not vector_indexes.plan()


def test_another_model_or_kind_means_another_index(large, settings):
    [name] = [space.index_name for space in vector_indexes.tend().build]
    settings.SKILLNET_VECTOR_INDEX = {"kind": "ivfflat", "from": LINE}
    assert vector_indexes.tend().drop == (name,)
    assert vector_indexes.existing()[name].kind == "ivfflat"
    with organization_scope(large.pk):
        other = EmbeddingModel.objects.create(name="otro", dimensions=DIMENSIONS)
        DocumentVersion.objects.update(embedding_model=other)
    done = vector_indexes.tend()
    assert done.drop == (name,)
    assert [space.model_id for space in done.build] == [other.pk]


def test_an_index_whose_building_was_cut_off_serves_nobody_and_is_made_anew(large):
    vector_indexes.tend()
    [name] = vector_indexes.existing()
    with _connect("superuser", RUN) as server:
        server.execute("SET allow_system_table_mods = on")
        server.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = %s::regclass", [name])
    question = around(10, 1)[0]
    assert semantic(large, question, SHIPPED) == semantic(large, question, EXACT)
    vector_indexes.tend()
    assert vector_indexes.existing()[name].is_valid


def test_where_shared_memory_is_small_an_index_is_built_in_one_process(large, monkeypatch):
    execute, processes = vector_indexes._execute, []

    def in_a_container(database, sql, parameters=None):
        if "CREATE INDEX" in sql:
            with database.cursor() as cursor:
                cursor.execute("SHOW max_parallel_maintenance_workers")
                processes.append(cursor.fetchone()[0])
            if processes[-1] != "0":
                raise OperationalError("could not resize shared memory segment") from DiskFull()
        execute(database, sql, parameters)

    monkeypatch.setattr(vector_indexes, "_execute", in_a_container)
    connections["owner"].close()  # a session of its own, before and after
    vector_indexes.tend()
    connections["owner"].close()
    assert processes == ["2", "0"]
    assert [index.is_valid for index in vector_indexes.existing().values()] == [True]


def test_a_search_goes_through_the_index(large):
    vector_indexes.tend()
    with organization_scope(large.pk), CaptureQueriesContext(connection) as captured:
        result = pipeline.search("caja", SearchScope(large.pk, ADMINISTRATION), SearchConfig(exact_chunks=SHIPPED))
    assert len(result.passages) == 10
    assert any("halfvec" in one["sql"] for one in captured.captured_queries)


def test_staff_see_which_index_serves_whom(large, small, capsys):
    call_command("vector_indexes", "--tend", "--json")
    said = capsys.readouterr().out
    assert '"organization": "acme"' in said
    assert '"index": "hnsw"' in said
    assert '"index": "exact"' in said


@pytest.mark.parametrize(("rows", "lists"), [(500, 10), (10_000, 10), (40_000, 200), (90_000, 300)])
def test_an_ivfflat_index_has_as_many_lists_as_its_rows_want(rows, lists):
    assert vector_indexes.lists_for(rows) == lists
