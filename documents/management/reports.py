"""How commands tell what became of a document."""

from typing import Any

from documents.models import DocumentVersion


def version_report(version: DocumentVersion, path: str, seconds: float, duplicate_of: int | None) -> dict[str, Any]:
    """One entry of the `documents` that ingest and reingest print."""
    chunks = version.chunks.count()
    return {
        "path": path,
        "document_id": str(version.document_id),
        "version": version.number,
        "status": version.status,
        "page_count": version.page_count,
        "pages_without_text": version.pages_without_text,
        "chunk_count": chunks,
        "duplicate_of": None if duplicate_of is None else str(duplicate_of),
        "warnings": version.warnings,
        "error": {"code": version.error_code, "message": version.error_message} if version.error_code else None,
        "seconds": round(seconds, 3),
    }


def refusal_report(path: str, code: str, message: str) -> dict[str, Any]:
    """The entry of a file that was not taken in."""
    return {
        "path": path,
        "document_id": None,
        "version": None,
        "status": "failed",
        "page_count": 0,
        "pages_without_text": [],
        "chunk_count": 0,
        "duplicate_of": None,
        "warnings": [],
        "error": {"code": code, "message": message},
        "seconds": 0.0,
    }


def as_text(result: dict[str, Any]) -> str:
    """A line a document, for people."""
    lines = []
    for one in result["documents"]:
        end = one["error"]["message"] if one["error"] else f"{one['chunk_count']} fragmentos, {one['seconds']:.1f} s"
        lines.append(f"{one['status']:20} {one['path']}: {end}")
    return "\n".join(lines)
