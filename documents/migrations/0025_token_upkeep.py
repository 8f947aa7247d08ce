from django.db import migrations

# Ids alone, of every organization: a served version whose token vectors are not as its collection wants them.
FORWARD = """
    UPDATE documents_documentversion AS version SET has_token_vectors = true
    WHERE EXISTS (SELECT FROM documents_chunkembedding AS e WHERE e.version_id = version.id)
      AND NOT EXISTS (SELECT FROM documents_chunkembedding AS e WHERE e.version_id = version.id AND e.tokens IS NULL);

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
BACKWARD = "DROP FUNCTION documents_next_token_upkeep(text, boolean)"


class Migration(migrations.Migration):
    dependencies = [("documents", "0024_token_vectors_of_a_version")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
