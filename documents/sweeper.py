"""Puts right what no job will: lost wake-ups, and versions on which nothing moves any more."""

import logging
import threading
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection
from django.utils.translation import gettext as _
from redis.exceptions import RedisError

from documents import ingestion, jobs
from skillnet.tenancy import organization_scope

logger = logging.getLogger(__name__)


def sweep() -> dict[str, int]:
    """Wake a worker up for versions that are due, and close those idle for too long. Returns how many of each."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT organization_id, version_id, idle, is_due FROM documents_unfinished_ingestion()")
        unfinished = cursor.fetchall()
    limit = timedelta(minutes=settings.SKILLNET_INGESTION_IDLE_MINUTES)
    closed = sum(
        _close(organization_id, version_id)
        for organization_id, version_id, idle, _is_due in unfinished
        if idle is not None and idle > limit
    )
    due = sum(1 for *_ids, is_due in unfinished if is_due) - closed
    if due > 0:
        jobs.enqueue()
    return {"requeued": max(due, 0), "closed": closed}


def _close(organization_id: UUID, version_id: int) -> bool:
    if not ingestion.hold(version_id):  # a version that cannot be held is being worked on
        return False
    try:
        with organization_scope(organization_id):
            message = _("La lectura se quedó parada demasiado tiempo. Reinténtalo; si se repite, divide el archivo.")
            return ingestion.close_idle(version_id, message)
    finally:
        ingestion.release(version_id)


class Sweeper(threading.Thread):
    """Sweeps every few seconds beside a worker, until stopped."""

    def __init__(self) -> None:
        super().__init__(name="sweeper", daemon=True)
        self._stopped = threading.Event()

    def stop(self) -> None:
        self._stopped.set()

    def run(self) -> None:
        while not self._stopped.wait(settings.SKILLNET_SWEEP_SECONDS):
            close_old_connections()
            try:
                if jobs.is_idle():
                    sweep()
            except (DatabaseError, RedisError) as error:  # a server that restarts: there will be another round
                logger.warning("sweep not possible now: %s", error)
        connection.close()
