from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("documents", "0020_organization_in_the_search_vector")]
    operations = [
        migrations.AddField(
            "documentversion",
            "chunk_count",
            models.PositiveIntegerField(
                db_default=0, default=0, help_text="once served; search chooses its method by it"
            ),
        ),
        migrations.AddField(
            "collection",
            "late_interaction",
            models.BooleanField(
                db_default=True,
                default=True,
                help_text="Ordena mejor los resultados y acierta más al decir que algo no está. Ocupa más espacio.",
                verbose_name="comparar palabra por palabra",
            ),
        ),
    ]
