from django.db import migrations

# Drafts no one has moved on for two minutes, in every organization: ids alone. pg_temp stands last in the path: else a
# temporary object of the caller would be found first, and run as the owner.
FORWARD = """
    CREATE FUNCTION courses_stalled_drafts()
        RETURNS TABLE (organization_id uuid, draft_id uuid)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$
        SELECT d.organization_id, d.id
        FROM public.courses_coursedraft d
        WHERE d.status IN ('queued', 'writing') AND d.step_at < now() - interval '2 minutes'
        ORDER BY d.step_at
    $$;
"""
BACKWARD = """
    DROP FUNCTION courses_stalled_drafts();
"""


class Migration(migrations.Migration):
    dependencies = [("courses", "0004_learning_row_level_security")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
