from django.db import migrations

# nullif: once set, the setting goes back to an empty string, never to NULL.
FORWARD = """
    SET LOCAL lock_timeout = '3s';

    ALTER TABLE documents_servingmodel ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON documents_servingmodel
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    -- Ids alone, of every organization: those on their way to another model, and those with old vectors left.
    CREATE FUNCTION documents_reindexing()
        RETURNS TABLE (organization_id uuid)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$
        SELECT s.organization_id FROM public.documents_servingmodel s
        WHERE s.next_model_id IS NOT NULL OR NOT s.is_tidy
        ORDER BY s.id
    $$;
"""
BACKWARD = """
    DROP FUNCTION documents_reindexing();
    DROP POLICY organization_isolation ON documents_servingmodel;
    ALTER TABLE documents_servingmodel DISABLE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("documents", "0100_serving_model")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
