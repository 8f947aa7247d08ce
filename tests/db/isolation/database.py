"""Looks at the database behind what answers say."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.apps import apps
from django.db import connection, transaction

from skillnet.checks import tenant_tables
from skillnet.models import Organization
from skillnet.tenancy import TenantModel, organization_scope


def fingerprint(organization: Organization) -> dict[str, str | None]:
    """A digest of all the rows an organization has, by table."""
    statement = " UNION ALL ".join(
        f"SELECT '{table}', md5(string_agg(row_::text, '|' ORDER BY row_::text)) FROM {table} AS row_"
        for table in sorted(tenant_tables())
    )
    with organization_scope(organization.pk), connection.cursor() as cursor:
        cursor.execute(statement)
        return dict(cursor.fetchall())


def references_out_of(organization: Organization) -> list[str]:
    """Columns with values that point at rows which the organization does not have.

    Foreign keys are checked without policies: nothing in the database stops a row from pointing at another
    organization's.
    """
    checks = []
    for model in apps.get_models():
        if not issubclass(model, TenantModel):
            continue
        for field in model._meta.concrete_fields:
            target = field.related_model
            if target is not None and issubclass(target, TenantModel):
                child, parent = model._meta.db_table, target._meta.db_table
                checks.append(
                    f"SELECT '{child}.{field.column}' FROM {child} c WHERE c.{field.column} IS NOT NULL"
                    f" AND NOT EXISTS (SELECT FROM {parent} p WHERE p.{target._meta.pk.column} = c.{field.column})"
                )
    with organization_scope(organization.pk), connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(checks))
        return [name for (name,) in cursor.fetchall()]


@contextmanager
def undone() -> Iterator[None]:
    """What is written inside is taken back, inside a test's own transaction."""
    savepoint = transaction.savepoint()
    try:
        yield
    finally:
        transaction.savepoint_rollback(savepoint)
