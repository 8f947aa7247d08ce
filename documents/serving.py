"""The model that an organization is searched with, and keeping it the same while something rests on it."""

from uuid import UUID

from django.db import connection

from documents.models import EmbeddingModel, ServingModel
from skillnet.backends import ModelChoice, configured_model, get_embedder
from skillnet.tenancy import current_organization_id, scope_memory

KEY = "serving_model"  # in the scope's memory
LOCK_SPACE = 7405  # first key of the advisory locks: shared by who stores vectors, alone by who changes the model


def row_of(organization_id: UUID) -> ServingModel | None:
    """The organization's row, with its models, looked up once a scope."""
    memory = scope_memory()
    if memory is None or KEY not in memory:
        rows = ServingModel.objects.for_organization(organization_id).select_related("model", "next_model")
        found: ServingModel | None = rows.first()
        if memory is None:
            return found
        memory[KEY] = found
    known: ServingModel | None = memory[KEY]
    return known


def look_again() -> None:
    """Have the row looked up anew: it was changed, or may have been before a lock was taken."""
    if (memory := scope_memory()) is not None:
        memory.pop(KEY, None)


def chosen_model() -> ModelChoice | None:
    """The model of the organization whose scope is open; None for the configured one."""
    organization_id = current_organization_id()
    row = None if organization_id is None else row_of(organization_id)
    return None if row is None or row.model is None else ModelChoice(row.source, row.model.dimensions)


def own_model(organization_id: UUID) -> EmbeddingModel | None:
    """The model an organization is searched with, where it is another than the configured one; None where it is not.

    Such an organization is searched as before: nothing is lost until somebody changes it over.
    """
    row = row_of(organization_id)
    if row is None or row.model is None or row.model.name == get_embedder(configured_model()).model_id:
        return None
    return row.model


def keep_model(organization_id: UUID) -> None:
    """Have the organization's model stay as it is until the present transaction ends. Call before asking for it."""
    _lock("pg_advisory_xact_lock_shared", organization_id)


def take_model(organization_id: UUID) -> None:
    """Wait until nobody stores vectors of the organization, and let nobody begin before the transaction ends."""
    _lock("pg_advisory_xact_lock", organization_id)


def lock_key(organization_id: UUID) -> int:
    """The organization as the second key of an advisory lock, which has 32 bits."""
    return organization_id.int & 0x7FFF_FFFF


def _lock(function: str, organization_id: UUID) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s, %s)", [LOCK_SPACE, lock_key(organization_id)])
    look_again()
