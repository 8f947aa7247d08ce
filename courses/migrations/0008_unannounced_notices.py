from django.db import migrations

# Open notices that the administration was not told of for two minutes, in every organization: ids alone. pg_temp stands
# last in the path: else a temporary object of the caller would be found first, and run as the owner.
FORWARD = """
    CREATE FUNCTION courses_unannounced_notices()
        RETURNS TABLE (organization_id uuid, notice_id bigint)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$
        SELECT n.organization_id, n.id
        FROM public.courses_updatenotice n
        WHERE n.status = 'open' AND n.announced_at IS NULL
          AND n.created_at BETWEEN now() - interval '1 day' AND now() - interval '2 minutes'
        ORDER BY n.created_at
    $$;
"""
BACKWARD = """
    DROP FUNCTION courses_unannounced_notices();
"""


class Migration(migrations.Migration):
    dependencies = [("courses", "0007_notice_announced")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
