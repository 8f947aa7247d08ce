"""The bundled PostgreSQL, Valkey and model weights. Imports no Django: settings are built from it."""

from .errors import EmbeddedError
from .layout import home
from .supervisor import (
    Role,
    Service,
    Status,
    create_database,
    database_url,
    drop_database,
    ensure_started,
    provision_database,
    redis_url,
    status,
    stop,
)

__all__ = [
    "EmbeddedError",
    "Role",
    "Service",
    "Status",
    "create_database",
    "database_url",
    "drop_database",
    "ensure_started",
    "home",
    "provision_database",
    "redis_url",
    "status",
    "stop",
]
