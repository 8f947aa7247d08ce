from django.db import migrations

# nullif: once set, the setting goes back to an empty string, never to NULL.
FORWARD = """
    SET LOCAL lock_timeout = '3s';

    ALTER TABLE tutor_faqentry ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON tutor_faqentry
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE tutor_faqvariant ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON tutor_faqvariant
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE tutor_faqsource ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON tutor_faqsource
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE tutor_cachedanswer ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON tutor_cachedanswer
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE tutor_openquestion ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON tutor_openquestion
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);
"""
BACKWARD = """
    DROP POLICY organization_isolation ON tutor_faqentry;
    ALTER TABLE tutor_faqentry DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON tutor_faqvariant;
    ALTER TABLE tutor_faqvariant DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON tutor_faqsource;
    ALTER TABLE tutor_faqsource DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON tutor_cachedanswer;
    ALTER TABLE tutor_cachedanswer DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON tutor_openquestion;
    ALTER TABLE tutor_openquestion DISABLE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("tutor", "0004_ready_answers")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
