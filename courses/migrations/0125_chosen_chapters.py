from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("courses", "0110_no_questions_in_closed_notices")]
    operations = [
        migrations.AddField(
            model_name="coursedraft",
            name="chapters",
            field=models.JSONField(
                db_default={},
                default=dict,
                help_text="{document: [keys of the chapters chosen]}; all of a document that is not named",
            ),
        )
    ]
