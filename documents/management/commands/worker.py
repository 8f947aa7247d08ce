"""A long-lived worker of all queues: the model is loaded once, not for every job."""

import logging
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import django_rq
from django.conf import settings
from django.core.management.base import BaseCommand
from rq.worker import DequeueStrategy

from documents.maintenance import Maintenance
from documents.sweeper import Sweeper
from skillnet import metrics
from skillnet.backends import get_embedder
from skillnet.errors import BackendUnavailable
from skillnet.startup import refuse_if_unsafe

logger = logging.getLogger(__name__)

NICENESS = 5  # of 19: a third of what a process of people's pages gets while both want the processor
AUTOGROUP = Path("/proc/self/autogroup")


def give_way() -> None:
    """Let whoever waits for a page go ahead of this process, and of the parsers that it starts.

    Linux may share the processor out among sessions first, and then it is the session's own rank that counts: set where
    the session is this process's alone.
    """
    os.nice(NICENESS)
    if os.getsid(0) == os.getpid():
        with suppress(OSError):  # not Linux, or a container's /proc that cannot be written
            AUTOGROUP.write_text(str(NICENESS))


class Command(BaseCommand):
    help = "Procesa los documentos en cola hasta que se le pide parar (Ctrl-C o SIGTERM)."

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_if_unsafe()
        give_way()
        if port := settings.SKILLNET_WORKER_METRICS_PORT:
            metrics.serve(port)
        try:
            get_embedder().embed_query("calentamiento")
        except BackendUnavailable as error:  # documents are read all the same, and found by words
            logger.warning("embedder not available yet: %s", error)
        beside = (Sweeper(), Maintenance())
        for thread in beside:
            thread.start()
        # Jobs run in this process: forking after torch has started its threads is unsafe, and loading it takes seconds.
        worker = django_rq.get_worker(*settings.RQ_QUEUES, worker_class="skillnet.queues.TracedWorker")
        # In turn, so that a long upload does not hold up what the other queues wait for.
        worker.work(with_scheduler=False, logging_level="WARNING", dequeue_strategy=DequeueStrategy.ROUND_ROBIN)
        for thread in beside:
            thread.stop()
