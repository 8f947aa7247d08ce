"""Writing a backup."""

import fcntl
import hashlib
import logging
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.files.storage import default_storage
from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

from skillnet.backup import tables
from skillnet.backup.errors import FolderInUse
from skillnet.backup.manifest import DATABASE, FILES, NAME, Manifest, StoredFile, Table, file_path, on_disk, table_path

logger = logging.getLogger(__name__)

UNFINISHED = "INCOMPLETE"  # stands in the folder until the manifest does
SNAPSHOTS = 3


def back_up(folder: Path) -> Manifest:
    """Save the database as it is at one moment, with every file that it names, in a new or empty folder.

    People go on working meanwhile. One that was cut off leaves a folder without a manifest, which a later call for the
    same folder begins anew. Raises: FolderInUse; NoOwner; OSError; django.db.DatabaseError.
    """
    database = tables.owner()
    with _taken(folder):
        return _save(database, folder)


@contextmanager
def _taken(folder: Path) -> Iterator[None]:
    """A new or empty folder, or what one that was cut off left, prepared and to oneself. Raises: FolderInUse."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = folder / UNFINISHED
    if not unfinished.exists() and any(folder.iterdir()):
        raise FolderInUse(str(folder))
    with unfinished.open("ab") as mark:
        try:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)  # the kernel lets go of it when its holder dies
        except BlockingIOError as error:
            raise FolderInUse(str(folder)) from error
        if (folder / NAME).exists():
            raise FolderInUse(str(folder))
        # Whoever may read the disk must not read everybody's manuals: the folders are their owner's alone.
        for name in (DATABASE, FILES):
            shutil.rmtree(folder / name, ignore_errors=True)
            (folder / name).mkdir(mode=0o700)
        yield


def _save(database: BaseDatabaseWrapper, folder: Path) -> Manifest:
    # Files first: they never change, so what is copied before the snapshot is as it is in it, and only those that came
    # in meanwhile are left for afterwards. One that was deleted in between asks for another snapshot.
    files = _copy_files(folder, tables.stored_file_names(database), {})
    for _snapshot in range(SNAPSHOTS):
        with transaction.atomic(using="owner"):
            tables.execute(database, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            tables.execute(database, "SET LOCAL synchronize_seqscans = off")  # rows in the order they lie in
            named = tables.stored_file_names(database)
            copied: dict[str, Table] = {
                name: tables.copy_out(database, name, columns, table_path(folder, name))
                for name, columns in tables.columns_by_table(database).items()
            }
            sequences = tables.sequences(database)
            migrations = tables.applied_migrations(database)
        files = _copy_files(folder, named, files)
        missing = sorted(named - files.keys())
        if not missing:
            break
    for name in files.keys() - named:
        file_path(folder, name).unlink()
    if missing:
        logger.warning("the storage no longer has %d files that are named: %s", len(missing), ", ".join(missing))
    manifest = Manifest(
        created_at=timezone.now().isoformat(),
        migrations=migrations,
        tables=copied,
        sequences=sequences,
        files={name: files[name] for name in sorted(files.keys() & named)},
        missing=missing,
    )
    manifest.write(folder)
    (folder / UNFINISHED).unlink()
    return manifest


def _copy_files(folder: Path, names: Iterable[str], known: dict[str, StoredFile]) -> dict[str, StoredFile]:
    """The files known so far and those of `names` that the storage has, copied."""
    files = dict(known)
    for name in sorted(set(names) - known.keys()):
        try:
            files[name] = _copy_file(name, file_path(folder, name))
        except FileNotFoundError:  # deleted since its name was read; whether it should be here, a new snapshot tells
            logger.info("not in the storage: %s", name)
    return files


def _copy_file(name: str, target: Path) -> StoredFile:
    digest, size = hashlib.sha256(), 0
    with default_storage.open(name) as source:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as copy:
            for piece in source.chunks():
                digest.update(piece)
                size += copy.write(piece)
    on_disk(target)
    return StoredFile(size, digest.hexdigest())
