from django.conf import settings
from django.db import migrations

from skillnet.embedded.weights import MODEL_NAME, PLAIN_NAME

DIMENSIONS = 384
# An organization that was searched with the bundled model as its package has it keeps it, and is on its way to the
# adapted one, which a worker makes its vectors for: see documents.reindexing.
FORWARD = """
    INSERT INTO documents_embeddingmodel (name, dimensions) VALUES (%(plain)s, %(dimensions)s), (%(adapted)s, %(dimensions)s)
    ON CONFLICT DO NOTHING;

    INSERT INTO documents_servingmodel (organization_id, model_id, source, next_model_id, next_source, is_tidy)
    SELECT searched.organization_id, plain.id, plain.name, adapted.id, '', true
    FROM (SELECT DISTINCT organization_id, model_id FROM documents_chunkembedding) AS searched
    JOIN documents_embeddingmodel plain ON plain.id = searched.model_id
        AND plain.name = %(plain)s AND plain.dimensions = %(dimensions)s
    JOIN documents_embeddingmodel adapted ON adapted.name = %(adapted)s AND adapted.dimensions = %(dimensions)s
    WHERE NOT EXISTS (
        SELECT FROM documents_servingmodel other WHERE other.organization_id = searched.organization_id
    );
"""


def forward(apps, schema_editor):
    embedding = settings.SKILLNET_EMBEDDING
    if embedding["provider"] == "local" and not embedding["model"]:
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(
                FORWARD, {"plain": PLAIN_NAME, "adapted": MODEL_NAME, "dimensions": DIMENSIONS}
            )


class Migration(migrations.Migration):
    dependencies = [("documents", "0110_token_upkeep_of_own_models")]
    operations = [migrations.RunPython(forward, migrations.RunPython.noop)]
