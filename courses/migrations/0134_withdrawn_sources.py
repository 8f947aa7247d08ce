from django.db import migrations, models

HELP = "when a document it rests on was deleted; empty once somebody has looked"


class Migration(migrations.Migration):
    dependencies = [("courses", "0125_chosen_chapters")]

    operations = [
        migrations.AddField(
            model_name=model,
            name="source_withdrawn_at",
            field=models.DateTimeField(blank=True, help_text=HELP, null=True),
        )
        for model in ("course", "lesson")
    ]
