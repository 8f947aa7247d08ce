from django.db import migrations

# Which organizations are large enough for an index of their own? Ids and counts alone, of every organization.
FORWARD = """
    CREATE FUNCTION documents_vector_counts(at_least bigint)
        RETURNS TABLE (organization_id uuid, model_id bigint, dimensions integer, chunk_count bigint)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$
        SELECT v.organization_id, m.id, m.dimensions, sum(v.chunk_count)::bigint
        FROM public.documents_document d
        JOIN public.documents_documentversion v ON v.id = d.active_version_id
        JOIN public.documents_embeddingmodel m ON m.id = v.embedding_model_id
        GROUP BY v.organization_id, m.id
        HAVING sum(v.chunk_count) >= at_least
        ORDER BY sum(v.chunk_count) DESC, v.organization_id, m.id
    $$;
"""
BACKWARD = "DROP FUNCTION documents_vector_counts(bigint)"


class Migration(migrations.Migration):
    dependencies = [("documents", "0022_fill_chunk_counts")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
