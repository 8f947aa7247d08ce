from django.conf import settings
from django.db import migrations

# Until now an empty source meant the bundled model as its package has it. What rests on that one says so from here on,
# and so does who had no model of its own but is on the way to another.
NAME = """
    UPDATE documents_servingmodel AS serving SET source = model.name
    FROM documents_embeddingmodel AS model
    WHERE serving.model_id = model.id AND serving.source = ''
      AND model.name = 'multilingual-e5-small-1571fc98' AND model.dimensions = 384;

    UPDATE documents_servingmodel AS serving SET next_source = model.name
    FROM documents_embeddingmodel AS model
    WHERE serving.next_model_id = model.id AND serving.next_source = ''
      AND model.name = 'multilingual-e5-small-1571fc98' AND model.dimensions = 384;

    UPDATE documents_servingmodel AS serving SET model_id = model.id, source = model.name
    FROM documents_embeddingmodel AS model
    WHERE serving.model_id IS NULL AND serving.next_model_id IS NOT NULL
      AND model.name = 'multilingual-e5-small-1571fc98' AND model.dimensions = 384
      AND EXISTS (
          SELECT FROM documents_chunkembedding AS made
          WHERE made.organization_id = serving.organization_id AND made.model_id = model.id
      );
"""
# Where the bundled model is configured: organizations that are searched with the plain one go on so, and are on their
# way to the adapted one, whose vectors a worker makes. See documents.reindexing. An empty installation stays empty: a
# backup is restored into one.
ON_THE_WAY = """
    INSERT INTO documents_servingmodel (organization_id, model_id, source, next_source, is_tidy)
    SELECT organization.id, plain.id, plain.name, '', true
    FROM skillnet_organization AS organization
    JOIN documents_embeddingmodel AS plain ON plain.name = 'multilingual-e5-small-1571fc98' AND plain.dimensions = 384
    WHERE EXISTS (
        SELECT FROM documents_chunkembedding AS made
        WHERE made.organization_id = organization.id AND made.model_id = plain.id
    ) AND NOT EXISTS (
        SELECT FROM documents_servingmodel AS other WHERE other.organization_id = organization.id
    );

    INSERT INTO documents_embeddingmodel (name, dimensions)
    SELECT 'multilingual-e5-small-1571fc98-8a333ba1', 384
    WHERE EXISTS (
        SELECT FROM documents_servingmodel AS serving
        JOIN documents_embeddingmodel AS plain ON plain.id = serving.model_id
        WHERE plain.name = 'multilingual-e5-small-1571fc98' AND plain.dimensions = 384
    )
    ON CONFLICT DO NOTHING;

    UPDATE documents_servingmodel AS serving SET next_model_id = adapted.id, next_source = adapted.name
    FROM documents_embeddingmodel AS plain, documents_embeddingmodel AS adapted
    WHERE serving.model_id = plain.id AND serving.next_model_id IS NULL
      AND plain.name = 'multilingual-e5-small-1571fc98' AND plain.dimensions = 384
      AND adapted.name = 'multilingual-e5-small-1571fc98-8a333ba1' AND adapted.dimensions = 384;
"""


def forward(apps, schema_editor):
    embedding = settings.SKILLNET_EMBEDDING
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(NAME)
        if embedding["provider"] == "local" and not embedding["model"]:
            cursor.execute(ON_THE_WAY)


class Migration(migrations.Migration):
    dependencies = [("documents", "0110_token_upkeep_of_own_models")]
    # Going back is a restore of the backup made before: the release before has no name for the plain model.
    operations = [migrations.RunPython(forward, migrations.RunPython.noop)]
