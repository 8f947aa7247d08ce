"""Whose rows a piece of code may touch.

Three layers: code names the organization, `organization_scope` names it to PostgreSQL for one transaction, and
row-level security refuses the rest. Outside any scope a query of a tenant table finds nothing and a write is refused.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Self
from uuid import UUID

from django.db import connection, models, transaction

from skillnet.errors import NoOrganizationScope

_current: ContextVar[UUID | None] = ContextVar("organization_scope", default=None)


_memory: ContextVar[dict[str, Any] | None] = ContextVar("organization_scope_memory", default=None)


def scope_memory() -> dict[str, Any] | None:
    """What was looked up in the scope that is open, for those who would ask again; gone with it. None outside."""
    return _memory.get()


def current_organization_id() -> UUID | None:
    """The organization whose scope is open in this thread, or None."""
    return _current.get()


def _name_organization(value: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('app.organization_id', %s, true)", [value])


@contextmanager
def organization_scope(organization_id: UUID, *, snapshot: bool = False) -> Iterator[None]:
    """Open one transaction in which the rows of one organization can be read and written.

    With `snapshot` all of its queries see the database as it was at the first: for reads that take several queries.

    The scope ends with its transaction, so nothing is left behind on a pooled connection. Opening the same
    organization's scope again inside is allowed and changes nothing.
    Raises: NoOrganizationScope, when another organization's scope is open.
    """
    current = _current.get()
    if current == organization_id:
        yield
        return
    if current is not None:
        raise NoOrganizationScope(f"scope of {current} is open, {organization_id} asked")
    token, memory = _current.set(organization_id), _memory.set({})
    is_outermost = not connection.in_atomic_block  # always, but inside a test's enclosing transaction
    try:
        # durable: an outer transaction would keep the setting alive after the scope's end.
        with transaction.atomic(durable=True):
            if snapshot and is_outermost:
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            _name_organization(str(organization_id))
            yield
    finally:
        _current.reset(token)
        _memory.reset(memory)
        # Only inside a test's enclosing transaction: a released savepoint keeps the setting made in it.
        if connection.in_atomic_block and not connection.needs_rollback:
            _name_organization("")


class TenantQuerySet(models.QuerySet[Any]):
    """Rows of organizations. Row-level security guards; code still says aloud whose rows it wants."""

    def for_organization(self, organization: Any) -> Self:
        return self.filter(organization=organization)


class TenantModel(models.Model):
    """A row that belongs to one organization. Its table needs a policy: see docs/decisions/0001."""

    organization = models.ForeignKey("skillnet.Organization", models.CASCADE, related_name="+", db_index=True)

    objects = TenantQuerySet.as_manager()

    class Meta:
        abstract = True
