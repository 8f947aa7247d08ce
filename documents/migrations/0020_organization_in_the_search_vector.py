import django.contrib.postgres.indexes
import django.contrib.postgres.search
from django.db import migrations, models

# One index serves all organizations. With the organization as one more lexeme (no word looks like it, nor any code: they
# keep no hyphens) the index meets both by itself; without it a common word of a small organization means reading that
# word's chunks of all the others.
FORWARD = """
    CREATE FUNCTION skillnet_chunk_vector(language text, heading text, body text, organization uuid) RETURNS tsvector
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN skillnet_search_vector(language, heading, body) || array_to_tsvector(ARRAY[organization::text]);
"""
BACKWARD = "DROP FUNCTION skillnet_chunk_vector(text, text, text, uuid)"


class Migration(migrations.Migration):
    dependencies = [("documents", "0012_no_strategy_column")]
    operations = [
        migrations.RunSQL(FORWARD, BACKWARD),
        migrations.RemoveIndex("chunk", "chunk_search_vector"),
        migrations.RemoveField("chunk", "search_vector"),
        migrations.AddField(
            "chunk",
            "search_vector",
            models.GeneratedField(
                db_persist=True,
                expression=models.Func(
                    "language", "heading", "text", "organization", function="skillnet_chunk_vector"
                ),
                output_field=django.contrib.postgres.search.SearchVectorField(),
            ),
        ),
        migrations.AddIndex(
            "chunk",
            django.contrib.postgres.indexes.GinIndex(fields=["search_vector"], name="chunk_search_vector"),
        ),
    ]
