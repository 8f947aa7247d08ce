import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tutor", "0020_lesson_of_conversation")]

    operations = [
        migrations.AddField(
            model_name="escalation",
            name="reply",
            field=models.TextField(blank=True, db_default="", verbose_name="respuesta"),
        ),
        migrations.AddField(
            model_name="escalation",
            name="entry",
            field=models.ForeignKey(
                blank=True,
                help_text="the entry that answers it",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="tutor.faqentry",
            ),
        ),
        migrations.AddField(
            model_name="openquestion",
            name="is_dismissed",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="nobody wants these words answered, whoever asks them again",
            ),
        ),
    ]
