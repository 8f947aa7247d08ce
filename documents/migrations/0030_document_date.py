from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("documents", "0025_token_upkeep")]
    operations = [
        migrations.AddField(
            model_name="document",
            name="document_date",
            field=models.DateField(
                blank=True,
                help_text="La que lleva el propio documento, si la tiene.",
                null=True,
                verbose_name="fecha del documento",
            ),
        ),
    ]
