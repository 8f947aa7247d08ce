-- Roles, extension and privileges SkillNet needs on a PostgreSQL server (16 or newer, with pgvector 0.8 or newer).
-- Run by an administrator of the server; safe to repeat, and repeating it changes the passwords to those given:
--
--   psql -h HOST -U ADMIN -d postgres \
--        -v app_password=... -v maintenance_password=... -v database=skillnet -f ops/provision.sql
--
--   skillnet_owner        owns the database and its tables; nobody logs in as it
--   skillnet_maintenance  logs in for migrations, index builds, backup and restore; acts only after SET ROLE skillnet_owner
--   skillnet_app          logs in for everything else; reads and writes rows, always under row-level security
--
-- The bundled server runs this file at its start.

\set ON_ERROR_STOP on
SET client_min_messages = notice;
-- Stops here, before anything is made, if a variable was forgotten.
SELECT :'app_password' AS app_password, :'maintenance_password' AS maintenance_password, :'database' AS database \gset

-- Roles -------------------------------------------------------------------------------------------------------------
SELECT 'CREATE ROLE skillnet_owner NOLOGIN'
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'skillnet_owner') \gexec
SELECT 'CREATE ROLE skillnet_maintenance LOGIN NOINHERIT'
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'skillnet_maintenance') \gexec
SELECT 'CREATE ROLE skillnet_app LOGIN'
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'skillnet_app') \gexec

-- Only where something differs: administrators of managed servers may not even name SUPERUSER or BYPASSRLS.
SELECT format('ALTER ROLE %I NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION', rolname)
FROM pg_roles
WHERE rolname IN ('skillnet_owner', 'skillnet_maintenance', 'skillnet_app')
  AND (rolsuper OR rolbypassrls OR rolcreatedb OR rolcreaterole OR rolreplication) \gexec
ALTER ROLE skillnet_owner NOLOGIN;
ALTER ROLE skillnet_maintenance LOGIN NOINHERIT PASSWORD :'maintenance_password';
ALTER ROLE skillnet_app LOGIN PASSWORD :'app_password';

GRANT skillnet_owner TO skillnet_maintenance WITH INHERIT FALSE, SET TRUE;
-- Whatever the runtime role was made a member of by hand would be a way around the policies.
SELECT format('REVOKE %I FROM skillnet_app', granted.rolname)
FROM pg_auth_members AS membership
JOIN pg_roles AS granted ON granted.oid = membership.roleid
WHERE membership.member = 'skillnet_app'::regrole \gexec
-- An administrator who is no superuser has to be able to give things to the owner.
SELECT format('GRANT skillnet_owner TO %I', current_user)
WHERE NOT pg_has_role(current_user, 'skillnet_owner', 'SET') \gexec

-- Database ----------------------------------------------------------------------------------------------------------
SELECT format('CREATE DATABASE %I OWNER skillnet_owner', :'database')
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'database') \gexec
ALTER DATABASE :"database" OWNER TO skillnet_owner;
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"database" TO skillnet_maintenance;
GRANT CONNECT ON DATABASE :"database" TO skillnet_app;
REVOKE TEMPORARY ON DATABASE :"database" FROM skillnet_app;  -- a temporary object can stand in for a real one

\connect :"database"
SET client_min_messages = notice;

DO $$
BEGIN
    IF getdatabaseencoding() <> 'UTF8' THEN
        RAISE EXCEPTION 'database % has encoding %, SkillNet needs UTF8', current_database(), getdatabaseencoding();
    END IF;
END
$$;

CREATE EXTENSION IF NOT EXISTS vector;

-- Under row-level security an index serves only operators known to leak nothing. Without this line full-text search
-- reads every row of the organization. A dump does not carry it.
DO $$
BEGIN
    ALTER FUNCTION pg_catalog.ts_match_vq(tsvector, tsquery) LEAKPROOF;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE NOTICE 'ts_match_vq stays as it is: only a superuser may mark it LEAKPROOF. Full-text search will be slower.';
END
$$;

-- Privileges --------------------------------------------------------------------------------------------------------
ALTER SCHEMA public OWNER TO skillnet_owner;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
REVOKE CREATE ON SCHEMA public FROM skillnet_app;
GRANT USAGE ON SCHEMA public TO skillnet_app;
-- Rows and nothing else, on tables of the migrations to come; a migration that wants less revokes it.
ALTER DEFAULT PRIVILEGES FOR ROLE skillnet_owner IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO skillnet_app;
ALTER DEFAULT PRIVILEGES FOR ROLE skillnet_owner IN SCHEMA public
    GRANT USAGE, SELECT ON SEQUENCES TO skillnet_app;
ALTER DEFAULT PRIVILEGES FOR ROLE skillnet_owner REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE skillnet_owner IN SCHEMA public
    GRANT EXECUTE ON FUNCTIONS TO skillnet_app;

-- Settings of the runtime role --------------------------------------------------------------------------------------
ALTER ROLE skillnet_app SET max_parallel_workers_per_gather = 0;
ALTER ROLE skillnet_app SET jit = off;
-- The first use of the type loads the extension's library, which makes its settings known.
SELECT '[0]'::vector AS loads_the_library \gset
-- The policy filters after the vector index: without these a search returns fewer rows than asked for.
ALTER ROLE skillnet_app SET hnsw.iterative_scan = 'relaxed_order';
ALTER ROLE skillnet_app SET hnsw.ef_search = 100;
