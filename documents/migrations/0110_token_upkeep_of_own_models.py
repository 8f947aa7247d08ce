from django.db import migrations

# Of every organization: whether token vectors are stored, and ids alone, of the first served version from which they are
# to be taken away and of the first which is to have them. An organization that changed its model has one of its own.
FORWARD = """
    DROP FUNCTION documents_next_token_upkeep(text, boolean);

    CREATE FUNCTION documents_token_upkeep(configured_model text)
        RETURNS TABLE (organization_id uuid, version_id bigint, has_tokens boolean)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$
        SELECT v.organization_id, min(v.id), v.has_token_vectors
        FROM public.documents_document d
        JOIN public.documents_documentversion v ON v.id = d.active_version_id
        JOIN public.documents_embeddingmodel m ON m.id = v.embedding_model_id
        LEFT JOIN public.documents_servingmodel s ON s.organization_id = v.organization_id
        LEFT JOIN public.documents_collection c ON c.id = d.collection_id
        WHERE CASE WHEN s.model_id IS NULL THEN m.name = configured_model ELSE m.id = s.model_id END
          AND NOT v.vectors_pending
          AND v.has_token_vectors <> coalesce(c.late_interaction, true)
        GROUP BY v.organization_id, v.has_token_vectors
        ORDER BY min(v.id)
    $$;
"""
BACKWARD = """
    DROP FUNCTION documents_token_upkeep(text);

    CREATE FUNCTION documents_next_token_upkeep(model text, can_fill boolean)
        RETURNS TABLE (organization_id uuid, version_id bigint)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$
        SELECT v.organization_id, v.id
        FROM public.documents_document d
        JOIN public.documents_documentversion v ON v.id = d.active_version_id
        JOIN public.documents_embeddingmodel m ON m.id = v.embedding_model_id
        LEFT JOIN public.documents_collection c ON c.id = d.collection_id
        WHERE m.name = model AND NOT v.vectors_pending
          AND v.has_token_vectors <> coalesce(c.late_interaction, true)
          AND (can_fill OR v.has_token_vectors)
        ORDER BY v.id LIMIT 1
    $$;
"""


class Migration(migrations.Migration):
    dependencies = [("documents", "0101_serving_model_row_level_security")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
