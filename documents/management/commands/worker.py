"""A long-lived worker of the ingestion queue: the model is loaded once, not for every job."""

import logging
from typing import Any

import django_rq
from django.core.management.base import BaseCommand

from documents.jobs import QUEUE
from documents.sweeper import Sweeper
from skillnet.backends import get_embedder
from skillnet.errors import BackendUnavailable
from skillnet.startup import refuse_if_unsafe

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Procesa los documentos en cola hasta que se le pide parar (Ctrl-C o SIGTERM)."

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_if_unsafe()
        try:
            get_embedder().embed_query("calentamiento")
        except BackendUnavailable as error:  # documents are read all the same, and found by words
            logger.warning("embedder not available yet: %s", error)
        sweeper = Sweeper()
        sweeper.start()
        # Jobs run in this process: forking after torch has started its threads is unsafe, and loading it takes seconds.
        worker = django_rq.get_worker(QUEUE, worker_class="rq.worker.SimpleWorker")
        worker.work(with_scheduler=False, logging_level="WARNING")
        sweeper.stop()
