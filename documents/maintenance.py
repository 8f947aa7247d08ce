"""What has to be done to the database now and then, by the owner of its tables, while everything goes on."""

import logging
import threading

from django.conf import settings
from django.db import Error as DatabaseFault
from django.db import close_old_connections, connections

from documents import vector_indexes

logger = logging.getLogger(__name__)


class Maintenance(threading.Thread):
    """Looks whether vector indexes are wanted, at once and then every minute, until stopped.

    Building one takes PostgreSQL minutes: in a thread of its own beside a worker, or in a process of its own
    (`manage.py maintenance`), it keeps neither the queue nor the sweeper waiting.
    """

    def __init__(self) -> None:
        super().__init__(name="maintenance", daemon=True)
        self._stopped = threading.Event()

    def stop(self) -> None:
        self._stopped.set()

    def run(self) -> None:
        if not vector_indexes.can_tend():
            logger.info("no owner's connection here: vector indexes are left to `manage.py maintenance`")
            return
        while not self._stopped.is_set():
            close_old_connections()
            try:
                vector_indexes.tend()
            except DatabaseFault as error:  # a server that restarts, or a build cut off: there will be another round
                logger.warning("vector indexes not tended now: %s", error)
            self._stopped.wait(settings.SKILLNET_MAINTENANCE_SECONDS)
        connections.close_all()
