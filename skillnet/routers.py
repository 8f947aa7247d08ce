"""Which connection may change the schema."""

from typing import Any


class OwnerMigratesRouter:
    """Migrations run on the owner's connection only: the runtime role owns no table."""

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == "owner"
