from typing import ClassVar

from django.db import migrations, models
from django.db.models import F, Func, TextField
from django.db.models.functions import Lower


class Migration(migrations.Migration):
    dependencies: ClassVar = [("documents", "0120_organizations_of_the_plain_model")]
    operations: ClassVar = [
        migrations.AlterModelOptions(
            name="document",
            options={
                "ordering": [Func(Lower(F("title")), function="skillnet_fold", output_field=TextField()), "pk"],
                "verbose_name": "documento",
                "verbose_name_plural": "documentos",
            },
        ),
        migrations.AlterField(
            model_name="documentversion",
            name="page_count",
            field=models.PositiveIntegerField(
                default=0, help_text="by the length of the text where the format has no pages", verbose_name="páginas"
            ),
        ),
        migrations.AddField(
            model_name="documentversion",
            name="part_count",
            field=models.PositiveIntegerField(
                db_default=0, default=0, help_text="slides or sheets, where it has those"
            ),
        ),
    ]
