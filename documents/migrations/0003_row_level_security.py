from django.db import migrations

# nullif: once set, the setting goes back to an empty string, never to NULL.
FORWARD = """
    SET LOCAL lock_timeout = '3s';

    ALTER TABLE documents_collection ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON documents_collection
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE documents_document ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON documents_document
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE documents_documentaudience ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON documents_documentaudience
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE documents_documentversion ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON documents_documentversion
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE documents_parsedcontent ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON documents_parsedcontent
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE documents_chunk ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON documents_chunk
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE documents_chunkembedding ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON documents_chunkembedding
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE documents_ingestionturn ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON documents_ingestionturn
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE documents_termstatistic ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON documents_termstatistic
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE documents_corpusstatistic ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON documents_corpusstatistic
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);
"""
BACKWARD = """
    DROP POLICY organization_isolation ON documents_collection;
    ALTER TABLE documents_collection DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON documents_document;
    ALTER TABLE documents_document DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON documents_documentaudience;
    ALTER TABLE documents_documentaudience DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON documents_documentversion;
    ALTER TABLE documents_documentversion DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON documents_parsedcontent;
    ALTER TABLE documents_parsedcontent DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON documents_chunk;
    ALTER TABLE documents_chunk DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON documents_chunkembedding;
    ALTER TABLE documents_chunkembedding DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON documents_ingestionturn;
    ALTER TABLE documents_ingestionturn DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON documents_termstatistic;
    ALTER TABLE documents_termstatistic DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON documents_corpusstatistic;
    ALTER TABLE documents_corpusstatistic DISABLE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("documents", "0002_initial")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
