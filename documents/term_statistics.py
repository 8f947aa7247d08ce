"""How common each lexeme is among an organization's served chunks, kept up to date as versions come and go.

Call inside the organization's scope and in the transaction that changes what is served, after the chunks got their
version or before they lose it. Changes of one organization wait for each other.
"""

from uuid import UUID

from django.db import connection, transaction

from documents.models import DocumentVersion

LOCK_SPACE = 7402  # of PostgreSQL's advisory locks

_COUNTS = """
    SELECT organization_id, language, lexeme, count(*) AS chunk_count
    FROM documents_chunk, unnest(search_vector)
    WHERE organization_id = %(organization)s AND version_id {versions} AND lexeme <> %(organization)s::text
    GROUP BY organization_id, language, lexeme
"""
_TOTALS = """
    SELECT count(*) AS chunk_count, coalesce(sum(token_count), 0) AS length_total
    FROM documents_chunk
    WHERE organization_id = %(organization)s AND version_id {versions}
"""
# In one order everywhere, so that two statements never hold what the other waits for.
_ADD = """
    INSERT INTO documents_termstatistic AS known (organization_id, language, lexeme, chunk_count)
    {counts} ORDER BY language, lexeme
    ON CONFLICT (organization_id, language, lexeme)
        DO UPDATE SET chunk_count = known.chunk_count + excluded.chunk_count;
    INSERT INTO documents_corpusstatistic AS known (organization_id, chunk_count, length_total)
    SELECT %(organization)s, chunk_count, length_total FROM ({totals}) AS added
    ON CONFLICT (organization_id)
        DO UPDATE SET chunk_count = known.chunk_count + excluded.chunk_count,
                      length_total = known.length_total + excluded.length_total;
"""
_REMOVE = """
    UPDATE documents_termstatistic AS known
    SET chunk_count = greatest(known.chunk_count - removed.chunk_count, 0)
    FROM ({counts}) AS removed
    WHERE known.organization_id = %(organization)s
      AND known.language = removed.language AND known.lexeme = removed.lexeme;
    DELETE FROM documents_termstatistic WHERE organization_id = %(organization)s AND chunk_count = 0;
    UPDATE documents_corpusstatistic AS known
    SET chunk_count = greatest(known.chunk_count - removed.chunk_count, 0),
        length_total = greatest(known.length_total - removed.length_total, 0)
    FROM ({totals}) AS removed
    WHERE known.organization_id = %(organization)s;
"""
_CLEAR = """
    DELETE FROM documents_termstatistic WHERE organization_id = %(organization)s;
    DELETE FROM documents_corpusstatistic WHERE organization_id = %(organization)s;
"""
_OF_ONE_VERSION = "= %(version)s"
_OF_SERVED_VERSIONS = """IN (
    SELECT active_version_id FROM documents_document
    WHERE organization_id = %(organization)s AND active_version_id IS NOT NULL
)"""


def add_version(version: DocumentVersion) -> None:
    """Count the chunks of a version that is served from now on."""
    _change(_ADD, _OF_ONE_VERSION, version.organization_id, version.pk)


def remove_version(version: DocumentVersion) -> None:
    """Take back what `add_version` counted, while the version's chunks are still there."""
    _change(_REMOVE, _OF_ONE_VERSION, version.organization_id, version.pk)


def rebuild(organization_id: UUID) -> None:
    """Count everything anew from the chunks of the versions served now."""
    _change(_CLEAR + _ADD, _OF_SERVED_VERSIONS, organization_id)


@transaction.atomic
def _change(statements: str, versions: str, organization_id: UUID, version_id: int | None = None) -> None:
    parameters = {"organization": organization_id, "version": version_id}
    sql = statements.format(counts=_COUNTS.format(versions=versions), totals=_TOTALS.format(versions=versions))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [LOCK_SPACE, str(organization_id)])
        cursor.execute(sql, parameters)
