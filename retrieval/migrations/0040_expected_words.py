from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("retrieval", "0031_collection_centroid_row_level_security")]
    operations: ClassVar = [
        migrations.AddField(
            model_name="evaluationquestion",
            name="expected_words",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="what the answer must say; empty: not asked",
                max_length=500,
            ),
        ),
    ]
