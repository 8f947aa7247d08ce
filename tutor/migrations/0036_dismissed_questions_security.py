from django.db import migrations

# nullif: once set, the setting goes back to an empty string, never to NULL.
FORWARD = """
    SET LOCAL lock_timeout = '3s';

    ALTER TABLE tutor_dismissedquestion ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON tutor_dismissedquestion
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);
"""
BACKWARD = """
    DROP POLICY organization_isolation ON tutor_dismissedquestion;
    ALTER TABLE tutor_dismissedquestion DISABLE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("tutor", "0035_dismissed_questions")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
