"""Another embedding model for what is served, while the present one goes on serving.

The new model's vectors are made beside the old ones, a batch a step, by a worker or by the command. When no served
chunk lacks one, the organization changes over in one transaction; a search that is running keeps the vectors it began
with. Old vectors are removed when every search of before has ended.
"""

import logging
from dataclasses import dataclass
from uuid import UUID

from django.db import connection
from django.db.models import Exists, F, OuterRef
from django.db.models.functions import Now

from documents import ingestion, serving
from documents.embedding_models import model_of
from documents.models import Chunk, ChunkEmbedding, DocumentVersion, EmbeddingModel, ServingModel
from documents.signals import model_switched
from skillnet.backends import ModelChoice, get_embedder
from skillnet.errors import BackendUnavailable, SkillNetError
from skillnet.tenancy import organization_scope

logger = logging.getLogger(__name__)

LOCK_SPACE = 7404  # first key of the advisory locks on organizations whose vectors are made anew
BATCH = 64  # chunks a step
REMOVED_AT_ONCE = 5_000


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of an organization's served chunks have a vector of a model."""

    chunks: int
    done: int


def progress(organization_id: UUID, name: str, dimensions: int) -> Progress:
    """How far an organization is on its way to a model. Call inside its scope."""
    served = Chunk.objects.for_organization(organization_id).filter(version__isnull=False)
    made = ChunkEmbedding.objects.for_organization(organization_id).filter(
        version__isnull=False, model__name=name, model__dimensions=dimensions
    )
    return Progress(served.count(), made.count())


def progress_of(organization_id: UUID) -> Progress | None:
    """How far an organization is on its way to another model; None when it is on none. Call inside its scope."""
    row = serving.row_of(organization_id)
    if row is None or row.next_model is None:
        return None
    return progress(organization_id, row.next_model.name, row.next_model.dimensions)


def begin(organization_id: UUID, choice: ModelChoice) -> None:
    """Have an organization change over to a model. Safe to repeat; another model than last time begins anew.

    Raises: BackendUnavailable, when the model cannot be loaded or reached: then nothing was begun.
    """
    embedder = get_embedder(choice)
    embedder.embed_query("calentamiento")
    model = model_of(embedder.model_id, embedder.dimensions)
    with organization_scope(organization_id):
        ServingModel.objects.update_or_create(
            organization_id=organization_id, defaults={"next_model": model, "next_source": choice.name or model.name}
        )
        serving.look_again()


def is_due() -> bool:
    """Whether any organization is on its way to another model."""
    return bool(_due())


def advance() -> bool:
    """Do the next step for whichever organization is due. Returns whether to go on.

    What fails is logged and tried again in a later round.
    """
    for organization_id in _due():
        if not _hold(organization_id):
            continue
        try:
            if step(organization_id):
                return True
        except SkillNetError as error:
            logger.warning("vectors of organization %s: %s: %s", organization_id, error.code, error)
        finally:
            _release(organization_id)
    return False


def finish(organization_id: UUID) -> None:
    """Do every step there is for an organization, in this process. Raises: BackendUnavailable, InvalidEmbedding."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s, %s)", [LOCK_SPACE, serving.lock_key(organization_id)])
    try:
        while step(organization_id):
            pass
    finally:
        _release(organization_id)


def step(organization_id: UUID) -> bool:
    """Do the next bounded step. Returns whether something was done. Raises: BackendUnavailable, InvalidEmbedding."""
    with organization_scope(organization_id):
        serving.look_again()
        row = serving.row_of(organization_id)
        batch = [] if row is None or row.next_model is None else _without_vector(organization_id, row.next_model)
    if row is None:
        return False
    if batch:
        _fill(organization_id, row, batch)
        return True
    if row.next_model is not None:
        _switch(organization_id, row.next_model)
        return True
    return not row.is_tidy and _tidy(organization_id, row)


def _without_vector(organization_id: UUID, model: EmbeddingModel) -> list[Chunk]:
    made = ChunkEmbedding.objects.filter(chunk=OuterRef("pk"), model=model)
    return list(
        Chunk.objects.for_organization(organization_id)
        .filter(~Exists(made), version__isnull=False)
        .select_related("version__document__collection")
        .only("text", "meaning_text", "version__document__collection__late_interaction")
        .order_by("pk")[:BATCH]
    )


def _fill(organization_id: UUID, row: ServingModel, batch: list[Chunk]) -> None:
    """Store the next model's vectors of some chunks. They are made outside of any transaction: that may take long."""
    assert row.next_model is not None
    embedder = get_embedder(ModelChoice(row.next_source, row.next_model.dimensions))
    if embedder.model_id != row.next_model.name:  # such as the bundled one of another release
        raise BackendUnavailable(
            f"{row.next_source or 'the configured model'} is {embedder.model_id}, not {row.next_model}"
        )
    made: dict[int, tuple[list[float], bytes | None]] = {}
    for keep_tokens in (True, False):
        part = [chunk for chunk in batch if chunk.version and ingestion.keeps_tokens(chunk.version) is keep_tokens]
        for chunk, (vector, tokens) in zip(
            part, ingestion.embedded_by(embedder, part, keep_tokens=keep_tokens), strict=True
        ):
            made[chunk.pk] = (vector.tolist(), tokens)
    with organization_scope(organization_id):
        # Those that another version has replaced meanwhile are gone; the others may not go before this commits.
        still_served = Chunk.objects.filter(pk__in=made, version__isnull=False).select_for_update(no_key=True)
        ChunkEmbedding.objects.bulk_create(
            [
                ChunkEmbedding(
                    organization_id=organization_id,
                    chunk_id=pk,
                    version_id=version_id,
                    model=row.next_model,
                    vector=made[pk][0],
                    tokens=made[pk][1],
                )
                for pk, version_id in still_served.order_by("pk").values_list("pk", "version_id")
            ],
            ignore_conflicts=True,
        )


def _switch(organization_id: UUID, model: EmbeddingModel) -> None:
    """Search an organization with its next model from now on, unless a chunk without its vector came in meanwhile."""
    with organization_scope(organization_id):
        serving.take_model(organization_id)
        rows = ServingModel.objects.for_organization(organization_id)
        # Locked, so that nobody asks for yet another model before this commits; one asked for meanwhile begins anew.
        is_wanted = rows.select_for_update(no_key=True).filter(next_model=model).exists()
        if not is_wanted or _without_vector(organization_id, model):
            return
        without_tokens = ChunkEmbedding.objects.filter(version=OuterRef("pk"), model=model, tokens__isnull=True)
        DocumentVersion.objects.for_organization(organization_id).filter(
            document_where_active__isnull=False, vectors_pending=False
        ).update(embedding_model=model, has_token_vectors=~Exists(without_tokens))
        rows.update(
            model=model,
            source=F("next_source"),
            next_model=None,
            next_source="",
            switched_at=None,
            is_tidy=False,
        )
        serving.look_again()
    logger.info("organization %s is searched with %s", organization_id, model)
    model_switched.send(sender=ServingModel, organization_id=organization_id)


def _tidy(organization_id: UUID, row: ServingModel) -> bool:
    """Remove some vectors of other models. Returns whether to go on; not while a search of before the switch runs."""
    with organization_scope(organization_id), connection.cursor() as cursor:
        if row.switched_at is None:  # noted once the switch has committed: who begins from then on sees it
            ServingModel.objects.for_organization(organization_id).update(switched_at=Now())
            return True
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND xact_start < %s)",
            [row.switched_at],
        )
        if cursor.fetchone()[0]:
            return False
        cursor.execute(
            """
            DELETE FROM documents_chunkembedding WHERE id IN (
                SELECT id FROM documents_chunkembedding
                WHERE organization_id = %s AND model_id <> %s AND version_id IS NOT NULL LIMIT %s)
            """,
            [organization_id, row.model_id, REMOVED_AT_ONCE],
        )
        if cursor.rowcount < REMOVED_AT_ONCE:
            ServingModel.objects.for_organization(organization_id).filter(next_model=None).update(is_tidy=True)
        return True


def _due() -> list[UUID]:
    """Asks a SECURITY DEFINER function, because no single organization's scope could tell; it returns ids alone."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT organization_id FROM documents_reindexing()")
        return [row[0] for row in cursor.fetchall()]


def _hold(organization_id: UUID) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [LOCK_SPACE, serving.lock_key(organization_id)])
        return bool(cursor.fetchone()[0])


def _release(organization_id: UUID) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [LOCK_SPACE, serving.lock_key(organization_id)])
