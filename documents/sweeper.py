"""Puts right what no job will: lost wake-ups, and versions whose every try ended without a word."""

import logging
import threading
import time
from collections.abc import Callable
from uuid import UUID

from django.conf import settings
from django.db import Error as DatabaseFault
from django.db import close_old_connections, connection
from redis.exceptions import RedisError

from documents import closing, ingestion, jobs, reindexing, token_upkeep
from documents.watchdog import Watchdog
from skillnet.tenancy import organization_scope

logger = logging.getLogger(__name__)

# What the apps above want done in each round; they register it when they are ready.
_chores: list[Callable[[], None]] = []


def register_chore(chore: Callable[[], None]) -> None:
    """Have something looked after in every round of the sweeper."""
    _chores.append(chore)


def sweep() -> dict[str, int]:
    """Wake a worker up for versions that are due, and close those whose tries are used up. Returns how many of each.

    Time alone closes nothing: a machine that was off for a night goes on where it stood.
    """
    unfinished = _unfinished()
    closed = sum(
        _close(organization_id, version_id)
        for organization_id, version_id, attempt_count, _is_due in unfinished
        if attempt_count >= settings.SKILLNET_INGESTION_TRIES
    )
    due = sum(1 for *_ids, is_due in unfinished if is_due) - closed
    if due > 0 or token_upkeep.next_due() is not None or reindexing.is_due():
        jobs.enqueue()
    for chore in _chores:
        _do(chore)
    return {"requeued": max(due, 0), "closed": closed}


def _do(chore: Callable[[], None]) -> None:
    try:
        chore()
    except Exception:  # of another app: it must not keep the others, nor the next round, from being done
        logger.exception("a chore of the sweeper failed")


def watch(watchdog: Watchdog) -> int:
    """Close what a watchdog has seen standing still for too long. Returns how many versions that was."""
    return watchdog.look({version_id: owner for owner, version_id, *_rest in _unfinished()}, time.monotonic())


def _unfinished() -> list[tuple[UUID, int, int, bool]]:
    """Organization, version, tries and whether it is due, for every unfinished version of every organization."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT organization_id, version_id, attempt_count, is_due FROM documents_unfinished_ingestion()"
        )
        rows: list[tuple[UUID, int, int, bool]] = cursor.fetchall()
    return rows


def _close(organization_id: UUID, version_id: int) -> bool:
    if not ingestion.hold(version_id):  # a version that cannot be held is being worked on
        return False
    try:
        with organization_scope(organization_id):
            return closing.close_crashed(version_id)
    finally:
        ingestion.release(version_id)


class Sweeper(threading.Thread):
    """Sweeps beside a worker, at once and then every few seconds, until stopped."""

    def __init__(self) -> None:
        super().__init__(name="sweeper", daemon=True)
        self._stopped = threading.Event()

    def stop(self) -> None:
        self._stopped.set()

    def run(self) -> None:
        watchdog = Watchdog()
        while not self._stopped.is_set():
            close_old_connections()
            try:
                watch(watchdog)
                if jobs.is_idle():
                    sweep()
            except (DatabaseFault, RedisError) as error:  # a server that restarts: there will be another round
                logger.warning("sweep not possible now: %s", error)
            self._stopped.wait(settings.SKILLNET_SWEEP_SECONDS)
        connection.close()
