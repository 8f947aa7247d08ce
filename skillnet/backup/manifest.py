"""What belongs to a backup, and whether it is all there."""

import hashlib
import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from skillnet.backup.errors import BackupDamaged, NotABackup

FORMAT = 1
NAME = "manifest.json"
DATABASE, FILES = "database", "files"
PIECE = 1024 * 1024  # bytes read at once


@dataclass(frozen=True, slots=True)
class Table:
    """One table as it was copied: its data is the text form of COPY, compressed."""

    columns: list[str]
    rows: int
    sha256: str  # of the data before compression
    stored_sha256: str  # of the compressed file


@dataclass(frozen=True, slots=True)
class StoredFile:
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The contents of a backup."""

    created_at: str
    migrations: list[str]  # «app.name» of every one applied: tells which release the data belongs to
    tables: dict[str, Table]
    sequences: dict[str, int]  # the value each gave out last
    files: dict[str, StoredFile]
    missing: list[str] = field(default_factory=list)  # files that rows name and the storage no longer had
    format: int = FORMAT

    @property
    def row_count(self) -> int:
        return sum(table.rows for table in self.tables.values())

    @classmethod
    def read(cls, folder: Path) -> Self:
        """The manifest of the backup in a folder. Raises: NotABackup; BackupDamaged, when it cannot be understood."""
        try:
            stored: dict[str, Any] = json.loads((folder / NAME).read_text(encoding="utf-8"))
        except (FileNotFoundError, NotADirectoryError) as error:
            raise NotABackup(str(folder)) from error
        except ValueError as error:
            raise BackupDamaged(NAME) from error
        try:
            stored["tables"] = {name: Table(**table) for name, table in stored["tables"].items()}
            stored["files"] = {name: StoredFile(**file) for name, file in stored["files"].items()}
            manifest = cls(**stored)
        except (AttributeError, KeyError, TypeError) as error:
            raise BackupDamaged(NAME) from error
        if manifest.format != FORMAT:
            raise BackupDamaged(f"{NAME}: format {manifest.format}")
        return manifest

    def write(self, folder: Path) -> None:
        """Put it into a folder, whole or not at all, after everything else is on the disk."""
        draft = folder / f"{NAME}.new"
        draft.write_text(json.dumps(asdict(self), ensure_ascii=False, indent=1), encoding="utf-8")
        on_disk(draft)
        for place, _folders, _files in os.walk(folder):  # each knows the names of its files by itself
            on_disk(Path(place))
        draft.replace(folder / NAME)
        on_disk(folder)
        on_disk(folder.parent)

    def verify(self, folder: Path) -> None:
        """Read all of a backup once. Raises: BackupDamaged, naming what is missing or changed."""
        for name, table in self.tables.items():
            _verify(table_path(folder, name), table.stored_sha256)
        for name, file in self.files.items():
            _verify(file_path(folder, name), file.sha256)


def table_path(folder: Path, table: str) -> Path:
    return folder / DATABASE / f"{table}.copy.gz"


def file_path(folder: Path, name: str) -> Path:
    """Where a backup keeps a file. Raises: BackupDamaged, for a name that would lead out of its folder."""
    place = (folder / FILES / name).resolve()
    if not place.is_relative_to((folder / FILES).resolve()):
        raise BackupDamaged(name)
    return place


def sha256_of(path: Path) -> str:
    """The hex digest of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def on_disk(path: Path) -> None:
    """Return once the disk has what was written to a file, or a folder's list of names."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _verify(path: Path, sha256: str) -> None:
    try:
        is_whole = sha256_of(path) == sha256
    except OSError as error:
        raise BackupDamaged(path.name) from error
    if not is_whole:
        raise BackupDamaged(path.name)
