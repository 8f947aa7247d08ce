from django.db import migrations

# How many versions are in which state, over all organizations: for metrics. States and counts alone.
FORWARD = """
    CREATE FUNCTION documents_state_counts()
        RETURNS TABLE (status text, version_count bigint)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$
        SELECT v.status::text, count(*) FROM public.documents_documentversion v GROUP BY v.status
    $$;
"""
BACKWARD = "DROP FUNCTION documents_state_counts();"


class Migration(migrations.Migration):
    dependencies = [("documents", "0032_termstatistic_sound")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
