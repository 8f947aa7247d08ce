"""What Prometheus is told: counters of this process, and gauges that are read when it asks.

Labels are bounded: names of views, queues, states and origins, never an organization, a person or a text. A worker has
a page of its own (WORKER_METRICS_PORT). Several web processes behind one address share a folder
(PROMETHEUS_MULTIPROC_DIR), and the library adds their counters up: see docs/operations.md.
"""

import os
from collections.abc import Iterator

import django_rq
from django.conf import settings
from django.db import Error as DatabaseFault
from django.db import connection
from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest, start_http_server
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from redis.exceptions import RedisError
from rq import Worker

REQUESTS = Counter("skillnet_requests", "Requests answered.", ["method", "view", "status"])
LATENCY = Histogram(
    "skillnet_request_seconds",
    "Seconds until the head of the answer was ready.",
    ["view"],
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
ANSWERS = Counter(
    "skillnet_answers", "Answers given, by what wrote them and whether they rest on documents.", ["origin", "evidence"]
)
FAILED_ANSWERS = Counter("skillnet_failed_answers", "Questions that could not be answered for a fault of ours.")
MODEL_FAILURES = Counter("skillnet_model_failures", "Calls of a model that failed.", ["model"])
RATE_LIMITED = Counter("skillnet_rate_limited", "Requests refused for coming too fast.", ["act", "whose"])
CSP_REPORTS = Counter("skillnet_csp_reports", "Reports of browsers that refused to load something.", ["directive"])


def exposition() -> bytes:
    """Everything measured, in Prometheus' text format."""
    now = CollectorRegistry()
    now.register(_Present())
    return bytes(generate_latest(_counted()) + generate_latest(now))


def serve(port: int) -> None:
    """Show what this process has counted at `port`, to whoever reaches it, for as long as the process lives.

    Raises: OSError, when the port is taken.
    """
    start_http_server(port, registry=_counted())


def _counted() -> CollectorRegistry:
    """The counters of this process, or of all that share a folder."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    together = CollectorRegistry()
    MultiProcessCollector(together)  # type: ignore[no-untyped-call]
    return together


class _Present:
    """How things stand at the moment of asking. What cannot be reached is left out and shown as not up."""

    def collect(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("skillnet_up", "Whether a service answers.", labels=["service"])
        states, queues = None, None
        try:
            states = _versions_by_state()
        except DatabaseFault:
            connection.close()
        try:
            queues = _queues()
        except RedisError:
            queues = None
        up.add_metric(["database"], float(states is not None))
        up.add_metric(["queue"], float(queues is not None))
        yield up
        yield from [states] if states is not None else []
        yield from queues or []


def _versions_by_state() -> Metric:
    gauge = GaugeMetricFamily("skillnet_document_versions", "Versions of documents by state.", labels=["state"])
    with connection.cursor() as cursor:
        cursor.execute("SELECT status, version_count FROM documents_state_counts()")
        for status, count in cursor.fetchall():
            gauge.add_metric([status], count)
    return gauge


def _queues() -> list[Metric]:
    waiting = GaugeMetricFamily("skillnet_queue_jobs", "Jobs that wait, by queue.", labels=["queue"])
    failed = GaugeMetricFamily("skillnet_queue_failed_jobs", "Jobs that failed, by queue.", labels=["queue"])
    for name in settings.RQ_QUEUES:
        queue = django_rq.get_queue(name)
        waiting.add_metric([name], queue.count)
        failed.add_metric([name], queue.failed_job_registry.count)
    workers = GaugeMetricFamily("skillnet_workers", "Workers alive.", value=worker_count())
    return [waiting, failed, workers]


def worker_count() -> int:
    """How many workers have shown a sign of life lately. Raises: RedisError."""
    name = next(iter(settings.RQ_QUEUES))
    return len(Worker.all(connection=django_rq.get_connection(name)))
