from django.db import migrations

# nullif: once set, the setting goes back to an empty string, never to NULL.
FORWARD = """
    SET LOCAL lock_timeout = '3s';

    ALTER TABLE retrieval_collectioncentroid ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON retrieval_collectioncentroid
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);
"""
BACKWARD = """
    DROP POLICY organization_isolation ON retrieval_collectioncentroid;
    ALTER TABLE retrieval_collectioncentroid DISABLE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0030_collection_centroid")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
