from django.db import migrations

# nullif: once set, the setting goes back to an empty string, never to NULL.
FORWARD = """
    SET LOCAL lock_timeout = '3s';

    ALTER TABLE skillnet_group ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON skillnet_group
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE skillnet_groupmember ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON skillnet_groupmember
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);
"""
BACKWARD = """
    DROP POLICY organization_isolation ON skillnet_group;
    ALTER TABLE skillnet_group DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON skillnet_groupmember;
    ALTER TABLE skillnet_groupmember DISABLE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("skillnet", "0001_initial")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
