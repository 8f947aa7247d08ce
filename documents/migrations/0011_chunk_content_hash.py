from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False  # the index is built while the table is in use
    dependencies = [("documents", "0010_definer_functions_ignore_temporary_objects")]
    operations = [
        AddIndexConcurrently("chunk", models.Index(fields=["organization", "content_hash"], name="chunk_content_hash")),
    ]
