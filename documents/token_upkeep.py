"""Token vectors of what is already served, brought in line with what its collection wants now.

Where a collection does without, they are removed; where it wants them again, or a document moves to one that does, they
are made. A version's `has_token_vectors` says what is stored; search does not wait for any of this.
"""

import logging
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction

from documents import ingestion
from documents.models import Chunk, ChunkEmbedding, DocumentVersion
from skillnet.backends import get_embedder
from skillnet.errors import BackendUnavailable, SkillNetError
from skillnet.tenancy import organization_scope

logger = logging.getLogger(__name__)


def next_due() -> tuple[UUID, int] | None:
    """The organization and id of a served version whose token vectors are not as its collection wants them.

    Asks a SECURITY DEFINER function that tells no contents. Versions of models that their organization is not searched
    with are passed over, and where its embedder gives no token vectors or is away, those that want some.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT organization_id, version_id, has_tokens FROM documents_token_upkeep(%s)", [get_embedder().model_id]
        )
        due = cursor.fetchall()
    for organization_id, version_id, has_tokens in due:
        if has_tokens or _gives_tokens(organization_id):
            return organization_id, version_id
    return None


def _gives_tokens(organization_id: UUID) -> bool:
    """Whether the embedder that an organization is searched with makes token vectors, and can be had."""
    with organization_scope(organization_id):
        try:
            return get_embedder().supports_tokens
        except BackendUnavailable as error:
            logger.warning("embedder of organization %s: %s", organization_id, error)
            return False


def advance() -> bool:
    """Do the next bounded step, for whichever version is due. Returns whether to go on.

    What fails is logged and tried again in a later round.
    """
    due = next_due()
    if due is None or not ingestion.hold(due[1]):
        return False
    try:
        with organization_scope(due[0]):
            _step(due[1])
    except SkillNetError as error:
        logger.warning("token vectors of version %s: %s: %s", due[1], error.code, error)
        return False
    finally:
        ingestion.release(due[1])
    return True


@transaction.atomic
def _step(version_id: int) -> None:
    version = DocumentVersion.objects.select_related("document__collection").filter(pk=version_id).first()
    if version is None:  # deleted meanwhile
        return
    rows = ChunkEmbedding.objects.filter(version=version, model=version.embedding_model)
    wanted = ingestion.keeps_tokens(version)
    if wanted:
        batch = list(
            Chunk.objects.filter(pk__in=rows.filter(tokens__isnull=True).values("chunk_id"))
            .only("pk", "text", "meaning_text")
            .order_by("token_count", "position")[: settings.SKILLNET_EMBEDDING_BATCH]
        )
        for chunk, (_vector, tokens) in zip(batch, ingestion.embedded(batch), strict=True):
            rows.filter(chunk=chunk).update(tokens=tokens)
        if batch:
            return
    else:
        rows.filter(tokens__isnull=False).update(tokens=None)
    version.has_token_vectors = wanted
    version.save(update_fields=["has_token_vectors"])
