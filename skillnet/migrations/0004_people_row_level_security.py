from django.db import migrations

# nullif: once set, the setting goes back to an empty string, never to NULL.
FORWARD = """
    SET LOCAL lock_timeout = '3s';

    ALTER TABLE skillnet_invitation ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON skillnet_invitation
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE skillnet_invitationgroup ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON skillnet_invitationgroup
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    ALTER TABLE skillnet_auditentry ENABLE ROW LEVEL SECURITY;
    CREATE POLICY organization_isolation ON skillnet_auditentry
        USING (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid)
        WITH CHECK (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);

    -- Whose invitation is it? Asked by people who belong nowhere yet: the digest of the link's secret is the only key,
    -- and the organization's id the only answer. pg_temp stands last, or a temporary object would be found first.
    CREATE FUNCTION skillnet_invitation_organization(digest text) RETURNS uuid
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$
        SELECT i.organization_id FROM public.skillnet_invitation i WHERE i.token_digest = digest
    $$;
"""
BACKWARD = """
    DROP FUNCTION skillnet_invitation_organization(text);
    DROP POLICY organization_isolation ON skillnet_auditentry;
    ALTER TABLE skillnet_auditentry DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON skillnet_invitationgroup;
    ALTER TABLE skillnet_invitationgroup DISABLE ROW LEVEL SECURITY;
    DROP POLICY organization_isolation ON skillnet_invitation;
    ALTER TABLE skillnet_invitation DISABLE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("skillnet", "0003_people_and_audit")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
