from django.db import migrations, models

# Bytes of this kind do not get smaller by compressing: stored outside the row as they are, they are read at once, and
# the rows that exact search goes through stay narrow.
FORWARD = "ALTER TABLE documents_chunkembedding ALTER COLUMN tokens SET STORAGE EXTERNAL"


class Migration(migrations.Migration):
    dependencies = [("documents", "0005_one_index_on_term_statistics")]
    operations = [
        migrations.AddField("chunkembedding", "tokens", models.BinaryField(
                help_text="see documents.token_vectors; null where nothing reads them", null=True
            )),
        migrations.RunSQL(FORWARD, migrations.RunSQL.noop),
    ]
