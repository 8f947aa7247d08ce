from django.db import migrations

# nullif: once set, the setting goes back to an empty string, never to NULL.
FORWARD = """
    SET LOCAL lock_timeout = '3s';

    ALTER TABLE documents_blockcorrection ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON documents_blockcorrection
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);
"""
BACKWARD = """
    DROP POLICY organization_isolation ON documents_blockcorrection;
    ALTER TABLE documents_blockcorrection DISABLE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("documents", "0007_corrections_and_restoring")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
