from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("documents", "0011_chunk_content_hash")]
    operations = [migrations.RemoveField(model_name="documentversion", name="strategy")]
