from typing import ClassVar

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

BATCH = 100  # documents a transaction: what was read in each is large

NEXT = """
    SELECT id FROM documents_documentversion
    WHERE id > %s
      AND part_count = 0
      AND media_type IN (
        'application/vnd.openxmlformats-officedocument.presentationml.presentation',
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
      )
    ORDER BY id
    LIMIT %s
"""
# Hidden slides have numbers and are not counted, so the last one's number says nothing. Slides without text are not
# among the blocks; where there are some, their warning says of how many slides they are.
COUNT = """
    UPDATE documents_documentversion AS version
    SET part_count = coalesce(
        (
            SELECT max((warning -> 'values' ->> 'total')::integer)
            FROM jsonb_array_elements(version.warnings) AS warning
            WHERE warning ->> 'code' = 'no_slide_text'
        ),
        counted.parts
    )
    FROM documents_parsedcontent AS content
    CROSS JOIN LATERAL (
        SELECT count(DISTINCT coalesce(block -> 'locator' ->> 'slide', block -> 'locator' ->> 'sheet')) AS parts
        FROM jsonb_array_elements(content.blocks) AS block
    ) AS counted
    WHERE content.version_id = version.id AND version.id = ANY(%s)
"""


def count(_apps: Apps, schema_editor: BaseDatabaseSchemaEditor, *, batch: int = BATCH) -> None:
    """Count the slides and sheets of what was read before they were counted. Begun again, it goes on where it was."""
    last = 0
    with schema_editor.connection.cursor() as cursor:
        while True:
            cursor.execute(NEXT, [last, batch])
            ids = [row[0] for row in cursor.fetchall()]
            if not ids:
                return
            cursor.execute(COUNT, [ids])
            last = ids[-1]


class Migration(migrations.Migration):
    atomic = False
    dependencies: ClassVar = [("documents", "0130_folded_titles_and_part_count")]
    operations: ClassVar = [migrations.RunPython(count, migrations.RunPython.noop)]
