"""Tables in and out of the database, in PostgreSQL's own text form, on the owner's connection.

The owner of the tables is not bound by their policies: it alone sees every organization's rows.
"""

import gzip
import hashlib
from contextlib import closing
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import FileField

from skillnet import appearance
from skillnet.backup.errors import NoOwner
from skillnet.backup.manifest import PIECE, Table, on_disk, sha256_of

# Whether the schema fits is asked before; the rows of this table are the schema's, not the data's.
MIGRATIONS = "django_migrations"
# Made by every migration of an empty database: they do not tell that somebody works here.
MADE_BY_MIGRATING = frozenset({"auth_permission", "django_content_type"})
COMPRESSION = 3  # vectors hardly shrink; more would only take longer


def owner() -> BaseDatabaseWrapper:
    """The connection of the tables' owner. Raises: NoOwner, when this process has none."""
    if "owner" not in connections.settings:
        raise NoOwner
    return connections["owner"]


def columns_by_table(database: BaseDatabaseWrapper) -> dict[str, list[str]]:
    """The stored columns of every table but the one of migrations; generated ones are left out."""
    rows = rows_of(
        database,
        """
        SELECT c.relname, array_agg(a.attname::text ORDER BY a.attnum)
        FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> %s
        GROUP BY c.relname ORDER BY c.relname
        """,
        [MIGRATIONS],
    )
    return dict(rows)


def applied_migrations(database: BaseDatabaseWrapper) -> list[str]:
    return [f"{app}.{name}" for app, name in rows_of(database, "SELECT app, name FROM django_migrations ORDER BY 1, 2")]


def sequences(database: BaseDatabaseWrapper) -> dict[str, int]:
    """The value that each sequence gave out last; those that gave none are left out."""
    sql = """
        SELECT sequencename, last_value FROM pg_sequences
        WHERE schemaname = 'public' AND last_value IS NOT NULL AND sequencename NOT LIKE %s ORDER BY 1
    """
    return dict(rows_of(database, sql, [f"{MIGRATIONS}%"]))


def stored_file_names(database: BaseDatabaseWrapper) -> set[str]:
    """The names of all files that rows refer to."""
    names = appearance.logos(database.alias)
    for model in apps.get_models():
        for model_field in model._meta.get_fields():
            if isinstance(model_field, FileField) and model_field.column:
                column, table = map(database.ops.quote_name, (model_field.column, model._meta.db_table))
                sql = f"SELECT DISTINCT {column} FROM {table} WHERE {column} <> ''"  # noqa: S608 - the model's own names
                names.update(name for (name,) in rows_of(database, sql))
    return names


def tables_with_rows(database: BaseDatabaseWrapper) -> list[str]:
    """The tables in which somebody has stored something."""
    found = []
    for name in columns_by_table(database).keys() - MADE_BY_MIGRATING:
        sql = f"SELECT EXISTS (SELECT FROM {database.ops.quote_name(name)})"  # noqa: S608 - from the catalog
        if rows_of(database, sql)[0][0]:
            found.append(name)
    return sorted(found)


def copy_out(database: BaseDatabaseWrapper, name: str, columns: list[str], path: Path) -> Table:
    """Write a table's rows to a file, on the disk when this returns."""
    digest = hashlib.sha256()
    with database.cursor() as cursor:
        with gzip.open(path, "wb", COMPRESSION) as file, cursor.copy(_statement(database, name, columns, "TO")) as copy:
            for piece in copy:
                digest.update(piece)
                file.write(piece)
        rows = cursor.rowcount
    on_disk(path)
    return Table(columns, rows, digest.hexdigest(), sha256_of(path))


def copy_in(database: BaseDatabaseWrapper, name: str, columns: list[str], path: Path) -> int:
    """Add a file's rows to a table. Returns how many they were."""
    with database.cursor() as cursor:
        with gzip.open(path, "rb") as file, cursor.copy(_statement(database, name, columns, "FROM")) as copy:
            while piece := file.read(PIECE):
                copy.write(piece)
        return int(cursor.rowcount)


def digest_of(database: BaseDatabaseWrapper, name: str, columns: list[str]) -> str:
    """The digest that `copy_out` would give, without writing anything."""
    digest = hashlib.sha256()
    with database.cursor() as cursor, cursor.copy(_statement(database, name, columns, "TO")) as copy:
        for piece in copy:
            digest.update(piece)
    return digest.hexdigest()


def _statement(database: BaseDatabaseWrapper, name: str, columns: list[str], direction: str) -> str:
    quoted = ", ".join(map(database.ops.quote_name, columns))
    end = "STDOUT" if direction == "TO" else "STDIN"
    return f"COPY {database.ops.quote_name(name)} ({quoted}) {direction} {end}"


def rows_of(database: BaseDatabaseWrapper, sql: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
    with closing(database.cursor()) as cursor:
        cursor.execute(sql, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def execute(database: BaseDatabaseWrapper, sql: str, parameters: list[Any] | None = None) -> None:
    with closing(database.cursor()) as cursor:
        cursor.execute(sql, parameters)
