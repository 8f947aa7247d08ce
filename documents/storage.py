"""Where uploaded files live."""

import uuid
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from documents.models import DocumentVersion


def version_path(version: "DocumentVersion", file_name: str) -> str:
    """A server-made name: nothing of the uploader's but the extension, which is checked to be plain letters."""
    extension = PurePosixPath(file_name).suffix.lower()
    if not extension[1:].isalnum() or len(extension) > 8:
        extension = ""
    return f"{version.organization_id}/{uuid.uuid4().hex}{extension}"
