from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("documents", "0023_vector_counts")]
    operations = [
        migrations.AddField(
            "documentversion",
            "has_token_vectors",
            models.BooleanField(
                db_default=False, default=False, help_text="once served; see documents.token_upkeep"
            ),
        ),
    ]
