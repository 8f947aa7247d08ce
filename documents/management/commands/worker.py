"""A long-lived worker of all queues: the model is loaded once, not for every job."""

import logging
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


class Command(BaseCommand):
    help = "Procesa los documentos en cola hasta que se le pide parar (Ctrl-C o SIGTERM)."

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_if_unsafe()
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
