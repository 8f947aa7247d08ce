"""An index of its own for the vectors of each large organization.

One index for everybody would find too little for a small organization among big ones, and costs recall for all. So
search compares every vector of an organization until it has VECTOR_INDEX_FROM of them; from then on it has a partial
index, whose condition names it. Indexes are built and dropped on the owner's connection, while everything goes on;
what there is stands in PostgreSQL's catalog, and where an index is missing search is exact, only slower.
"""

import logging
import re
from dataclasses import dataclass
from typing import Any, Final, Literal
from uuid import UUID

from django.conf import settings
from django.db import OperationalError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg.errors import DiskFull

logger = logging.getLogger(__name__)

Kind = Literal["hnsw", "ivfflat"]

PREFIX: Final = "vectors_"
LOCK_SPACE: Final = 7403  # of PostgreSQL's advisory locks: one builder at a time
KEPT_DOWN_TO: Final = 0.5  # of the line: an organization that comes and goes across it is not built for each time
OUTGROWN: Final = 4  # times as many or as few chunks as when it was built: an index is built anew
FEW_LISTS, FEW_ROWS = 10, 10_000  # of an IVFFlat index; above, as many lists as the square root of its rows
BUILD_MEMORY: Final = "512MB"
_NAME = re.compile(rf"{PREFIX}([0-9a-f]{{32}})_([0-9]+)")


@dataclass(frozen=True, slots=True)
class Space:
    """The vectors of one organization that one model made."""

    organization_id: UUID
    model_id: int
    dimensions: int
    chunk_count: int

    @property
    def index_name(self) -> str:
        return f"{name_prefix(self.organization_id)}{self.model_id}"


@dataclass(frozen=True, slots=True)
class Index:
    """An index that exists. One whose building was cut off is not valid, and nothing uses it."""

    name: str
    kind: Kind
    is_valid: bool
    built_for: int  # chunks
    size: int  # bytes


@dataclass(frozen=True, slots=True)
class Plan:
    """What there is to do: indexes to drop, by name, and spaces to build one for."""

    drop: tuple[str, ...]
    build: tuple[Space, ...]

    def __bool__(self) -> bool:
        return bool(self.drop or self.build)


def name_prefix(organization_id: UUID) -> str:
    """The name of an organization's index, but for the model's number at its end."""
    return f"{PREFIX}{organization_id.hex}_"


def lists_for(row_count: int) -> int:
    """How many lists an IVFFlat index over so many rows has."""
    return FEW_LISTS if row_count <= FEW_ROWS else round(row_count**0.5)


def spaces(at_least: int = 1) -> list[Space]:
    """Every organization's served vectors by model, the largest first.

    Asks a SECURITY DEFINER function that counts, because no single organization's scope could tell.
    """
    sql = "SELECT organization_id, model_id, dimensions, chunk_count FROM documents_vector_counts(%s)"
    return [Space(*row) for row in _rows(connection, sql, [at_least])]


def existing() -> dict[str, Index]:
    """The indexes there are, by name."""
    sql = """
        SELECT i.relname, am.amname, x.indisvalid, obj_description(i.oid, 'pg_class'), pg_relation_size(i.oid)
        FROM pg_class AS i JOIN pg_index AS x ON x.indexrelid = i.oid JOIN pg_am AS am ON am.oid = i.relam
        WHERE x.indrelid = 'documents_chunkembedding'::regclass AND starts_with(i.relname, %s)
        ORDER BY i.relname
    """
    return {
        name: Index(name, kind, is_valid, int(comment or 0), size)
        for name, kind, is_valid, comment, size in _rows(connection, sql, [PREFIX])
        if _NAME.fullmatch(name)
    }


def plan() -> Plan:
    """What has to change for every organization to be served by the index that suits its size."""
    kind, line = settings.SKILLNET_VECTOR_INDEX["kind"], settings.SKILLNET_VECTOR_INDEX["from"]
    large = spaces(max(1, int(line * KEPT_DOWN_TO))) if kind != "none" else []
    known = existing()
    fits = {
        space.index_name
        for space in large
        if (index := known.get(space.index_name)) is not None and _suits(index, space, kind)
    }
    return Plan(
        drop=tuple(name for name in known if name not in fits),
        build=tuple(space for space in large if space.chunk_count >= line and space.index_name not in fits),
    )


def tend() -> Plan:
    """Carry the plan out, on the owner's connection, and return what was done. Safe to run at any time.

    Nothing is done while another process is at it. Raises: django.db.DatabaseError; what is left is done next time.
    """
    todo = plan()
    if not todo:
        return todo
    owner = connections["owner"]
    if not _rows(owner, "SELECT pg_try_advisory_lock(%s, 0)", [LOCK_SPACE])[0][0]:
        return Plan((), ())
    try:
        todo = plan()  # what the other process left
        for name in todo.drop:
            logger.info("dropping vector index %s", name)
            _execute(owner, f"DROP INDEX CONCURRENTLY IF EXISTS {owner.ops.quote_name(name)}")
        for space in todo.build:
            logger.info("building vector index %s for %s chunks", space.index_name, space.chunk_count)
            _build(owner, space, settings.SKILLNET_VECTOR_INDEX["kind"])
    finally:
        _execute(owner, "SELECT pg_advisory_unlock(%s, 0)", [LOCK_SPACE])
    return todo


def can_tend() -> bool:
    """Whether this process has the owner's connection: one that only serves people need not."""
    return "owner" in connections.settings


def _suits(index: Index, space: Space, kind: Kind) -> bool:
    is_of_its_size = space.chunk_count / OUTGROWN < index.built_for < space.chunk_count * OUTGROWN
    return index.is_valid and index.kind == kind and is_of_its_size


def _build(owner: BaseDatabaseWrapper, space: Space, kind: Kind) -> None:
    options = {
        "hnsw": "m = 24, ef_construction = 128",
        "ivfflat": f"lists = {lists_for(space.chunk_count)}",
    }[kind]
    name = owner.ops.quote_name(space.index_name)
    _execute(owner, "SELECT set_config('maintenance_work_mem', %s, false)", [BUILD_MEMORY])
    # The organization and the model stand in it as constants: only so does the planner see that the index serves them.
    build = f"""
        CREATE INDEX CONCURRENTLY {name} ON documents_chunkembedding
        USING {kind} ((vector::halfvec({space.dimensions})) halfvec_cosine_ops) WITH ({options})
        WHERE organization_id = %s AND model_id = %s AND version_id IS NOT NULL
        """
    values = [space.organization_id, space.model_id]
    try:
        _execute(owner, build, values)
    except OperationalError as error:
        if not isinstance(error.__cause__, DiskFull):
            raise
        # Several processes build in shared memory, of which a container has little; one process needs none.
        logger.warning("building vector index %s in one process: %s", space.index_name, error)
        _execute(owner, f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        _execute(owner, "SELECT set_config('max_parallel_maintenance_workers', '0', false)")
        _execute(owner, build, values)
    _execute(owner, f"COMMENT ON INDEX {name} IS %s", [str(space.chunk_count)])


def _execute(database: BaseDatabaseWrapper, sql: str, parameters: list[Any] | None = None) -> None:
    with database.cursor() as cursor:
        cursor.execute(sql, parameters)


def _rows(database: Any, sql: str, parameters: list[Any]) -> list[tuple[Any, ...]]:
    with database.cursor() as cursor:
        cursor.execute(sql, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
