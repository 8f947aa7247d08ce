"""Start-up checks against the real database: is isolation in force, and will search be fast?"""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig, apps
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connections

from skillnet.tenancy import TenantModel

# Tables that hold people of many organizations, or nobody's data. Every other table needs a policy.
SHARED_TABLES = frozenset(
    {
        "account_emailaddress",
        "account_emailconfirmation",
        "auth_group",
        "auth_group_permissions",
        "auth_permission",
        "axes_accessattempt",
        "axes_accessattemptexpiration",
        "axes_accessfailurelog",
        "axes_accesslog",
        "django_admin_log",
        "django_content_type",
        "django_migrations",
        "django_session",
        "documents_embeddingmodel",
        "mfa_authenticator",
        "skillnet_membership",
        "skillnet_organization",
        "skillnet_user",
        "skillnet_user_groups",
        "skillnet_user_user_permissions",
        "socialaccount_socialaccount",
        "socialaccount_socialapp",
        "socialaccount_socialtoken",
        "usersessions_usersession",
    }
)


def tenant_tables() -> set[str]:
    """The tables whose rows belong to organizations, by their models."""
    return {model._meta.db_table for model in apps.get_models() if issubclass(model, TenantModel)}


# What every tenant table's one policy says, as PostgreSQL prints it.
POLICY = "(organization_id = (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::uuid)"


def tables_without_policy(alias: str = "default") -> list[str]:
    """Tables that are neither shared nor protected by row-level security with our one policy, and no other."""
    with connections[alias].cursor() as cursor:
        cursor.execute(
            """
            SELECT c.relname
            FROM pg_class c
            JOIN pg_namespace n ON n.oid = c.relnamespace
            LEFT JOIN pg_policy p ON p.polrelid = c.oid
            WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
            GROUP BY c.oid, c.relname, c.relrowsecurity
            HAVING NOT (c.relrowsecurity AND count(p.oid) = 1 AND bool_and(
                p.polcmd = '*'
                AND pg_get_expr(p.polqual, p.polrelid) = %s AND pg_get_expr(p.polwithcheck, p.polrelid) = %s))
            """,
            [POLICY, POLICY],
        )
        return sorted(name for (name,) in cursor.fetchall() if name not in SHARED_TABLES)


@register(Tags.database)
def check_database(
    app_configs: Sequence[AppConfig] | None,
    databases: Sequence[str] | None = None,
    **kwargs: Any,
) -> list[CheckMessage]:
    """Refuse a runtime role that could pass over policies, and tables that have none."""
    if not databases or "default" not in databases:
        return []
    messages: list[CheckMessage] = []
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user")
        if cursor.fetchone() != (False,):
            messages.append(
                Error(
                    "The runtime role is a superuser or may bypass row-level security.",
                    hint="Let DATABASE_URL log in as skillnet_app; see ops/provision.sql.",
                    id="skillnet.E001",
                )
            )
        cursor.execute(
            "SELECT count(*) FROM pg_tables "
            "WHERE schemaname = 'public' AND pg_has_role(current_user, tableowner, 'USAGE')"
        )
        if cursor.fetchone() != (0,):
            messages.append(
                Error(
                    "The runtime role owns tables, so their policies do not bind it.",
                    hint="Run migrations on DATABASE_OWNER_URL; see ops/provision.sql.",
                    id="skillnet.E002",
                )
            )
        cursor.execute("SELECT proleakproof FROM pg_proc WHERE oid = 'ts_match_vq(tsvector, tsquery)'::regprocedure")
        if cursor.fetchone() != (True,):
            messages.append(
                Warning(
                    "Full-text search cannot use its index under row-level security.",
                    hint="A superuser runs ops/provision.sql; after a dump and restore it is needed again.",
                    id="skillnet.W001",
                )
            )
    unprotected = tables_without_policy()
    if unprotected:
        messages.append(
            Error(f"Tables without a row-level security policy: {', '.join(unprotected)}.", id="skillnet.E003")
        )
    return messages
