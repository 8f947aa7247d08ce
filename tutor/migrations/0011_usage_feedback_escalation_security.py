from django.db import migrations

# nullif: once set, the setting goes back to an empty string, never to NULL.
FORWARD = """
    SET LOCAL lock_timeout = '3s';

    ALTER TABLE tutor_languagemodelusage ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON tutor_languagemodelusage
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE tutor_feedback ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON tutor_feedback
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE tutor_escalation ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON tutor_escalation
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE tutor_escalationrecipient ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON tutor_escalationrecipient
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);
"""
BACKWARD = """
    DROP POLICY organization_isolation ON tutor_languagemodelusage;
    ALTER TABLE tutor_languagemodelusage DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON tutor_feedback;
    ALTER TABLE tutor_feedback DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON tutor_escalation;
    ALTER TABLE tutor_escalation DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON tutor_escalationrecipient;
    ALTER TABLE tutor_escalationrecipient DISABLE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("tutor", "0010_usage_feedback_escalation")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
