"""What must hold in the database, and between it and the files, whatever was killed."""

import hashlib
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.core.files.storage import default_storage
from django.db import OperationalError, connections

UNFINISHED = """
    SELECT id, status, progress_done, attempt_count FROM documents_documentversion
    WHERE status NOT IN ('ready', 'ready_with_warnings', 'failed', 'cancelled') OR vectors_pending
"""
# Each counts what must not be there.
RULES = {
    "drafts left": "SELECT count(*) FROM documents_chunk WHERE draft_of_id IS NOT NULL",
    "chunks of no served version": """
        SELECT count(*) FROM documents_chunk c
        WHERE version_id IS NOT NULL
          AND NOT EXISTS (SELECT FROM documents_document d WHERE d.active_version_id = c.version_id)""",
    "gaps in a document": """
        SELECT count(*) FROM (
            SELECT version_id FROM documents_chunk WHERE version_id IS NOT NULL GROUP BY version_id
            HAVING count(*) <> max(position) + 1) AS broken""",
    "chunk counts that are wrong": """
        SELECT count(*) FROM documents_documentversion v JOIN documents_document d ON d.active_version_id = v.id
        WHERE v.chunk_count <> (SELECT count(*) FROM documents_chunk c WHERE c.version_id = v.id)""",
    "chunks without one vector of their model": """
        SELECT count(*) FROM documents_chunk c JOIN documents_documentversion v ON v.id = c.version_id
        WHERE (SELECT count(*) FROM documents_chunkembedding e
               WHERE e.chunk_id = c.id AND e.model_id = v.embedding_model_id) <> 1""",
    "vectors of other dimensions than their model's": """
        SELECT count(*) FROM documents_chunkembedding e JOIN documents_embeddingmodel m ON m.id = e.model_id
        WHERE vector_dims(e.vector) <> m.dimensions""",
    "organizations whose statistics are wrong": """
        SELECT count(*) FROM documents_corpusstatistic s
        WHERE s.chunk_count <> (
            SELECT count(*) FROM documents_chunk c
            WHERE c.organization_id = s.organization_id AND c.version_id IS NOT NULL)""",
    "documents taken in twice": """
        SELECT count(*) FROM (
            SELECT sha256 FROM documents_documentversion
            GROUP BY organization_id, sha256 HAVING count(*) > 1
        ) AS twice""",
    "questions asked twice": """
        SELECT count(*) FROM (
            SELECT submission FROM tutor_turn GROUP BY submission HAVING count(*) > 1) AS twice""",
}


@dataclass(frozen=True, slots=True)
class Facts:
    """What there was at one moment: a digest of every served document and of every answer given."""

    documents: dict[str, str] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)


def facts(organization_id: UUID) -> Facts:
    return Facts(
        documents=dict(
            _rows(
                """
                SELECT d.id::text, md5(string_agg(c.text, E'\\n' ORDER BY c.position))
                FROM documents_document d JOIN documents_chunk c ON c.version_id = d.active_version_id
                WHERE d.organization_id = %s GROUP BY d.id
                """,
                [organization_id],
            )
        ),
        answers=dict(
            _rows(
                "SELECT id::text, md5(answer) FROM tutor_turn WHERE organization_id = %s AND status = 'done'",
                [organization_id],
            )
        ),
    )


def unfinished() -> list[tuple[Any, ...]]:
    """Versions without a final state, and turns without an answer."""
    return [
        *_rows(UNFINISHED),
        *_rows("SELECT id, status FROM tutor_turn WHERE status NOT IN ('done', 'failed')"),
    ]


def is_settled() -> bool:
    try:
        return not unfinished()
    except OperationalError:  # the server is not back yet
        connections.close_all()
        return False


def problems(before: Facts, organization_id: UUID) -> list[str]:
    """Everything that is not as it must be; nothing when all is well."""
    found = [f"{count} {name}" for name, sql in RULES.items() if (count := _rows(sql)[0][0])]
    after = facts(organization_id)
    for kind, was, now in (
        ("documents", before.documents, after.documents),
        ("answers", before.answers, after.answers),
    ):
        if changed := sum(now.get(key) != value for key, value in was.items()):
            found.append(f"{changed} {kind} lost or changed")
    for name, sha256 in _rows("SELECT file, sha256 FROM documents_documentversion"):
        if not default_storage.exists(name):
            found.append(f"file {name} lost")
        else:
            with default_storage.open(name) as file:
                if hashlib.sha256(file.read()).hexdigest() != sha256:
                    found.append(f"file {name} changed")
    return found


def _rows(sql: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
    with connections["owner"].cursor() as cursor:
        cursor.execute(sql, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
