from django.db import migrations

# nullif: once set, the setting goes back to an empty string, never to NULL.
FORWARD = """
    SET LOCAL lock_timeout = '3s';

    ALTER TABLE courses_course ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON courses_course
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE courses_coursedocument ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON courses_coursedocument
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE courses_module ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON courses_module
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE courses_lesson ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON courses_lesson
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE courses_lessonsource ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON courses_lessonsource
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE courses_enrolment ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON courses_enrolment
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);
"""
BACKWARD = """
    DROP POLICY organization_isolation ON courses_course;
    ALTER TABLE courses_course DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON courses_coursedocument;
    ALTER TABLE courses_coursedocument DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON courses_module;
    ALTER TABLE courses_module DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON courses_lesson;
    ALTER TABLE courses_lesson DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON courses_lessonsource;
    ALTER TABLE courses_lessonsource DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON courses_enrolment;
    ALTER TABLE courses_enrolment DISABLE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("courses", "0001_initial")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
