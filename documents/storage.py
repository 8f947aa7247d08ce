"""Where uploaded files live."""

import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from documents.models import DocumentVersion


def version_path(version: "DocumentVersion", file_name: str) -> str:
    """A server-made name: nothing of the uploader's but the extension, which is checked to be plain letters."""
    extension = PurePosixPath(file_name).suffix.lower()
    if not extension[1:].isalnum() or len(extension) > 8:
        extension = ""
    return f"{version.organization_id}/{uuid.uuid4().hex}{extension}"


@contextmanager
def local_file(version: "DocumentVersion") -> Iterator[Path]:
    """The version's file as a path on this machine, copied there when the storage is elsewhere."""
    try:
        path = Path(version.file.path)
    except NotImplementedError:  # a storage without a file system, such as S3
        with (
            tempfile.NamedTemporaryFile(suffix=Path(version.file.name or "").suffix) as copy,
            version.file.open() as source,
        ):
            for piece in source.chunks():
                copy.write(piece)
            copy.flush()
            yield Path(copy.name)
        return
    yield path
