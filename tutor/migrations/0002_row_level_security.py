from django.db import migrations

# nullif: once set, the setting goes back to an empty string, never to NULL.
FORWARD = """
    SET LOCAL lock_timeout = '3s';

    ALTER TABLE tutor_conversation ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON tutor_conversation
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE tutor_turn ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON tutor_turn
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE tutor_citation ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON tutor_citation
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);
"""
BACKWARD = """
    DROP POLICY organization_isolation ON tutor_conversation;
    ALTER TABLE tutor_conversation DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON tutor_turn;
    ALTER TABLE tutor_turn DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON tutor_citation;
    ALTER TABLE tutor_citation DISABLE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("tutor", "0001_initial")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
