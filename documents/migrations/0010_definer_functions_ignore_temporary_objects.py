from django.db import migrations

# pg_temp stands last in the path: else a temporary object of the caller would be found first, and run as the owner.
FORWARD = """
    ALTER FUNCTION documents_next_ingestion() SET search_path = pg_catalog, public, pg_temp;
    ALTER FUNCTION documents_counts() SET search_path = pg_catalog, public, pg_temp;

    -- What is unfinished, in every organization: ids, whether it is due, and how many tries ended without a word.
    DROP FUNCTION documents_unfinished_ingestion();
    CREATE FUNCTION documents_unfinished_ingestion()
        RETURNS TABLE (organization_id uuid, version_id bigint, attempt_count smallint, is_due boolean)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$
        SELECT v.organization_id, v.id, v.attempt_count,
               v.next_attempt_at IS NULL OR v.next_attempt_at <= now() OR v.cancel_requested
        FROM public.documents_documentversion v
        WHERE v.status NOT IN ('ready', 'ready_with_warnings', 'failed', 'cancelled') OR v.vectors_pending
        ORDER BY v.id
    $$;
"""
BACKWARD = """
    DROP FUNCTION documents_unfinished_ingestion();
    CREATE FUNCTION documents_unfinished_ingestion()
        RETURNS TABLE (organization_id uuid, version_id bigint, idle interval, is_due boolean)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
        SELECT v.organization_id, v.id, CASE WHEN v.attempt_count > 0 AND v.next_attempt_at IS NULL THEN now() - v.step_at END,
               v.next_attempt_at IS NULL OR v.next_attempt_at <= now() OR v.cancel_requested
        FROM documents_documentversion v
        WHERE v.status NOT IN ('ready', 'ready_with_warnings', 'failed', 'cancelled') OR v.vectors_pending
        ORDER BY v.id
    $$;
    ALTER FUNCTION documents_counts() SET search_path = pg_catalog, public;
    ALTER FUNCTION documents_next_ingestion() SET search_path = pg_catalog, public;
"""


class Migration(migrations.Migration):
    dependencies = [("documents", "0009_serving_order")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
