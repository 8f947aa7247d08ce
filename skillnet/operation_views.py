"""What machines ask: health, readiness, metrics, and what browsers report."""

import hmac
import ipaddress
import json
import logging
import time
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import Resolver404, resolve
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST
from django_rq import get_queue
from prometheus_client import CONTENT_TYPE_LATEST
from redis.exceptions import RedisError

from skillnet import metrics, rate_limits
from skillnet.backends import get_embedder
from skillnet.errors import BackendUnavailable
from skillnet.throttling import client_address

logger = logging.getLogger(__name__)

REPORT_BYTES = 8 * 1024
_DIRECTIVES = frozenset(
    {"default-src", "script-src", "style-src", "img-src", "font-src", "connect-src", "media-src", "object-src"}
    | {"frame-src", "frame-ancestors", "form-action", "base-uri", "worker-src", "manifest-src", "script-src-elem"}
    | {"script-src-attr", "style-src-elem", "style-src-attr"}
)


class EmbedderProbe:
    """Whether the embedder turns a word into numbers. Asked at most twice a minute, and never waited for long: a model
    that is being loaded is not there yet.
    """

    HOLDS_SECONDS = 30.0
    WAIT_SECONDS = 2.0

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="embedder-probe")
        self._lock = Lock()
        self._asked: Future[bool] | None = None
        self._asked_at = 0.0

    def answers(self) -> bool:
        with self._lock:
            is_old = time.monotonic() - self._asked_at > self.HOLDS_SECONDS
            if self._asked is None or (self._asked.done() and is_old):
                self._asked, self._asked_at = self._pool.submit(self._ask), time.monotonic()
            asked = self._asked
        try:
            return asked.result(self.WAIT_SECONDS)
        except TimeoutError:
            return False

    @staticmethod
    def _ask() -> bool:
        try:
            get_embedder().embed_query("listo")
        except BackendUnavailable:
            return False
        return True


_embedder = EmbedderProbe()


def healthz(request: HttpRequest) -> HttpResponse:
    """Alive: the process answers."""
    return HttpResponse("ok", content_type="text/plain")


def readyz(request: HttpRequest) -> JsonResponse:
    """Ready: database, migrations and queue. 503 names what is missing.

    `embedder` and `workers` do not decide: without the one, search goes on by words; without the others, pages are
    served and uploads wait.
    """
    state: dict[str, bool] = {"database": False, "migrations": False, "queue": False}
    workers = 0
    try:
        executor = MigrationExecutor(connection)
        state["database"] = True
        state["migrations"] = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        state["database"] = False
    try:
        state["queue"] = bool(get_queue("ingestion").connection.ping())
        workers = metrics.worker_count()
    except RedisError:
        state["queue"] = False
    told = {**state, "embedder": _embedder.answers(), "workers": workers}
    return JsonResponse(told, status=200 if all(state.values()) else 503)


@require_GET
def metrics_page(request: HttpRequest) -> HttpResponse:
    """Prometheus' metrics, for who holds the token; without one, for this machine alone. Others are told 404."""
    if not _may_see_metrics(request):
        raise Http404
    return HttpResponse(metrics.exposition(), content_type=CONTENT_TYPE_LATEST)


def _may_see_metrics(request: HttpRequest) -> bool:
    token = settings.SKILLNET_METRICS_TOKEN
    if token:
        return hmac.compare_digest(request.headers.get("Authorization", "").encode(), f"Bearer {token}".encode())
    if any(name in request.headers for name in ("X-Forwarded-For", "Forwarded", "X-Real-IP")):
        return False  # a proxy on this machine passes on what comes from elsewhere
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


@csrf_exempt
@require_POST
def csp_report(request: HttpRequest) -> HttpResponse:
    """Take a browser's word that it refused to load something.

    Logged are the directive, the other site's name and the view: never an address of ours, which may hold a question.
    """
    address = client_address(request) or ""
    if rate_limits.seconds_to_wait_from("csp_report", address):
        return HttpResponse(status=429)
    if int(request.META.get("CONTENT_LENGTH") or 0) > REPORT_BYTES:
        return HttpResponse(status=413)
    try:
        report = json.loads(request.read(REPORT_BYTES + 1))["csp-report"]
        directive = str(report.get("effective-directive") or report.get("violated-directive") or "").split(" ")[0]
        blocked = urlsplit(str(report.get("blocked-uri") or ""))
        page = urlsplit(str(report.get("document-uri") or "")).path
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return HttpResponse(status=400)
    directive = directive if directive in _DIRECTIVES else "other"
    metrics.CSP_REPORTS.labels(directive).inc()
    source = _printable(blocked.hostname or blocked.scheme or blocked.path)
    logger.warning("a browser refused %s from %s on %s", directive, source, _view_at(page))
    return HttpResponse(status=204)


def _printable(text: str) -> str:
    return "".join(character for character in text[:80] if character.isalnum() or character in ".-:") or "?"


def _view_at(path: str) -> str:
    try:
        return resolve(path).view_name or "none"
    except Resolver404:
        return "none"
