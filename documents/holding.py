"""Keeping workers away from a version while a person changes what it serves."""

from django.db import OperationalError, connection, transaction
from psycopg.errors import LockNotAvailable

from documents.errors import VersionBusy
from documents.ingestion import LOCK_SPACE

WAIT_MS = 5_000  # longer than most steps; reading a file may take longer


def hold_until_commit(version_id: int) -> None:
    """Let no worker begin a step of this version before the present transaction ends.

    Waits a little for a step that is running. Call before locking any row that a step locks. Raises: VersionBusy.
    """
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT current_setting('lock_timeout')")
            usual = cursor.fetchone()[0]
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [str(WAIT_MS)])
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [LOCK_SPACE, version_id])
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [usual])
    except OperationalError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            raise VersionBusy from error
        raise


def hold_if_free(version_id: int) -> bool:
    """Let no worker begin a step of this version before the present transaction ends, unless one is at work on it now.

    Returns whether it is held.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [LOCK_SPACE, version_id])
        return bool(cursor.fetchone()[0])
