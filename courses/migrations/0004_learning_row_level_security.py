from django.db import migrations

# nullif: once set, the setting goes back to an empty string, never to NULL.
FORWARD = """
    SET LOCAL lock_timeout = '3s';

    ALTER TABLE courses_groupassignment ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON courses_groupassignment
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE courses_lessonprogress ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON courses_lessonprogress
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE courses_completion ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON courses_completion
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE courses_quizitem ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON courses_quizitem
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE courses_quizattempt ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON courses_quizattempt
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE courses_coursedraft ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON courses_coursedraft
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE courses_lessonproposal ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON courses_lessonproposal
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE courses_updatenotice ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON courses_updatenotice
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE courses_touchedlesson ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON courses_touchedlesson
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);
"""
BACKWARD = """
    DROP POLICY organization_isolation ON courses_groupassignment;
    ALTER TABLE courses_groupassignment DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON courses_lessonprogress;
    ALTER TABLE courses_lessonprogress DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON courses_completion;
    ALTER TABLE courses_completion DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON courses_quizitem;
    ALTER TABLE courses_quizitem DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON courses_quizattempt;
    ALTER TABLE courses_quizattempt DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON courses_coursedraft;
    ALTER TABLE courses_coursedraft DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON courses_lessonproposal;
    ALTER TABLE courses_lessonproposal DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON courses_updatenotice;
    ALTER TABLE courses_updatenotice DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON courses_touchedlesson;
    ALTER TABLE courses_touchedlesson DISABLE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("courses", "0003_learning")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
