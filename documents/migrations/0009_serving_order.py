from django.db import migrations

# Until now versions were served in the order of their numbers, in every organization alike.
FORWARD = "UPDATE documents_documentversion SET serving_order = number WHERE serving_order = 0"


class Migration(migrations.Migration):
    dependencies = [("documents", "0008_corrections_row_level_security")]
    operations = [migrations.RunSQL(FORWARD, migrations.RunSQL.noop)]
