import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tutor", "0034_answered_escalations")]

    operations = [
        migrations.RemoveField(model_name="openquestion", name="is_dismissed"),
        migrations.CreateModel(
            name="DismissedQuestion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(help_text="of its words, see tutor.dismissed", max_length=64)),
                (
                    "organization",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="skillnet.organization"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("organization", "digest"), name="one_dismissal_a_question")
                ],
            },
        ),
    ]
