from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("documents", "0031_sound_of_lexemes")]
    operations = [
        AddIndexConcurrently(
            model_name="termstatistic",
            index=models.Index(
                models.F("organization"),
                models.Func(models.F("lexeme"), function="skillnet_sound", output_field=models.TextField()),
                name="termstatistic_sound",
            ),
        ),
    ]
