from django.db import migrations

# nullif: once set, the setting goes back to an empty string, never to NULL.
FORWARD = """
    SET LOCAL lock_timeout = '3s';

    ALTER TABLE skillnet_notification ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON skillnet_notification
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);
"""
BACKWARD = """
    DROP POLICY organization_isolation ON skillnet_notification;
    ALTER TABLE skillnet_notification DISABLE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("skillnet", "0070_notification")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
