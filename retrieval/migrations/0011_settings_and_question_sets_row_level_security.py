from django.db import migrations

# nullif: once set, the setting goes back to an empty string, never to NULL.
FORWARD = """
    SET LOCAL lock_timeout = '3s';

    ALTER TABLE retrieval_settingsoverride ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON retrieval_settingsoverride
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE retrieval_evaluationquestion ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON retrieval_evaluationquestion
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE retrieval_evaluation ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON retrieval_evaluation
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);
"""
BACKWARD = """
    DROP POLICY organization_isolation ON retrieval_settingsoverride;
    ALTER TABLE retrieval_settingsoverride DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON retrieval_evaluationquestion;
    ALTER TABLE retrieval_evaluationquestion DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON retrieval_evaluation;
    ALTER TABLE retrieval_evaluation DISABLE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0010_settings_and_question_sets")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
