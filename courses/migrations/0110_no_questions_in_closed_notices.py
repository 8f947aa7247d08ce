from django.db import migrations

FORWARD = "UPDATE courses_updatenotice SET dropped_questions = '[]' WHERE status = 'closed' AND dropped_questions <> '[]'"


class Migration(migrations.Migration):
    dependencies = [("courses", "0060_dropped_and_rewritten")]
    operations = [migrations.RunSQL(FORWARD, migrations.RunSQL.noop)]
