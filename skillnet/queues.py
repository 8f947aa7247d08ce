"""Jobs carry the name of the request that queued them, so that both are found together in the log."""

from typing import Any

from django_rq.queues import DjangoRQ
from rq import Queue
from rq.executions import Execution
from rq.job import Job
from rq.worker import SimpleWorker

from skillnet.log_context import current_request_id, request_named

_KEY = "request_id"


class TracedQueue(DjangoRQ):
    """A queue whose jobs remember the request at work when they were made."""

    def create_job(self, *args: Any, **kwargs: Any) -> Job:
        job: Job = super().create_job(*args, **kwargs)
        job.meta.setdefault(_KEY, current_request_id())
        return job


class TracedWorker(SimpleWorker):
    """A worker that does each job under the name of its request."""

    def perform_job(self, job: Job, queue: Queue, execution: Execution) -> bool:
        with request_named(str(job.meta.get(_KEY) or f"job-{job.id}")):
            return bool(super().perform_job(job, queue, execution))
