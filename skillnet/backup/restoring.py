"""Bringing a backup back."""

import hashlib
import logging
from pathlib import Path

from django.core.cache import cache
from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from redis.exceptions import RedisError

from skillnet.backup import tables
from skillnet.backup.errors import BackupDamaged, OtherRelease, TargetInUse
from skillnet.backup.manifest import Manifest, StoredFile, file_path, table_path

logger = logging.getLogger(__name__)


def restore(folder: Path, *, replace: bool = False) -> Manifest:
    """Bring everything back from a backup into this installation, which must be empty unless it is to be replaced.

    All of the backup is read and checked first. The database changes in one transaction, in which what was loaded is
    read again and compared; one that is cut off is begun anew by the same call. Stop web server and workers before.
    Raises: NotABackup, BackupDamaged, OtherRelease, TargetInUse, NoOwner; OSError; django.db.DatabaseError.
    """
    manifest = Manifest.read(folder)
    manifest.verify(folder)
    database = tables.owner()
    columns = tables.columns_by_table(database)
    kept = {name: table.columns for name, table in manifest.tables.items()}
    if tables.applied_migrations(database) != manifest.migrations or columns != kept:
        raise OtherRelease
    if not replace and (used := tables.tables_with_rows(database)):
        raise TargetInUse(", ".join(used))
    superfluous = tables.stored_file_names(database) - manifest.files.keys()
    for name, file in manifest.files.items():
        _bring_file(folder, name, file)
    with transaction.atomic(using="owner"):
        _load(database, folder, manifest)
    tables.execute(database, "ANALYZE")
    for name in superfluous - tables.stored_file_names(database):
        default_storage.delete(name)
    try:
        cache.clear()  # what was remembered of other rows, and jobs for them; the sweeper finds what there is to do
    except RedisError as error:
        logger.warning("the cache could not be emptied: %s", error)
    return manifest


def _load(database: BaseDatabaseWrapper, folder: Path, manifest: Manifest) -> None:
    everything = ", ".join(map(database.ops.quote_name, manifest.tables))
    tables.execute(database, "SET LOCAL synchronize_seqscans = off")  # to be compared in the order they came in
    tables.execute(database, "SET CONSTRAINTS ALL DEFERRED")  # tables refer to each other in circles
    tables.execute(database, f"TRUNCATE {everything}")
    for name, table in manifest.tables.items():
        rows = tables.copy_in(database, name, table.columns, table_path(folder, name))
        if rows != table.rows or tables.digest_of(database, name, table.columns) != table.sha256:
            raise BackupDamaged(name)
    for name, value in manifest.sequences.items():
        tables.execute(database, "SELECT setval(%s::regclass, %s)", [database.ops.quote_name(name), value])


def _bring_file(folder: Path, name: str, file: StoredFile) -> None:
    """Have a file of the backup in the storage, under its own name."""
    if default_storage.exists(name):
        if _stored_digest(name) == file.sha256:
            return
        default_storage.delete(name)
    with file_path(folder, name).open("rb") as source:
        stored = default_storage.save(name, File(source))
    if stored != name or _stored_digest(name) != file.sha256:
        raise BackupDamaged(name)


def _stored_digest(name: str) -> str:
    digest = hashlib.sha256()
    with default_storage.open(name) as stored:
        for piece in stored.chunks():
            digest.update(piece)
    return digest.hexdigest()
