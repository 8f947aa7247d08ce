"""Another embedding model, without a moment in which search is worse."""

import json
from collections.abc import Iterator
from importlib import import_module
from io import StringIO
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from django.urls import reverse

from documents import ingestion, jobs, reindexing, serving
from documents.access import ADMINISTRATION
from documents.embedding_models import model_of
from documents.models import Chunk, ChunkEmbedding, DocumentVersion, ServingModel
from retrieval.pipeline import search
from retrieval.types import SearchConfig, SearchResult, SearchScope
from skillnet import backends
from skillnet.backends import ModelChoice, get_embedder
from skillnet.embedded.weights import MODEL_NAME, PLAIN_NAME
from skillnet.errors import BackendUnavailable
from skillnet.models import Organization, Role
from skillnet.tenancy import organization_scope
from tests import factories
from tutor.models import FaqVariant
from tutor.prepared import services
from tutor.prepared.matching import Asked
from tutor.prepared.services import save_entry

pytestmark = pytest.mark.django_db(transaction=True)

TEXTS = (
    "# Plazos\nEl cliente dispone de 30 días para devolver un producto con su tique.\n# Caja\nEl fondo es de 150 €.",
    "# Horno\nEl pan se hornea a 220 grados durante una hora.\n# Cámara\nLa carne se guarda a dos grados.",
    "# Vacaciones\nSe piden por escrito en enero.\n# Uniforme\nLa bata se lava en la tienda cada lunes.",
)
MANUAL = "# Plazos\nEl cliente dispone de 30 días para devolver un producto.\n# Caja\nEl fondo de caja es de 150 €."
BIGGER = ModelChoice("grande", 128)


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(reindexing, "BATCH", 2)
    yield
    backends.reset()


@pytest.fixture
def manuals(organization: Organization) -> Organization:
    for number, text in enumerate(TEXTS):
        factories.make_document(organization, f"Manual {number}", text)
    return organization


def found(organization: Organization) -> SearchResult:
    with organization_scope(organization.pk, snapshot=True):
        scope = SearchScope(organization.pk, ADMINISTRATION)
        return search("¿Cuántos días hay para devolver un producto?", scope, SearchConfig(mode="vector"))


def vectors(organization: Organization, name: str) -> int:
    with organization_scope(organization.pk):
        return ChunkEmbedding.objects.filter(model__name=name).count()


def reindex(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command("reindex", *arguments, "--json", stdout=out)
    result: dict[str, Any] = json.loads(out.getvalue())
    return result


def test_a_model_of_other_dimensions_takes_over(manuals: Organization):
    before = found(manuals)
    with organization_scope(manuals.pk):
        chunks = Chunk.objects.count()
    result = reindex("--org", "acme", "--model", "grande", "--dimensions", "128")
    assert (result["chunks"], result["done"], result["model"]) == (chunks, chunks, "grande")
    with organization_scope(manuals.pk):
        assert get_embedder().dimensions == 128
        assert not ChunkEmbedding.objects.exclude(model__name="grande").exists()
        assert set(DocumentVersion.objects.values_list("embedding_model__name", flat=True)) == {"grande"}
    after = found(manuals)
    assert "30 días" in before.passages[0].text
    assert after.passages[0].chunk_id == before.passages[0].chunk_id
    assert "mismatch" not in after.trace


def test_the_old_model_serves_until_the_switch(manuals: Organization):
    before = found(manuals).passages
    reindexing.begin(manuals.pk, BIGGER)
    while vectors(manuals, "grande") < vectors(manuals, "fake"):
        assert reindexing.step(manuals.pk)
        assert found(manuals).passages == before
    assert reindexing.step(manuals.pk)
    with organization_scope(manuals.pk):
        assert ServingModel.objects.get().model.name == "grande"


def test_one_organization_changes_alone(manuals: Organization, other_organization: Organization):
    factories.make_document(other_organization, "Suyo", MANUAL)
    reindex("--org", "acme", "--model", "grande", "--dimensions", "128")
    with organization_scope(other_organization.pk):
        assert get_embedder().model_id == "fake"
    assert found(other_organization).passages


def test_administrators_are_told_that_another_model_is_configured_than_theirs(
    manuals: Organization, client_for, admin_membership, other_organization: Organization
):
    page = client_for(admin_membership).get("/o/acme/inicio/").content.decode()
    assert "Hay otro modelo configurado" not in page
    reindex("--org", "acme", "--model", "grande", "--dimensions", "128")
    for address in ("inicio/", "documentos/"):
        page = client_for(admin_membership).get(f"/o/acme/{address}").content.decode()
        assert "Hay otro modelo configurado" in page
        assert "manage.py reindex --org acme" in page
        assert "Pasar al nuevo" in page
    editor = client_for(factories.make_member(manuals, "eva@acme.example", Role.EDITOR))
    assert "Hay otro modelo configurado" not in editor.get("/o/acme/inicio/").content.decode()
    other = client_for(factories.make_member(other_organization, "jefa@otra.example", Role.ADMIN))
    assert "Hay otro modelo configurado" not in other.get("/o/otra/inicio/").content.decode()
    reindex("--org", "acme")
    page = client_for(admin_membership).get("/o/acme/inicio/").content.decode()
    assert "Hay otro modelo configurado" not in page


def test_what_was_cut_off_goes_on_where_it_stood(manuals: Organization):
    reindexing.begin(manuals.pk, BIGGER)
    reindexing.step(manuals.pk)
    with organization_scope(manuals.pk):
        first = set(ChunkEmbedding.objects.filter(model__name="grande").values_list("pk", flat=True))
    assert len(first) == 2
    jobs.work()  # a worker finds it without being told
    with organization_scope(manuals.pk):
        kept = set(ChunkEmbedding.objects.values_list("pk", flat=True))
        assert first < kept
        assert len(kept) == Chunk.objects.count()


def test_a_document_that_comes_in_meanwhile_is_taken_along(manuals: Organization):
    reindexing.begin(manuals.pk, BIGGER)
    reindexing.step(manuals.pk)
    factories.make_document(manuals, "Nuevo", "# Horarios\nLa tienda abre a las nueve.")
    reindexing.finish(manuals.pk)
    with organization_scope(manuals.pk):
        assert ChunkEmbedding.objects.filter(model__name="grande").count() == Chunk.objects.count()


def test_a_document_that_is_being_read_at_the_switch_ends_with_the_new_model(manuals: Organization, settings):
    settings.SKILLNET_EMBEDDING_BATCH = 1
    with organization_scope(manuals.pk):
        document = factories.Document.objects.create(organization=manuals, title="A medias", title_is_given=True)
        version = factories.make_version(document, MANUAL.encode())
    for _step in range(3):  # read, cut, one vector of the old model
        assert ingestion.hold(version.pk)
        ingestion.step(manuals.pk, version.pk)
    reindex("--org", "acme", "--model", "grande", "--dimensions", "128")
    ingestion.run(manuals.pk, version.pk)
    with organization_scope(manuals.pk):
        version.refresh_from_db()
        assert version.embedding_model.name == "grande"
        assert version.status == "ready"
        assert not Chunk.objects.exclude(embeddings__model__name="grande").exists()


def test_a_setting_that_changes_first_leaves_an_organization_that_has_a_model_as_it_is(
    manuals: Organization, admin_membership, client_for, settings
):
    reindex("--org", "acme", "--model", "grande", "--dimensions", "128")
    settings.SKILLNET_EMBEDDING = {**settings.SKILLNET_EMBEDDING, "model": "nuevo", "dimensions": 64}
    backends.reset()
    result = found(manuals)
    assert "30 días" in result.passages[0].text
    assert "mismatch" not in result.trace
    page = client_for(admin_membership).get(reverse("documents:list", args=["acme"])).content.decode()
    assert "solo por palabras" not in page


def test_a_model_asked_for_while_another_takes_over_is_not_lost(manuals: Organization, monkeypatch):
    reindexing.begin(manuals.pk, BIGGER)
    while vectors(manuals, "grande") < vectors(manuals, "fake"):
        reindexing.step(manuals.pk)

    take_model = serving.take_model

    def after_another_was_asked_for(organization_id: UUID) -> None:
        ServingModel.objects.update(next_model=model_of("mayor", 256), next_source="mayor")
        take_model(organization_id)

    monkeypatch.setattr(serving, "take_model", after_another_was_asked_for)
    reindexing.step(manuals.pk)
    with organization_scope(manuals.pk):
        row = ServingModel.objects.get()
        assert row.model is None
        assert (row.next_model.name, row.next_source) == ("mayor", "mayor")
        assert set(DocumentVersion.objects.values_list("embedding_model__name", flat=True)) == {"fake"}


def test_wordings_follow_when_the_switch_has_committed(manuals: Organization, monkeypatch):
    with organization_scope(manuals.pk):
        save_entry(
            organization=manuals, owner=None, questions=["¿Cuánto es el fondo?"], answer="150 €", classification=1
        )
    is_embedded_within: list[bool] = []
    as_asked = services.as_asked

    def noting_locks(text: str) -> Asked:
        with connection.cursor() as cursor:
            cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = %s)", [7405])
            is_embedded_within.append(cursor.fetchone()[0])
        return as_asked(text)

    monkeypatch.setattr(services, "as_asked", noting_locks)
    reindex("--org", "acme", "--model", "grande", "--dimensions", "128")
    assert is_embedded_within == [False]
    with organization_scope(manuals.pk):
        assert FaqVariant.objects.get().model.name == "grande"


def test_old_vectors_stay_until_a_search_of_before_the_commit_has_ended(manuals: Organization):
    reindexing.begin(manuals.pk, BIGGER)
    while vectors(manuals, "grande") < vectors(manuals, "fake"):
        reindexing.step(manuals.pk)
    begun: list[psycopg.Connection[Any]] = []

    def begin_a_search(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        if sql.startswith('UPDATE "documents_servingmodel"') and not begun:
            begun.append(psycopg.connect(**connection.get_connection_params() | {"autocommit": False}))
            begun[0].execute("SELECT 1")
        return result

    with connection.execute_wrapper(begin_a_search):
        reindexing.step(manuals.pk)
    reindexing.finish(manuals.pk)
    assert vectors(manuals, "fake") == 6
    begun[0].rollback()
    reindexing.finish(manuals.pk)
    begun[0].close()
    assert vectors(manuals, "fake") == 0


def test_counting_changes_nothing(manuals: Organization):
    with organization_scope(manuals.pk):
        chunks = Chunk.objects.count()
    result = reindex("--model", "grande", "--dimensions", "128", "--dry-run")
    assert (result["chunks"], result["done"]) == (chunks, 0)
    with organization_scope(manuals.pk):
        assert not ServingModel.objects.exists()


def test_doing_it_again_does_nothing(manuals: Organization):
    reindex("--model", "grande", "--dimensions", "128")
    with organization_scope(manuals.pk):
        before = set(ChunkEmbedding.objects.values_list("pk", flat=True))
    result = reindex("--model", "grande", "--dimensions", "128")
    assert result["done"] == result["chunks"]
    with organization_scope(manuals.pk):
        assert set(ChunkEmbedding.objects.values_list("pk", flat=True)) == before


def test_an_administrator_has_a_worker_do_it(manuals: Organization, admin_membership, client_for, settings):
    admin = client_for(admin_membership)
    settings.SKILLNET_EMBEDDING = settings.SKILLNET_EMBEDDING | {"model": "grande", "dimensions": 128}
    backends.reset()
    page = admin.get(reverse("documents:list", args=["acme"])).content.decode()
    assert "Prepararla ahora" in page
    admin.post(reverse("documents:reindex", args=["acme"]))
    assert "0 de 6" in admin.get(reverse("documents:list", args=["acme"])).content.decode()
    jobs.work()
    assert vectors(manuals, "grande") == 6
    assert vectors(manuals, "fake") == 0
    page = admin.get(reverse("documents:list", args=["acme"])).content.decode()
    assert "alert--warn" not in page


def upgrade() -> None:
    migration = import_module("documents.migrations.0120_organizations_of_the_plain_model")
    migration.forward(None, SimpleNamespace(connection=connection))


@pytest.fixture
def of_plain_model(manuals: Organization) -> Organization:
    with organization_scope(manuals.pk):
        chunk = Chunk.objects.for_organization(manuals).earliest("pk")
        ChunkEmbedding.objects.create(
            organization=manuals, chunk=chunk, model=model_of(PLAIN_NAME, 384), vector=[0.1] * 384
        )
    return manuals


@pytest.fixture
def bundled_model(settings: Any) -> None:
    settings.SKILLNET_EMBEDDING = {**settings.SKILLNET_EMBEDDING, "provider": "local", "model": ""}


def row_after_upgrade(organization: Organization, **before: Any) -> ServingModel | None:
    with organization_scope(organization.pk):
        if before:
            ServingModel.objects.create(organization=organization, **before)
        for _again in range(2):
            upgrade()
        return ServingModel.objects.for_organization(organization).select_related("model", "next_model").first()


def test_an_organization_of_another_provider_stays_as_it_is(of_plain_model: Organization) -> None:
    assert row_after_upgrade(of_plain_model) is None


@pytest.mark.usefixtures("bundled_model")
def test_an_organization_of_the_plain_model_keeps_it_on_its_way_to_the_adapted_one(
    of_plain_model: Organization,
) -> None:
    row = row_after_upgrade(of_plain_model)
    assert row is not None
    assert (row.model and row.model.name, row.source) == (PLAIN_NAME, PLAIN_NAME)
    assert (row.next_model and row.next_model.name, row.next_source) == (MODEL_NAME, MODEL_NAME)


@pytest.mark.usefixtures("bundled_model")
def test_an_organization_that_had_changed_to_the_plain_model_goes_the_same_way(of_plain_model: Organization) -> None:
    row = row_after_upgrade(of_plain_model, model=model_of(PLAIN_NAME, 384), source="")
    assert row is not None
    assert (row.source, row.next_source) == (PLAIN_NAME, MODEL_NAME)


@pytest.mark.usefixtures("bundled_model")
def test_a_change_half_way_to_another_model_goes_on_from_the_plain_one(of_plain_model: Organization) -> None:
    row = row_after_upgrade(of_plain_model, next_model=model_of("grande", 128), next_source="grande")
    assert row is not None
    assert (row.model and row.model.name, row.source) == (PLAIN_NAME, PLAIN_NAME)
    assert (row.next_model and row.next_model.name, row.next_source) == ("grande", "grande")


def test_vectors_are_made_by_the_model_whose_name_they_bear(manuals: Organization) -> None:
    with organization_scope(manuals.pk):
        ServingModel.objects.create(organization=manuals, next_model=model_of("otro", 64), next_source="grande")
    with pytest.raises(BackendUnavailable):
        reindexing.step(manuals.pk)
    assert vectors(manuals, "otro") == 0
