from typing import ClassVar

from django.db import migrations

# Slides without text are not among the blocks: the number of the last one counts them, but for those at the end.
COUNT = """
    UPDATE documents_documentversion AS version
    SET part_count = counted.slides
    FROM (
        SELECT content.version_id, max((block -> 'locator' ->> 'slide')::integer) AS slides
        FROM documents_parsedcontent AS content, jsonb_array_elements(content.blocks) AS block
        WHERE block -> 'locator' ? 'slide'
        GROUP BY content.version_id
    ) AS counted
    WHERE counted.version_id = version.id
      AND version.media_type = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';

    UPDATE documents_documentversion AS version
    SET part_count = counted.sheets
    FROM (
        SELECT content.version_id, count(DISTINCT block -> 'locator' ->> 'sheet') AS sheets
        FROM documents_parsedcontent AS content, jsonb_array_elements(content.blocks) AS block
        WHERE block -> 'locator' ? 'sheet'
        GROUP BY content.version_id
    ) AS counted
    WHERE counted.version_id = version.id
      AND version.media_type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
"""


class Migration(migrations.Migration):
    dependencies: ClassVar = [("documents", "0130_folded_titles_and_part_count")]
    operations: ClassVar = [migrations.RunSQL(COUNT, migrations.RunSQL.noop)]
