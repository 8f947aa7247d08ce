from typing import ClassVar

from django.db import migrations, models

HELP = "its content as it was last composed from its documents, before anybody edited it; empty: never was"


class Migration(migrations.Migration):
    dependencies: ClassVar = [("courses", "0134_withdrawn_sources")]
    operations: ClassVar = [
        migrations.AddField(
            model_name="lesson",
            name="composed",
            field=models.TextField(blank=True, db_default="", default="", editable=False, help_text=HELP),
        )
    ]
