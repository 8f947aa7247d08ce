import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("courses", "0008_unannounced_notices"),
        ("tutor", "0011_usage_feedback_escalation_security"),
    ]

    operations = [
        migrations.AddField(
            model_name="conversation",
            name="lesson",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="courses.lesson",
            ),
        ),
        migrations.AddField(
            model_name="turn",
            name="in_library",
            field=models.BooleanField(default=False, help_text="asked of all documents from within a course"),
        ),
    ]
