from django.db import migrations

FORWARD = """
    UPDATE documents_documentversion AS version SET chunk_count = counted.chunk_count
    FROM (
        SELECT version_id, count(*) AS chunk_count FROM documents_chunk WHERE version_id IS NOT NULL GROUP BY version_id
    ) AS counted
    WHERE version.id = counted.version_id;

    UPDATE documents_collection SET late_interaction = false, settings = settings - 'late_interaction'
    WHERE settings @> '{"late_interaction": false}';
"""


class Migration(migrations.Migration):
    dependencies = [("documents", "0021_chunk_counts_and_late_interaction")]
    operations = [migrations.RunSQL(FORWARD, migrations.RunSQL.noop)]
