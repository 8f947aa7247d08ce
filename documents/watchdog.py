"""Ends a step of ingestion that no longer moves, so that its version reaches a final state."""

import logging
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import connection

from documents import closing, ingestion
from documents.errors import VersionBusy
from documents.holding import hold_until_commit
from documents.models import DocumentVersion
from skillnet.tenancy import organization_scope

logger = logging.getLogger(__name__)

# Version, database session that holds it, and when that session last reported progress.
_Step = tuple[int, int, datetime]


class Watchdog:
    """Remembers how long it has seen each step stand still.

    Its own watch counts, not the time stored with the version: after a night switched off nothing has stood still
    before its eyes, and work goes on.
    """

    def __init__(self) -> None:
        self._first_seen: dict[_Step, float] = {}

    def look(self, unfinished: dict[int, UUID], now: float) -> int:
        """Close those of the `unfinished` versions (with their organizations) whose step stands still for too long.

        `now` is a monotonic clock's, in seconds. The session of the worker that holds such a version is ended, the
        version fails with a reason and can be retried. Returns how many were closed.
        """
        steps = self._steps(unfinished)
        self._first_seen = {step: self._first_seen.get(step, now) for step in steps}
        limit = settings.SKILLNET_INGESTION_STEP_MINUTES * 60
        stalled = [step for step, since in self._first_seen.items() if now - since >= limit]
        return sum(self._close(unfinished[version_id], version_id, pid) for version_id, pid, _moved in stalled)

    @staticmethod
    def _steps(unfinished: dict[int, UUID]) -> list[_Step]:
        with connection.cursor() as cursor:
            cursor.execute(
                """
                SELECT objid::bigint, pid FROM pg_locks
                WHERE locktype = 'advisory' AND classid = %s AND objsubid = 2 AND granted AND pid <> pg_backend_pid()
                  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                """,
                [ingestion.LOCK_SPACE],
            )
            holders = {version_id: pid for version_id, pid in cursor.fetchall() if version_id in unfinished}
        steps = []
        for version_id, pid in holders.items():
            with organization_scope(unfinished[version_id]):
                moved = DocumentVersion.objects.filter(pk=version_id).values_list("step_at", flat=True).first()
            if moved is not None:
                steps.append((version_id, pid, moved))
        return steps

    @staticmethod
    def _close(organization_id: UUID, version_id: int, pid: int) -> bool:
        logger.error("ingestion of version %s stands still: its worker's session is ended", version_id)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
        try:
            with organization_scope(organization_id):
                hold_until_commit(version_id)
                return closing.close_stalled(version_id)
        except VersionBusy:  # its session has not gone yet, or another worker took the version up
            return False
